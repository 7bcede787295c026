// The desktop program: a window without arguments, a command with them.
#include <SDL.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "app/app.h"
#include "cli/cli.h"
#include "platform/window.h"
#include "text/embedded_fonts.h"

int main(int argc, char** argv) {
  using namespace limelight;
  if (!text::load_embedded_fonts()) return 1;
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (!arguments.empty()) return static_cast<int>(cli::run(arguments));
#ifdef __linux__
  // Without a display SDL would take the console and wait.
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr &&
      std::getenv("SDL_VIDEODRIVER") == nullptr) {
    std::fprintf(stderr,
                 "There is no display to open a window on. The commands (limelight --help) work without one.\n");
    return 1;
  }
#endif
  const std::unique_ptr<platform::Window> window = platform::Window::open(app::make_app());
  if (!window) return 1;
  while (!window->closed())
    if (!window->frame()) SDL_WaitEventTimeout(nullptr, 250);  // the event stays in the queue
  return 0;
}

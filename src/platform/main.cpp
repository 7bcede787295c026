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
  // Where neither answers SDL would take the console and wait.
  if (std::getenv("SDL_VIDEODRIVER") == nullptr) SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11,wayland");
#endif
  const Result<std::unique_ptr<platform::Window>> opened = platform::Window::open(app::make_app());
  if (!opened) {
    std::fprintf(stderr, "limelight: %s The commands (limelight --help) work without one.\n",
                 opened.error().message.c_str());
    return 1;
  }
  platform::Window& window = **opened;
  while (!window.closed())
    if (!window.frame()) SDL_WaitEventTimeout(nullptr, 250);  // the event stays in the queue
  return 0;
}

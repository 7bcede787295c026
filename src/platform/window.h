// The window of the page and of the desktop: SDL's events in, frames out. Everything above is shared by both.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "app/app.h"
#include "app/input.h"
#include "app/page.h"
#include "app/painter.h"
#include "platform/platform.h"

struct SDL_Window;
union SDL_Event;

namespace limelight::platform {

class Window {
 public:
  // Error: a sentence, when there is no display or no OpenGL.
  static Result<std::unique_ptr<Window>> open(app::App app);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  app::App& app() { return app_; }
  // The page in words, as app::describe_page gives it, of the state as it is now: also where no frame has drawn it yet.
  std::string description();
  [[nodiscard]] bool closed() const { return closed_; }

  void resize(float width, float height);  // CSS pixels
  // Two fingers with their middle here, `factor` times as far apart as at first; 0: they are gone.
  void pinch(figure::Point at, float factor);
  // The rest of a font that was fetched has come, or the reader is told why it cannot be had.
  void font_came();
  void font_refused(const std::string& why);
  // Handles events, lets time go on, draws when something changed. False when there is nothing more to do until the
  // next event.
  bool frame();

 private:
  explicit Window(app::App app);
  bool start();
  void handle(const SDL_Event& event);
  void pointer_let_go();
  void handle_key(const SDL_Event& event);
  void fulfil_wishes();
  void fit();
  void update_fade();
  void update_stage();
  void draw();
  void describe(bool drawn);
  bool lacks_font();
  [[nodiscard]] double motion() const;  // seconds that it takes
  [[nodiscard]] figure::Figure moving_stage() const;
  [[nodiscard]] float progress() const;  // of it, from 0 to 1
  [[nodiscard]] bool moving() const { return animation_start_ >= 0; }
  [[nodiscard]] bool fading() const { return fade_start_ >= 0; }
  [[nodiscard]] bool animating() const { return moving() || fading(); }
  [[nodiscard]] bool held() const { return held_at_ >= 0; }

  app::App app_;
  figure::Point size_;  // of the window, in CSS pixels
  app::Page page_;
  app::Pointer pointer_;
  app::Cursor cursor_ = app::Cursor::normal;
  Desk desk_;
  figure::Figure stage_from_, stage_;
  double animation_start_ = -1;      // below 0: at rest
  figure::Figure fade_from_;         // all of the page that leaves
  double fade_start_ = -1;           // likewise
  bool follows_ = false;             // it follows the pointer
  figure::Timing timing_ = nullptr;  // of what moves
  scenes::Place seen_place_{};
  double held_at_ = -1;     // what was drawn last stays since then, until a font has come; below 0: it does not
  int fontless_view_ = -1;  // the revision of the view that is drawn without
  int seen_view_ = 0, seen_lamp_ = 0;
  bool seen_opening_ = false;
  double described_at_ = -1;
  bool undescribed_ = false, describes_later_ = false;
  using TablesKey = std::array<int, 8>;               // what decides which matrices there are
  TablesKey tables_{-1}, described_tables_{-1};       // as they are, and as they were sent last
  double tables_at_ = -1, described_tables_at_ = -1;  // when
  double rest_ms_ = 0;  // of a frame for all but the job; what took long is forgotten slowly
  bool closed_ = false;
  float pixel_ratio_ = 1;
  SDL_Window* window_ = nullptr;
  void* context_ = nullptr;
  std::unique_ptr<app::Painter> painter_;
};

}  // namespace limelight::platform

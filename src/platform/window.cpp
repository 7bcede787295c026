#include "platform/window.h"

#include <SDL.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>

#include "app/commands.h"
#include "figure/lamp.h"
#include "gfx/texture.h"
#include "platform/platform.h"
#include "scenes/common/sentence.h"
#include "scenes/moment.h"
#include "scenes/place.h"
#include "text/font.h"

namespace limelight::platform {
namespace {

constexpr double kAnimation = 0.5;       // seconds
constexpr double kInTurn = 0.9;          // the same, of a step whose parts move one after the other
constexpr double kFade = 1.0;            // seconds between the opening and the page that it lies over
constexpr double kFollowing = 0.25;      // seconds until the light is where the pointer went
constexpr double kDescribeEvery = 0.1;   // seconds between two descriptions while things move
constexpr double kDescribeLatest = 0.3;  // the same where a frame draws as well
constexpr double kRest = 0.15;           // seconds without a change, before the matrices are described
constexpr double kTablesEvery = 1;       // seconds between two descriptions of them while a job runs
constexpr double kLongestHold = 3;       // seconds that a picture waits for a font before it is drawn without
constexpr double kFrameWork = 9;         // milliseconds of a frame's 16 for a job and everything else
constexpr double kLeastJobWork = 2;      // milliseconds, however long everything else takes
constexpr double kMostJobWork = 8;
constexpr double kForgetting = 0.1;  // of a frame that took long, with every frame after it

double seconds() { return static_cast<double>(SDL_GetTicks64()) / 1000; }

// Slow at both ends.
float ease(double t) { return figure::smoothstep(0, 1, static_cast<float>(t)); }

constexpr float kStiffness = 6.5F;  // of the spring, per its whole time

// A critically damped spring: begins at once and comes to rest without a swing.
float spring(double t) {
  const auto gone = [](double x) { return 1 - (1 + kStiffness * x) * std::exp(-kStiffness * x); };
  return static_cast<float>(gone(std::clamp(t, 0.0, 1.0)) / gone(1));
}

}  // namespace

Window::Window(app::App app) : app_(std::move(app)), size_{app_.width, app_.height} {}

Result<std::unique_ptr<Window>> Window::open(app::App app) {
  std::unique_ptr<Window> window(new Window(std::move(app)));
  if (window->start()) return window;
  return fail(std::string("No window could be opened: ") + SDL_GetError() + ".");
}

bool Window::start() {
  SDL_SetHint(SDL_HINT_EMSCRIPTEN_KEYBOARD_ELEMENT, "#canvas");
  SDL_SetMainReady();
  if (SDL_Init(SDL_INIT_VIDEO) != 0) return false;
#ifdef LIMELIGHT_GLES
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 0);
#else
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
#endif
  SDL_GL_SetAttribute(SDL_GL_ALPHA_SIZE, 8);
  SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
  window_ = SDL_CreateWindow("Limelight", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, static_cast<int>(app_.width),
                             static_cast<int>(app_.height),
                             SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
  if (window_ == nullptr) return false;
  context_ = SDL_GL_CreateContext(window_);
  if (context_ == nullptr) return false;
  SDL_GL_MakeCurrent(window_, context_);
  prepare_inputs(window_, context_);
  painter_ = std::make_unique<app::Painter>(draw_foreign);
  return true;
}

Window::~Window() {
  painter_.reset();
  if (context_ != nullptr) end_inputs();
  if (context_ != nullptr) SDL_GL_DeleteContext(context_);
  if (window_ != nullptr) SDL_DestroyWindow(window_);
  SDL_Quit();
}

void Window::resize(float width, float height) {
  SDL_SetWindowSize(window_, static_cast<int>(width), static_cast<int>(height));
  size_ = {width, height};
  app_.changed = true;
}

// Lays the page out for the window as it is now.
void Window::fit() {
  const float width = size_.x / app_.magnification(), height = size_.y / app_.magnification();
  if (width == app_.width && height == app_.height) return;
  app_.seeks_lamp = app_.seeks_lamp || width != app_.width;
  app_.width = width;
  app_.height = height;
  animation_start_ = fade_start_ = -1;
  app_.changed = true;
}

void Window::pinch(figure::Point at, float factor) {
  const float m = app_.magnification();
  if (factor > 0)
    app::pinched(app_, page_, pointer_, {at.x / m, at.y / m}, factor);
  else
    app::pinch_ended(pointer_);
}

void Window::handle_key(const SDL_Event& event) {
  const auto mods = static_cast<SDL_Keymod>(event.key.keysym.mod);  // as it was pressed; it may have been let go since
  const bool command = (mods & (KMOD_CTRL | KMOD_GUI)) != 0;
  const auto press = [&](app::Key key) { app::key_pressed(app_, page_, key); };
  switch (event.key.keysym.sym) {
    case SDLK_LEFT:
      press(app::Key::left);
      break;
    case SDLK_RIGHT:
      press(app::Key::right);
      break;
    case SDLK_UP:
      press(app::Key::up);
      break;
    case SDLK_DOWN:
      press(app::Key::down);
      break;
    case SDLK_HOME:
      press(app::Key::home);
      break;
    case SDLK_END:
      press(app::Key::end);
      break;
    case SDLK_SPACE:
      press(app::Key::space);
      break;
    case SDLK_RETURN:
    case SDLK_KP_ENTER:
      press(app::Key::enter);
      break;
    case SDLK_ESCAPE:
      press(app::Key::escape);
      break;
    case SDLK_PLUS:
    case SDLK_KP_PLUS:
    case SDLK_EQUALS:
      press(app::Key::zoom_in);
      break;
    case SDLK_MINUS:
    case SDLK_KP_MINUS:
      if (app_.pinned.empty()) press(app::Key::zoom_out);
      break;
    case SDLK_i:
      if (!command) press(app::Key::inspect);
      break;
    case SDLK_z:
      if (command) press((mods & KMOD_SHIFT) != 0 ? app::Key::redo : app::Key::undo);
      break;
    case SDLK_y:
      if (command) press(app::Key::redo);
      break;
    default:
      break;
  }
}

// A button that was let go where nobody heard it holds nothing any longer.
void Window::pointer_let_go() {
  if (pointer_.down) app::pointer_cancelled(app_, page_, pointer_);
}

void Window::handle(const SDL_Event& event) {
  const float share = app_.width / size_.x;  // of the page that is seen
  const auto at = [share](int x, int y) {
    return figure::Point{static_cast<float>(x) * share, static_cast<float>(y) * share};
  };
  switch (event.type) {
    case SDL_QUIT:
      closed_ = true;
      break;
    case SDL_MOUSEMOTION:
      app_.touch = event.motion.which == SDL_TOUCH_MOUSEID;
      if ((event.motion.state & SDL_BUTTON_LMASK) == 0) pointer_let_go();
      app::pointer_moved(app_, page_, pointer_, at(event.motion.x, event.motion.y));
      break;
    case SDL_MOUSEBUTTONDOWN:
      if (event.button.button != SDL_BUTTON_LEFT) break;
      app_.touch = event.button.which == SDL_TOUCH_MOUSEID;
      app::pointer_pressed(app_, page_, pointer_, at(event.button.x, event.button.y));
      break;
    case SDL_MOUSEBUTTONUP:
      if (event.button.button == SDL_BUTTON_LEFT)
        app::pointer_released(app_, page_, pointer_, at(event.button.x, event.button.y));
      break;
    case SDL_MOUSEWHEEL:
      app::wheel_turned(app_, page_, pointer_, event.wheel.preciseY);
      break;
    case SDL_KEYDOWN:
      handle_key(event);
      break;
    case SDL_TEXTINPUT: {
      const char c = event.text.text[0];
      if (c > 0) app::character_typed(app_, page_, static_cast<char32_t>(c));
      break;
    }
    case SDL_DROPFILE: {
      const std::string path(event.drop.file);
      SDL_free(event.drop.file);
      take_dropped(app_, path);
      break;
    }
    case SDL_WINDOWEVENT:
      if (event.window.event == SDL_WINDOWEVENT_LEAVE) app::pointer_left(app_, pointer_);
      if (event.window.event == SDL_WINDOWEVENT_FOCUS_LOST) pointer_let_go();
      if (event.window.event == SDL_WINDOWEVENT_HIDDEN || event.window.event == SDL_WINDOWEVENT_MINIMIZED)
        app::hide(app_);
      if (event.window.event == SDL_WINDOWEVENT_EXPOSED) app_.changed = true;
      if (event.window.event == SDL_WINDOWEVENT_SIZE_CHANGED) {
        size_ = {static_cast<float>(event.window.data1), static_cast<float>(event.window.data2)};
      }
      break;
    default:
      break;
  }
}

void Window::fulfil_wishes() {
  if (app_.wish_copy) copy_link(app_, *std::exchange(app_.wish_copy, std::nullopt));
  if (app_.wish_open) open_link(*std::exchange(app_.wish_open, std::nullopt));
  if (app_.waiting || (app_.promised && !app_.all_scenes)) fetch_scenes();
  for (const std::string& name : std::exchange(app_.wish_resources, {})) fetch_resource(app_, name);
  if (std::exchange(app_.wish_file, false)) choose_picture(app_);
  if (std::exchange(app_.wish_own_files, false)) choose_own(app_);
  if (app_.wish_kept_picture) recall_picture(*std::exchange(app_.wish_kept_picture, std::nullopt));
  if (app_.wish_panel) open_panel(app_, *std::exchange(app_.wish_panel, std::nullopt));
  if (std::exchange(app_.wish_leave, false)) leave();
}

// The opening and the page that it lies over are two pages.
void Window::update_fade() {
  const bool opening = app_.opening.has_value();
  if (std::exchange(seen_opening_, opening) != opening && !app_.reduced_motion && app_.frames > 0) {
    fade_from_ = page_.figure;
    fade_start_ = app_.now;
    animation_start_ = -1;
    stage_ = app::draw_stage(app_);  // it moves with the page
    seen_view_ = app_.view_revision;
    seen_lamp_ = app_.lamp_revision;
  }
  if (fading() && app_.now - fade_start_ >= kFade) fade_start_ = -1;
}

void Window::update_stage() {
  figure::Figure target = app::draw_stage(app_);
  app::seek_lamp(app_, target);
  const bool steps = seen_view_ != app_.view_revision;
  const bool moves = steps || seen_lamp_ != app_.lamp_revision;
  const bool other_place = std::exchange(seen_place_, app_.place) != app_.place;
  seen_view_ = app_.view_revision;
  seen_lamp_ = app_.lamp_revision;
  if (moves && !app_.reduced_motion && !app_.in_gesture && app_.frames > 0) {
    stage_from_ = moving() ? figure::blend(stage_from_, stage_, progress(), timing_) : std::move(stage_);
    animation_start_ = app_.now;
    follows_ = !steps;
    timing_ = other_place ? scenes::motion_at(*app_.scene, app_.place).timing : nullptr;
  } else if (app_.in_gesture) {
    animation_start_ = -1;
  }
  stage_ = std::move(target);
  if (moving() && app_.now - animation_start_ >= motion()) animation_start_ = -1;
}

double Window::motion() const {
  if (follows_) return kFollowing;
  return timing_ != nullptr ? kInTurn : kAnimation;
}

float Window::progress() const {
  const double t = (app_.now - animation_start_) / motion();
  return follows_ ? spring(t) : ease(t);
}

// A lamp that follows the pointer swings as far as it is fast.
figure::Figure Window::moving_stage() const {
  constexpr float kMost = 0.105F, kFar = 240;  // radians, 6°; px of a way on which it swings so far
  figure::Figure stage = figure::blend(stage_from_, stage_, progress(), timing_);
  const figure::Element *from = stage_from_.find(scenes::kLampId), *to = stage_.find(scenes::kLampId);
  if (!follows_ || from == nullptr || to == nullptr) return stage;
  const float way = to->rect.centre().x - from->rect.centre().x;
  const float x = kStiffness * static_cast<float>((app_.now - animation_start_) / motion());
  const float speed = x * std::exp(1 - x);  // of the spring; 1 where it is fastest
  figure::swing(stage, std::string(scenes::kLampId), -kMost * std::clamp(way / kFar, -1.F, 1.F) * speed);
  return stage;
}

// Asks for the fonts that what was laid out last would need more of. Whether it waits for them, which it does not where
// they could not be had.
bool Window::lacks_font() {
  const std::vector<text::Face> wanted = text::take_wanted();
  for (const text::Face face : wanted) fetch_font(face);
  return !wanted.empty() && fontless_view_ != app_.view_revision;
}

void Window::font_came() {
  // Which nobody has seen yet.
  if (held() && moving()) animation_start_ = seconds();
  if (held() && fading()) fade_start_ = seconds();
  app_.changed = true;
}

void Window::font_refused(const std::string& why) {
  if (held()) app::notify(app_, why);
  fontless_view_ = app_.view_revision;
  app_.changed = true;
}

void Window::draw() {
  const auto start = std::chrono::steady_clock::now();
  int width = 0, height = 0;
  SDL_GL_GetDrawableSize(window_, &width, &height);
  pixel_ratio_ = static_cast<float>(width) / std::max(app_.width, 1.F);
  text::take_wanted();  // by what is not drawn
  update_fade();
  update_stage();
  app::Page page = app::build_page(app_, moving() ? moving_stage() : stage_);
  if (fading()) app::fade_page(page, app_, fade_from_, ease((app_.now - fade_start_) / kFade));
  if (lacks_font()) {
    if (!held()) held_at_ = app_.now;
    return;
  }
  held_at_ = -1;
  page_ = std::move(page);
  const figure::Colour paper = page_.figure.background;
  const float alpha = static_cast<float>(paper.a) / 255;
  gfx::clear_screen(width, height, static_cast<float>(paper.r) / 255 * alpha, static_cast<float>(paper.g) / 255 * alpha,
                    static_cast<float>(paper.b) / 255 * alpha, alpha);
  painter_->paint(page_.figure, app_.trace, pixel_ratio_);
  edit_texts(desk_, app_, page_);
  SDL_GL_SwapWindow(window_);
  ++app_.frames;
  app_.draw_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  undescribed_ = true;
}

// While things move, what has changed is described in frames that do not draw, and, if all do, less often and between
// them; where an input is to be laid over the canvas, at once. The matrices are all the numbers of the figure: they
// come once nothing has changed for a moment, so that dragging is not slowed down, and now and then while a job runs.
void Window::describe(bool drawn) {
  if (app_.frames == 0 || app_.changed || held())
    return;  // the page is not drawn of what there is now: the next frame does that
  const auto size = [](float pixels) { return static_cast<int>(std::lround(pixels)); };
  // While one step becomes another, the matrices of both are there.
  const TablesKey tables{app_.revision,     app_.view_revision, int{animating()}, size(app_.width),
                         size(app_.height), app_.place.step,    app_.place.part,  int{app_.t < 1}};
  if (std::exchange(tables_, tables) != tables) tables_at_ = app_.now;
  const bool first = described_at_ < 0;
  const bool rests = app_.now - tables_at_ >= kRest;
  const bool due = app_.works() && app_.now - described_tables_at_ >= kTablesEvery;
  const bool with_tables = tables != described_tables_ && (first || rests || due);
  const double pause = drawn && !app_.typing ? kDescribeLatest : kDescribeEvery;
  const bool soon = !first && app_.now - described_at_ < pause;
  if (!with_tables && (!undescribed_ || soon)) return;
  if (drawn && !first && !app_.typing) {
    if (std::exchange(describes_later_, true)) return;
    const auto describe_now = [](void* self) {
      Window& window = *static_cast<Window*>(self);
      window.describes_later_ = false;
      window.describe(false);
    };
    return after_frame(describe_now, this);
  }
  page_changed(app::describe_page(app_, page_, animating(), with_tables));
  if (with_tables) {
    described_tables_ = tables;
    described_tables_at_ = app_.now;
  }
  described_at_ = app_.now;
  undescribed_ = animating();
}

std::string Window::description() {
  fit();
  if (!app_.changed && !held()) return app::describe_page(app_, page_, animating());
  text::take_wanted();
  const figure::Figure stage = app::draw_stage(app_);
  app::seek_lamp(app_, stage);
  const app::Page page = app::build_page(app_, stage);
  const bool waits = lacks_font();
  return app::describe_page(app_, page, waits || animating());
}

bool Window::frame() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const auto worked = [&] { return app_.job ? app_.job->snapshot.seconds * 1000 : 0; };
  app_.now = seconds();
  SDL_Event event;
  while (SDL_PollEvent(&event) != 0) {
    const bool typing = inputs_take(event);
    if (typing) app_.changed = true;
    if (!typing || (event.type != SDL_KEYDOWN && event.type != SDL_TEXTINPUT)) handle(event);
  }
  const double worked_before = worked();
  const bool works = app_.works();
  const int revision = app_.revision;
  const bool more = app::advance(app_, seconds(), std::clamp(kFrameWork - rest_ms_, kLeastJobWork, kMostJobWork));
  const double job_ms = std::max(worked() - worked_before, 0.0);
  fit();
  if (held() && app_.now - held_at_ > kLongestHold) {
    fontless_view_ = app_.view_revision;
    app_.changed = true;
  }
  const bool draws = app_.changed || (animating() && !held());
  if (draws) {
    app_.changed = false;
    draw();
    if (const app::Cursor wanted = app::cursor(app_, page_, pointer_); wanted != cursor_)
      show_cursor(desk_, cursor_ = wanted);
  }
  // What a job's new results took a frame for is described with the next.
  if (!works || app_.revision == revision) describe(draws);
  fulfil_wishes();
  const double rest = std::chrono::duration<double, std::milli>(Clock::now() - start).count() - job_ms;
  rest_ms_ = std::max(rest, rest_ms_ + kForgetting * (rest - rest_ms_));
  return more || app_.changed || animating() || held() || undescribed_ || tables_ != described_tables_;
}

}  // namespace limelight::platform

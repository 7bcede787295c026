// The page: the loader gives us fonts and a link, the mirror calls us by name.
#include <emscripten.h>

#include <SDL.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/opening.h"
#include "io/json.h"
#include "io/numbers.h"
#include "platform/platform.h"
#include "platform/window.h"
#include "text/font.h"

// Memory may grow past 2 GiB, where an address is a negative number to JavaScript: >>> 0 makes it one that counts.
// clang-format off
EM_JS(int, js_font_size, (int index), { return Module.fonts[index]?.length ?? -1; })
EM_JS(void, js_font_bytes, (int index, unsigned char* target), { HEAPU8.set(Module.fonts[index], target >>> 0); })
EM_JS(char*, js_option, (const char* name), { return stringToNewUTF8(String(Module[UTF8ToString(name)] ?? "")); })
EM_JS(double, js_number, (const char* text), { return parseFloat(UTF8ToString(text)); })
EM_JS(void, js_page, (const char* json), { Module.onPage?.(UTF8ToString(json)); })
EM_JS(void, js_copy, (const char* text), { Module.onCopy?.(UTF8ToString(text)); })
EM_JS(void, js_open, (const char* text), { Module.onOpenLink?.(UTF8ToString(text)); })
// A sentence, and whether it is the graphics that failed.
EM_JS(void, js_failed, (const char* sentence, int graphics), { Module.onFailure?.(UTF8ToString(sentence), graphics !== 0); })
EM_JS(void, js_font, (int index), { Module.onFont?.(index); })
EM_JS(void, js_scenes, (), { Module.onScenes?.(); })
EM_JS(void, js_resource, (const char* name), { Module.onResource?.(UTF8ToString(name)); })
EM_JS(int, js_resource_size, (const char* name), { return Module.resources[UTF8ToString(name)].length; })
EM_JS(void, js_resource_bytes, (const char* name, void* target), { HEAPU8.set(Module.resources[UTF8ToString(name)], target >>> 0); })
EM_JS(void, js_choose_picture, (), { Module.onChoosePicture?.(); })
EM_JS(void, js_choose_own, (), { Module.onChooseOwn?.(); })
EM_JS(void, js_recall_picture, (const char* name), { Module.onRecallPicture?.(UTF8ToString(name)); })
EM_JS(void, js_panel, (const char* name), { Module.onPanel?.(UTF8ToString(name)); })
EM_JS(void, js_leave, (), { Module.onLeave?.(); })
EM_JS(void, js_cursor, (const char* name), { Module.canvas.style.cursor = UTF8ToString(name); })
// Draws text with the browser's own fonts into a box of `width` pixels; the pixels land at `target`. Room: `size` pixels above the
// baseline and half of it below.
EM_JS(int, js_draw_text, (const char* text, float size, int width, int height, int baseline, unsigned char* target), {
  Module.foreignCanvas = Module.foreignCanvas || document.createElement("canvas");
  const canvas = Module.foreignCanvas;
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const string = UTF8ToString(text);
  context.font = size + "px Inter, sans-serif";
  context.fillStyle = "#fff";
  context.textBaseline = "alphabetic";
  const measured = context.measureText(string).width;
  if (measured > 0) context.scale(Math.min(width / measured, 1), 1);
  const left = measured > 0 && measured < width ? (width - measured) / 2 : 0;
  context.fillText(string, left, baseline);
  HEAPU8.set(context.getImageData(0, 0, width, height).data, target >>> 0);
  return 1;
})
// clang-format on

// In place of the C library's strtod, which is as exact, but calculates with 128 bits: 6 kB of the first load, gzipped.
// Callers do not ask where the number ends.
extern "C" double __wrap_strtod(const char* text, [[maybe_unused]] char** end) {
  assert(end == nullptr);
  return js_number(text);
}

namespace limelight::platform {
namespace {

Window* window = nullptr;  // lives as long as the page; null when the start failed
std::string failure;       // why
std::string answer;        // to the last call
bool draws = true;         // false: the page is about to be loaded again

int fail_to_start(std::string sentence, bool graphics) {
  failure = std::move(sentence);
  js_failed(failure.c_str(), graphics ? 1 : 0);
  return 1;
}

void loop() {
  if (!draws || !window->frame()) emscripten_pause_main_loop();
}

void wake() { emscripten_resume_main_loop(); }

int SDLCALL wake_on_event(void*, SDL_Event*) {
  wake();
  return 1;
}

std::string option(const char* name) {
  char* text = js_option(name);
  std::string value(text);
  std::free(text);
  return value;
}

}  // namespace

void copy_link(app::App&, const std::string& hash) { js_copy(hash.c_str()); }
void open_link(const std::string& hash) { js_open(hash.c_str()); }
void fetch_font(text::Face face) { js_font(static_cast<int>(face)); }
void fetch_scenes() { js_scenes(); }
void fetch_resource(app::App&, const std::string& name) { js_resource(name.c_str()); }
void choose_picture(app::App&) { js_choose_picture(); }
void choose_own(app::App&) { js_choose_own(); }
void take_dropped(app::App&, const std::string&) {}  // the page's own listeners take it
void recall_picture(const std::string& name) { js_recall_picture(name.c_str()); }
void open_panel(app::App&, const std::string& name) { js_panel(name.c_str()); }
void leave() { js_leave(); }

void show_cursor(Desk&, app::Cursor cursor) {
  static constexpr const char* names[] = {"default", "pointer", "text", "ew-resize", "ns-resize", "grab"};
  js_cursor(names[static_cast<int>(cursor)]);
}

app::ForeignBitmap draw_foreign(std::string_view text, float pixel_size, float pixel_width) {
  app::ForeignBitmap bitmap;
  bitmap.width = static_cast<int>(pixel_width) + 1;
  bitmap.height = static_cast<int>(pixel_size * 1.6F) + 1;
  const int baseline = static_cast<int>(pixel_size * 1.15F);
  bitmap.top = -baseline;
  bitmap.rgba.resize(static_cast<std::size_t>(bitmap.width) * static_cast<std::size_t>(bitmap.height) * 4);
  js_draw_text(std::string(text).c_str(), pixel_size, bitmap.width, bitmap.height, baseline, bitmap.rgba.data());
  return bitmap;
}

void page_changed(const std::string& description) { js_page(description.c_str()); }
void after_frame(void (*f)(void*), void* context) { emscripten_async_call(f, context, 0); }
void prepare_inputs(SDL_Window*, void*) {}
void end_inputs() {}
bool inputs_take(const SDL_Event&) { return false; }
void edit_texts(Desk&, app::App&, const app::Page&) {}  // the page lays its own inputs over the canvas

}  // namespace limelight::platform

using namespace limelight;

namespace {

// What the page has put into `resources` under this name.
std::vector<std::byte> bytes_of(const char* name) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(js_resource_size(name)));
  js_resource_bytes(name, bytes.data());
  return bytes;
}

// Takes what the page has for the face of this number: a part of it, or what makes it whole.
Result<void> take_font(int index, bool whole) {
  static std::vector<std::vector<std::byte>> fonts;  // which text::load wants to last
  const auto face = static_cast<text::Face>(index);
  std::vector<std::byte> bytes(static_cast<std::size_t>(js_font_size(index)));
  js_font_bytes(index, reinterpret_cast<unsigned char*>(bytes.data()));
  if (!text::load(face, bytes, whole))
    return fail("What arrived as fonts/" + std::string(text::file_name(face)) +
                " is not a font; a network that wants a login may have answered instead.");
  fonts.push_back(std::move(bytes));
  return {};
}

std::string answer_of(const Result<void>& result) {
  io::JsonWriter json;
  json.begin_object().member("ok", result.has_value());
  if (!result) json.member("message", result.error().message);
  return json.end_object().take();
}

// `said` is what the page tells of it. The answer has its name.
std::string take_picture(app::App& app, const char* said) {
  if (const Result<void> takes = app::takes_pictures(app); !app::report(app, takes)) return answer_of(takes);
  const Result<std::string> name = app::picture_came(app, bytes_of("picture"), said);
  if (!name) return answer_of(std::unexpected(name.error()));
  return io::JsonWriter().begin_object().member("ok", true).member("name", *name).end_object().take();
}

// "12 0.5": so many numbers with a space between them.
template <std::size_t Count>
std::optional<std::array<double, Count>> numbers_in(std::string_view text) {
  std::array<double, Count> numbers{};
  std::size_t count = 0;
  for (const auto piece : std::views::split(text, ' ')) {
    const Result<double> number = io::parse_number(std::string_view(piece.begin(), piece.end()));
    if (!number || count == Count) return std::nullopt;
    numbers[count++] = *number;
  }
  return count == Count ? std::optional(numbers) : std::nullopt;
}

// "2 0 8388608": of which arrival, which of its files, and from which byte on "piece" belongs there.
std::string take_piece(app::App& app, const char* argument) {
  const auto numbers = numbers_in<3>(argument);  // doubles: a file may have more than 2³¹ bytes
  if (!numbers || std::ranges::any_of(*numbers, [](double number) { return number < 0; }))
    return answer_of(fail("A piece is announced by its arrival, its file and its first byte."));
  const auto [ticket, file, begin] = *numbers;
  const Result<std::span<std::byte>> to =
      app::own_piece(app, static_cast<int>(ticket), static_cast<std::size_t>(file), static_cast<std::uint64_t>(begin),
                     static_cast<std::uint64_t>(js_resource_size("piece")));
  if (!to) return answer_of(std::unexpected(to.error()));
  js_resource_bytes("piece", to->data());
  return answer_of({});
}

}  // namespace

// The one function that the page calls; what it returns is good until the next call.
extern "C" EMSCRIPTEN_KEEPALIVE const char* limelight_call(const char* command, const char* argument) {
  std::string& answer = platform::answer;
  if (platform::window == nullptr) {
    answer =
        io::JsonWriter().begin_object().member("ok", false).member("message", platform::failure).end_object().take();
    return answer.c_str();
  }
  platform::Window& window = *platform::window;
  if (std::strcmp(command, "resize") == 0) {
    const auto size = numbers_in<2>(argument);
    if (size && (*size)[0] > 0 && (*size)[1] > 0)
      window.resize(static_cast<float>((*size)[0]), static_cast<float>((*size)[1]));
    answer = "{\"ok\":true}";
  } else if (std::strcmp(command, "pinch") == 0) {
    if (const auto pinch = numbers_in<3>(argument))
      window.pinch({static_cast<float>((*pinch)[0]), static_cast<float>((*pinch)[1])}, static_cast<float>((*pinch)[2]));
    answer = "{\"ok\":true}";
  } else if (std::strcmp(command, "font") == 0) {
    const Result<void> taken = take_font(std::atoi(argument), true);
    if (taken) window.font_came();
    answer = answer_of(taken);
  } else if (std::strcmp(command, "font_refused") == 0) {
    window.font_refused(argument);
    answer = "{\"ok\":true}";
  } else if (std::strcmp(command, "resource") == 0) {
    answer = answer_of(app::resource_came(window.app(), argument, bytes_of(argument)));
  } else if (std::strcmp(command, "picture") == 0) {
    answer = take_picture(window.app(), argument);
  } else if (std::strcmp(command, "kept_picture") == 0) {
    answer = answer_of(app::kept_picture_came(window.app(), argument, bytes_of(argument)));
  } else if (std::strcmp(command, "own_piece") == 0) {
    answer = take_piece(window.app(), argument);
  } else if (std::strcmp(command, "graphics_came_back") == 0) {
    platform::draws = false;  // what it would draw with belongs to the graphics memory that was lost
    answer = "{\"ok\":true}";
  } else if (std::strcmp(command, "page") == 0) {
    answer = window.description();
  } else {
    answer = app::call(window.app(), command, argument);
  }
  platform::wake();
  return answer.c_str();
}

int main() {
  for (int i = 0; i < text::kFaces; ++i) {
    if (js_font_size(i) < 0) continue;  // nothing of it comes with the page
    const bool whole = text::lender(static_cast<text::Face>(i)).has_value();
    if (const Result<void> taken = take_font(i, whole); !taken)
      return platform::fail_to_start(taken.error().message, false);
  }
  app::App app = app::make_app();
  app.system_theme = platform::option("dark") == "true" ? figure::Theme::dark : figure::Theme::light;
  app.more_contrast = platform::option("moreContrast") == "true";
  app.reduced_motion = platform::option("reducedMotion") == "true";
  app.touch = app.coarse = platform::option("coarse") == "true";
  app.all_scenes = platform::option("allScenes") == "true";
  const std::string hash = platform::option("hash");
  const std::string kept = platform::option("kept");
  app::report(app, kept.empty() ? app::open_link(app, hash) : app::open_kept(app, kept));
  if (platform::option("opening") == "true") app::open_opening(app);
  Result<std::unique_ptr<platform::Window>> window = platform::Window::open(std::move(app));
  if (!window)
    return platform::fail_to_start(
        "The moving figure needs WebGL 2, and the browser gave it none this time, as happens when many figures are "
        "open "
        "or graphics memory is short. Close some of them and load the page again.",
        true);
  platform::window = window->release();
  SDL_AddEventWatch(platform::wake_on_event, nullptr);
  emscripten_set_main_loop(platform::loop, 0, false);
  return 0;
}

// The desktop: links go to the clipboard, files to the working folder, text into Dear ImGui's inputs.
#include <SDL.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <imgui_impl_sdl2.h>

#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/exports.h"
#include "app/imports.h"
#include "cli/files.h"
#include "cli/models.h"
#include "cli/own_files.h"
#include "embedded/inter_regular.h"
#include "io/state_file.h"
#include "platform/platform.h"

namespace limelight::platform {
namespace {

constexpr std::size_t kMostTyped = 8192;  // bytes; more than any text that the state takes

ImVec4 colour_of(figure::Colour c) {
  return {static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255, static_cast<float>(c.b) / 255,
          static_cast<float>(c.a) / 255};
}

}  // namespace

void copy_link(app::App& app, const std::string& hash) {
  SDL_SetClipboardText(hash.c_str());
  app::notify(app, "The state of this view is on the clipboard; put it behind the address of a Limelight page.", true);
}

void open_link(const std::string& hash) { SDL_Log("%s", hash.c_str()); }

void show_cursor(Desk& desk, app::Cursor cursor) {
  static constexpr SDL_SystemCursor shapes[] = {SDL_SYSTEM_CURSOR_ARROW,  SDL_SYSTEM_CURSOR_HAND,
                                                SDL_SYSTEM_CURSOR_IBEAM,  SDL_SYSTEM_CURSOR_SIZEWE,
                                                SDL_SYSTEM_CURSOR_SIZENS, SDL_SYSTEM_CURSOR_SIZEALL};
  SDL_Cursor*& shape = desk.cursors[cursor];
  if (shape == nullptr) shape = SDL_CreateSystemCursor(shapes[static_cast<int>(cursor)]);
  SDL_SetCursor(shape);
}

void fetch_font(text::Face) {}  // they are all here
void fetch_scenes() {}          // and so are these
void fetch_resource(app::App& app, const std::string& name) {
  const Result<std::vector<std::byte>> bytes = cli::read_model_file(cli::default_models(), name);
  if (bytes)
    static_cast<void>(app::resource_came(app, name, *bytes));  // why it was refused stands in the figure
  else
    app::resource_failed(app, name, bytes.error().message);
}
void choose_picture(app::App& app) {
  app::notify(app, "This window reads no picture files; the page in a browser does: drop, paste or choose one there.");
}
void choose_own(app::App& app) {
  app::notify(app, "Drop the folder of a GPT-2 or a BERT, or a file of attention weights, onto this window.", true);
}
namespace {
void take_state(app::App& app, const std::string& path) {
  const Result<std::vector<std::byte>> bytes = cli::read_file(path, std::uint64_t{1} << 20U);
  const std::string text = bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : "";
  const Result<void> opened = bytes ? app::exchange::open_state(app, text) : std::unexpected(bytes.error());
  if (!opened) app::notify(app, opened.error().message + " What was shown stays.");
}
}  // namespace

void take_dropped(app::App& app, const std::string& path) {
  if (path.ends_with(io::kStateEnding)) return take_state(app, path);
  const Result<cli::OwnFiles> opened = cli::open_own(path, scenes::OwnField{});
  if (!opened) {
    app::notify(app, opened.error().message + " What was shown stays.");
    return;
  }
  const Result<std::string> shown = app::own_came(app, opened->label, opened->files, opened->kept);
  if (!shown) app::notify(app, shown.error().message + " What was shown stays.");
}
void recall_picture(const std::string&) {}  // none is kept

namespace {

void save_file(app::App& app, const std::string& name, const std::string& bytes) {
  std::FILE* file = std::fopen(name.c_str(), "wb");
  const bool whole = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  if ((file != nullptr && std::fclose(file) != 0) || !whole)
    app::notify(app, name + " could not be written into the working folder.");
  else
    app::notify(app, name + " was saved into the working folder.", true);
}

}  // namespace

// The page has dialogs; here the figure is saved at once, and the command writes the rest.
void open_panel(app::App& app, const std::string& name) {
  if (name == "export") {
    const auto picture = app::exchange::picture_of(app, {.place = app.place});
    save_file(app, picture->name, picture->svg);  // what is shown can be drawn
  } else if (name == "export state") {
    save_file(app, std::string(app.scene->id) + std::string(io::kStateEnding), io::write_state_file(app::link(app)));
  } else {
    app::notify(app, "The page has this; on the desktop, limelight --help and the README say what there is.");
  }
}
void leave() {}

app::ForeignBitmap draw_foreign(std::string_view, float, float) { return {}; }

void page_changed(const std::string&) {}
void after_frame(void (*f)(void*), void* context) { f(context); }

void prepare_inputs(SDL_Window* window, void* context) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui_ImplSDL2_InitForOpenGL(window, context);
  ImGui_ImplOpenGL3_Init("#version 330");
  const std::span<const unsigned char> font = embedded::inter_regular;
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  static constexpr ImWchar letters[] = {0x20, 0x17f, 0x370, 0x3ff, 0x400, 0x45f, 0x2010, 0x2026, 0};
  ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(font.data()), static_cast<int>(font.size()), 15,
                                             &config, letters);
}

void end_inputs() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplSDL2_Shutdown();
  ImGui::DestroyContext();
}

bool inputs_take(const SDL_Event& event) {
  ImGui_ImplSDL2_ProcessEvent(&event);
  return ImGui::GetIO().WantTextInput;
}

void edit_texts(Desk& desk, app::App& app, const app::Page& page) {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplSDL2_NewFrame();
  ImGui::NewFrame();
  bool still_typed = false;
  for (const app::InputBox& box : page.inputs) {
    const std::string name = box.field + "." + box.cell;
    const bool mine = name == desk.typed_name;
    const bool number = box.mono;
    const std::string& shown = mine ? desk.typed_text : box.value;
    std::vector<char> buffer(std::max(shown.size(), kMostTyped) + 1);
    std::ranges::copy(shown, buffer.begin());
    const float m = app.magnification();
    ImGui::SetNextWindowPos({box.rect.x * m, box.rect.y * m});
    ImGui::SetNextWindowSize({box.rect.w * m, box.rect.h * m});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, std::max(0.F, (box.rect.h - 20) * m / 2)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2{1, 1});
    ImGui::PushStyleColor(ImGuiCol_Text, colour_of(box.colour));
    ImGui::PushStyleColor(ImGuiCol_FrameBg, ImVec4{0, 0, 0, 0});
    ImGui::Begin(name.c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoBackground);
    ImGui::SetWindowFontScale(m);
    ImGui::SetNextItemWidth(box.rect.w * m);
    if (number && !mine) ImGui::SetKeyboardFocusHere();
    const bool entered =
        ImGui::InputTextWithHint("##text", box.placeholder.c_str(), buffer.data(), buffer.size(),
                                 number ? ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll : 0);
    const bool active = ImGui::IsItemActive();
    const bool edited = ImGui::IsItemEdited();
    const bool left = ImGui::IsItemDeactivated();
    ImGui::End();
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar(2);
    if (active || (number && !mine)) {
      desk.typed_name = name;
      desk.typed_text = buffer.data();
      still_typed = true;
      app.changed = true;
    }
    if (number ? entered : edited) {
      app::report(app, box.cell.empty() ? app::change_by_hand(app, {{box.field, buffer.data()}})
                                        : app::change_cell(app, box.field, box.cell, buffer.data()));
    }
    if (number && left) app.typing.reset();
    if (left && ImGui::IsKeyPressed(ImGuiKey_Escape, false)) app::dismiss_error(app);
  }
  if (!still_typed) desk.typed_name.clear();
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace limelight::platform

#include "app/notice.h"

#include <algorithm>

#include "app/widgets.h"
#include "figure/panels.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr float kBesideWords = 68;  // the mark before them and the cross after them

// In a card of this width. Returns their height.
float add_words(Figure& figure, const App& app, float width) {
  const Palette& colours = palette(app.theme());
  return add_paragraph(figure, "shell.notice.text", app.notice.text, {0, 0}, width - kBesideWords + 1, 13, colours.ink,
                       colours.ink);
}

}  // namespace

float notice_width(const App& app) {
  return app.notice.text.empty() ? 0 : text::measure(text::Face::regular, 13, app.notice.text) + kBesideWords;
}

void add_notice_card(Figure& figure, const App& app, Rect card) {
  const Palette& colours = palette(app.theme());
  const Colour sign = app.notice.good ? colours.good : colours.warning;
  Figure words;
  const float top = card.y + (card.h - add_words(words, app, card.w)) / 2;
  figure.add({.id = "shell.notice",
              .role = Role::button,
              .rect = card,
              .label = app.notice.text,
              .edit = Edit{"do", "dismiss"},
              .shape = Rectangle{.fill = colours.surface,
                                 .stroke = app.notice.good ? colours.track : sign,
                                 .stroke_width = app.notice.good ? 1.F : 1.5F,
                                 .radius = 8}});
  figure.add(
      {.id = "shell.notice.mark", .rect = {card.x + 14, top + 6, 8, 8}, .shape = Rectangle{.fill = sign, .radius = 4}});
  append(figure, words, card.x + 32, top, std::nullopt);
  add_label(figure, "shell.notice.close", {card.right() - 24, top, 14, 20},
            {.text = "✕", .size = 11, .colour = colours.muted});
}

void add_notice(Figure& figure, const App& app, const Regions& r, float bottom) {
  if (app.notice.text.empty()) return;
  const float width = std::min({r.stage.w - 32, notice_width(app), 520.F});
  Figure words;
  const float height = std::max(add_words(words, app, width) + 20, app.control(40));
  // On the bottom sheet, while it is closed, it hides at most its title.
  const bool on_sheet =
      app.compact() && !app.settings.embed && r.inspector.h > 0 && !app.sheet_open && height <= kSheetRest;
  const float y = on_sheet ? app.height - (kSheetRest + height) / 2 : bottom - height - 16;
  const float x = on_sheet ? std::max(16.F, app.width - 64 - width) : r.stage.x + (r.stage.w - width) / 2;
  add_notice_card(figure, app, {x, y, width, height});
}

}  // namespace limelight::app

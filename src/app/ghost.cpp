#include "app/ghost.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "scenes/common/sentence.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr double kWaits = 1.9;    // seconds
constexpr float kAppears = 0.3F;  // and goes away

// Where it is so many seconds after it set out, in words from the one that asks.
struct Stop {
  double at;
  float word;
};
constexpr Stop kWay[] = {{0.4, 0}, {1.2, 1}, {1.9, 1}, {3.1, -1}, {3.7, -1}, {4.6, 0}, {5, 0}};
constexpr double kEnds = std::end(kWay)[-1].at;

float way(double seconds) {
  const Stop* stop = kWay;
  while (stop + 2 < std::end(kWay) && stop[1].at < seconds) ++stop;
  return mix(stop[0].word, stop[1].word,
             smoothstep(0, 1, static_cast<float>((seconds - stop[0].at) / (stop[1].at - stop[0].at))));
}

// In words from the first of the sentence.
float word_under(const Opening& opening, double seconds) {
  const auto last = static_cast<float>(opening.trace.tensors.front().rows() - 1);
  return std::clamp(static_cast<float>(opening.word) + way(seconds), 0.F, last);
}

// A hand that points up; px from the tip of its finger, at scale 1.
constexpr Point kHand[] = {{0, 1.5F},     {0.5F, 0.3F},  {1.6F, -0.1F}, {2.7F, 0.3F},   {3.2F, 1.5F},   {3.2F, 8.6F},
                           {4.1F, 7.6F},  {5.5F, 7.6F},  {6.3F, 8.8F},  {7.2F, 8.1F},   {8.6F, 8.3F},   {9.3F, 9.4F},
                           {10.2F, 8.9F}, {11.4F, 9.2F}, {12, 10.4F},   {12, 15},       {11.3F, 18.4F}, {9.3F, 20.6F},
                           {6.4F, 21.4F}, {2.6F, 20.4F}, {0.3F, 17.8F}, {-3.6F, 12.6F}, {-3.7F, 11.2F}, {-2.7F, 10.4F},
                           {-1.3F, 11},   {0, 12.4F}};
constexpr float kScale = 1.45F;

void add_hand(Figure& figure, const std::string& id, Point tip, float opacity) {
  Area hand{.fill = {255, 255, 255}, .fill_to = {255, 255, 255}};
  for (const Point& p : kHand) hand.points.push_back({tip.x + kScale * (p.x - kHand[2].x), tip.y + kScale * p.y});
  figure.add({.id = id, .shape = std::move(hand), .opacity = opacity});
}

}  // namespace

bool advance_ghost(App& app) {
  if (!app.opening || !app.opening->ghost) return false;
  Ghost& ghost = *app.opening->ghost;
  if (ghost.from < 0) ghost.from = app.now + kWaits;
  const double seconds = app.now - ghost.from;
  if (seconds > kEnds || app.reduced_motion) return end_ghost(app), false;
  if (seconds < 0) return true;
  const int word = static_cast<int>(std::lround(word_under(*app.opening, seconds)));
  if (word != ghost.word.value_or(app.opening->word)) ++app.lamp_revision;
  ghost.word = word;
  app.changed = true;
  return true;
}

void end_ghost(App& app) {
  if (!app.opening || !app.opening->ghost) return;
  if (app.opening->ghost->word) ++app.lamp_revision;
  app.opening->ghost.reset();
  app.changed = true;
}

void add_ghost(Figure& figure, const App& app, float y) {
  constexpr int kCopies = 3;
  constexpr double kApart = 0.06;  // seconds
  constexpr float kFaint = 0.2F, kBeside = 24;
  const Opening& opening = *app.opening;
  if (!opening.ghost || !opening.ghost->word) return;
  const double now = app.now - opening.ghost->from;
  const float seen = smoothstep(0, kAppears, static_cast<float>(std::min(now, kEnds - now)));
  for (int i = kCopies; i >= 0; --i) {
    const float word = word_under(opening, now - i * kApart);
    const Element* before = figure.find(scenes::word_id(static_cast<int>(std::floor(word))));
    const Element* behind = figure.find(scenes::word_id(static_cast<int>(std::ceil(word))));
    if (before == nullptr || behind == nullptr) continue;
    const Point middle = mix(before->rect.centre(), behind->rect.centre(), word - std::floor(word));
    const std::string id = "opening.hand." + std::to_string(i);
    add_hand(figure, id, y > 0 ? Point{middle.x + kBeside, y} : middle,
             i == 0 ? seen : seen * kFaint * static_cast<float>(kCopies + 1 - i) / kCopies);
  }
  if (figure.find("opening.hand.0") == nullptr) return;
  // The hand itself has an edge.
  Line edge{.colour = palette(app.theme()).stage_top, .width = 1.6F};
  edge.points = std::get<Area>(figure.elements.back().shape).points;
  edge.points.push_back(edge.points.front());
  figure.add({.id = "opening.hand", .shape = std::move(edge), .opacity = seen});
}

}  // namespace limelight::app

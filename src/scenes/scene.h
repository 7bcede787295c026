// What a scene is: pure functions from a state to a trace, a figure and words, and the table that names them.
#pragma once

#include <any>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace.h"
#include "figure/figure.h"
#include "io/error.h"
#include "io/fields.h"
#include "scenes/common/code.h"
#include "scenes/common/own.h"
#include "scenes/common/picture.h"
#include "scenes/job.h"

namespace limelight::scenes {

// How one gets to a step, or to a part of one, from what stands before it on the timeline.
struct Motion {
  figure::Timing timing = nullptr;  // of what moves; null: all goes at once
  // View's t from which what is computed here is seen being computed: what stands before blends into the beginning of
  // that, and then draw() is asked with a t of its own, from 0 to 1. At 1 there is nothing of the kind; at 0 it needs
  // nothing that stands before, so that a first step may have it.
  float computes_from = 1;
  [[nodiscard]] bool begins_alone() const { return computes_from <= 0; }
  float seconds = 1.6F;  // that playing takes
  bool at_once = false;  // of a first step that begins alone: it plays where a reader comes to the scene
  // The id that an element of what stands before has here, where it is the same thing; null: its own.
  std::string (*becomes)(const std::any& state, const std::string& id) = nullptr;
};

// A part of a step, for steps that are taken apart ("subtract the maximum", "exp", …).
struct Part {
  std::string_view id;
  std::string_view name;
  Motion motion{};  // of the last part the step's own is taken
};

struct Step {
  std::string_view id{};
  std::string_view name{};     // on the timeline
  std::string_view caption{};  // one sentence
  bool detail = false;         // no part of the story: there for who wants to know more, and playing passes it by
  std::span<const Part> parts{};
  bool shows_job = true;                     // whether what the scene's job finds is seen here; it is offered only then
  figure::Formula (*operation)() = nullptr;  // what it computes, beside its name where there is room; may be null
  std::span<const std::string_view> controls_first{};  // names of fields, the most wanted before the others
  Motion motion{};
  std::span<const std::string_view> rows_ask{};  // tensors: the word of a row that is pointed at asks
};

// The step that is looked at. Steps count from 1; a part counts from 1, 0 being all of them done.
struct Place {
  int step = 1;
  int part = 0;
  bool operator==(const Place&) const = default;
};

// The window of a large matrix that is looked at; the whole of it when `rows` is 0.
struct Zoom {
  std::string tensor;
  int row = 0;
  int column = 0;
  int rows = 0;
  int columns = 0;
  bool operator==(const Zoom&) const = default;
};

// A file that a scene computes from besides its state, as trained weights are.
struct Resource {
  std::string_view name;   // of the file, in the folder of models
  std::string_view label;  // "The model with attention"
  // Errors: not such a file; the sentence names it.
  Result<std::any> (*read)(std::span<const std::byte> bytes, std::string_view name);
};

// A resource that is needed and not there.
struct Missing {
  std::string label;
  double received = 0;    // bytes so far
  double total = 0;       // of them; 0: not known
  std::string refused{};  // why it cannot be had; empty while it is on its way
};

struct View {
  float width = 720;
  float height = 640;  // what is there without scrolling
  Place place{};
  float t = 1;            // within the step: from the one before, 0, to this one as it stands (scenes/moment.h)
  std::string hovered{};  // ids; empty: nothing
  std::optional<figure::Point> held{};  // where the pointer has dragged what leads to another step, in the figure
  std::string asking{};                 // the word that the pointer came from, while it is on its light
  std::string pinned{};
  figure::Theme theme = figure::Theme::light;
  Zoom zoom{};
  bool touch = false;  // by a finger: texts say "tap"
  float working = -1;  // the share of the scene's job that is done; below 0 where there is none, or all is done
  bool rests = false;  // the job, if there is one
  std::optional<Missing> missing{};
  bool asks = false;  // the question of the last step is shown, and not answered yet

  [[nodiscard]] bool compact() const { return width < 560; }
  // The number that the reader looks at: the hovered one, else the pinned one. A hovered control is not looked at.
  [[nodiscard]] const std::string& focus() const { return figure::parse_cell_id(hovered) ? hovered : pinned; }
  // As if no pointer were there.
  void look_away() {
    hovered.clear();
    asking.clear();
    held.reset();
  }
};

// What a scene computes from besides its state.
struct Inputs {
  const JobSnapshot* job = nullptr;  // the latest of the scene's job; null before it has one
  const std::map<std::string, std::any, std::less<>>* resources = nullptr;  // that have come, as they were read
  const std::map<std::string, Picture, std::less<>>* pictures = nullptr;    // of the reader's own, by name
  const std::map<std::string, Own, std::less<>>* own = nullptr;             // models and weights of the reader's own

  Clock clock = steady_seconds;  // of jobs that measure time

  // Null when it has not come. T: what its `read` makes.
  template <class T>
  [[nodiscard]] const T* resource(std::string_view name) const {
    const auto found = resources == nullptr ? decltype(resources->end()){} : resources->find(name);
    return resources == nullptr || found == resources->end() ? nullptr : std::any_cast<T>(&found->second);
  }
  // Null when it is not there, as where a link came from another machine, or is not of this side.
  [[nodiscard]] const Picture* picture(std::string_view name, int side) const {
    if (pictures == nullptr) return nullptr;
    const auto found = pictures->find(name);
    return found == pictures->end() || found->second.side != side ? nullptr : &found->second;
  }
  // Null when it is not there, or not of this kind. T: OwnModel or OwnWeights.
  template <class T>
  [[nodiscard]] std::shared_ptr<const T> own_one(std::string_view name) const {
    if (own == nullptr) return nullptr;
    const auto found = own->find(name);
    if (found == own->end()) return nullptr;
    const auto* const one = std::get_if<std::shared_ptr<const T>>(&found->second);
    return one == nullptr ? nullptr : *one;
  }
};

// What the inspector says of one number: the title begins with the name of its tensor, both sides of each "=" agree to
// the digits shown, and the last line ends in the number.
struct Origin {
  std::string label;  // "Q[she]"
  figure::Colour colour;
  figure::CellRange cells;  // a row or a column of the trace
};
struct Inspection {
  std::string title;
  std::vector<figure::Formula> lines{};
  std::string note{};  // a sentence or two
  std::vector<Origin> origins{};
};

// Predict, then reveal.
struct Question {
  std::string text;
  std::vector<std::string> options;
  int correct = 0;
  std::string answer;   // the explanation, shown after the guess
  io::Patch reveal{};   // what answering sets, so that the figure shows it
  figure::Edit back{};  // once revealed: takes that back
  std::string back_label{};
};

// In texts for eyes, **these words** are bold. What stands in them behind the first sign is what they mean: a letter of
// MeansA and the id of the figure's element (scenes::pointing of common/words.h). What stands behind the second one
// tells what can be done next.
inline constexpr char kPoints = '\x1F', kHints = '\x1E';  // ASCII's unit and record separators
enum class MeansA : char { query = 'q', weight = 'w', word = 'o', input = 'i', key = 'k', value = 'v', output = 'y' };
std::string without_marks(std::string_view text);

// How an opening has the first scene's sentence; CSS pixels of the view.
struct OpeningStage {
  float scale = 1;
  float left = 0, right = 0;            // of the words
  float lamp_left = 0, lamp_right = 0;  // beyond which the bulb hardly follows
  float cable = 0, lamp = 0;            // the top of the cable, and the bulb
  float floor = 0;                      // on which the light falls
  float pitch = 0;     // from word to word where they stand below each other, from `lamp` to `floor`; else 0
  bool asked = false;  // the reader let a word ask: what it looks at is told, else how that is done
};

struct SceneDef {
  std::string_view id;
  std::string_view title;
  std::string_view question;  // the one that the scene answers
  std::string_view group;     // its heading in the rail, where scenes of a group stand next to each other

  std::any (*initial)();
  std::vector<io::FieldInfo> (*fields)(const std::any& state);
  // Sets what the patch names. Errors leave the state as it was.
  Result<void> (*change)(std::any& state, const io::Patch& patch);
  // Of the range of a field of cells, what the others leave to one of them; all of it when empty.
  std::optional<io::Range> (*room)(const std::any& state, std::string_view field, int row, int column);
  // Whether two states are the same in what counts.
  bool (*same)(const std::any& a, const std::any& b, io::Counted counted);
  // What must be changed in an initial state to get this one.
  io::Patch (*encode)(const std::any& state);
  Trace (*compute)(const std::any& state, const Inputs& inputs);
  // As wide as the view, on paper, with nothing below its own height, whatever the width.
  figure::Figure (*draw)(const std::any& state, const Trace& trace, const View& view);
  std::span<const Step> (*steps)();
  std::string (*narrate)(const std::any& state, const Trace& trace, const View& view);
  // The first step that there is: what comes before is given. 1 where nothing is.
  int (*first_step)(const std::any& state);
  // What a reader who keeps a number wants to see of it: the settings under which the figure tells the same story.
  io::Patch (*follow)(const std::any& state, const figure::Source& pinned);
  // What playing sets at this place; empty: it goes on to the next one.
  io::Patch (*play)(const std::any& state, const Trace& trace, Place place);
  // Nothing when the id names no number.
  std::optional<Inspection> (*inspect)(const std::any& state, const Trace& trace, const View& view,
                                       const std::string& id);
  std::optional<Question> (*ask)(const std::any& state, const Trace& trace);
  // One line: are these numbers set by hand, drawn at random, or trained?
  std::string (*provenance)(const std::any& state);
  // The tensor that `step`'s CSV holds.
  std::string_view (*principal)(const std::any& state, const Trace& trace, Place place);
  // Python that computes the step's numbers. Errors: there are none yet.
  Result<std::string> (*code)(const SceneDef& scene, const std::any& state, const Trace& trace, Place place,
                              code::Language language);
  // What the button says that starts the state's job; empty when the state has none.
  std::string_view (*job_label)(const std::any& state);
  // Null where the state has none, or what it computes from is not there.
  std::unique_ptr<Job> (*job)(const std::any& state, const Inputs& inputs);
  // Whether the job begins by itself, once what it needs is there; there is no button then.
  bool (*starts_job)(const std::any& state);
  // What the step computes from besides the state. Without it the scene is computed and drawn all the same, as far as
  // it goes.
  std::span<const Resource* const> (*needs)(const std::any& state, Place place);
  PictureField picture{};
  OwnField own{};
  // Of the first scene: a field that, when it is on, calls functions of other scenes; until they have come, a change
  // that sets it waits.
  std::string_view borrows{};
  // Of the first scene: what a sentence that a reader writes begins with, once all that it needs is there. Null where
  // there is no such thing.
  io::Patch (*begins)() = nullptr;
  // What follows the sentence as long as the reader has not set it otherwise: for a state that came from another one.
  io::Patch (*suited)(const std::any& before, const std::any& now, const Inputs& inputs) = nullptr;
  // Of the first scene: its sentence under the lamp, as large as the view, for the page's opening. Null elsewhere.
  figure::Figure (*opening)(const std::any& state, const Trace& trace, const View& view,
                            const OpeningStage& stage) = nullptr;
};

// All scenes, in teaching order.
std::span<const SceneDef* const> all();
// Null when there is none of this id.
const SceneDef* find(std::string_view id);
// The one that follows in teaching order; null after the last.
const SceneDef* after(const SceneDef* scene);
// Error: a sentence that names those there are.
Result<const SceneDef*> named(std::string_view id);

// ---- making a SceneDef from plain functions on a State ----
//
// struct Scene {
//   struct State {
//     …                                       // its first field is `preset`
//     void fields(io::FieldVisitor&);
//     State example() const;                  // what its preset alone stands for
//     State linked() const;                   // the same in a link, where that is another one
//     void changed(std::string_view field);   // after a field was set: a new preset brings its own values with it
//     Result<void> check() const;             // what no single field can tell
//   };
//   static Trace compute(const State&, const Inputs&);  … and so on, as in SceneDef
// };
// Needed are compute, draw, steps, narrate, inspect, ask, provenance, principal and equations. Without room,
// first_step, follow, play or job there is none: all of a range, the first of the steps, nothing, step after step, no
// job. A scene without resources has no `needs`, and its `principal` may leave out the trace. One that takes pictures
// of the reader's own says so in `picture`: a drop, a paste or a chosen file then sets that field.

// The preset, then what differs from it. `example` is of the state's preset, `initial` of no preset.
io::Patch encode(const io::Walk& state, const io::Walk& example, const io::Walk& initial);

template <class State>
const State& state_in(const std::any& state) {
  return *std::any_cast<State>(&state);
}

// What the code of a scene's step is about.
code::Subject subject_of(const SceneDef& scene, const std::any& state, const Trace& trace, Place place,
                         code::Language language);

namespace code {
// In this namespace, since tools/split.mjs tells by the names of functions what the first load does without.
template <class Scene>
Result<std::string> of(const SceneDef& scene, const std::any& state, const Trace& trace, Place place,
                       Language language) {
  return write(subject_of(scene, state, trace, place, language),
               Scene::equations(state_in<typename Scene::State>(state), trace, place));
}
}  // namespace code

template <class Scene>
constexpr SceneDef make_scene(std::string_view id, std::string_view title, std::string_view question,
                              std::string_view group) {
  using State = typename Scene::State;
  return {
      .id = id,
      .title = title,
      .question = question,
      .group = group,
      .initial = [] { return std::any(State{}); },
      .fields =
          [](const std::any& s) {
            const State example = state_in<State>(s).example();
            return io::describe(io::walk(state_in<State>(s)), io::walk(example));
          },
      .change = [](std::any& s, const io::Patch& patch) -> Result<void> {
        State next = state_in<State>(s);
        Result<void> result =
            io::apply_patch(io::walk(next), patch, [&next](std::string_view field) { next.changed(field); });
        if (result) result = next.check();
        if (result) s = std::any(std::move(next));
        return result;
      },
      .room = []([[maybe_unused]] const std::any& s, [[maybe_unused]] std::string_view field, [[maybe_unused]] int row,
                 [[maybe_unused]] int column) -> std::optional<io::Range> {
        if constexpr (requires { Scene::room; })
          return Scene::room(state_in<State>(s), field, row, column);
        else
          return std::nullopt;
      },
      .same =
          [](const std::any& a, const std::any& b, io::Counted counted) {
            return io::equal(io::walk(state_in<State>(a)), io::walk(state_in<State>(b)), counted);
          },
      .encode =
          [](const std::any& s) {
            const State initial;
            const State example = [&] {
              if constexpr (requires(const State& state) { state.linked(); })
                return state_in<State>(s).linked();
              else
                return state_in<State>(s).example();
            }();
            return scenes::encode(io::walk(state_in<State>(s)), io::walk(example), io::walk(initial));
          },
      .compute = [](const std::any& s, const Inputs& inputs) { return Scene::compute(state_in<State>(s), inputs); },
      .draw = [](const std::any& s, const Trace& trace,
                 const View& view) { return Scene::draw(state_in<State>(s), trace, view); },
      .steps = [] { return Scene::steps(); },
      .narrate = [](const std::any& s, const Trace& trace,
                    const View& view) { return Scene::narrate(state_in<State>(s), trace, view); },
      .first_step =
          []([[maybe_unused]] const std::any& s) {
            if constexpr (requires { Scene::first_step; })
              return Scene::first_step(state_in<State>(s));
            else
              return 1;
          },
      .follow = []([[maybe_unused]] const std::any& s, [[maybe_unused]] const figure::Source& pinned) -> io::Patch {
        if constexpr (requires { Scene::follow; })
          return Scene::follow(state_in<State>(s), pinned);
        else
          return {};
      },
      .play = []([[maybe_unused]] const std::any& s, [[maybe_unused]] const Trace& trace,
                 [[maybe_unused]] Place place) -> io::Patch {
        if constexpr (requires { Scene::play; })
          return Scene::play(state_in<State>(s), trace, place);
        else
          return {};
      },
      .inspect = [](const std::any& s, const Trace& trace, const View& view,
                    const std::string& element) { return Scene::inspect(state_in<State>(s), trace, view, element); },
      .ask = [](const std::any& s, const Trace& trace) { return Scene::ask(state_in<State>(s), trace); },
      .provenance = [](const std::any& s) { return Scene::provenance(state_in<State>(s)); },
      .principal = [](const std::any& s, const Trace& trace, Place place) -> std::string_view {
        if constexpr (requires { Scene::principal(state_in<State>(s), trace, place); })
          return Scene::principal(state_in<State>(s), trace, place);
        else
          return Scene::principal(state_in<State>(s), place);
      },
      .code = code::of<Scene>,
      .job_label = []([[maybe_unused]] const std::any& s) -> std::string_view {
        if constexpr (requires { Scene::job_label; })
          return Scene::job_label(state_in<State>(s));
        else
          return "";
      },
      .job = []([[maybe_unused]] const std::any& s, [[maybe_unused]] const Inputs& inputs) -> std::unique_ptr<Job> {
        if constexpr (requires { Scene::job(state_in<State>(s), inputs); })
          return Scene::job(state_in<State>(s), inputs);
        else if constexpr (requires { Scene::job; })
          return Scene::job(state_in<State>(s));
        else
          return nullptr;
      },
      .starts_job =
          []([[maybe_unused]] const std::any& s) {
            if constexpr (requires { Scene::starts_job; })
              return Scene::starts_job(state_in<State>(s));
            else
              return false;
          },
      .needs = [](const std::any& s, Place place) -> std::span<const Resource* const> {
        if constexpr (requires { Scene::needs(state_in<State>(s), place); })
          return Scene::needs(state_in<State>(s), place);
        else
          return {};
      },
      .picture =
          [] {
            if constexpr (requires { Scene::picture; })
              return Scene::picture;
            else
              return PictureField{};
          }(),
      .own =
          [] {
            if constexpr (requires { Scene::own; })
              return Scene::own;
            else
              return OwnField{};
          }(),
      .borrows =
          [] {
            if constexpr (requires { Scene::borrows; })
              return Scene::borrows;
            else
              return std::string_view();
          }(),
      .begins = []() -> io::Patch (*)() {
        if constexpr (requires { Scene::begins; })
          return Scene::begins;
        else
          return nullptr;
      }(),
      .suited = []() -> decltype(SceneDef::suited) {
        if constexpr (requires { Scene::suited; })
          return [](const std::any& before, const std::any& now, const Inputs& inputs) {
            return Scene::suited(state_in<State>(before), state_in<State>(now), inputs);
          };
        else
          return nullptr;
      }(),
      .opening = []() -> decltype(SceneDef::opening) {
        if constexpr (requires { Scene::opening; })
          return [](const std::any& s, const Trace& trace, const View& view, const OpeningStage& stage) {
            return Scene::opening(state_in<State>(s), trace, view, stage);
          };
        else
          return nullptr;
      }(),
  };
}

}  // namespace limelight::scenes

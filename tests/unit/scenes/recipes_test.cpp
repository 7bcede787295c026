// A recipe says what a tensor is. What it says, computed by the definition, is what the kernels made; and what is read
// from it names the same operands.
#include <doctest/doctest.h>

#include <any>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "io/fields.h"
#include "scenes/common/recipe.h"
#include "scenes/heads/heads.h"
#include "scenes/layer/layer.h"
#include "scenes/scene.h"
#include "scenes/spotlight/spotlight.h"
#include "unit/models.h"

using namespace limelight;
using namespace limelight::scenes;
using recipes::Operation;
using recipes::Recipe;
using recipes::Recipes;

namespace {

// A scene that is made of recipes, and states of it that have all that a recipe can say; each is tried in every
// example, which may refuse it.
struct Cooked {
  std::string_view scene;
  Recipes (*recipes)(const std::any& state, const Trace& trace);
  std::vector<std::string> states;
  std::set<std::string, std::less<>> given;  // the tensors that are made of nothing else
};

const std::vector<Cooked>& cooked() {
  static const std::vector<Cooked> list{
      {"spotlight",
       [](const std::any& s, const Trace& t) { return spotlight::recipes(state_in<spotlight::State>(s), t); },
       {"", "mask=causal", "temperature=0.3", "temperature=4&scale=off&mask=causal", "scale=own&factor=2.5",
        "scale=own&factor=0&temperature=2", "weights=0.0:0.5,0.1:0.2,1.2:0", "mask=causal&weights=1.0:0.25,2.1:0",
        "weights=0.0:0.5,0.1:0.25,0.2:0.25", "trained=on", "trained=on&mask=causal&layer=3&head=2&temperature=0.5",
        "matrices=random&seed=7", "X=0.0:3&W_q=1.1:-2", "Q=0.0:-1.5&V=2.1:4"},
       {"X", "W_q", "W_k", "W_v", "Q", "K", "V"}},
      {"layer",
       [](const std::any& s, const Trace& t) { return layer::recipes(state_in<layer::State>(s), t); },
       {"", "wrong_axis=on&similarity=dot", "similarity=cosine&positions=none", "similarity=general&positions=rotary",
        "similarity=additive&positions=linear_bias&slope=2&causal=on", "positions=sinusoidal&causal=on", "query=1",
        "order=3,2,1,0&positions=rotary&causal=on", "d_q=5&d_x=7&positions=rotary", "matrices=random&d_q=3&d_v=5",
        "X=0.0:3&W_Q=1.1:-2&Z=0.1:2.5"},
       {"X", "Z", "Q", "q_x", "Q_given", "W_Q", "W_K", "W_V", "W_f", "W_1", "W_2", "v_f", "Y_moved_pos", "errors",
        "order_last", "order_first", "P", "P_dot", "P_q"}},
      {"heads",
       [](const std::any& s, const Trace& t) { return heads::recipes(state_in<heads::State>(s), t); },
       {"", "alike=on", "mask=causal", "mask=padding&length=0", "M=0.1:0,2.0:0", "A_1=1.0:0.4",
        "mask=causal&A_2=2.1:0.3", "off_1=on", "mixing=identity", "X=0.0:3&W_O=1.1:-2"},
       {"X", "Z", "W_Q", "W_K", "W_V", "W_O", "b_O", "M", "S_1", "S_2", "S_3", "S_4", "part", "size", "change", "apart",
        "found", "best", "looked"}},
  };
  return list;
}

// All that the state computes from.
std::map<std::string, std::any, std::less<>> resources_of(const SceneDef& scene, const std::any& state) {
  static std::map<std::string, std::any, std::less<>> read;
  for (const Resource* resource : scene.needs(state, {1, 0})) {
    if (read.contains(resource->name)) continue;
    Result<std::any> one = resource->read(test::model_bytes(resource->name), resource->name);
    REQUIRE(one);
    read.emplace(resource->name, std::move(*one));
  }
  return read;
}

void each_trace(
    const std::function<void(const Cooked& of, const std::any& state, const Trace&, const Recipes&)>& visit) {
  for (const Cooked& one : cooked()) {
    const SceneDef& scene = *find(one.scene);
    const std::vector<io::FieldInfo> fields = scene.fields(scene.initial());
    for (const std::string& patch : one.states) {
      int taken = 0;
      for (const io::Choice& preset : fields.front().field.choices) {
        std::any state = scene.initial();
        REQUIRE(scene.change(state, {{"preset", std::string(preset.value)}}));
        const Result<io::Patch> changes = io::parse_patch(patch);
        REQUIRE(changes);
        if (!scene.change(state, *changes)) continue;
        ++taken;
        CAPTURE(std::string(one.scene));
        CAPTURE(preset.value);
        CAPTURE(patch);
        const auto resources = resources_of(scene, state);
        const Trace trace = scene.compute(state, {.resources = &resources});
        REQUIRE(!trace.tensors.empty());
        visit(one, state, trace, one.recipes(state, trace));
      }
      CHECK_MESSAGE(taken > 0, one.scene << " refuses " << patch);
    }
  }
}

// Traces are in single precision, and a sum of n terms in another order differs by n roundings of 6e-8 of its largest
// term; the longest, of the trained encoder, has 129.
bool agree(float a, float b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
  return std::abs(a - b) <= 1e-5F * std::max(1.F, std::abs(b));
}

// All tensors that it is computed from.
std::set<std::string> operands_of(const Recipe& recipe) {
  std::set<std::string> names(recipe.many.begin(), recipe.many.end());
  for (const std::string_view operand : recipe.operands) names.emplace(operand);
  names.emplace(recipe.bias);
  names.emplace(recipe.mask);
  names.erase("");
  return names;
}

// The names in braces; doubled ones are braces.
std::set<std::string> named_in(std::string_view code) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code[at] != '{') continue;
    if (code.substr(at, 2) == "{{") {
      ++at;
      continue;
    }
    names.emplace(code.substr(at + 1, code.find('}', at) - at - 1));
  }
  return names;
}

}  // namespace

TEST_CASE("recipes: each tensor is what its recipe says, computed by the definition from the tensors before it") {
  std::map<Operation, int> met;
  each_trace([&](const Cooked&, const std::any&, const Trace& trace, const Recipes& all) {
    for (const Tensor& tensor : trace.tensors) {
      CAPTURE(tensor.name);
      const Recipe* recipe = all.find(tensor.name);
      REQUIRE(recipe != nullptr);
      ++met[recipe->operation];
      const Matrix made = recipes::evaluate(*recipe, trace);
      REQUIRE(made.rows() == tensor.rows());
      REQUIRE(made.cols() == tensor.columns());
      for (int i = 0; i < made.rows(); ++i)
        for (int j = 0; j < made.cols(); ++j)
          if (!agree(made(i, j), tensor.values(i, j)))
            FAIL_CHECK(tensor.name << "[" << i << ", " << j << "] is " << tensor.values(i, j) << ", and by its recipe "
                                   << made(i, j));
    }
  });
  for (int each = 0; each <= static_cast<int>(Operation::rotary); ++each) {
    CAPTURE(each);
    CHECK(met[static_cast<Operation>(each)] > 0);
  }
}

TEST_CASE("recipes: only what a scene is given is made of nothing, and the operands of all else are in the trace") {
  each_trace([](const Cooked& of, const std::any&, const Trace& trace, const Recipes& all) {
    for (const Tensor& tensor : trace.tensors) {
      CAPTURE(tensor.name);
      const Recipe& recipe = all.of(tensor.name);
      if (recipe.operation == Operation::given) CHECK(of.given.contains(tensor.name));
      CHECK(operands_of(recipe).empty() == (recipe.operation == Operation::given));
      for (const std::string& operand : operands_of(recipe)) CHECK(trace.find(operand) != nullptr);
    }
  });
}

TEST_CASE("recipes: the code, the outlines and the callout of a number name the same operands") {
  each_trace([](const Cooked& of, const std::any& state, const Trace& trace, const Recipes& all) {
    const code::Equations equations = recipes::equations(all, trace);
    for (const Tensor& tensor : trace.tensors) {
      CAPTURE(tensor.name);
      const Recipe& recipe = all.of(tensor.name);
      const std::set<std::string> operands = operands_of(recipe);
      const auto equation = std::ranges::find(equations.list, tensor.name, &code::Equation::name);
      REQUIRE((equation != equations.list.end() || operands.empty()));
      std::set<std::string> named = equation == equations.list.end() ? operands : named_in(equation->numpy);
      named.erase(tensor.name);  // lines that set some of it by hand
      named.erase("mask");
      CHECK(named == operands);
      // The number in the middle, which comes from its operands, or from what these come from.
      const int row = tensor.rows() / 2, column = tensor.columns() / 2;
      const std::vector<recipes::Part> parts = recipes::parts_of(all, tensor.name, row, column);
      // What is set by hand comes from nowhere else, and the largest difference from everywhere.
      const bool nowhere = recipe.operation == Operation::largest_gap || recipes::set_in_row(recipe, row);
      CHECK(parts.empty() == (operands.empty() || nowhere));
      for (const recipes::Part& part : parts) {
        CHECK(trace.cell(part.tensor, std::max(part.row, 0), std::max(part.column, 0)) != nullptr);
        if (!operands.contains(std::string(part.tensor))) {
          const recipes::Part& first = parts.front();
          const std::vector<recipes::Part> farther =
              recipes::parts_of(all, first.tensor, first.row, std::max(first.column, 0));
          CHECK(std::ranges::find(farther, part.tensor, &recipes::Part::tensor) != farther.end());
        }
      }
      const auto told = find(of.scene)->inspect(state, trace, {}, figure::cell_id({tensor.name, row, column}));
      REQUIRE(told);
      const bool whole =
          std::ranges::any_of(parts, [](const recipes::Part& part) { return part.row < 0 || part.column < 0; });
      const bool hidden = tensor.values(row, column) == -std::numeric_limits<float>::infinity();  // nothing is told
      CHECK(told->origins.empty() == (!whole || hidden));
      for (const Origin& origin : told->origins)
        CHECK(std::ranges::find(parts, origin.cells.tensor, &recipes::Part::tensor) != parts.end());
    }
  });
}

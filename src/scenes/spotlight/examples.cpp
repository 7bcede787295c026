#include "scenes/spotlight/examples.h"

#include <algorithm>

namespace limelight::scenes::spotlight {
namespace {

Matrix from_rows(int rows, int columns, std::initializer_list<float> values) {
  Matrix matrix(rows, columns);
  std::ranges::copy(values, matrix.data());
  return matrix;
}

// The article “attention from scratch”: embeddings and weights set by hand.
Matrix coffee_X() { return from_rows(3, 4, {.2F, .9F, .1F, .5F, .8F, .3F, .7F, .2F, .4F, .6F, .3F, .9F}); }
Matrix coffee_W() {
  return from_rows(4, 4, {.9F, .1F, .1F, .1F, .1F, .9F, .1F, .1F, .1F, .1F, .9F, .1F, .1F, .1F, .1F, .9F});
}
Matrix coffee_W_v() {
  return from_rows(4, 4, {.8F, .2F, .1F, .1F, .2F, .8F, .2F, .1F, .1F, .2F, .8F, .1F, .1F, .1F, .1F, .9F});
}

// Constructed so that "jumped" finds who jumped and where, and not "lazy": a row for each word, a column for each
// feature.
constexpr Feature kFoxFeatures[] = {{"article", "an article"}, {"quality", "a quality"}, {"thing", "a thing"},
                                    {"doer", "a doer"},        {"action", "an action"},  {"direction", "a direction"}};

Matrix fox_X() {
  return from_rows(9, 6,
                   {
                       1, 0, 0, 0, 0, 0,  // the
                       0, 1, 0, 0, 0, 0,  // quick
                       0, 1, 0, 0, 0, 0,  // brown
                       0, 0, 1, 1, 0, 0,  // fox
                       0, 0, 0, 0, 1, 0,  // jumped
                       0, 0, 0, 0, 0, 1,  // over
                       1, 0, 0, 0, 0, 0,  // the
                       0, 1, 0, 0, 0, 0,  // lazy
                       0, 0, 1, 0, 0, 0,  // dog
                   });
}
// Row: what a word is. Column: what it therefore looks for.
Matrix fox_W_q() {
  return from_rows(6, 6,
                   {
                       0, 0, 6, 0, 0, 0,  // an article looks for its thing
                       0, 0, 6, 0, 0, 0,  // a quality looks for the thing that has it
                       0, 5, 1, 0, 0, 0,  // a thing looks for its qualities
                       0, 0, 0, 1, 5, 0,  // a doer looks for its action
                       0, 0, 0, 8, 0, 7,  // an action looks for its doer and its direction
                       0, 0, 5, 0, 5, 0,  // a direction looks for the action and the thing
                   });
}

}  // namespace

std::span<const Feature> fox_features() { return kFoxFeatures; }

Start coffee() { return {coffee_X(), coffee_W(), coffee_W(), coffee_W_v()}; }
Start fox() { return {fox_X(), fox_W_q(), Matrix::Identity(6, 6), Matrix::Identity(6, 6)}; }
Given day1() {
  return {from_rows(2, 3, {1, 0, 1, 0, 1, 1}), from_rows(3, 3, {1, 0, 1, 1, 1, 0, 0, 1, 1}),
          from_rows(3, 2, {10, 0, 0, 10, 5, 5})};
}

}  // namespace limelight::scenes::spotlight

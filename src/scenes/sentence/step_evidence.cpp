// The step As evidence: whether the words that are looked at are those that count.
#include "io/numbers.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {

float draw_evidence(Drawing& d) {
  if (!d.is_read()) return add_without_model(d, 14);
  float y = add_sentence(d, 10) + 6;
  if (lacks_target(d)) return add_no_target(d, y);
  y = add_trying(d, y, "without each of its words");
  if (d.trace.find("attended") == nullptr) return y;
  const int place = hidden_in(d.trace).front();
  const std::string word = d.trace.at("typed").column_labels[static_cast<std::size_t>(place)];
  Panel looked{.tensor = "attended",
               .title = "where place " + std::to_string(place + 1) + " looks",
               .colour = d.colours.query,
               .style = PanelStyle::weights,
               .emphasis = Emphasis::large,
               .column_labels = true,
               .colour_bar = !d.narrow(),
               .stretched = true};
  Panel change{.tensor = "erasure",
               .title = quoted(word) + " without each word",
               .colour = d.colours.output,
               .style = PanelStyle::differences,
               .emphasis = Emphasis::large,
               .column_labels = true,
               .caption = d.narrow() ? "the change of its probability"
                                     : "how its probability changes when that word is hidden as well",
               .stretched = true};
  for (Panel* panel : {&looked, &change})
    if (const Zoom& zoom = d.view.zoom; zoom.tensor == panel->tensor && zoom.rows > 0)
      panel->window = CellRange{panel->tensor, zoom.row, zoom.column, zoom.rows, zoom.columns};
  const float room = std::max(d.view.height - y - 110, 240.F);
  y = add_panels(d.figure, d.trace, {{looked}, {change}}, {d.margin(), y, d.inner(), room},
                 {.theme = d.view.theme, .narrow = d.narrow(), .aligned = true, .sink = 0}) +
      18;
  const Matrix& agreement = d.trace.at("agreement").values;
  const auto of = [&](int way) { return "**" + io::format_fixed(static_cast<double>(agreement(0, way)), 2) + "**"; };
  return add_note(d, "agreement",
                  "Do words that are looked at more count more? Rank correlation of the weights with the size of the "
                  "change (1: the same order, 0: none, −1: the opposite): last layer " +
                      of(0) + ", mean of all layers " + of(1) + ", rollout " + of(2) + ".",
                  {d.margin(), y}, d.inner());
}

std::string tell_evidence(const Told& told) {
  const Tensor* attended = told.trace.find("attended");
  if (attended == nullptr)
    return "Hide a word: then its weights can be compared with what happens when each other word is hidden as well.";
  const Matrix& change = told.trace.at("erasure").values;
  const int hidden = told.hidden();
  Eigen::Index needed = 0, looked = 0;
  change.row(0).cwiseAbs().maxCoeff(&needed);
  Matrix look = attended->values.row(0);
  look(0, hidden) = 0;
  look.row(0).maxCoeff(&looked);
  return "In the last layer the hidden place looks most at " + told.word(static_cast<int>(looked)) +
         "; what changes the answer most when it is hidden, too, is " + told.word(static_cast<int>(needed)) + ", by " +
         fixed(100 * static_cast<double>(change(0, needed)), 1) + " points. " +
         (needed == looked ? "Here the two agree, which they need not. " : "") +
         "**Weights say where values come from, not why the model answers as it does.**";
}

void formula_evidence(Stepped& s) {
  if (!s.predicts) return formula_head(s);
  s.made.title = "without a word";
  s.made.lines = {row({indexed("Δ", "j"), operation("="), change_without(symbol("j"))}),
                  row({symbol("ρ"), operation("="), word("correlation"),
                       parenthesised(row({word("rank "), indexed("Ā", "ij"), word(", "), word("rank |"),
                                          indexed("Δ", "j"), word("|")}))})};
  s.made.note = std::string("w is the word that was hidden at place i; word j is ") +
                (s.causal ? "left out" : "hidden as well") +
                ". Ā is the mean over heads, of one layer or all, or the rollout. ρ is Spearman’s.";
}

}  // namespace limelight::scenes::sentence

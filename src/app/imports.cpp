#include "app/imports.h"

#include <algorithm>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/hidden.h"
#include "app/page.h"
#include "figure/panels.h"
#include "io/matrix_text.h"
#include "io/numbers.h"
#include "io/state_file.h"
#include "io/utf8.h"

namespace limelight::app::exchange {
namespace {

// "2 rows and 3 columns"
std::string shape(Eigen::Index rows, Eigen::Index columns) {
  return io::count_of(rows, "row") + " and " + io::count_of(columns, "column");
}

// The cell that numbers are pasted into.
Result<figure::Source> target(const App& app, std::string_view address) {
  const std::size_t space = std::min(address.rfind(' '), address.size());
  const std::size_t dot = std::min(address.find('.', space), address.size());
  if (!address.empty()) {
    const Result<int> row = io::parse_integer(address.substr(std::min(space + 1, address.size()), dot - space - 1));
    const Result<int> column = io::parse_integer(address.substr(std::min(dot + 1, address.size())));
    if (dot == address.size() || !row || !column)
      return fail("A cell to paste into is written \"W_q 1.2\": a matrix, its row and column.");
    return figure::Source{std::string(address.substr(0, space)), *row, *column};
  }
  if (app.typing && app.typing->key.empty()) return fail("One number goes here; what was pasted are several.");
  const std::optional<figure::Source> cell = figure::parse_cell_id(app.typing ? app.typing->id : app.pinned);
  if (!cell) return fail("Click a number first: what is pasted goes there, and to the right and down from it.");
  return *cell;
}

}  // namespace

Result<void> open_state(App& app, std::string_view text) {
  const Result<std::string> link = io::read_state_file(text);
  if (!link) return std::unexpected(link.error());
  Result<io::Patch> patch = io::parse_patch(*link);
  if (!patch) return std::unexpected(patch.error());
  std::erase_if(*patch, [](const auto& entry) { return entry.first == "embed" || entry.first == "hide"; });
  if (app.settings.embed) patch->emplace_back("embed", "1");
  if (std::string hidden = write_hidden(app); !hidden.empty()) patch->emplace_back("hide", std::move(hidden));
  return open_patch(app, *patch);
}

Result<void> paste(App& app, std::string_view argument) {
  const std::size_t line = std::min(argument.find('\n'), argument.size());
  const Result<figure::Source> cell = target(app, argument.substr(0, line));
  if (!cell) return std::unexpected(cell.error());
  const Tensor* tensor = app.trace.find(cell->tensor);
  if (tensor == nullptr || app.trace.cell(cell->tensor, cell->row, cell->column) == nullptr)
    return fail("There is no cell " + io::quote(figure::cell_id(*cell)) + " to paste into.");
  const figure::Figure stage = draw_stage(app);
  const std::string_view field = edited_by(stage, cell->tensor);
  if (field.empty())
    return fail(figure::words_of_name(cell->tensor) +
                " is computed and cannot be pasted into; a matrix that can be changed by hand can.");
  const Result<Matrix> matrix = io::parse_matrix(argument.substr(std::min(line + 1, argument.size())));
  if (!matrix) return std::unexpected(matrix.error());
  const bool whole = matrix->rows() == tensor->rows() && matrix->cols() == tensor->columns();
  const int row = whole ? 0 : cell->row, column = whole ? 0 : cell->column;
  if (row + matrix->rows() > tensor->rows() || column + matrix->cols() > tensor->columns())
    return fail("What was pasted has " + shape(matrix->rows(), matrix->cols()) + "; from row " +
                std::to_string(row + 1) + ", column " + std::to_string(column + 1) + " of " + cell->tensor +
                " there is room for " + shape(tensor->rows() - row, tensor->columns() - column) + ".");
  io::CellEdits cells;
  for (int i = 0; i < matrix->rows(); ++i)
    for (int j = 0; j < matrix->cols(); ++j) cells.cells[{row + i, column + j}] = (*matrix)(i, j);
  if (Result<void> changed = change(app, field, io::write_value(cells)); !changed) return changed;
  notify(app, shape(matrix->rows(), matrix->cols()) + " pasted into " + figure::words_of_name(cell->tensor) + ".",
         true);
  return {};
}

Result<void> open_state_command(App& app, std::string_view argument, io::JsonWriter&) {
  Result<void> opened = open_state(app, argument);
  if (opened)
    notify(app, "The state file is open; Undo goes back.", true);
  else
    notify(app, opened.error().message + " What was shown stays.");
  return opened;
}

Result<void> paste_command(App& app, std::string_view argument, io::JsonWriter&) {
  Result<void> pasted = paste(app, argument);
  report(app, pasted);
  return pasted;
}

Result<void> offer_own(App& app, std::string_view argument, io::JsonWriter& json) {
  std::vector<scenes::own::Offered> offered;
  for (const auto piece : std::views::split(argument, '\n')) {
    const std::string_view line(piece.begin(), piece.end());
    const std::size_t space = std::min(line.find(' '), line.size());
    const Result<double> size = io::parse_number(line.substr(0, space));
    if (!size || *size < 0 || space == line.size())
      return fail("A file is offered as its bytes, a space and its name.");
    offered.push_back({std::string(line.substr(space + 1)), static_cast<std::uint64_t>(*size)});
  }
  const Result<std::shared_ptr<const Arriving>> arriving = own_offered(app, offered);
  if (!arriving) return std::unexpected(arriving.error());
  json.member("ticket", (*arriving)->ticket).key("files").begin_array();
  for (const std::size_t file : (*arriving)->choice.files) json.value(static_cast<int>(file));
  json.end_array();
  return {};
}

Result<void> end_own(App& app, std::string_view argument, io::JsonWriter& json) {
  const Result<std::string> name = own_arrived(app, io::parse_integer(argument).value_or(0));
  if (!name) return std::unexpected(name.error());
  json.member("name", *name);
  return {};
}

Result<void> break_own(App& app, std::string_view argument, io::JsonWriter&) {
  const std::size_t space = std::min(argument.find(' '), argument.size());
  const Result<int> ticket = io::parse_integer(argument.substr(0, space));
  if (!ticket || space == argument.size())
    return fail("What broke off is named by its ticket, a space and the reason.");
  own_broken(app, *ticket, std::string(argument.substr(space + 1)));
  return {};
}

}  // namespace limelight::app::exchange

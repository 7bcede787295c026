// What a reader takes along and brings along: files of numbers, state files, pasted matrices.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "app/commands.h"
#include "app/exports.h"
#include "app/imports.h"
#include "io/base64.h"
#include "io/numbers.h"
#include "io/state_file.h"
#include "io/table.h"
#include "unit/fonts.h"

namespace limelight::app {
namespace {

using exchange::open_state;
using exchange::paste;

std::string encoded(std::string_view text) { return io::base64(std::as_bytes(std::span(text))); }

Tensor odd() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Matrix values(2, 3);
  values << 0.1F, -3.25e-7F, -kInfinity, 1, 12345.678F, 0;
  return {"W_q", values, {"50 % \\ [a]", "[b]"}, {"x,y", "\"no\"", "a_b & c"}};
}

App at_step(const char* step) {
  App app = make_app();
  REQUIRE(change(app, "preset", "coffee"));  // 3 words of 4 numbers
  REQUIRE(change(app, "step", step));
  return app;
}

}  // namespace

TEST_CASE("base64: the examples of RFC 4648") {
  CHECK(encoded("") == "");
  CHECK(encoded("f") == "Zg==");
  CHECK(encoded("fo") == "Zm8=");
  CHECK(encoded("foo") == "Zm9v");
  CHECK(encoded("foobar") == "Zm9vYmFy");
}

TEST_CASE("tables: CSV quotes what needs it and has numbers that read back to the same float") {
  CHECK(io::table::csv(odd()) ==
        "W_q,\"x,y\",\"\"\"no\"\"\",a_b & c\r\n50 % \\ [a],0.1,-3.25e-07,-inf\r\n[b],1,12345.678,0\r\n");
}

TEST_CASE("tables: LaTeX takes no label for a command, and numbers are of four digits") {
  CHECK(io::table::latex(odd()) ==
        "% \\usepackage{booktabs}\n\\begin{tabular}{lrrr}\n  \\toprule\n"
        "  W\\_q & x,y & \\textquotedbl{}no\\textquotedbl{} & a\\_b \\& c \\\\\n  \\midrule\n"
        "  50 \\% \\textbackslash{} [a] & $0.1$ & $-3.25 \\times 10^{-7}$ & $-\\infty$ \\\\\n"
        "  {}[b] & $1$ & $12346$ & $0$ \\\\\n  \\bottomrule\n\\end{tabular}\n");
}

TEST_CASE("tables: JSON has the labels and the numbers") {
  CHECK(io::table::json(odd()) ==
        "{\"name\":\"W_q\",\"rows\":[\"50 % \\\\ [a]\",\"[b]\"],\"columns\":[\"x,y\",\"\\\"no\\\"\",\"a_b & c\"],"
        "\"shape\":[2,3],\"data\":[0.1,-3.25e-07,\"-Infinity\",1,12345.678,0]}\n");
}

TEST_CASE("state files: a link comes back; another version, another file and a cut one are refused in a sentence") {
  const std::string whole = io::write_state_file("v=1&scene=scale");
  REQUIRE(io::read_state_file(whole));
  CHECK(*io::read_state_file(whole) == "v=1&scene=scale");
  CHECK(*io::read_state_file("limelight-state 1\r\nv=1\r\nend\r\n") == "v=1");
  const auto complaint = [](std::string_view text) {
    const Result<std::string> link = io::read_state_file(text);
    return link ? std::string() : link.error().message;
  };
  CHECK(complaint("limelight-state 2\nv=1\nend\n").find("version \"2\"") != std::string::npos);
  CHECK(complaint("limelight-state x\nv=1\nend\n").find("version \"x\"") != std::string::npos);
  CHECK(complaint("<script>alert(1)</script>").find("begins with \"<script>") != std::string::npos);
  CHECK(complaint("").find("limelight-state 1") != std::string::npos);
  CHECK(complaint(std::string(io::kLongestStateFile + 1, 'x')).find("1.0 MB") != std::string::npos);
  for (std::size_t length = 0; length + 1 < whole.size(); ++length)
    CHECK(complaint(whole.substr(0, length)).ends_with('.'));
}

TEST_CASE("state files: one opens to the digit, past what a link can hold, in the window as it is, and can be undone") {
  App app = at_step("3");
  std::string words, cells;
  for (int i = 0; i < 64; ++i) words += (i > 0 ? " w" : "w") + std::to_string(i);
  for (int i = 0; i < 64 * 64; ++i)
    cells += (i > 0 ? "," : "") + std::to_string(i / 64) + "." + std::to_string(i % 64) + ":0.123456";
  REQUIRE(change(app, io::Patch{{"text", words}, {"d", "64"}, {"X", cells}, {"hide", "question"}}));
  const std::string file = io::write_state_file(link(app));
  CHECK(file.size() > io::kLongestLink);

  App other = at_step("1");
  REQUIRE(change(other, io::Patch{{"temperature", "2"}, {"embed", "1"}}));
  other.frames = 1;
  const std::string before = link(other);
  REQUIRE(open_state(other, file));
  CHECK(other.settings.embed);
  CHECK(other.settings.hidden.empty());
  CHECK(other.trace.at("weights").values == app.trace.at("weights").values);
  undo(other);
  CHECK(other.trace.at("weights").values.rows() == 3);

  const std::string now = link(other);
  for (const std::string& bad : {std::string("limelight-state 1\nv=9&scene=scale\nend\n"),
                                 std::string("limelight-state 1\nscene=nowhere\nend\n"),
                                 std::string("limelight-state 1\nX=99.99:1\nend\n"), std::string("nothing")}) {
    CHECK(call(other, "open_state", bad).find("\"ok\":false") != std::string::npos);
    CHECK(other.notice.text.ends_with("What was shown stays."));
    CHECK(link(other) == now);
  }
}

TEST_CASE("share: a state that no link holds opens the dialog that saves it") {
  App app = make_app();
  call(app, "share", "");
  CHECK_FALSE(app.wish_panel);
  std::string words, cells;
  for (int i = 0; i < 64; ++i) words += (i > 0 ? " w" : "w") + std::to_string(i);
  for (int i = 0; i < 64 * 64; ++i)
    cells += (i > 0 ? "," : "") + std::to_string(i / 64) + "." + std::to_string(i % 64) + ":0.123456";
  REQUIRE(change(app, io::Patch{{"text", words}, {"d", "64"}, {"X", cells}}));
  CHECK(call(app, "share", "").find("\"ok\":false") != std::string::npos);
  CHECK(app.wish_panel == "export state");
  CHECK(call(app, "state_file", "").find("limelight-state 1\\nv=2") != std::string::npos);
}

TEST_CASE("pictures: another step is drawn without going there; what is not here is a sentence") {
  REQUIRE(test::load_fonts());
  App app = at_step("7");
  const std::string before = link(app);
  const std::string seventh = call(app, "cut", ""), third = call(app, "cut", "step=3");
  CHECK(call(app, "cut", "step=7") == seventh);
  CHECK(third != seventh);
  CHECK(link(app) == before);
  CHECK(call(app, "cut", "step=7.2") != seventh);
  const auto at = [&app](const std::string& t) { return call(app, "cut", "step=3&t=" + t); };
  CHECK(at("1") == third);
  CHECK(at("2") == third);
  CHECK(at("0.4").starts_with("{\"ok\":true,\"name\":\"spotlight-3-0.4.svg\""));
  CHECK(std::set{at("0"), at("0.4"), at("0.7"), third}.size() == 4);
  CHECK(at("soon").find("\"ok\":false") != std::string::npos);
  CHECK(link(app) == before);
  App there = at_step("3");
  CHECK(call(there, "cut", "") == third);
  CHECK(call(app, "cut", "step=99").find("\"ok\":false") != std::string::npos);
  App translate = make_app();
  REQUIRE(change(translate, "scene", "translate"));
  int refused = 0;
  for (std::size_t step = 1; step <= translate.scene->steps().size(); ++step)
    refused +=
        call(translate, "cut", "step=" + std::to_string(step)).find("which is not here") != std::string::npos ? 1 : 0;
  CHECK(refused > 0);
}

TEST_CASE("pictures: the figure alone, of chosen panels and on a chosen ground; the stage as it is stays whole") {
  REQUIRE(test::load_fonts());
  App app = at_step("9");
  REQUIRE(change(app, "theme", "dark"));
  const std::string before = link(app);
  const auto picture = [&app](std::string_view panels, figure::Ground ground) {
    const auto made = exchange::picture_of(app, {.place = app.place, .panels = panels, .ground = ground});
    REQUIRE(made);
    return *made;
  };
  const auto whole = picture("all", figure::Ground::theme), part = picture("stage", figure::Ground::theme);
  CHECK(whole.name == "spotlight-9.svg");
  CHECK(part.svg.size() < whole.svg.size());
  std::string ids;
  for (const figure::TitledPanel& panel : whole.panels) ids += panel.id + " ";
  CHECK(ids == "stage output weights ");
  // Light ink would not be read on white.
  const std::string ink = figure::css(figure::palette(figure::Theme::dark).ink);
  CHECK(whole.svg.find(ink) != std::string::npos);
  CHECK(picture("all", figure::Ground::transparent).svg.find(ink) != std::string::npos);
  CHECK(picture("all", figure::Ground::white).svg.find(ink) == std::string::npos);
  CHECK(link(app) == before);
  CHECK(call(app, "cut", "panels=stage&ground=white").find("\"panels\":[{\"id\":\"stage\"") != std::string::npos);
  // What differs has another name.
  std::set<std::string> names;
  for (const char* asked :
       {"", "ground=white", "ground=transparent", "panels=stage", "panels=stage,weights", "step=3"}) {
    const std::string reply = call(app, "cut", asked);
    names.insert(reply.substr(0, reply.find("svg\",")));
  }
  CHECK(names.size() == 6);
  CHECK(names.contains("{\"ok\":true,\"name\":\"spotlight-9-stage-weights."));
  for (const char* bad : {"panels=nothing", "ground=grey", "step=99", "size=3", "all"})
    CHECK(call(app, "cut", bad).find("\"ok\":false") != std::string::npos);
}

TEST_CASE("files: every tensor in every format; bad names are refused") {
  App app = at_step("8");
  CHECK(call(app, "tensors", "").starts_with("{\"ok\":true,\"principal\":\"output\",\"tensors\":[{\"name\":\"X\""));
  for (const Tensor& tensor : app.trace.tensors)
    for (const char* format : {"csv", "npy", "json", "tex"})
      CHECK(call(app, "file", tensor.name + " " + format)
                .starts_with("{\"ok\":true,\"name\":\"spotlight-" + tensor.name + "."));
  CHECK(call(app, "file", "weights npy").find("\"base64\":\"k05VTVBZ") != std::string::npos);
  for (const char* bad : {"", "weights", "weights xlsx", "nothing csv", " csv", "csv"})
    CHECK(call(app, "file", bad).find("\"ok\":false") != std::string::npos);
}

TEST_CASE("files: code for one step in two languages are two files, which do not overwrite each other") {
  App app = at_step("9");
  const auto begins = [&app](std::string_view language, std::string_view name) {
    return call(app, "code", language).starts_with("{\"ok\":true,\"name\":\"" + std::string(name) + "\"");
  };
  CHECK(begins("numpy", "spotlight-9-numpy.py"));
  CHECK(begins("pytorch", "spotlight-9-pytorch.py"));
  CHECK(call(app, "code", "fortran").find("\"ok\":false") != std::string::npos);
}

TEST_CASE("files: on a page they wait for the functions of the other scenes") {
  App app = at_step("8");
  app.all_scenes = false;
  for (const char* command : {"cut", "tensors", "file", "state_file", "open_state", "paste", "still", "own_offered"})
    CHECK(call(app, command, "weights csv").find("on their way") != std::string::npos);
}

TEST_CASE("paste: a whole matrix takes the place of one, a smaller one goes from the pinned cell on, undone as one") {
  REQUIRE(test::load_fonts());
  App app = at_step("3");
  const Matrix before = app.trace.at("W_q").values;
  REQUIRE(before.rows() == 4);
  REQUIRE(before.cols() == 4);
  pin(app, "W_q[1,1]");
  REQUIRE(paste(app, "\n[[0.5, 0.25], [-1, 2]]"));
  Matrix expected = before;
  expected.block(1, 1, 2, 2) << 0.5F, 0.25F, -1, 2;
  CHECK(app.trace.at("W_q").values == expected);
  undo(app);
  CHECK(app.trace.at("W_q").values == before);
  REQUIRE(paste(app, "\n1\t2\t3\t0\n4\t5\t6\t0\n7\t8\t9\t0\n10\t11\t12,5\t0\n"));
  CHECK(app.trace.at("W_q").values(3, 2) == 12.5F);
  CHECK(app.trace.at("W_q").values(0, 0) == 1);
  undo(app);
  REQUIRE(paste(app, "W_k 0.2\n7"));
  CHECK(app.trace.at("W_k").values(0, 2) == 7);
  call(app, "edit", "W_q 3.0");
  REQUIRE(paste(app, "\n8 9"));
  CHECK(app.trace.at("W_q").values(3, 1) == 9);
}

TEST_CASE("paste: what is changed by arrows in the figure is pasted into as well") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "v=1&scene=score&step=1"));
  REQUIRE(paste(app, "q 0.0\n0.5 -1.5"));
  CHECK(app.trace.at("q").values(0, 0) == 0.5F);
  CHECK(app.trace.at("q").values(0, 1) == -1.5F);
}

TEST_CASE("paste: what does not fit is a sentence, and nothing changes") {
  REQUIRE(test::load_fonts());
  App app = at_step("3");
  const std::string before = link(app);
  const auto refused = [&](std::string_view argument, std::string_view words) {
    const Result<void> pasted = paste(app, argument);
    CAPTURE(argument);
    REQUIRE_FALSE(pasted);
    CAPTURE(pasted.error().message);
    CHECK(pasted.error().message.find(words) != std::string::npos);
    CHECK(pasted.error().message.ends_with('.'));
    CHECK(link(app) == before);
  };
  refused("\n1 2", "Click a number first");
  refused("W_q 1.1\n1 2 3 4",
          "1 row and 4 columns; from row 2, column 2 of W_q there is room for 3 rows and 3 columns");
  refused("W_q 1.1\n[[1, 2], [3, x]]", "Row 2, column 2: \"x\" is not a number");
  refused("W_q 1.1\n1e999 2", "\"1e999\" is too large");
  refused("W_q 1.1\n1e9 2", "must be a number from");
  refused("W_q 9.9\n1 2", "There is no cell \"W_q[9,9]\"");
  refused("nothing 0.0\n1 2", "There is no cell");
  refused("Q 0.0\n1 2", "cannot be pasted into");
  refused("W_q\n1 2", "is written \"W_q 1.2\"");
  refused("W_q x.y\n1 2", "is written \"W_q 1.2\"");
  refused("W_q 0\n1 2", "is written \"W_q 1.2\"");
  CHECK(call(app, "paste", "W_q 1.1\n[[1").find("\"ok\":false") != std::string::npos);
  CHECK(app.notice.text.find("bracket") != std::string::npos);
}

}  // namespace limelight::app

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "unit/unchanged.h"

namespace {

// Exceptions are off, so that a REQUIRE that fails cannot leave its test case by one: what follows would work with what
// was just found missing. It ends the program instead.
class Stopper : public doctest::IReporter {
 public:
  explicit Stopper(const doctest::ContextOptions&) {}

  void test_case_start(const doctest::TestCaseData& test) override { test_ = &test; }
  void test_case_reenter(const doctest::TestCaseData& test) override { test_ = &test; }
  void log_assert(const doctest::AssertData& assertion) override {
    if (assertion.m_failed && (assertion.m_at & doctest::assertType::is_require) != 0)
      stop(assertion.m_file, assertion.m_line, assertion.m_expr, assertion.m_decomp.c_str());
  }
  void log_message(const doctest::MessageData& message) override {
    if ((message.m_severity & doctest::assertType::is_require) != 0)
      stop(message.m_file, message.m_line, "FAIL", message.m_string.c_str());
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  [[noreturn]] void stop(const char* file, int line, const char* what, const char* values) {
    std::fprintf(stderr, "%s:%d:\nTEST CASE:  %s\n\nREQUIRE( %s ) is not met: %s\n", file, line, test_->m_name, what,
                 values);
    for (int i = 0; i < get_num_active_contexts(); ++i)
      std::fprintf(stderr, "  logged: %s\n", text_of(*get_active_contexts()[i]).c_str());
    std::fprintf(stderr, "The tests after it were not run.\n");
    std::fflush(nullptr);
    std::_Exit(1);
  }

  static doctest::String text_of(const doctest::IContextScope& scope) {
    scope.stringify(doctest::detail::tlssPush());
    return doctest::detail::tlssPop();
  }

  const doctest::TestCaseData* test_ = nullptr;
};

DOCTEST_REGISTER_LISTENER("stopper", 0, Stopper);

}  // namespace

int main(int argc, char** argv) {
  doctest::Context context(argc, argv);
  for (const std::string& scene : limelight::test::unchanged())
    context.addFilter("source-file-exclude", ("*/unit/scenes/" + scene + "_*").c_str());
  return context.run();
}

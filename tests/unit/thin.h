// Under the sanitizers, which are ten times as slow, a long sweep stops at one place in seven; in release at every one.
#pragma once

namespace limelight::test {

#ifdef NDEBUG
inline constexpr int kOneIn = 1;
#else
inline constexpr int kOneIn = 7;
#endif

}  // namespace limelight::test

#include "capture/session/own_stack.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdint>
#include <cstdlib>

namespace trikal::capture {
namespace {

volatile sig_atomic_t handled = 0;

TEST(OwnStack, RunsElsewhereAndComesBack) {
  const char here = 0;
  std::uintptr_t there = 0;
  bool aligned = false;
  on_own_stack([&] {
    alignas(16) volatile char large[32 * 1024];
    large[0] = 1;
    large[sizeof large - 1] = 1;
    there = reinterpret_cast<std::uintptr_t>(&large);
    aligned = there % 16 == 0;
  });
  EXPECT_TRUE(aligned);
  const auto distance = static_cast<std::intptr_t>(there - reinterpret_cast<std::uintptr_t>(&here));
  EXPECT_GT(std::abs(distance), 1024 * 1024);
}

TEST(OwnStack, SignalsWaitUntilItIsLeft) {
  handled = 0;
  struct sigaction action{}, before{};
  action.sa_handler = [](int) { handled = handled + 1; };
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);
  int during = -1;
  on_own_stack([&] {
    ::raise(SIGUSR1);
    during = handled;
  });
  EXPECT_EQ(during, 0);
  EXPECT_EQ(handled, 1);
  sigset_t mask;
  ASSERT_EQ(::pthread_sigmask(SIG_SETMASK, nullptr, &mask), 0);
  EXPECT_EQ(::sigismember(&mask, SIGUSR1), 0);
  ::sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
}  // namespace trikal::capture

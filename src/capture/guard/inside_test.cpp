#include "capture/guard/inside.hpp"

#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#include <functional>
#include <thread>
#include <vector>

#include "capture/guard/spin.hpp"

namespace trikal::capture {
namespace {

std::function<void()> in_handler;
void handler(int /*signal*/) { in_handler(); }

class InsideTest : public testing::Test {
 protected:
  InsideTest() { set(0); }
  ~InsideTest() override {
    signal(SIGUSR1, SIG_DFL);
    this_thread.inside = 0;
  }
  static void set(int flags) {
    struct sigaction action{};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(SIGUSR1, &action, nullptr);
  }
  // In the middle of our own work.
  [[gnu::noinline]] static void interrupted() {
    const Inside inside;
    volatile char work[512] = {};
    (void)work;
    raise(SIGUSR1);
  }
  [[gnu::noinline]] static bool asked_from_below(int depth) {
    volatile char more[256] = {};
    more[0] = static_cast<char>(depth);
    return depth == 0 ? is_inside() : asked_from_below(depth - 1) && more[0] >= 0;
  }
};

TEST_F(InsideTest, IsOverWhenItIsLeft) {
  EXPECT_FALSE(is_inside());
  {
    const Inside inside;
    EXPECT_TRUE(inside.entered());
    EXPECT_NE(this_thread.inside, 0U);
    const Inside again;
    EXPECT_FALSE(again.entered());
  }
  EXPECT_FALSE(is_inside());
}

TEST_F(InsideTest, AHandlerThatLandsThereFindsIt) {
  if (!kJumpsCanBeTold) return;
  bool seen = false, deeper = false;
  in_handler = [&] { seen = is_inside(), deeper = asked_from_below(100); };
  interrupted();
  EXPECT_TRUE(seen && deeper);
  EXPECT_FALSE(is_inside());
}

TEST_F(InsideTest, AHandlerThatJumpsAwayLeavesItOpen) {
  if (!kJumpsCanBeTold) return;
  static sigjmp_buf back;
  in_handler = [] { siglongjmp(back, 1); };
  const auto jump = [] {
    if (sigsetjmp(back, 1) == 0) interrupted();
  };
  for (const int depth : {0, 1, 20, 200}) {
    jump();
    EXPECT_NE(this_thread.inside, 0U);
    EXPECT_FALSE(asked_from_below(depth)) << depth;
    EXPECT_EQ(this_thread.inside, 0U);
  }
}

TEST_F(InsideTest, AndFreesItsLocks) {
  if (!kJumpsCanBeTold) return;
  static sigjmp_buf back;
  static Spin spin;
  in_handler = [] { siglongjmp(back, 1); };
  if (sigsetjmp(back, 1) == 0) {
    const Inside inside;
    ASSERT_TRUE(spin.lock());
    raise(SIGUSR1);
  }
  EXPECT_FALSE(is_inside());
  std::thread([] { EXPECT_TRUE(spin.try_lock()); }).join();
}

TEST_F(InsideTest, OnAStackOfTheHandlersOwn) {
  if (!kJumpsCanBeTold) return;
  static sigjmp_buf back;
  std::vector<char> memory(64 * 1024);
  const stack_t other{.ss_sp = memory.data(), .ss_flags = 0, .ss_size = memory.size()};
  ASSERT_EQ(sigaltstack(&other, nullptr), 0);
  set(SA_ONSTACK);
  bool seen = false;
  in_handler = [&] { seen = is_inside(); };
  interrupted();
  EXPECT_TRUE(seen);
  in_handler = [] { siglongjmp(back, 1); };
  if (sigsetjmp(back, 1) == 0) interrupted();
  EXPECT_FALSE(is_inside());
  // Inside while on that stack, and jumped away from there.
  in_handler = [] {
    const Inside inside;
    siglongjmp(back, 1);
  };
  if (sigsetjmp(back, 1) == 0) raise(SIGUSR1);
  EXPECT_NE(this_thread.inside, 0U);
  EXPECT_FALSE(is_inside());
  const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  sigaltstack(&none, nullptr);
}

TEST_F(InsideTest, InEveryThread) {
  if (!kJumpsCanBeTold) return;
  static thread_local sigjmp_buf back;
  in_handler = [] { siglongjmp(back, 1); };
  std::thread([] {
    if (sigsetjmp(back, 1) == 0) interrupted();
    EXPECT_NE(this_thread.inside, 0U);
    EXPECT_FALSE(asked_from_below(3));
  }).join();
}

// A handler may switch to another coroutine, and that one back: what was interrupted goes on some time.
TEST_F(InsideTest, AStackThatTheProgramHasMadeCannotBeTold) {
  if (!kJumpsCanBeTold) return;
  static ucontext_t first, second;
  static bool seen = false;
  std::vector<char> memory(64 * 1024);
  in_handler = [] { swapcontext(&first, &second); };
  getcontext(&second);
  second.uc_stack.ss_sp = memory.data(), second.uc_stack.ss_size = memory.size(), second.uc_link = nullptr;
  makecontext(
      &second,
      [] {
        seen = is_inside();
        swapcontext(&second, &first);
      },
      0);
  interrupted();
  EXPECT_TRUE(seen);
  EXPECT_FALSE(is_inside());
}

TEST_F(InsideTest, AVforkChildIsInside) {
  begin_vfork();
  EXPECT_TRUE(is_inside());
  {
    const InsideOrVforked noting;
    EXPECT_TRUE(noting.entered()) << "the parent waits outside";
    EXPECT_TRUE(is_inside());
  }
  EXPECT_TRUE(is_inside());
  end_vfork();
  EXPECT_FALSE(is_inside());

  const Inside inside;
  begin_vfork();
  EXPECT_FALSE(InsideOrVforked().entered()) << "a handler that landed inside has called vfork";
  end_vfork();
  EXPECT_NE(this_thread.inside, 0U);
}

}  // namespace
}  // namespace trikal::capture

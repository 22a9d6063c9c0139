#include "capture/guard/spin.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "capture/session/session.hpp"

namespace trikal::capture {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// Holds a lock in another thread until told to go on.
class Holder {
 public:
  enum class Meanwhile { kComputes, kWaits };
  Holder(Spin& spin, Meanwhile meanwhile)
      : thread_([this, &spin, meanwhile] {
          has_ = spin.lock();
          if (meanwhile == Meanwhile::kWaits) done_.wait(false);
          while (!done_) continue;
          spin.unlock();
        }) {
    while (!has_) std::this_thread::yield();
  }
  ~Holder() { let_go(); }
  void let_go() {
    done_ = true;
    done_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::atomic<bool> has_{false}, done_{false};
  std::thread thread_;
};

TEST(Spin, OneAtATime) {
  Spin spin;
  std::uint64_t sum = 0;
  const auto add = [&] {
    for (int i = 0; i < 20000; ++i) {
      const Locked locked(spin);
      if (locked) sum += 1;
    }
  };
  std::thread first(add), second(add);
  first.join(), second.join();
  EXPECT_EQ(sum, 40000U);
}

TEST(Spin, IsNeverTakenFromAThreadThatLives) {
  Spin spin;
  Holder holder(spin, Holder::Meanwhile::kComputes);  // it has jumped away, as far as anybody can tell
  const auto begin = Clock::now();
  EXPECT_FALSE(spin.lock()) << "given up";
  EXPECT_GE(Clock::now() - begin, milliseconds(900));
  const auto again = Clock::now();
  EXPECT_FALSE(spin.lock());
  EXPECT_LT(Clock::now() - again, milliseconds(500)) << "who comes later does not wait for long";
  holder.let_go();
  EXPECT_TRUE(spin.lock()) << "and when it is free it is as good as new";
  spin.unlock();
}

TEST(Spin, OfAThreadThatDoesNotGetAProcessorIsWaitedFor) {
  Spin spin;
  Holder holder(spin, Holder::Meanwhile::kWaits);
  std::thread later([&] {
    std::this_thread::sleep_for(milliseconds(2000));
    holder.let_go();
  });
  EXPECT_TRUE(spin.lock());
  spin.unlock();
  later.join();
}

TEST(Spin, OfAThreadThatIsGoneIsTakenOver) {
  Spin spin;
  std::thread([&] { (void)spin.lock(); }).join();
  EXPECT_TRUE(spin.lock());
  EXPECT_FALSE(spin.try_lock());
  spin.unlock();
}

TEST(Spin, OfThisThreadCanOnlyHaveBeenLeftBehind) {
  Spin spin;
  ASSERT_TRUE(spin.lock());
  const auto begin = Clock::now();
  EXPECT_TRUE(spin.lock());
  EXPECT_LT(Clock::now() - begin, milliseconds(500));
  spin.unlock();
}

TEST(Spin, WhatIsLeftBehindCanBeFreed) {
  Spin one, two, others;
  Holder holder(others, Holder::Meanwhile::kWaits);
  ASSERT_TRUE(one.lock() && two.lock());
  Spin::free_left_behind();
  std::thread([&] { EXPECT_TRUE(one.try_lock() && two.try_lock()); }).join();
  EXPECT_FALSE(others.try_lock()) << "what others hold they keep";
}

TEST(Spin, LocksNothingWhereThereIsOneThread) {
  static const char kAlone = 1;
  const volatile char* before = alone;
  Spin spin;
  alone = &kAlone;
  EXPECT_TRUE(spin.try_lock() && spin.try_lock());
  spin.unlock();
  alone = before;
  EXPECT_TRUE(spin.try_lock());
  spin.unlock();
}

TEST(Spin, IsHeldByTheChildsOwnThreadAfterAFork) {
  Spin spin;
  ASSERT_TRUE(spin.lock());
  spin.unlock();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Spin::after_fork();
    const bool has = spin.lock();
    _exit(has && this_thread.number == static_cast<std::uint32_t>(gettid()) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace trikal::capture

#include "capture/clock/clock.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <cmath>
#include <vector>

namespace trikal::capture {
namespace {

void sleep_for(long milliseconds) {
  const timespec time{0, milliseconds * 1000000};
  nanosleep(&time, nullptr);
}

double monotonic() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The first that asks waits until the rate is known.
void settle(Clock& clock) {
  const Ticks now = read_counter();
  (void)clock.span(now, now);
}

TEST(Clock, AgreesWithTheKernelsOverManyCalibrations) {
  Clock clock;
  const double started = monotonic();
  clock.begin();
  settle(clock);
  const double settled = monotonic();
  for (int round = 0; round < 12; ++round) {
    const double begun = monotonic();
    const Ticks begin = read_counter();
    sleep_for(10);
    const Ticks end = read_counter();
    const double ended = monotonic();
    const Span span = clock.span(begin, end);
    // The kernel's clock was asked before and after: the span lies in between, but for the error of a rate.
    EXPECT_LE(span.length(), (ended - begun) * 1.01);
    EXPECT_GE(span.length(), 0.0099);
    EXPECT_LE(span.end, (ended - started) * 1.01 + 0.001);
    EXPECT_GE(span.begin, (begun - settled) * 0.99 - 0.001);
  }
}

TEST(Clock, IsRightBeforeTheRateIsKnown) {
  Clock clock;
  const double started = monotonic();
  clock.begin();
  const Ticks now = read_counter();
  const Span span = clock.span(now, now);
  EXPECT_GE(span.end, 0);
  EXPECT_LE(span.end, monotonic() - started + 0.001);
  EXPECT_EQ(span.length(), 0);
}

TEST(Clock, ReadingsFromBeforeACalibrationAreBeforeIt) {
  Clock clock;
  clock.begin();
  settle(clock);
  const double first = monotonic();
  const Ticks early = read_counter();
  const double slept = monotonic();
  sleep_for(60);  // longer than a calibration lasts
  const double woke = monotonic();
  const Ticks late = read_counter();
  const double last = monotonic();
  const double then = clock.span(late, late).end;
  const double before = clock.span(early, early).end;
  // However long the machine lets us wait in between.
  EXPECT_GE(then - before, (woke - slept) * 0.98 - 0.001);
  EXPECT_LE(then - before, (last - first) * 1.02 + 0.001);
}

TEST(Clock, OfAForkedChildBeginsAtZero) {
  Clock clock;
  clock.begin();
  settle(clock);
  sleep_for(30);
  const double again = monotonic();
  clock.begin_again();
  settle(clock);
  const Ticks now = read_counter();
  const double end = clock.span(now, now).end;
  EXPECT_LE(end, monotonic() - again + 0.001);  // a rate this young is a little off
  EXPECT_GE(end, 0);
}

TEST(Clock, OfAForkedChildKnowsTheRate) {
  Clock clock;
  clock.begin();
  settle(clock);
  sleep_for(5);
  settle(clock);
  const double rate = clock.calibration().seconds_per_tick;
  clock.begin_again();
  EXPECT_EQ(clock.calibration().seconds_per_tick, rate);
}

int later_calls = 0;

TEST(Clock, WorkOfALongSessionIsDoneOnce) {
  Clock clock;
  clock.begin();
  clock.do_later([]() noexcept { ++later_calls; });
  for (int i = 0; i < 3; ++i) sleep_for(30), settle(clock);
  EXPECT_EQ(later_calls, 1);
}

struct Readings {
  Clock* clock;
  bool backwards = false;
};

// Time as each thread sees it never runs back by more than the error of a rate, however often the clock is tied.
TEST(Clock, IsSharedByThreads) {
  Clock clock;
  clock.begin();
  settle(clock);
  std::vector<Readings> readings(4, Readings{&clock});
  std::vector<pthread_t> threads(readings.size());
  const auto work = [](void* argument) -> void* {
    auto* mine = static_cast<Readings*>(argument);
    double last = 0;
    for (int i = 0; i < 200000; ++i) {
      const Ticks now = read_counter();
      const Span span = mine->clock->span(now, now);
      mine->backwards = mine->backwards || span.end < last - 0.001;
      last = span.end;
    }
    return nullptr;
  };
  for (std::size_t i = 0; i < threads.size(); ++i) pthread_create(&threads[i], nullptr, work, &readings[i]);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  for (const Readings& one : readings) EXPECT_FALSE(one.backwards);
}

}  // namespace
}  // namespace trikal::capture

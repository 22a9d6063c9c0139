#include "watch/live_state.hpp"

#include <gtest/gtest.h>

namespace trikal::watch {
namespace {

using stream::kSecond;

stream::Batch at(std::int64_t second, std::uint64_t bytes) {
  stream::Batch batch;
  batch.intervals.push_back(
      {second * kSecond, (second + 1) * kSecond, {{1, 7, 1, Operation::kWrite, {2, bytes, 1 << 20}}}});
  return batch;
}

TEST(LiveState, KnowsSumsAndWhatIsNow) {
  LiveState state;
  stream::Batch first = at(100, 1000);
  first.runs.push_back({1, 0, "./app", ""});
  first.files.push_back({7, "/data"});
  first.processes.push_back({.process = 1, .run = 1, .pid = 5, .rank = 2, .state = stream::ProcessState::kRunning});
  first.system.push_back({100, "cpu.user", "", 0.5}), first.system.push_back({100, "cpu.system", "", 0.25});
  state.add(first);
  for (int second = 101; second < 110; ++second) state.add(at(second, 3000));
  const report::LiveScreen screen = state.screen(5, 5);
  EXPECT_EQ(screen.total[1].bytes, 1000 + 9 * 3000);
  EXPECT_EQ(screen.total[1].seconds, 10);
  EXPECT_EQ(screen.now[1].bytes, 3000);
  EXPECT_EQ(screen.now[1].calls, 2);
  EXPECT_EQ(screen.elapsed, 10);
  EXPECT_EQ(screen.command, "./app");
  EXPECT_EQ(screen.busiest_files.at(0).name, "/data");
  EXPECT_EQ(screen.busiest_files.at(0).bytes_now, 3000);
  EXPECT_EQ(screen.busiest_processes.at(0).rank, 2);
  EXPECT_EQ(screen.processes, 1U);
  EXPECT_EQ(screen.machine.cpu_busy, 0.75);
  EXPECT_FALSE(screen.machine.disk_read);
}

TEST(LiveState, TakesNothingOfThePastForNow) {
  LiveState state;
  stream::Batch batch = at(1000, 500);
  batch.intervals.front().begin = 10 * kSecond;
  state.add(batch);
  EXPECT_EQ(state.screen(5, 5).total[1].bytes, 500);
  EXPECT_EQ(state.screen(5, 5).now[1].bytes, 0);
}

TEST(LiveState, IsQuietWhenNothingIsDone) {
  LiveState state;
  state.add(at(100, 1000));
  for (int second = 101; second < 105; ++second) {
    stream::Batch quiet;
    quiet.intervals.push_back({second * kSecond, (second + 1) * kSecond, {}});
    state.add(quiet);
  }
  EXPECT_EQ(state.screen(5, 5).now[1].bytes, 0);
  EXPECT_EQ(state.screen(5, 5).busiest_files.at(0).bytes_now, 0);
}

}  // namespace
}  // namespace trikal::watch

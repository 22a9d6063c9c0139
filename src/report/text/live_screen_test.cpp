#include "report/text/live_screen.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trikal::report {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ResultOf;

LiveScreen sample() {
  LiveScreen screen;
  screen.command = "./app";
  screen.elapsed = 12;
  screen.processes = 2, screen.files = 3;
  screen.now[1] = {100, 1 << 20, 0.5};
  screen.busiest_files.push_back({"/data/\x1b[31mred\n", 512, {1, 2048, 0.25}});
  screen.busiest_processes.push_back({3, 77, "./app", 0, {}});
  screen.busiest_processes.push_back({-1, 78, "./helper", 0, {}});
  screen.store = "sqlite:x";
  return screen;
}

TEST(LiveScreen, SaysWhatGoesOn) {
  const auto lines = live_lines(sample(), 100);
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("write"), HasSubstr("1.00 MiB/s"))));
  EXPECT_THAT(lines, Contains(HasSubstr("rank 3")));
  EXPECT_THAT(lines, Contains(HasSubstr("pid 78")));
  EXPECT_THAT(lines, Not(Contains(HasSubstr("cores busy"))));  // not known: not shown
  EXPECT_THAT(lines, Not(Contains(HasSubstr("nothing is stored"))));
  EXPECT_THAT(live_line(sample()), HasSubstr("write 1.00 MiB/s"));
  LiveScreen one = sample();
  one.processes = 1, one.files = 1;
  EXPECT_THAT(live_line(sample()), HasSubstr("2 processes  3 files"));
  EXPECT_THAT(live_line(one), HasSubstr("1 process  1 file"));
}

TEST(LiveScreen, ObeysNoFileName) {
  EXPECT_THAT(live_lines(sample(), 100), Each(Not(HasSubstr("\x1b"))));
  EXPECT_THAT(live_lines(sample(), 100), Each(Not(HasSubstr("\n"))));
}

TEST(LiveScreen, FitsIntoTheTerminal) {
  LiveScreen screen = sample();
  screen.command = std::string(300, 'x');
  screen.findings.push_back(std::string(300, 'y'));
  const auto characters = [](const std::string& line) {
    return std::count_if(line.begin(), line.end(),
                         [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  };
  EXPECT_THAT(live_lines(screen, 40), Each(ResultOf(characters, ::testing::Le(40))));
}

TEST(LiveScreen, SaysWhatIsNotStored) {
  LiveScreen screen = sample();
  screen.store.clear(), screen.kept = 4;
  screen.machine.cpu_busy = 1.5;
  const auto lines = live_lines(screen, 100);
  EXPECT_THAT(lines, Contains(HasSubstr("nothing is stored")));
  EXPECT_THAT(lines, Contains(HasSubstr("4 numbers")));
  EXPECT_THAT(lines, Contains(HasSubstr("cores busy 1.50")));
}

}  // namespace
}  // namespace trikal::report

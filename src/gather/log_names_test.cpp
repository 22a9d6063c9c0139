#include "gather/log_names.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace trikal::gather {
namespace {

namespace fs = std::filesystem;

class LogNames : public testing::Test {
 protected:
  LogNames() {
    std::string pattern = testing::TempDir() + "trikal-names-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~LogNames() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string at(const std::string& name) const { return folder_ + "/" + name; }
  void make(const std::string& name) const { std::ofstream(at(name)) << "something"; }
  [[nodiscard]] std::vector<std::string> choose(std::size_t count, std::size_t number = 1) const {
    return free_log_names(at("job.darshan"), count, number);
  }

  std::string folder_;
};

TEST_F(LogNames, TheFirstThatIsFree) {
  EXPECT_EQ(choose(1), std::vector{at("job.darshan")});
  EXPECT_EQ(choose(1, 3), std::vector{at("job-3.darshan")});
  make("job.darshan");
  make("job-2.darshan");
  EXPECT_EQ(choose(1), std::vector{at("job-3.darshan")});
}

TEST_F(LogNames, AllOfARunAreFree) {
  make("job-2.darshan");
  EXPECT_EQ(choose(2), (std::vector{at("job-3.darshan"), at("job-3-2.darshan")}));
  EXPECT_EQ(log_names(at("job.darshan"), 2), (std::vector{at("job.darshan"), at("job-2.darshan")}));
}

TEST_F(LogNames, WhatIsImpossibleIsKnownBefore) {
  EXPECT_TRUE(can_become_log(at("job.darshan"), Taken::kRefuse).ok());
  EXPECT_EQ(can_become_log(at("none/job.darshan"), Taken::kRefuse).error().sys_errno, ENOENT);
  EXPECT_EQ(can_become_log(folder_, Taken::kReplace).error().code, ErrorCode::kUsage);
  make("job.darshan");
  EXPECT_EQ(can_become_log(at("job.darshan"), Taken::kRefuse).error().code, ErrorCode::kUsage);
  EXPECT_TRUE(can_become_log(at("job.darshan"), Taken::kReplace).ok());
  EXPECT_TRUE(can_become_log(at("job.darshan"), Taken::kNumber).ok());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1) << "nothing is left behind";
}

}  // namespace
}  // namespace trikal::gather

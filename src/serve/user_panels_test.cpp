#include "serve/user_panels.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <utility>

namespace trikal::serve {
namespace {

// A command instead of Python: a shell script that sees the arguments.
class UserPanelsTest : public ::testing::Test {
 protected:
  ~UserPanelsTest() override { ::unlink(path_.c_str()); }

  std::string answer(const std::string& script, std::chrono::milliseconds limit = std::chrono::seconds(20)) {
    std::ofstream(path_) << "#!/bin/sh\n" << script << "\n";
    ::chmod(path_.c_str(), 0700);
    UserPanels panels(
        {.files = {"a.py"}, .store_url = "sqlite:s", .python = path_, .tool = "/t/trikal", .limit = limit});
    return panels.draw({"mine", 3, 10, 0});
  }

  std::string path_ = ::testing::TempDir() + "panels-python-" + std::to_string(::getpid());
};

TEST_F(UserPanelsTest, HandsTheAnswerOver) {
  EXPECT_EQ(
      answer(R"(printf '{"rows":[],"said":"%s"}' "$* $TRIKAL_BIN")"),
      R"({"rows":[],"said":"-m trikal.panels --store sqlite:s --name mine --run 3 --from 10 -- a.py /t/trikal"})");
}

TEST_F(UserPanelsTest, SaysWhatWentWrong) {
  EXPECT_NE(answer("echo 'Traceback'; echo 'ValueError: <b>no</b>' >&2; exit 1")
                .find(R"(: ValueError: <b>no</b>","details":)"),
            std::string::npos);
  EXPECT_NE(answer("exit 0").find("no answer"), std::string::npos);
  EXPECT_NE(answer("kill -9 $$").find("was ended by signal 9"), std::string::npos);
  ::unlink(std::exchange(path_, "/there/is/no/such/python").c_str());
  UserPanels panels({.files = {"a.py"}, .store_url = "s", .python = path_});
  EXPECT_NE(panels.list().find("No such file or directory"), std::string::npos);
}

TEST_F(UserPanelsTest, EndsWhatTakesTooLongOrSaysTooMuch) {
  EXPECT_NE(answer("sleep 100 & sleep 100", std::chrono::milliseconds(1000)).find("took more than 1 s"),
            std::string::npos);
  EXPECT_NE(answer("exec >&-; exec 2>&-; sleep 100", std::chrono::milliseconds(1000)).find("took more than"),
            std::string::npos);
  EXPECT_NE(answer("yes").find("too large"), std::string::npos);
}

}  // namespace
}  // namespace trikal::serve

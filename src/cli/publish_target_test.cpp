#include "cli/publish_target.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace trikal::cli {
namespace {

class PublishTargetTest : public testing::Test {
 protected:
  PublishTargetTest() { ::signal(SIGPIPE, SIG_IGN); }  // as in `trikal run`
  ~PublishTargetTest() override { ::unlink(path_.c_str()); }

  std::unique_ptr<PublishTarget> started(const std::string& command) {
    auto target = PublishTarget::open({.target = command});
    EXPECT_TRUE(target.ok());
    EXPECT_TRUE((*target)->start().ok());
    return std::move(*target);
  }
  std::string content() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }
  std::string path_ = testing::TempDir() + "publish_target_test_" + std::to_string(::getpid());
};

TEST_F(PublishTargetTest, ACommandGetsWhatIsWritten) {
  auto target = started("cat > '" + path_ + "'; exit 4");
  EXPECT_EQ(target->write("one\n"), 4);
  EXPECT_EQ(target->write("two\n"), 4);
  EXPECT_EQ(target->finish(false), "the command ended with exit status 4");
  EXPECT_EQ(content(), "one\ntwo\n");
}

TEST_F(PublishTargetTest, ACommandHasVariablesOfTheConnector) {
  ::setenv("DARSHAN_LDMS_HOST", "there", 1);
  ::setenv("DARSHAN_LDMS_PORT", "", 1);
  auto target = started("echo $DARSHAN_LDMS_XPRT $DARSHAN_LDMS_HOST $DARSHAN_LDMS_PORT > '" + path_ + "'");
  ::unsetenv("DARSHAN_LDMS_HOST"), ::unsetenv("DARSHAN_LDMS_PORT");
  EXPECT_EQ(target->finish(false), "the command ended with exit status 0");
  EXPECT_EQ(content(), "sock there 412\n");
}

TEST_F(PublishTargetTest, NobodyWaitsForACommandThatDoesNotRead) {
  auto target = started("exec sleep 100");
  const std::string text(10'000, 'x');
  ssize_t taken = 0, last = 0;
  while ((last = target->write(text)) > 0 && taken < 10'000'000) taken += last;
  EXPECT_EQ(last, 0);
  EXPECT_GT(taken, 0);
  target->wait(1);
  EXPECT_EQ(target->write(text), 0);
  EXPECT_EQ(target->finish(true), "the command did not end and was killed");
}

TEST_F(PublishTargetTest, ACommandThatIsGoneTakesNothing) {
  auto target = started("kill -9 $$");
  ssize_t taken = 0;
  for (int i = 0; i < 5000 && taken >= 0; ++i) {
    taken = target->write("x");
    ::usleep(1000);
  }
  EXPECT_EQ(taken, -1);
  EXPECT_EQ(target->finish(false), "the command was ended by signal 9");
}

TEST_F(PublishTargetTest, FilesAreNotReplacedUnasked) {
  const std::string name = "file:" + path_;
  const auto put = [](Result<std::unique_ptr<PublishTarget>> target, std::string_view text) {
    ASSERT_TRUE(target.ok());
    EXPECT_TRUE((*target)->start().ok());
    EXPECT_EQ((*target)->write(text), static_cast<ssize_t>(text.size()));
    EXPECT_EQ((*target)->finish(false), "");
  };
  put(PublishTarget::open({.target = name}), "one");
  EXPECT_EQ(PublishTarget::open({.target = name}).error().sys_errno, EEXIST);
  put(PublishTarget::open({.target = name, .append = true}), "two");
  EXPECT_EQ(content(), "onetwo");
  put(PublishTarget::open({.target = name, .force = true}), "three");
  EXPECT_EQ(content(), "three");
  EXPECT_EQ(PublishTarget::open({.target = "file:/no/such/folder/x"}).error().sys_errno, ENOENT);
  EXPECT_EQ(target_name(name), path_);
}

}  // namespace
}  // namespace trikal::cli

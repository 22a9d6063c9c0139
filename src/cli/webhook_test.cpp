#include "cli/webhook.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace trikal::cli {
namespace {

std::mutex posted_mutex;
std::vector<std::string> posted;

bool take(const std::string& url, const std::string& json, std::string& /*problem*/) {
  const std::lock_guard lock(posted_mutex);
  posted.push_back(url + " " + json);
  return true;
}
bool refuse(const std::string&, const std::string&, std::string& problem) {
  problem = "it answered 500";
  return false;
}
std::atomic<bool> released;
bool hang(const std::string&, const std::string&, std::string&) {
  while (!released) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return true;
}

TEST(WebhookTest, PostsInOrderAndAllBeforeTheEnd) {
  posted.clear();
  Webhook hook("http://host/secret", take);
  for (const char* json : {"1", "2", "3"}) hook.post(json);
  hook.finish();
  EXPECT_EQ(posted, (std::vector<std::string>{"http://host/secret 1", "http://host/secret 2", "http://host/secret 3"}));
  EXPECT_EQ(hook.take_problem(), "");
  EXPECT_EQ(hook.server(), "http://host");
}

TEST(WebhookTest, TellsEachProblemOnce) {
  Webhook hook("http://host", refuse);
  hook.post("1"), hook.post("2");
  hook.finish();
  EXPECT_EQ(hook.take_problem(), "it answered 500");
  EXPECT_EQ(hook.take_problem(), "");
}

TEST(WebhookTest, NeverWaitsForWhoPosts) {
  released = false;
  {
    Webhook hook("http://host", hang);
    for (int i = 0; i < 200; ++i) hook.post("x");
    EXPECT_EQ(hook.take_problem(), "it does not answer: alerts were not posted");
  }  // returns while the thread still waits
  released = true;
}

TEST(WebhookTest, RefusesWhatIsNoAddress) {
  for (const char* good : {"http://h", "http://h:80/x?y", "https://[::1]:8443/hook"})
    EXPECT_EQ(webhook_problem(good), "") << good;
  for (const char* bad :
       {"", "host", "ftp://h/", "http://", "https:///x", "http://:80/", "http://u:p@h/", "http://h/a b", "http://h/\n"})
    EXPECT_NE(webhook_problem(bad), "") << bad;
}

}  // namespace
}  // namespace trikal::cli

#include "cli/publisher.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace trikal::cli {
namespace {

using log::crash::Operation;

// Events of a process that has left no map: its messages have no names.
class PublisherTest : public testing::Test {
 protected:
  PublisherTest() { ::signal(SIGPIPE, SIG_IGN); }  // as in `trikal run`
  ~PublisherTest() override { ::unlink(path_.c_str()); }

  static Publisher::Outcome publish(const std::string& target, std::size_t rounds,
                                    const std::vector<stream::EventRecord>& events) {
    auto publisher =
        Publisher::create({.target = {.target = target, .force = true}, .directory = "/no/such/directory"});
    EXPECT_TRUE(publisher.ok());
    gather::RingProcess process;
    process.number = 1;
    const gather::EventBatch::Counts counts;
    for (std::size_t i = 0; i < rounds; ++i)
      (*publisher)->put(process, {.events = events, .details = {}, .counts = counts, .without_ring = 0, .rings = {}});
    return (*publisher)->finish();
  }
  static stream::EventRecord event(Operation operation) {
    return {.begin = 1'000'000'000, .duration = 5, .file = 7, .operation = static_cast<std::uint16_t>(operation)};
  }
  // Whole ones: where time is up, the last one may be cut.
  std::size_t lines() const {
    std::ifstream file(path_);
    return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
  }
  std::string path_ = testing::TempDir() + "publisher_test_" + std::to_string(::getpid());
};

TEST_F(PublisherTest, OnlyOperationsOfTheConnectorAreMessages) {
  const auto outcome =
      publish("file:" + path_, 1,
              {event(Operation::kOpen), event(Operation::kSeek), event(Operation::kRead), event(Operation{1030})});
  EXPECT_EQ(outcome.written, 2U);
  EXPECT_EQ(outcome.dropped, 0U);
  EXPECT_EQ(outcome.ending, "");
  EXPECT_EQ(lines(), 2U);
  std::ifstream file(path_);
  std::string first;
  std::getline(file, first);
  EXPECT_NE(first.find(R"("uid":-1,"exe":"N/A")"), std::string::npos) << first;
  EXPECT_NE(first.find(R"("start":-1,"dur":0.000000005)"), std::string::npos) << first;
}

TEST_F(PublisherTest, EveryMessageIsWrittenOrDropped) {
  const std::vector<stream::EventRecord> events(1000, event(Operation::kWrite));
  const auto read = publish("cat > '" + path_ + "'", 50, events);  // a slow machine drops some
  EXPECT_EQ(read.written + read.dropped, 50'000U);
  EXPECT_EQ(lines(), read.written);
  const auto unread = publish("exec sleep 100", 200, events);
  EXPECT_EQ(unread.written + unread.dropped, 200'000U);
  EXPECT_GT(unread.dropped, 190'000U);
  EXPECT_EQ(unread.ending, "the command did not end and was killed");
  const auto full = publish("file:/dev/full", 1, events);
  EXPECT_EQ(full.written, 0U);
  EXPECT_EQ(full.dropped, 1000U);
  EXPECT_EQ(full.ending, "nothing more could be written");
}

// A page three times a second until nobody waits any more, then what is left in the pipe: it counts as written.
TEST_F(PublisherTest, WhatCountsAsWrittenIsReadBySlowReaders) {
  const std::vector<stream::EventRecord> events(1000, event(Operation::kWrite));
  const std::string reader = "for i in $(seq 36); do dd bs=4096 count=1 status=none; sleep 0.3; done; cat; ";
  const auto slow = publish("{ " + reader + "} > '" + path_ + "'", 10, events);
  EXPECT_EQ(slow.written + slow.dropped, 10'000U);
  EXPECT_EQ(lines(), slow.written);
  EXPECT_GT(slow.dropped, 0U);
  EXPECT_EQ(slow.ending, "not all was read 10 s after the end of the program");
}

TEST_F(PublisherTest, WithoutEventsNoCommandIsStarted) {
  const auto outcome = publish("touch '" + path_ + "'", 0, {});
  EXPECT_EQ(outcome.written + outcome.dropped, 0U);
  EXPECT_EQ(outcome.ending, "");
  EXPECT_NE(::access(path_.c_str(), F_OK), 0);
}

}  // namespace
}  // namespace trikal::cli

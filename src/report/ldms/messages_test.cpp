#include "report/ldms/messages.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace trikal::report::ldms {
namespace {

using log::crash::Operation;

constexpr std::int64_t kSecond = 1'000'000'000, kStart = 1'700'000'000 * kSecond;

const Process kProcess = {.uid = 1000, .job_id = 77, .start = kStart, .node = "n1", .program = "/bin/app"};

Event call(Operation operation, std::int64_t begin, std::int64_t duration = 10) {
  return {.process_number = 1,
          .process = &kProcess,
          .rank = 3,
          .operation = operation,
          .file = 5,
          .name = "/data/a",
          .begin = kStart + begin,
          .duration = duration,
          .offset = 64,
          .length = 16,
          .highest_read = 79,
          .highest_written = 99,
          .switches = 2,
          .flushes = 4};
}

Message made(Messages& messages, const Event& event) {
  Message message;
  EXPECT_TRUE(messages.make(event, message));
  return message;
}
Message made(Dialect dialect, const Event& event) {
  Messages messages(dialect, ModuleSet::all());
  return made(messages, event);
}

constexpr Dialect kBoth[] = {Dialect::kPublished, Dialect::kCurrent};

TEST(LdmsMessages, OnlyOpeningsTellProgramAndFile) {
  for (const Dialect dialect : kBoth) {
    const Message open = made(dialect, call(Operation::kOpen, 0));
    EXPECT_TRUE(open.is_meta);
    EXPECT_EQ(open.exe, "/bin/app");
    EXPECT_EQ(open.file, "/data/a");
    for (const Operation other : {Operation::kRead, Operation::kWrite, Operation::kClose}) {
      const Message message = made(dialect, call(other, 0));
      EXPECT_FALSE(message.is_meta);
      EXPECT_EQ(message.exe, "N/A");
      EXPECT_EQ(message.file, "N/A");
      EXPECT_EQ(message.record_id, 5U);
      EXPECT_EQ(message.node, "n1");
      EXPECT_EQ(message.uid, 1000);
      EXPECT_EQ(message.job_id, 77);
      EXPECT_EQ(message.rank, 3);
    }
  }
}

TEST(LdmsMessages, WhatDoesNotApplyIsMinusOne) {
  for (const Dialect dialect : kBoth) {
    for (const Operation plain : {Operation::kOpen, Operation::kClose}) {
      const Message message = made(dialect, call(plain, 0));
      EXPECT_EQ(message.off, -1);
      EXPECT_EQ(message.len, -1);
      EXPECT_EQ(message.max_byte, -1);
      EXPECT_EQ(message.switches, -1);
      EXPECT_EQ(message.flushes, plain == Operation::kOpen ? -1 : 4);
      EXPECT_EQ(message.data_set, "N/A");
    }
    const Message read = made(dialect, call(Operation::kRead, 0));
    EXPECT_EQ(read.off, 64);
    EXPECT_EQ(read.len, 16);
    EXPECT_EQ(read.max_byte, 79);
    EXPECT_EQ(read.switches, 2);
    EXPECT_EQ(read.npoints, -1);
    EXPECT_EQ(made(dialect, call(Operation::kWrite, 0)).max_byte, 99);
  }
}

TEST(LdmsMessages, TransfersOfDatasetsHaveSelectionsAndTheirOwnLength) {
  Event event = call(Operation::kHdf5Write, 0);
  event.name = "/data/a.h5:/g/d", event.data_set = "/g/d";
  event.point_selects = 1, event.irregular_selects = 2, event.regular_selects = 3;
  event.dimensions = 4, event.dataset_elements = 500;
  for (const Dialect dialect : kBoth) {
    const Message message = made(dialect, event);
    EXPECT_EQ(message.module, "H5D");
    EXPECT_EQ(message.pt_sel, 1);
    EXPECT_EQ(message.irreg_hslab, 2);
    EXPECT_EQ(message.reg_hslab, 3);
    EXPECT_EQ(message.ndims, 4);
    EXPECT_EQ(message.npoints, 500);
    EXPECT_EQ(message.len, 16);
    EXPECT_EQ(message.data_set, dialect == Dialect::kPublished ? "/g/d" : "N/A");
    event.operation = Operation::kHdf5DatasetOpen;
    EXPECT_EQ(made(dialect, event).file, dialect == Dialect::kPublished ? "/data/a.h5" : "/data/a.h5:/g/d");
    EXPECT_EQ(made(dialect, event).ndims, -1);
    event.operation = Operation::kHdf5Write;
  }
}

TEST(LdmsMessages, PublishedCountsAllOperationsOfAModuleUntilAClose) {
  Messages messages(Dialect::kPublished, ModuleSet::all());
  const auto count = [&](Operation operation, std::uint64_t file, std::uint64_t process = 1) {
    Event event = call(operation, 0);
    event.file = file, event.process_number = process;
    return made(messages, event).cnt;
  };
  EXPECT_EQ(count(Operation::kOpen, 5), 1);
  EXPECT_EQ(count(Operation::kOpen, 6), 2);
  EXPECT_EQ(count(Operation::kRead, 5), 3);
  EXPECT_EQ(count(Operation::kStreamOpen, 5), 1);  // another module
  EXPECT_EQ(count(Operation::kRead, 5, 2), 1);  // another process
  EXPECT_EQ(count(Operation::kClose, 6), 4);
  EXPECT_EQ(count(Operation::kWrite, 5), 1);
  EXPECT_EQ(count(Operation::kStreamWrite, 5), 2);
}

TEST(LdmsMessages, CurrentCountsEachOperationOfEachFile) {
  Messages messages(Dialect::kCurrent, ModuleSet::all());
  const auto count = [&](Operation operation, std::uint64_t file) {
    Event event = call(operation, 0);
    event.file = file;
    return made(messages, event).cnt;
  };
  EXPECT_EQ(count(Operation::kOpen, 5), 1);
  EXPECT_EQ(count(Operation::kRead, 5), 1);
  EXPECT_EQ(count(Operation::kRead, 5), 2);
  EXPECT_EQ(count(Operation::kRead, 6), 1);
  EXPECT_EQ(count(Operation::kWrite, 5), 1);
  EXPECT_EQ(count(Operation::kClose, 5), 1);
  EXPECT_EQ(count(Operation::kRead, 5), 3);  // a close changes nothing
  EXPECT_EQ(count(Operation::kOpen, 5), 2);
}

TEST(LdmsMessages, TimesAreThoseOfTheEndAndOfTheProcess) {
  const Message message = made(Dialect::kCurrent, call(Operation::kRead, 2 * kSecond, 300));
  EXPECT_EQ(message.end, kStart + 2 * kSecond + 300);
  EXPECT_EQ(message.start, 2 * kSecond);
  EXPECT_EQ(message.dur, 300);
  Event event = call(Operation::kRead, 0);
  event.process = nullptr;
  const Message unknown = made(Dialect::kCurrent, event);
  EXPECT_EQ(unknown.start, kNoTime);
  EXPECT_EQ(unknown.uid, -1);
  EXPECT_EQ(unknown.node, "N/A");
}

TEST(LdmsMessages, TotalsAddUpWithoutOverlapAndWithOperationsThatAreNotTold) {
  Messages messages(Dialect::kCurrent, ModuleSet::all());
  EXPECT_EQ(made(messages, call(Operation::kOpen, 0, 10)).total, 10);
  Message none;
  EXPECT_FALSE(messages.make(call(Operation::kSeek, 20, 5), none));
  EXPECT_FALSE(messages.make(call(Operation::kMap, 30, 1000), none));
  EXPECT_EQ(made(messages, call(Operation::kRead, 40, 10)).total, 10);
  EXPECT_EQ(made(messages, call(Operation::kRead, 45, 10)).total, 15);  // another thread's: 5 were counted
  EXPECT_EQ(made(messages, call(Operation::kRead, 41, 2)).total, 15);
  EXPECT_FALSE(messages.make(call(Operation::kSync, 100, 7), none));
  EXPECT_EQ(made(messages, call(Operation::kWrite, 200, 1)).total, 8);
  EXPECT_EQ(made(messages, call(Operation::kClose, 300, 1)).total, 16);
}

TEST(LdmsMessages, ModulesThatAreOffGiveNone) {
  ::setenv("DARSHAN_LDMS_ENABLE_STDIO", "0", 1);
  Messages messages(Dialect::kCurrent, ModuleSet::of_environment());
  ::unsetenv("DARSHAN_LDMS_ENABLE_STDIO");
  Message message;
  EXPECT_FALSE(messages.make(call(Operation::kRead, 0), message));
  EXPECT_TRUE(messages.make(call(Operation::kStreamRead, 0), message));
  EXPECT_FALSE(messages.publishes(Operation::kRead));
  EXPECT_TRUE(messages.publishes(Operation::kStreamRead));
}

TEST(LdmsMessages, NoRankIsRankZero) {
  Event event = call(Operation::kRead, 0);
  event.rank = -1;
  EXPECT_EQ(made(Dialect::kCurrent, event).rank, 0);
}

TEST(LdmsMessages, ADatasetIsSplitFromAFileThatIsKnown) {
  const auto split = [](std::string_view name, std::string_view file) {
    return data_set_of(name, [&](std::string_view known) { return known == file; });
  };
  EXPECT_EQ(split("/d/a.h5:/x", "/d/a.h5"), "/x");
  EXPECT_EQ(split("/d:/a.h5:/x", "/d:/a.h5"), "/x");
  EXPECT_EQ(split("/d/a.h5:/x:/y", "/d/a.h5"), "/x:/y");
  EXPECT_EQ(split("/d/a.h5:/x:/y", "/other"), "/x:/y");  // not known: at the first
  EXPECT_EQ(split("/d/a.h5", "/d/a.h5"), "");
}

}  // namespace
}  // namespace trikal::report::ldms

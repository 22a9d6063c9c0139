// Rings as a process leaves them, and as nobody should.

#include "gather/rings/ring_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>

#include "gather/rings/ring_reader.hpp"

namespace trikal::gather {
namespace {

using stream::EventRecord;
using stream::Ring;
using stream::RingFileHeader;

constexpr std::uint32_t kSlots = 256;
constexpr std::size_t kRingBytes = (sizeof(Ring) + kSlots * sizeof(EventRecord) + 4095) / 4096 * 4096;

class RingFileTest : public ::testing::Test {
 protected:
  RingFileTest() {
    std::string pattern = ::testing::TempDir() + "trikal-rings-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    path_ = folder_ + "/1-2-0.ring";
    bytes_.resize(stream::kRingFileHeaderBytes + 2 * kRingBytes);
    auto* header = new (bytes_.data()) RingFileHeader;
    header->magic = stream::kRingMagic, header->layout = stream::kRingLayout;
    header->header_bytes = stream::kRingFileHeaderBytes;
    header->used.store(bytes_.size());
    header->stride = sizeof(EventRecord);
    header->identity.pid = 1;
    for (const std::size_t number : {0, 1}) {
      Ring* ring = new (bytes_.data() + stream::kRingFileHeaderBytes + number * kRingBytes) Ring;
      ring->mark = stream::kRingMark, ring->slots = kSlots, ring->stride = sizeof(EventRecord);
      ring->bytes = kRingBytes;
      ring->thread.store(static_cast<std::uint32_t>(number));
    }
  }
  ~RingFileTest() override { std::filesystem::remove_all(folder_); }

  RingFileHeader& header() { return *reinterpret_cast<RingFileHeader*>(bytes_.data()); }
  Ring& ring(std::size_t number) {
    return *reinterpret_cast<Ring*>(bytes_.data() + stream::kRingFileHeaderBytes + number * kRingBytes);
  }
  void tell(std::size_t number, std::int64_t length) {
    Ring& to = ring(number);
    auto* slots = reinterpret_cast<EventRecord*>(&to + 1);
    slots[to.head.load() % kSlots] = {.length = length, .thread = to.thread.load(), .sequence = sequence_++};
    to.head.fetch_add(1);
  }
  void write() {
    // Into the same file: somebody may have it mapped.
    std::ofstream(path_, std::ios::binary | std::ios::app);
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.write(reinterpret_cast<const char*>(bytes_.data()), static_cast<std::streamsize>(bytes_.size()));
  }
  // What the reader has written there.
  void read_back() {
    std::ifstream file(path_, std::ios::binary);
    file.read(reinterpret_cast<char*>(bytes_.data()), static_cast<std::streamsize>(bytes_.size()));
  }
  static std::vector<std::int64_t> lengths(RingFile& file) {
    std::vector<std::int64_t> found;
    const Status status = file.drain([&](const EventBatch& batch) {
      for (const EventRecord& event : batch.events) found.push_back(event.length);
    });
    EXPECT_TRUE(status.ok());
    return found;
  }
  std::string problem() {
    write();
    auto file = RingFile::open(path_);
    if (!file) return file.error().what;
    const Status status = file->drain([](const EventBatch&) {});
    return status.ok() ? "" : status.error().what;
  }

  std::string folder_, path_;
  std::uint32_t sequence_ = 0;
  std::vector<std::byte> bytes_;
};

TEST_F(RingFileTest, EventsComeOnceAndInOrder) {
  for (int i = 0; i < 5; ++i) tell(0, i);
  tell(1, 100);
  ring(0).dropped.store(7);
  write();
  auto file = RingFile::open(path_);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(lengths(*file), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 100}));
  EXPECT_TRUE(lengths(*file).empty());
  EXPECT_EQ(file->counts().stored, 6U);
  EXPECT_EQ(file->counts().emitted(), 13U);
  EXPECT_EQ(file->threads().at(0).full, 7U);
  EXPECT_EQ(file->threads().at(1).full, 0U);
  read_back();
  EXPECT_EQ(ring(0).tail.load(), 5U);
  EXPECT_EQ(ring(0).dropped_seen.load(), 7U);
  for (std::uint32_t i = 0; i < kSlots; ++i) tell(0, i);
  write();
  EXPECT_EQ(lengths(*file).size(), kSlots) << "around the end of the ring";
}

TEST_F(RingFileTest, AThreadThatWentOnInAnEarlierRingIsInOrder) {
  ring(0).thread.store(5), ring(1).thread.store(5);
  sequence_ = UINT32_MAX - 1;
  for (int i = 0; i < 3; ++i) tell(1, i);
  for (int i = 3; i < 5; ++i) tell(0, i);
  write();
  auto file = RingFile::open(path_);
  EXPECT_EQ(lengths(*file), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
}

TEST_F(RingFileTest, AnotherReaderGoesOnWhereTheFirstOneWas) {
  for (int i = 0; i < 5; ++i) tell(0, i);
  ring(0).dropped.store(3);
  header().without_ring.store(4);
  write();
  {
    auto first = RingFile::open(path_);
    EXPECT_EQ(lengths(*first).size(), 5U);
    EXPECT_EQ(first->counts().emitted(), 12U);
  }
  read_back();
  tell(0, 9);
  header().without_ring.store(6);
  write();
  auto second = RingFile::open(path_);
  EXPECT_EQ(lengths(*second), (std::vector<std::int64_t>{9}));
  EXPECT_EQ(second->counts().emitted(), 3U) << "what the first one counted is not counted again";
}

// The first one was killed behind what it did with events and before it moved the tail.
TEST_F(RingFileTest, GoesOnWhereSomebodyElseRemembers) {
  for (int i = 0; i < 5; ++i) tell(0, i);
  ring(0).dropped.store(3), ring(0).sampled_out.store(7);
  header().without_ring.store(4);
  write();
  std::vector<stream::RingEntry> remembered;
  {
    auto first = RingFile::open(path_);
    ASSERT_TRUE(first
                    ->read([&](const EventBatch& batch) {
                      remembered.assign(batch.rings.begin(), batch.rings.end());
                      EXPECT_EQ(batch.counts.at(0).stored, 5U);
                      EXPECT_EQ(batch.counts.at(0).full, 3U);
                      EXPECT_EQ(batch.without_ring, 4U);
                    })
                    .ok());
    EXPECT_EQ(first->counts().emitted(), 0U) << "nobody said that it is done with";
    EXPECT_EQ(lengths(*first).size(), 5U) << "so it comes again";
  }
  read_back();
  ring(0).tail.store(0), ring(0).dropped_seen.store(0), header().without_ring_seen.store(0);
  tell(0, 9);
  ring(0).sampled_out.store(8);
  write();
  auto second = RingFile::open(path_);
  second->resume(remembered);
  EXPECT_EQ(lengths(*second), (std::vector<std::int64_t>{9}));
  EXPECT_EQ(second->counts().emitted(), 1U);
  EXPECT_EQ(second->counts().sampled_out, 1U);
  remembered[0].tail = 1'000'000;  // of another file
  auto third = RingFile::open(path_);
  third->resume(remembered);
  EXPECT_FALSE(third->drain([](const EventBatch&) {}).ok());
}

TEST_F(RingFileTest, WhatIsNotAcceptedComesAgainAndIsNotRemoved) {
  tell(0, 1);
  write();
  RingReader reader(folder_);
  ASSERT_TRUE(reader.is_elected());
  std::size_t events = 0;
  const auto use = [&](const RingProcess&, const EventBatch& batch) { events += batch.events.size(); };
  EXPECT_FALSE(reader.drain(use, [] { return false; }));
  EXPECT_FALSE(reader.drain(use, [] { return false; }));
  EXPECT_EQ(events, 2U);
  EXPECT_TRUE(std::filesystem::exists(path_));
  reader.finish(use, [] { return true; });
  EXPECT_EQ(events, 3U);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(RingFileTest, ReadsWhatIsSound) { EXPECT_EQ(problem(), ""); }

TEST_F(RingFileTest, RefusesAnotherLayout) {
  header().layout = 99;
  EXPECT_EQ(problem(), "event rings of another version of trikal");
}

TEST_F(RingFileTest, RefusesWhatIsNoRing) {
  header().magic = 1;
  EXPECT_EQ(problem(), "no file of event rings");
}

TEST_F(RingFileTest, RefusesAbsurdNumbers) {
  const auto with = [this](const auto& change) {
    const std::vector<std::byte> sound = bytes_;
    change();
    const std::string found = problem();
    std::memcpy(bytes_.data(), sound.data(), sound.size());
    return found;
  };
  EXPECT_NE(with([this] { header().header_bytes = 0; }), "");
  EXPECT_NE(with([this] { header().header_bytes = 1U << 30U; }), "");
  EXPECT_NE(with([this] { header().stride = 65; }), "");
  EXPECT_NE(with([this] { header().used.store(UINT64_MAX); }), "");
  EXPECT_NE(with([this] { header().used.store(100); }), "");
  EXPECT_NE(with([this] { header().used.store(bytes_.size() - 1); }), "");
  EXPECT_NE(with([this] { ring(1).slots = 0; }), "");
  EXPECT_NE(with([this] { ring(1).slots = 1000; }), "");
  EXPECT_NE(with([this] { ring(1).slots = 1U << 31U; }), "");
  EXPECT_NE(with([this] { ring(0).bytes = 0; }), "");
  EXPECT_NE(with([this] { ring(0).bytes = 4096; }), "");
  EXPECT_NE(with([this] { ring(0).bytes = UINT32_MAX; }), "");
  EXPECT_NE(with([this] { ring(0).mark = 0; }), "");
  EXPECT_NE(with([this] { ring(0).stride = 128; }), "");
  EXPECT_NE(with([this] { ring(0).head.store(kSlots + 1); }), "");
  EXPECT_NE(with([this] { ring(0).tail.store(1); }), "");
  EXPECT_NE(with([this] { ring(0).head.store(UINT64_MAX); }), "");
}

TEST_F(RingFileTest, RefusesWhatWasCut) {
  write();
  auto file = RingFile::open(path_);
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(lengths(*file).empty());
  ASSERT_EQ(::truncate(path_.c_str(), 8192), 0);
  EXPECT_FALSE(file->drain([](const EventBatch&) {}).ok());
  EXPECT_FALSE(file->drain([](const EventBatch&) {}).ok());
  EXPECT_FALSE(RingFile::open(folder_ + "/none").ok());
}

TEST_F(RingFileTest, RefusesWhatIsNotAFileOfThisUser) {
  ASSERT_EQ(::mkfifo((folder_ + "/pipe").c_str(), 0600), 0);
  EXPECT_FALSE(RingFile::open(folder_ + "/pipe").ok());
  write();
  ASSERT_EQ(::symlink(path_.c_str(), (folder_ + "/link").c_str()), 0);
  EXPECT_FALSE(RingFile::open(folder_ + "/link").ok());
  if (::geteuid() != 0) return;
  ASSERT_EQ(::chown(path_.c_str(), 12345, 12345), 0);
  EXPECT_STREQ(RingFile::open(path_).error().what, "not a file of this user");
}

TEST_F(RingFileTest, TheReaderRemovesWhatIsOverAndKeepsItsCounts) {
  tell(0, 1);
  ring(0).dropped.store(2);
  header().without_ring.store(3);
  write();
  RingReader reader(folder_);
  ASSERT_TRUE(reader.is_elected());
  std::size_t events = 0;
  reader.finish([&](const RingProcess& process, const EventBatch& batch) {
    EXPECT_EQ(process.number, 1U);
    events += batch.events.size();
  });
  EXPECT_EQ(events, 1U);
  ASSERT_EQ(reader.counts().size(), 1U);
  EXPECT_EQ(reader.counts()[0].all.emitted(), 6U);
  EXPECT_FALSE(std::filesystem::exists(path_)) << "nobody has it mapped";
}

TEST_F(RingFileTest, TheReaderNamesWhatItRefuses) {
  ring(0).slots = 3;
  write();
  RingReader reader(folder_);
  EXPECT_FALSE(reader.drain([](const RingProcess&, const EventBatch&) {}));
  EXPECT_FALSE(reader.drain([](const RingProcess&, const EventBatch&) {}));
  ASSERT_EQ(reader.refused().size(), 1U);
  EXPECT_EQ(reader.refused()[0].first, path_);
}

}  // namespace
}  // namespace trikal::gather

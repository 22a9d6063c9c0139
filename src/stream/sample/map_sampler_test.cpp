#include "stream/sample/map_sampler.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <numeric>

#include "modules/list.hpp"
#include "schema/live_order.hpp"
#include "stream/sample/sampler.hpp"
#include "support/map_builder.hpp"

namespace trikal::stream {
namespace {

using log::crash::ChunkKind;
using trikal::testing::MapBuilder;

const ModuleSchema& posix() { return *find_module("POSIX")->schema; }

// Where a live record has it.
std::size_t offset_of(std::string_view name) {
  std::size_t slot = 0;
  for (const Counter& counter : posix().counters) {
    if (counter.name == name) break;
    slot += counter.width();
  }
  std::vector<std::uint64_t> live(posix().head_bytes / 8), log(live.size());
  std::iota(live.begin(), live.end(), 0);
  to_log_order(posix(), std::as_bytes(std::span(live)).data(), std::as_writable_bytes(std::span(log)).data());
  return 8 * log[posix().counters_at / 8 + slot];
}

constexpr std::uint32_t kSlots = 160;

// A map in a file that is changed as its process would.
class LiveMap {
 public:
  LiveMap() {
    map_.header().state = log::crash::State::kRunning;
    names_ = map_.add_chunk({.kind = ChunkKind::kNames, .slots = 16384});
    const ModuleSchema& schema = posix();
    briefs_ = map_.add_chunk({.kind = ChunkKind::kBriefs,
                              .module = schema.id,
                              .stride = 128,
                              .record_bytes = schema.brief_bytes,
                              .slots = 4});
    records_ = map_.add_chunk({.kind = ChunkKind::kRecords,
                               .module = schema.id,
                               .stride = 768,
                               .record_bytes = schema.head_bytes,
                               .slots = kSlots});
    write();
  }
  ~LiveMap() { ::unlink(path_.c_str()); }

  void add_file(std::uint64_t id, ChunkKind kind = ChunkKind::kRecords) {
    map_.add_name(names_, id, "/file" + std::to_string(id));
    map_.add_slot(kind == ChunkKind::kRecords ? records_ : briefs_, std::as_bytes(std::span(&id, 1)));
  }
  void set(std::uint32_t slot, std::string_view counter, std::int64_t value, ChunkKind kind = ChunkKind::kRecords) {
    store(word(slot, counter, kind), value);
  }
  void set_seconds(std::uint32_t slot, std::string_view counter, double value) {
    store(word(slot, counter, ChunkKind::kRecords), value);
  }
  void move_brief(std::uint32_t slot) {
    store(map_.at(briefs_ + log::crash::kChunkHeader + 128 * slot + 8), log::crash::kMoved);
  }
  void rename_brief(std::uint32_t slot, std::uint64_t id) {
    store(map_.at(briefs_ + log::crash::kChunkHeader + 128 * slot), id);
  }
  // Without making another file, as shared memory is.
  void write() {
    const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT, 0600);
    ASSERT_EQ(::pwrite(file, map_.bytes().data(), map_.bytes().size(), 0), static_cast<ssize_t>(map_.bytes().size()));
    ::close(file);
  }
  void cut(std::size_t size) { ASSERT_EQ(::truncate(path_.c_str(), static_cast<off_t>(size)), 0); }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] MapBuilder& map() { return map_; }

 private:
  std::byte* word(std::uint32_t slot, std::string_view counter, ChunkKind kind) {
    const std::size_t at = kind == ChunkKind::kRecords ? records_ + 768 * slot : briefs_ + 128 * slot;
    return map_.at(at + log::crash::kChunkHeader + offset_of(counter));
  }

  std::string path_ = ::testing::TempDir() + "live-" + std::to_string(::getpid()) + ".map";
  MapBuilder map_;
  std::size_t names_ = 0, briefs_ = 0, records_ = 0;
};

struct Heard {
  std::map<std::uint64_t, FileAmounts> files;
  std::map<std::uint64_t, std::string> names;
};

Heard hear(MapSampler& sampler) {
  Heard heard;
  sampler.sample({.more = [&](std::uint64_t file, ModuleId, const FileAmounts& more) { add(heard.files[file], more); },
                  .name = [&](std::uint64_t file, std::string_view name) { heard.names[file] = name; }});
  return heard;
}

TEST(MapSampler, TellsDifferencesOfWhatChanged) {
  LiveMap live;
  live.add_file(5), live.add_file(6);
  live.set(0, "POSIX_OPENS", 1), live.set(0, "POSIX_WRITES", 10), live.set(0, "POSIX_BYTES_WRITTEN", 1000);
  live.set_seconds(0, "POSIX_F_WRITE_TIME", 0.5);
  live.write();
  auto sampler = MapSampler::open(live.path());
  ASSERT_TRUE(sampler.ok());
  const Heard first = hear(*sampler);
  EXPECT_EQ(first.names.at(6), "/file6");
  EXPECT_EQ(first.files.size(), 1U);  // of the other there is nothing to tell
  EXPECT_EQ(first.files.at(5)[1], (Amount{10, 1000, 1 << 19}));
  EXPECT_EQ(first.files.at(5)[2], (Amount{1, 0, 0}));
  EXPECT_TRUE(hear(*sampler).files.empty());
  live.set(0, "POSIX_WRITES", 12), live.set(1, "POSIX_READS", 3);
  live.write();
  const Heard second = hear(*sampler);
  EXPECT_EQ(second.files.at(5)[1], (Amount{2, 0, 0}));
  EXPECT_EQ(second.files.at(6)[0], (Amount{3, 0, 0}));
  EXPECT_TRUE(second.names.empty());
}

TEST(MapSampler, FindsWhatIsAddedAsTheMapGrows) {
  LiveMap live;
  auto sampler = MapSampler::open(live.path());
  EXPECT_TRUE(hear(*sampler).files.empty());
  const std::size_t more = live.map().add_chunk(
      {.kind = ChunkKind::kRecords, .module = posix().id, .stride = 704, .record_bytes = 704, .slots = 1});
  std::vector<std::byte> record(704);
  store(record.data(), std::uint64_t{8});
  store(record.data() + offset_of("POSIX_OPENS"), std::int64_t{2});
  live.map().add_slot(more, record);
  live.write();
  EXPECT_TRUE(sampler->is_there());
  EXPECT_EQ(hear(*sampler).files.at(8)[2].calls, 2U);
}

TEST(MapSampler, LooksAtManyIdleFilesInRotation) {
  LiveMap live;
  for (std::uint32_t i = 0; i < kSlots; ++i) live.add_file(100 + i), live.set(i, "POSIX_READS", 1);
  live.write();
  auto sampler = MapSampler::open(live.path());
  for (int i = 0; i < 21; ++i) (void)hear(*sampler);
  for (std::uint32_t i = 0; i < kSlots; ++i) live.set(i, "POSIX_READS", 2);
  live.write();
  std::size_t most = 0, heard = 0;
  for (int i = 0; i < 8; ++i) {
    const std::size_t now = hear(*sampler).files.size();
    most = std::max(most, now), heard += now;
  }
  EXPECT_EQ(most, 64U);
  EXPECT_EQ(heard, kSlots);
  for (int i = 0; i < 21; ++i) (void)hear(*sampler);
  for (std::uint32_t i = 0; i < kSlots; ++i) live.set(i, "POSIX_READS", 5);
  live.write();
  std::uint64_t calls = 0;
  sampler->sample({.more = [&](std::uint64_t, ModuleId, const FileAmounts& more) { calls += more[0].calls; },
                   .name = [](std::uint64_t, std::string_view) {}},
                  MapSampler::Depth::kAll);
  EXPECT_EQ(calls, 3U * kSlots);
}

// Closing counts no call, only time.
TEST(MapSampler, LooksAtFewIdleFilesEachTime) {
  LiveMap live;
  live.add_file(5);
  live.set(0, "POSIX_READS", 1);
  live.write();
  auto sampler = MapSampler::open(live.path());
  for (int i = 0; i < 20; ++i) (void)hear(*sampler);
  live.set_seconds(0, "POSIX_F_META_TIME", 0.5);
  live.write();
  EXPECT_EQ(hear(*sampler).files.at(5)[2].steps, kStepsPerSecond / 2);
}

// A brief record becomes a whole one: for a moment it is both, or neither.
TEST(MapSampler, CountsARecordThatMovesOnce) {
  LiveMap live;
  live.add_file(5, ChunkKind::kBriefs);
  live.set(0, "POSIX_OPENS", 3, ChunkKind::kBriefs);
  live.write();
  auto sampler = MapSampler::open(live.path());
  EXPECT_EQ(hear(*sampler).files.at(5)[2].calls, 3U);
  live.add_file(5);
  live.set(0, "POSIX_OPENS", 4);
  live.write();
  EXPECT_EQ(hear(*sampler).files.at(5)[2].calls, 1U);
  live.move_brief(0), live.set(0, "POSIX_OPENS", 5);
  live.write();
  EXPECT_EQ(hear(*sampler).files.at(5)[2].calls, 1U);
}

TEST(MapSampler, FollowsASlotThatIsUsedAgain) {
  LiveMap live;
  live.add_file(5, ChunkKind::kBriefs);
  live.set(0, "POSIX_OPENS", 3, ChunkKind::kBriefs);
  live.write();
  auto sampler = MapSampler::open(live.path());
  EXPECT_EQ(hear(*sampler).files.at(5)[2].calls, 3U);
  live.add_file(5);
  live.set(0, "POSIX_OPENS", 3);
  live.rename_brief(0, 6), live.set(0, "POSIX_OPENS", 1, ChunkKind::kBriefs);
  live.write();
  const Heard heard = hear(*sampler);
  EXPECT_FALSE(heard.files.contains(5));
  EXPECT_EQ(heard.files.at(6)[2].calls, 1U);
}

TEST(MapSampler, KeepsNumbersThatGoBackAndSaysSo) {
  LiveMap live;
  live.add_file(5);
  live.set(0, "POSIX_READS", 10);
  live.write();
  auto sampler = MapSampler::open(live.path());
  (void)hear(*sampler);
  live.set(0, "POSIX_READS", 7);
  live.write();
  EXPECT_TRUE(hear(*sampler).files.empty());
  EXPECT_EQ(sampler->kept(), 1U);
  live.set(0, "POSIX_READS", 12);
  live.write();
  EXPECT_EQ(hear(*sampler).files.at(5)[0].calls, 2U);
}

TEST(MapSampler, GoesOnFromWhatWasToldBefore) {
  LiveMap live;
  live.add_file(5);
  live.set(0, "POSIX_READS", 10);
  live.write();
  auto sampler = MapSampler::open(live.path());
  sampler->sums().set_told_before([](std::uint64_t, ModuleId) {
    FileAmounts told{};
    told[0].calls = 9;
    return told;
  });
  EXPECT_EQ(hear(*sampler).files.at(5)[0].calls, 1U);
}

TEST(MapSampler, SurvivesAFileThatIsCutWhileItIsRead) {
  LiveMap live;
  for (std::uint64_t id = 1; id <= 16; ++id) live.add_file(id);
  live.write();
  auto sampler = MapSampler::open(live.path());
  (void)hear(*sampler);
  EXPECT_TRUE(sampler->is_complete());
  live.cut(100);  // not even the page with the header is whole, but it is there
  (void)hear(*sampler);
  live.cut(0);
  (void)hear(*sampler);
  EXPECT_FALSE(sampler->is_complete());
}

TEST(MapSampler, RefusesWhatIsNoMap) {
  LiveMap live;
  live.map().header().layout = 3;
  live.write();
  EXPECT_EQ(MapSampler::open(live.path()).error().code, ErrorCode::kUnsupported);
  live.map().header().magic = 3;
  live.write();
  EXPECT_EQ(MapSampler::open(live.path()).error().code, ErrorCode::kDamaged);
  live.map().header().magic = 0;
  live.write();
  EXPECT_EQ(MapSampler::open(live.path()).error().code, ErrorCode::kTruncated);
  EXPECT_FALSE(MapSampler::open("/proc/self/mem").ok());
}

TEST(MapSampler, BelievesNothing) {
  LiveMap live;
  for (std::uint64_t id = 1; id <= 4; ++id) live.add_file(id);
  live.write();
  const std::size_t size = live.map().bytes().size();
  unsigned random = 7;
  for (int i = 0; i < 3000; ++i) {
    LiveMap hostile;
    for (int change = 0; change < 3; ++change) {
      random = random * 1664525 + 1013904223;
      const std::size_t at = 16 + (random >> 8) % (hostile.map().bytes().size() - 24);
      store(hostile.map().at(at / 8 * 8), std::uint64_t{random} * 0x9e3779b97f4a7c15U);
    }
    hostile.write();
    auto sampler = MapSampler::open(hostile.path());
    if (!sampler) continue;
    (void)hear(*sampler);
    (void)hear(*sampler);
  }
  EXPECT_GT(size, 0U);
}

}  // namespace
}  // namespace trikal::stream

#include "compat/record_memory.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "modules/dxt_posix/schema.hpp"
#include "modules/heatmap/schema.hpp"
#include "modules/list.hpp"
#include "modules/lustre/schema.hpp"
#include "modules/posix/schema.hpp"
#include "trikal/compat/darshan-records.h"

namespace trikal::compat {
namespace {

namespace dxt = modules::dxt;

// `words` numbers that are all different, with those at the given indexes set.
std::vector<std::byte> record_of(std::size_t words, const std::vector<std::pair<std::size_t, std::int64_t>>& set) {
  std::vector<std::int64_t> numbers(words);
  std::iota(numbers.begin(), numbers.end(), 1000);
  for (const auto& [at, value] : set) numbers[at / 8] = value;
  const auto bytes = std::as_bytes(std::span{numbers});
  return {bytes.begin(), bytes.end()};
}

std::vector<std::uint64_t> in_memory(ModuleId module, Bytes record, std::size_t segment_bytes) {
  const std::size_t size = bytes_in_memory(module, record, segment_bytes);
  std::vector<std::uint64_t> memory(size / 8);
  EXPECT_EQ(size % 8, 0U);
  to_memory(module, record, segment_bytes, reinterpret_cast<std::byte*>(memory.data()));
  return memory;
}

TEST(RecordMemory, PlainRecordsLieAsInTheLog) {
  const ModuleId id = modules::posix::kSchema.id;
  const auto record = record_of(modules::posix::kSchema.head_bytes / 8, {});
  const auto memory = in_memory(id, record, 0);
  EXPECT_EQ(memory.size() * 8, sizeof(darshan_posix_file));
  EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span{memory}), record));
  EXPECT_EQ(from_memory(id, memory.data(), 0), record);
}

TEST(RecordMemory, LustrePointsAtItsOwnComponentsAndTargets) {
  namespace lustre = modules::lustre;
  constexpr std::size_t kComponents = 2;
  constexpr std::size_t kTargets = 3;
  const std::size_t words = lustre::kHeadBytes / 8 + kComponents * lustre::kComponentWords + kTargets;
  const auto record = record_of(words, {{lustre::kNumCompsAt, kComponents}, {lustre::kNumStripesAt, kTargets}});
  const auto memory = in_memory(lustre::kSchema.id, record, 0);
  const auto& lies = *reinterpret_cast<const darshan_lustre_record*>(memory.data());
  EXPECT_EQ(lies.num_comps, 2);
  EXPECT_EQ(lies.comps[0].counters[0], 1004);  // the word behind the head
  EXPECT_EQ(lies.comps[1].counters[0], 1004 + 9);
  EXPECT_EQ(lies.ost_ids[0], 1004 + 18);
  EXPECT_EQ(reinterpret_cast<const std::uint64_t*>(lies.ost_ids + kTargets), memory.data() + memory.size());
  EXPECT_EQ(from_memory(lustre::kSchema.id, memory.data(), 0), record);
}

TEST(RecordMemory, HeatmapPointsAtItsOwnBins) {
  namespace heatmap = modules::heatmap;
  auto record = record_of(heatmap::kHeadBytes / 8 + 4, {{heatmap::kBinsAt, 2}, {heatmap::kUnusedAt, 0}, {40, 0}});
  const auto memory = in_memory(heatmap::kSchema.id, record, 0);
  const auto& lies = *reinterpret_cast<const darshan_heatmap_record*>(memory.data());
  EXPECT_EQ(lies.write_bins[0], 1006);
  EXPECT_EQ(lies.read_bins[1], 1009);
  EXPECT_EQ(from_memory(heatmap::kSchema.id, memory.data(), 0), record) << "pointers do not come back into a log";
}

TEST(RecordMemory, SegmentsAreAsLongAsTheCallerKnowsThem) {
  const ModuleId id = modules::dxt_posix::kSchema.id;
  const auto record = record_of(dxt::kHeadBytes / 8 + 2 * 5, {{dxt::kWritesAt, 1}, {dxt::kReadsAt, 1}});
  const auto wide = in_memory(id, record, dxt::kSegmentBytes);
  EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span{wide}), record));
  EXPECT_EQ(from_memory(id, wide.data(), dxt::kSegmentBytes), record);

  const auto narrow = in_memory(id, record, dxt::kThreadlessBytes);
  EXPECT_EQ(narrow.size(), wide.size() - 2);
  EXPECT_EQ(narrow[13 + 4], wide[13 + 5]) << "the second segment follows the first";
  const auto back = from_memory(id, narrow.data(), dxt::kThreadlessBytes);
  EXPECT_EQ(back.size(), record.size());
  EXPECT_EQ(load<std::uint64_t>(back.data() + dxt::kHeadBytes + dxt::kThreadlessBytes), 0U) << "no thread is known";
}

}  // namespace
}  // namespace trikal::compat

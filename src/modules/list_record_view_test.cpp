// What each module's record_view makes of a record, seen through the list as the tools see it.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "modules/apmpi/schema.hpp"
#include "modules/apxc/schema.hpp"
#include "modules/daos/schema.hpp"
#include "modules/dfs/schema.hpp"
#include "modules/heatmap/schema.hpp"
#include "modules/list.hpp"
#include "modules/lustre/schema.hpp"
#include "modules/mdhim/schema.hpp"

namespace trikal {
namespace {

class Lines final : public ValueSink {
 public:
  void integer(std::string_view name, std::int64_t value) override { add(name, std::to_string(value)); }
  void natural(std::string_view name, std::uint64_t value) override { add(name, std::to_string(value)); }
  void real(std::string_view name, double value) override { add(name, std::to_string(value)); }
  void text(std::string_view name, std::string_view value) override { add(name, std::string(value)); }

  std::vector<std::string> names;
  std::map<std::string, std::string, std::less<>> values;

 private:
  void add(std::string_view name, std::string value) {
    names.emplace_back(name);
    values[std::string(name)] = std::move(value);
  }
};

struct Raw {
  explicit Raw(std::size_t size) : bytes(size) {}
  template <class T>
  Raw& put(std::size_t at, T value) {
    store(bytes.data() + at, value);
    return *this;
  }
  Raw& put_text(std::size_t at, std::string_view text) {
    std::memcpy(bytes.data() + at, text.data(), text.size());
    return *this;
  }
  std::vector<std::byte> bytes;
};

Lines listed(std::string_view module, const Raw& record, RecordViewState& state) {
  Lines lines;
  find_module(module)->record_view->values(record.bytes, state, lines);
  return lines;
}
Lines listed(std::string_view module, const Raw& record) {
  RecordViewState state;
  return listed(module, record, state);
}

Raw lustre_record(std::size_t comps, std::size_t targets) {
  Raw record(modules::lustre::kHeadBytes + comps * modules::lustre::kComponentBytes + 8 * targets);
  return record.put(modules::lustre::kNumCompsAt, std::uint64_t{comps})
      .put(modules::lustre::kNumStripesAt, std::uint64_t{targets});
}

TEST(RecordView, LustreComponentsOwnTheirTargets) {
  using namespace modules::lustre;
  Raw record = lustre_record(2, 3);
  const std::size_t second = kHeadBytes + kComponentBytes;
  record.put(kHeadBytes + kStripeSizeAt, std::int64_t{65536}).put(kHeadBytes + kStripeCountAt, std::int64_t{1});
  record.put(second + kStripeCountAt, std::int64_t{2}).put(second + kPatternAt, kPatternOverstriped);
  record.put(second + kFlagsAt, std::int64_t{(1 << 0) | (1 << 4) | (1 << 11)}).put_text(second + kPoolNameAt, "flash");
  const std::size_t targets = second + kComponentBytes;
  record.put(targets, std::int64_t{7}).put(targets + 8, std::int64_t{8}).put(targets + 16, std::int64_t{-1});
  const Lines lines = listed("LUSTRE", record);
  EXPECT_EQ(lines.names.size(), 2U + 8 + 1 + 8 + 2);
  EXPECT_EQ(lines.values.at("LUSTRE_COMP1_STRIPE_SIZE"), "65536");
  EXPECT_EQ(lines.values.at("LUSTRE_COMP1_STRIPE_PATTERN"), "raid0");
  EXPECT_EQ(lines.values.at("LUSTRE_COMP1_FLAGS"), "0");
  EXPECT_EQ(lines.values.at("LUSTRE_COMP1_POOL_NAME"), "N/A");
  EXPECT_EQ(lines.values.at("LUSTRE_COMP1_OST_ID_0"), "7");
  EXPECT_EQ(lines.values.at("LUSTRE_COMP2_STRIPE_PATTERN"), "raid0,overstriped");
  EXPECT_EQ(lines.values.at("LUSTRE_COMP2_FLAGS"), "stale,init,neg");
  EXPECT_EQ(lines.values.at("LUSTRE_COMP2_POOL_NAME"), "flash");
  EXPECT_EQ(lines.names.back(), "LUSTRE_COMP2_OST_ID_1");
  EXPECT_EQ(lines.values.at("LUSTRE_COMP2_OST_ID_1"), "-1");
}

TEST(RecordView, LustreUnknownsHaveNoWords) {
  using namespace modules::lustre;
  Raw record = lustre_record(1, 0);
  record.put(kHeadBytes + kPatternAt, std::int64_t{-1}).put(kHeadBytes + kFlagsAt, std::int64_t{-1});
  const Lines lines = listed("LUSTRE", record);
  EXPECT_EQ(lines.values.at("LUSTRE_COMP1_STRIPE_PATTERN"), "N/A");
  EXPECT_EQ(lines.values.at("LUSTRE_COMP1_FLAGS"), "N/A");
}

TEST(RecordView, LustreShowsNoTargetTheRecordDoesNotHold) {
  using namespace modules::lustre;
  Raw record = lustre_record(1, 1);
  record.put(kHeadBytes + kStripeCountAt, std::int64_t{1} << 40);
  EXPECT_EQ(listed("LUSTRE", record).names.size(), 2U + 8 + 1);
}

TEST(RecordView, HeatmapReadsComeFirst) {
  using namespace modules::heatmap;
  Raw record(kHeadBytes + 2 * 2 * 8);
  record.put(kWidthAt, 0.1).put(kBinsAt, std::int64_t{2});
  for (std::int64_t i = 0; i < 4; ++i) record.put(kHeadBytes + 8 * i, i);
  const Lines lines = listed("HEATMAP", record);
  EXPECT_EQ(lines.names,
            (std::vector<std::string>{"HEATMAP_F_BIN_WIDTH_SECONDS", "HEATMAP_READ_BIN_0", "HEATMAP_READ_BIN_1",
                                      "HEATMAP_WRITE_BIN_0", "HEATMAP_WRITE_BIN_1"}));
  EXPECT_EQ(lines.values.at("HEATMAP_READ_BIN_1"), "3");
  EXPECT_EQ(lines.values.at("HEATMAP_WRITE_BIN_1"), "1");
}

TEST(RecordView, MdhimListsAsManyServersAsThereAre) {
  using namespace modules::mdhim;
  Raw record(kHeadBytes + 16);
  record.put(kServersAt, std::int64_t{2}).put(kHeadBytes + 8, std::int64_t{5});
  EXPECT_EQ(listed("MDHIM", record).values.at("MDHIM_SERVER_1"), "5");
  EXPECT_EQ(listed("MDHIM", record).names.size(), 9U + 2);
  record.put(kServersAt, std::int64_t{0});
  EXPECT_EQ(listed("MDHIM", record).names.size(), 9U);
}

TEST(RecordView, ApmpiLeavesOutSyncTimesThatWereNotTaken) {
  using namespace modules::apmpi;
  Raw perf(kPerfBytes);
  perf.put_text(kNodeNameAt, "nid00012");
  RecordViewState state;
  for (const std::uint32_t timed : {1U, 0U}) {  // a header counts for what comes behind it, whatever was before
    Raw header(kHeaderBytes);
    header.put(modules::autoperf::kMagicAt, kMagic).put(kSyncFlagAt, timed).put(kVarianceTimeAt, 0.25);
    EXPECT_EQ(listed("APMPI", header, state).names.size(), timed == 1 ? 2U : 1U);
    const Lines lines = listed("APMPI", perf, state);
    EXPECT_EQ(lines.values.at("MPI_PROCESSOR_NAME"), "nid00012");
    EXPECT_EQ(lines.values.contains("MPI_BARRIER_TOTAL_SYNC_TIME"), timed == 1);
    EXPECT_EQ(lines.values.contains("MPI_TOTAL_COMM_SYNC_TIME"), timed == 1);
    EXPECT_TRUE(lines.values.contains("MPI_TOTAL_COMM_TIME"));
    EXPECT_EQ(lines.names.size(), 1 + 396 + 222 + 1 + (timed == 1 ? 17U : 0U));
  }
}

TEST(RecordView, ApxcLocationThenCounters) {
  using namespace modules::apxc;
  Raw perf(kPerfBytes);
  perf.put(16, std::int64_t{3}).put(kCountersAt, ~std::uint64_t{0});
  const Lines lines = listed("APXC", perf);
  EXPECT_EQ(lines.names.front(), "APXC_GROUP");
  EXPECT_EQ(lines.values.at("APXC_GROUP"), "3");
  EXPECT_EQ(lines.values.at("AR_RTR_0_0_INQ_PRF_INCOMING_FLIT_VC0"), "18446744073709551615");
  EXPECT_EQ(lines.names.size(), 4U + 392);
}

RecordLabels labels_of(std::string_view module, const Raw& record) {
  RecordLabels labels;
  find_module(module)->record_view->labels(record.bytes, labels);
  return labels;
}

TEST(RecordView, DfsHasPoolAndContainerForAMount) {
  using namespace modules::dfs;
  Raw record(kSchema.head_bytes);
  record.put(kPoolUuidAt, std::uint8_t{0xd0});
  EXPECT_EQ(labels_of("DFS", record).mount, "UNKNOWN") << "no container";
  record.put(kContUuidAt + 15, std::uint8_t{0x6e});
  EXPECT_EQ(labels_of("DFS", record).mount,
            "d0000000-0000-0000-0000-000000000000:00000000-0000-0000-0000-00000000006e");
  EXPECT_EQ(labels_of("DFS", record).type, "N/A");
  EXPECT_FALSE(labels_of("DFS", record).has_name);
}

TEST(RecordView, DaosObjectsAreNamedByTheirId) {
  using namespace modules::daos;
  Raw record(kSchema.head_bytes);
  record.put(kOidHighAt, ~std::uint64_t{0}).put(kOidLowAt, std::uint64_t{6371});
  EXPECT_EQ(labels_of("DAOS", record).name, "18446744073709551615.6371");
  EXPECT_EQ(labels_of("DAOS", record).mount,
            "00000000-0000-0000-0000-000000000000:00000000-0000-0000-0000-000000000000");
}

TEST(RecordView, NamesOfTheNameless) {
  EXPECT_EQ(find_module("BG/Q")->record_view->nameless, "darshan-bgq-record");
  EXPECT_TRUE(find_module("NULL")->record_view->hidden);
  EXPECT_EQ(find_module("POSIX")->record_view, nullptr);
}

}  // namespace
}  // namespace trikal

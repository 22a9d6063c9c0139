#include "log/merge_fold.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>
#include <limits>

#include "log/merge.hpp"
#include "log/write/temp_log_test.hpp"
#include "modules/bgq/schema.hpp"
#include "modules/mdhim/schema.hpp"
#include "schema/record.hpp"

namespace trikal::log {
namespace {

TEST(SharedFold, CountsDifferentValues) {
  using BgqRecord = Record<modules::bgq::kSchema>;
  const std::uint64_t ids[] = {4};
  SharedFold fold(modules::bgq::kSchema, ids);
  for (std::int64_t rank = 0; rank < 5; ++rank) {
    BgqRecord record;
    record.set_base({4, rank});
    record.at<"BGQ_INODES">() = rank % 2;
    record.at<"BGQ_NNODES">() = 32;
    EXPECT_TRUE(fold.add(std::as_bytes(std::span{record.words}).data()));
  }
  const auto folded = load<BgqRecord>(fold.finish().data());
  EXPECT_EQ(BgqRecord(folded).at<"BGQ_INODES">(), 2);
  EXPECT_EQ(BgqRecord(folded).at<"BGQ_NNODES">(), 32);
}

// A rank that does not know its I/O node has -1 there, which is no node.
TEST(SharedFold, AValueNobodyFoundIsNotCounted) {
  using BgqRecord = Record<modules::bgq::kSchema>;
  const auto folded = [](std::initializer_list<std::int64_t> nodes) {
    const std::uint64_t ids[] = {4};
    SharedFold fold(modules::bgq::kSchema, ids);
    std::int64_t rank = 0;
    for (const std::int64_t node : nodes) {
      BgqRecord record;
      record.set_base({4, rank++});
      record.at<"BGQ_INODES">() = node;
      fold.add(std::as_bytes(std::span{record.words}).data());
    }
    return BgqRecord(load<BgqRecord>(fold.finish().data())).at<"BGQ_INODES">();
  };
  EXPECT_EQ(folded({7, -1, 7, 9}), 2);
  EXPECT_EQ(folded({-1, -1}), -1);
}

using MdhimRecord = Record<modules::mdhim::kSchema>;

std::vector<std::byte> mdhim(std::int64_t rank, std::int64_t puts, std::vector<std::int64_t> servers) {
  MdhimRecord record;
  record.set_base({4, rank});
  record.at<"MDHIM_PUTS">() = puts;
  record.at<"MDHIM_PUT_MAX_SIZE">() = puts;
  record.at<"MDHIM_SERVERS">() = static_cast<std::int64_t>(servers.size());
  record.set_real<"MDHIM_F_PUT_MAX_DURATION">(static_cast<double>(puts) / 8);
  std::vector<std::byte> bytes(std::as_bytes(std::span{record.words}).begin(),
                               std::as_bytes(std::span{record.words}).end());
  const auto counts = std::as_bytes(std::span{servers});
  bytes.insert(bytes.end(), counts.begin(), counts.end());
  return bytes;
}

TEST(SharedFold, CountsBehindTheHeadAddUp) {
  const std::uint64_t ids[] = {4};
  SharedFold fold(modules::mdhim::kSchema, ids);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (const auto& record : {mdhim(0, 3, {1, 2, kMost}), mdhim(1, 5, {10, 20, 1})}) {
    EXPECT_TRUE(fold.add(record.data(), Bytes{record}.subspan(modules::mdhim::kHeadBytes)));
  }
  auto expected = mdhim(kSharedRank, 8, {11, 22, std::numeric_limits<std::int64_t>::min()});
  auto as_record = load<MdhimRecord>(expected.data());
  as_record.at<"MDHIM_PUT_MAX_SIZE">() = 5;
  as_record.set_real<"MDHIM_F_PUT_MAX_DURATION">(0.625);
  std::memcpy(expected.data(), as_record.words.data(), modules::mdhim::kHeadBytes);
  EXPECT_EQ(fold.finish(), expected);
}

// The whole way: two logs of a job, one record of the store in each.
TEST(MergeFold, RecordsOfMdhimBecomeOne) {
  const auto merged = [](const std::vector<std::vector<std::byte>>& records) {
    const TempFolder folder;
    std::vector<MergeInput> inputs;
    for (std::size_t i = 0; i < records.size(); ++i) {
      LogParts parts;
      parts.numbers.nprocs = static_cast<std::int64_t>(records.size());
      parts.modules = [&](Writer& writer) {
        return put_module(writer, modules::mdhim::kSchema.id, modules::mdhim::kSchema.version, records[i]);
      };
      const std::string path = folder.file("in" + std::to_string(i));
      write_log(path, parts);
      inputs.push_back({path, [path] { return Reader::open(std::move(*open_file(path))); }});
    }
    auto tool = ToolWriter::create(folder.file("out"), {});
    MergeReport report;
    const Status done = merge_logs(inputs, (*tool)->writer(), {.fold_shared = true}, report);
    EXPECT_TRUE(done) << done.error().what;
    return record_bytes(*read_log(folder.file("out")), modules::mdhim::kSchema.id);
  };
  const auto one = merged({mdhim(0, 3, {1, 2}), mdhim(1, 5, {10, 20})});
  ASSERT_EQ(one.size(), modules::mdhim::kHeadBytes + 16);
  EXPECT_EQ(load<MdhimRecord>(one.data()).base().rank, kSharedRank);
  EXPECT_EQ(load<MdhimRecord>(one.data()).at<"MDHIM_PUTS">(), 8);
  EXPECT_EQ(load<std::int64_t>(one.data() + modules::mdhim::kHeadBytes + 8), 22);
  // Ranks that disagree on the number of servers keep what they said.
  auto both = mdhim(0, 3, {1, 2});
  const auto other = mdhim(1, 5, {10, 20, 30});
  both.insert(both.end(), other.begin(), other.end());
  EXPECT_EQ(merged({mdhim(0, 3, {1, 2}), other}), both);
}

TEST(RankSurvey, SeveralRanksAreEnoughWhereThatIsAskedFor) {
  RankSurvey survey(4, SharedBy::kSeveral);
  for (const std::int64_t rank : {1, 2}) survey.count({7, rank});
  survey.count({8, 3});
  EXPECT_TRUE(survey.shared(7));
  EXPECT_FALSE(survey.shared(8));
  EXPECT_EQ(survey.shared_ids(), (std::vector<std::uint64_t>{7}));
}

TEST(RankSurvey, KnowsWhoIsMissing) {
  RankSurvey survey(4);
  for (const std::int64_t rank : {0, 1, 2, 3}) survey.count({10, rank});
  for (const std::int64_t rank : {1, 2, 3}) survey.count({11, rank});
  for (const std::int64_t rank : {0, 1, 2}) survey.count({12, rank});
  for (const std::int64_t rank : {1, 2, 2, 1}) survey.count({13, rank});
  for (const std::int64_t rank : {-1, 1, 2, 3}) survey.count({14, rank});
  EXPECT_EQ(survey.shared_ids(), (std::vector<std::uint64_t>{10, 11}));
  EXPECT_TRUE(survey.without_first_rank(11));
  EXPECT_FALSE(survey.without_first_rank(10));
  EXPECT_FALSE(survey.shared(99));
  RankSurvey two(2);
  two.count({5, 1});
  EXPECT_FALSE(two.shared(5));  // a file of one rank is nobody else's
}

}  // namespace
}  // namespace trikal::log

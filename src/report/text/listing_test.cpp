// The text of `trikal parse` and `trikal dxt` on logs made here.

#include "report/text/listing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "log/trailer/segment_threads.hpp"
#include "log/write/tool_writer.hpp"
#include "modules/dxt_posix/schema.hpp"
#include "modules/posix/schema.hpp"
#include "report/text/dxt.hpp"
#include "report/text/log_header.hpp"
#include "support/log_builder.hpp"

namespace trikal::report {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using trikal::testing::Buffer;
using trikal::testing::LogParts;
using trikal::testing::Packer;

constexpr std::size_t kPosix = modules::posix::kSchema.id;
constexpr std::size_t kTrace = modules::dxt_posix::kSchema.id;
constexpr std::pair<std::uint64_t, const char*> kFile{5, "/scratch/out.dat"};

class Heard final : public Notices {
 public:
  void notice(std::string_view sentence) override { said.emplace_back(sentence); }
  std::vector<std::string> said;
};

struct Outcome {
  Status status;
  std::string text;
  std::vector<std::string> said;
  std::vector<log::Damage> damage;
};

template <class Options, class Write>
Outcome written(const LogParts& parts, const Options& options, Write write, const log::ReadOptions& how) {
  auto reader = log::Reader::open(log::from_memory(parts.build()), how);
  EXPECT_TRUE(reader);
  StringSink out;
  Heard heard;
  const Status status = write(out, **reader, options, heard);
  return {status, std::string(out.text()), heard.said, (*reader)->damage()};
}
Outcome listed(const LogParts& parts, const ListingOptions& options, const log::ReadOptions& how = {}) {
  return written(parts, options, write_listing, how);
}
Outcome traced(const LogParts& parts, const TraceOptions& options = {}, const log::ReadOptions& how = {}) {
  return written(parts, options, write_traces, how);
}

LogParts usual() {
  const std::pair<std::uint64_t, std::string> names[] = {{kFile.first, kFile.second}};
  return LogParts{}.with_usual_job().with_names(names);
}
// One POSIX record whose counters count up from 100.
LogParts with_posix(std::uint64_t id = kFile.first) {
  Packer packer;
  trikal::testing::fixed_record(packer, id, 3, 86, 100);
  return usual().with_module(kPosix, 4, packer.take());
}

std::vector<std::string> lines_with(const std::string& text, std::string_view front) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    if (line.starts_with(front)) found.push_back(line);
    at = end + 1;
  }
  return found;
}

TEST(Listing, ALineIsACounter) {
  const Outcome outcome = listed(with_posix(), {.base = true});
  ASSERT_TRUE(outcome.status);
  const auto lines = lines_with(outcome.text, "POSIX\t");
  ASSERT_EQ(lines.size(), 86U);
  EXPECT_EQ(lines[0], "POSIX\t3\t5\tPOSIX_OPENS\t100\t/scratch/out.dat\t/scratch\tlustre");
  EXPECT_EQ(lines[85], "POSIX\t3\t5\tPOSIX_F_VARIANCE_RANK_BYTES\t0.000000\t/scratch/out.dat\t/scratch\tlustre");
  EXPECT_TRUE(outcome.said.empty());
}

TEST(Listing, ARecordWithoutANameHasNone) {
  const Outcome outcome = listed(with_posix(6), {.base = true});
  EXPECT_THAT(outcome.text, HasSubstr("POSIX\t3\t6\tPOSIX_OPENS\t100\t(null)\tUNKNOWN\tUNKNOWN\n"));
}

TEST(Listing, OnlyWhatWasAskedFor) {
  const std::string total = listed(with_posix(), {.total = true}).text;
  EXPECT_THAT(total, HasSubstr("\ntotal_POSIX_OPENS: 100\n"));
  EXPECT_THAT(total, Not(HasSubstr("POSIX\t3")));
  EXPECT_THAT(total, Not(HasSubstr("# performance")));
  const std::string perf = listed(with_posix(), {.perf = true}).text;
  EXPECT_THAT(perf, HasSubstr("\n# total_bytes: 229\n")) << "114 read, 115 written";
  EXPECT_THAT(perf, Not(HasSubstr("total_POSIX")));
  EXPECT_THAT(listed(with_posix(), {.file = true}).text, HasSubstr("\n# total: 1 229 117\n"));
}

TEST(Listing, NothingToList) {
  EXPECT_THAT(listed(usual(), {.base = true}).text, EndsWith("\n\n# no module data available.\n"));
}

TEST(Listing, ModulesNobodyKnowsAreLeftOutAloud) {
  LogParts parts = with_posix();
  parts.with_module(60, 1, trikal::testing::bytes_of("what is this"));
  const Outcome outcome = listed(parts, {.base = true});
  ASSERT_TRUE(outcome.status);
  EXPECT_EQ(lines_with(outcome.text, "POSIX\t").size(), 86U);
  EXPECT_THAT(outcome.text, HasSubstr("# <UNKNOWN> module (id 60): "));
  EXPECT_THAT(outcome.said, ElementsAre(HasSubstr("60")));
}

TEST(Listing, IncompleteDataAreShownOrRefused) {
  LogParts parts = with_posix();
  parts.partial = std::uint64_t{1} << kPosix;
  const Outcome shown = listed(parts, {.base = true});
  EXPECT_TRUE(shown.status);
  EXPECT_THAT(shown.text, HasSubstr("# *WARNING*: The POSIX module contains incomplete data!\n"));
  EXPECT_EQ(lines_with(shown.text, "POSIX\t").size(), 86U);
  EXPECT_THAT(shown.said, ElementsAre(HasSubstr("POSIX")));

  const Outcome refused = listed(parts, {.base = true, .show_incomplete = false});
  EXPECT_STREQ(refused.status.error().what, kIncomplete);
  EXPECT_TRUE(lines_with(refused.text, "POSIX\t").empty());
}

TEST(Listing, TheFlagOfAModuleThatHoldsNothingIsNoReasonToRefuse) {
  LogParts parts = with_posix();
  parts.partial = 1;  // as darshan-merge writes it
  const Outcome outcome = listed(parts, {.base = true, .show_incomplete = false});
  EXPECT_TRUE(outcome.status);
  EXPECT_THAT(outcome.text, Not(HasSubstr("*WARNING*")));
  EXPECT_TRUE(outcome.said.empty());
}

TEST(Listing, SalvageGoesOnPastAModuleOfUnknownVersion) {
  LogParts parts = with_posix();
  parts.modules[kPosix].version = 99;
  Packer packer;
  trikal::testing::fixed_record(packer, 5, 0, 29);
  parts.with_module(9, 2, packer.take());
  EXPECT_EQ(listed(parts, {.base = true}).status.error().code, ErrorCode::kUnsupported);
  const Outcome saved = listed(parts, {.base = true}, {.salvage = true});
  EXPECT_TRUE(saved.status);
  EXPECT_EQ(lines_with(saved.text, "STDIO\t").size(), 29U);
  ASSERT_EQ(saved.damage.size(), 1U);
  EXPECT_EQ(saved.damage[0].where, "POSIX");
}

TEST(Listing, LogsOfTheBadReleaseCarryAWarning) {
  LogParts parts;
  parts.minor = 20;
  parts.with_usual_job().with_names({});
  EXPECT_THAT(listed(parts, {.base = true}).text, StartsWith("# *WARNING*: "));
}

TEST(LogHeader, CodecsAndModulesHaveNames) {
  EXPECT_EQ(codec_name(log::Codec::kBzip2), "BZIP2");
  EXPECT_EQ(codec_name(static_cast<log::Codec>(9)), "UNKNOWN");
  EXPECT_EQ(module_name(2), "MPI-IO");
  EXPECT_EQ(module_name(40), "<UNKNOWN>");
  EXPECT_EQ(module_name(1000), "<UNKNOWN>");
}

// ---- traces

LogParts with_trace(std::int64_t writes, std::int64_t reads, bool thread) {
  Packer packer;
  trikal::testing::trace_record(packer, kFile.first, writes, reads, thread);
  return usual().with_module(kTrace, thread ? 2 : 1, packer.take());
}

TEST(Traces, IndicesBeginAnewWithTheReads) {
  const Outcome outcome = traced(with_trace(2, 1, false));
  ASSERT_TRUE(outcome.status);
  std::vector<std::string> fronts;
  for (const std::string& line : lines_with(outcome.text, " X_POSIX")) fronts.push_back(line.substr(16, 16));
  EXPECT_THAT(fronts, ElementsAre("  write        0", "  write        1", "   read        0"));
}

TEST(Traces, RecordsLongerThanASliceStayInStep) {
  constexpr std::int64_t kMany = 20000;  // the reader hands out 8192 at a time
  const Outcome outcome = traced(with_trace(kMany, 7, true), {.threads = true});
  ASSERT_TRUE(outcome.status);
  const auto lines = lines_with(outcome.text, " X_POSIX");
  ASSERT_EQ(lines.size(), kMany + 7);
  EXPECT_EQ(lines[kMany - 1].substr(16, 16), "  write    19999");
  EXPECT_EQ(lines[kMany + 6].substr(16, 16), "   read        6");
  EXPECT_EQ(lines_with(outcome.text, "# DXT, file_id: ").size(), 1U);
}

TEST(Traces, OldRecordsKnowNoThreads) {
  const Outcome outcome = traced(with_trace(1, 0, false), {.threads = true});
  EXPECT_THAT(outcome.text, HasSubstr("# DXT, number of threads: 1\n"));
  EXPECT_THAT(lines_with(outcome.text, " X_POSIX"), ElementsAre(EndsWith("   N/A")));
}

// A write a thread.
Buffer threaded(std::uint64_t threads) {
  Packer packer;
  packer.u64(kFile.first).i64(0).i64(0).padded("node", 64).u64(threads).u64(0);
  for (std::uint64_t i = 0; i < threads; ++i) packer.i64(0).i64(1).f64(0.25).f64(0.5).u64(1000 + i);
  return packer.take();
}

TEST(Traces, ThreadsAreCountedBeforeTheyAreShown) {
  const Outcome outcome = traced(usual().with_module(kTrace, 2, threaded(9000)), {.threads = true});
  EXPECT_THAT(outcome.text, HasSubstr("# DXT, number of threads: 9000\n"));
  EXPECT_THAT(lines_with(outcome.text, " X_POSIX").back(), EndsWith("   9999"));
}

TEST(Traces, MoreThreadsThanTheLimitAreAnError) {
  const LogParts parts = usual().with_module(kTrace, 2, threaded(9000));
  const Outcome outcome = traced(parts, {.threads = true}, {.limits = {.memory = 1 << 16}});
  EXPECT_EQ(outcome.status.error().code, ErrorCode::kLimit);
}

// Our own logs keep the threads of old-form traces behind the log.
TEST(Traces, ThreadsTheTrailerKept) {
  const std::string path = ::testing::TempDir() + "trikal-traces-" + std::to_string(::getpid());
  auto tool = log::ToolWriter::create(path, {.replace = true});
  ASSERT_TRUE(tool);
  log::Writer& writer = (*tool)->writer();
  ASSERT_TRUE(writer.put_job({}, {}));
  ASSERT_TRUE(writer.begin_names());
  ASSERT_TRUE(writer.end_region());
  Packer packer;
  trikal::testing::trace_record(packer, kFile.first, 3, 0, false);
  ASSERT_TRUE(writer.begin_module(kTrace, 1));
  ASSERT_TRUE(writer.append(packer.take()));
  ASSERT_TRUE(writer.end_region());
  log::TrailerWriter* trailer = writer.trailer();
  ASSERT_TRUE(trailer->begin_section(log::kSegmentThreadsSection));
  for (const std::uint64_t cell : {std::uint64_t{kTrace}, 0UL, 1UL, 2UL, 71UL}) {  // the last two of three
    ASSERT_TRUE(trailer->put_u64(cell));
  }
  ASSERT_TRUE(trailer->end_section());
  ASSERT_TRUE(writer.finish(0));

  auto source = log::open_file(path);
  ASSERT_TRUE(source);
  auto reader = log::Reader::open(std::move(*source));
  ASSERT_TRUE(reader);
  StringSink out;
  Heard heard;
  ASSERT_TRUE(write_traces(out, **reader, {.threads = true}, heard));
  ASSERT_EQ(::unlink(path.c_str()), 0);
  const std::string text(out.text());
  EXPECT_THAT(text, HasSubstr("# DXT, number of threads: 1\n"));
  EXPECT_THAT(lines_with(text, " X_POSIX"), ElementsAre(EndsWith("   N/A"), EndsWith("     71"), EndsWith("     71")));
}

TEST(Traces, DamageOfARegionReadTwiceIsToldOnce) {
  Packer packer;
  trikal::testing::trace_record(packer, 5, 1, 0, true);
  Buffer cut = packer.take();
  trikal::testing::append(cut, trikal::testing::bytes_of("not a whole record"));
  const Outcome outcome = traced(usual().with_module(kTrace, 2, cut), {.threads = true}, {.salvage = true});
  EXPECT_EQ(outcome.damage.size(), 1U);
}

}  // namespace
}  // namespace trikal::report

#include "log/read/job.hpp"

#include <gtest/gtest.h>

#include "support/log_builder.hpp"

namespace trikal::log {
namespace {

using testing::Buffer;
using testing::job_bytes;
using testing::JobParts;

ParsedJob parse(const JobParts& parts, int minor = 41, bool foreign = false) {
  const Header header{.minor = minor, .foreign = foreign};
  auto parsed = parse_job(job_bytes(parts, minor, foreign), header);
  EXPECT_TRUE(parsed);
  return parsed ? *parsed : ParsedJob{};
}

ParsedJob parse_text(std::string text) {
  JobParts parts;
  parts.text = std::move(text);
  return parse(parts);
}

TEST(Job, EveryNumberInBothOrdersAndForms) {
  for (const int minor : {0, 10, 21, 41}) {
    for (const bool foreign : {false, true}) {
      const Job job = parse({}, minor, foreign).job;
      EXPECT_EQ(job.uid, 1000);
      EXPECT_EQ(job.start_sec, 100);
      EXPECT_EQ(job.end_sec, 200);
      EXPECT_EQ(job.nprocs, 4);
      EXPECT_EQ(job.job_id, 77);
      EXPECT_EQ(job.start_nsec, minor < 41 ? 0 : 5);
      EXPECT_EQ(job.end_nsec, minor < 41 ? 0 : 6);
      EXPECT_EQ(job.whole_seconds, minor < 41);
      EXPECT_EQ(job.exe, "/bin/app -x");
      EXPECT_EQ(job.mounts.size(), 2U);
    }
  }
}

TEST(Job, RunTime) {
  Job job{.start_sec = 10, .start_nsec = 500000000, .end_sec = 12, .end_nsec = 0};
  EXPECT_DOUBLE_EQ(job.run_time(), 1.5);
  job.whole_seconds = true;
  EXPECT_DOUBLE_EQ(job.run_time(), 3);
  const Job hostile{.start_sec = INT64_MIN, .start_nsec = INT64_MAX, .end_sec = INT64_MAX, .end_nsec = INT64_MIN};
  EXPECT_GT(hostile.run_time(), 1e18);
}

TEST(Job, TooShortForItsNumbersIsRefused) {
  const Header header{.minor = 41};
  const Buffer plain = job_bytes({.text = ""});
  EXPECT_TRUE(parse_job(plain, header));
  for (std::size_t size = 0; size < plain.size(); size += 13) {
    EXPECT_FALSE(parse_job(Bytes{plain}.first(size), header)) << size;
  }
  EXPECT_FALSE(parse_job(Bytes{plain}.first(plain.size() - 1), header));
}

TEST(JobText, WithoutANulAtItsEnd) {
  const ParsedJob parsed = parse_text("./app\next4\t/");
  EXPECT_EQ(parsed.job.exe, "./app");
  ASSERT_EQ(parsed.job.mounts.size(), 1U);
  EXPECT_EQ(parsed.job.mounts[0], (Mount{"/", "ext4"}));
}

TEST(JobText, WithoutMountsTheWholeTextIsTheCommand) {
  EXPECT_EQ(parse_text("./app with arguments").job.exe, "./app with arguments");
  EXPECT_EQ(parse_text(std::string("./app\0behind", 12)).job.exe, "./app");
  EXPECT_EQ(parse_text("").job.exe, "");
  EXPECT_EQ(parse_text("\n").job.exe, "");
  EXPECT_TRUE(parse_text("\n").job.mounts.empty());
}

TEST(JobText, OddLinesAreCountedAndLeftOut) {
  const ParsedJob parsed = parse_text("./app\nnothing\n\text4\next4\t\n\t\n\next4\t/good\n ");
  ASSERT_EQ(parsed.job.mounts.size(), 1U);
  EXPECT_EQ(parsed.job.mounts[0], (Mount{"/good", "ext4"}));
  EXPECT_EQ(parsed.odd_mount_lines, 6U) << "an empty line is no mount either";
}

// The corpus' job-mounts-empty-lines: the command is what stands before the first line break, here nothing.
TEST(JobText, OnlyLineBreaksAreNoCommandAndOddLines) {
  const ParsedJob parsed = parse_text("\n\n\n");
  EXPECT_EQ(parsed.job.exe, "");
  EXPECT_TRUE(parsed.job.mounts.empty());
  EXPECT_EQ(parsed.odd_mount_lines, 2U) << "the last line break ends the table";
  EXPECT_EQ(parse_text("./app\n").odd_mount_lines, 0U);
}

TEST(JobText, LongestMountFirstAndStable) {
  const ParsedJob parsed = parse_text("./app\na\t/\nb\t/longest/of/all\nc\t/mid\nd\t/dim\ne\t/");
  std::string types;
  for (const Mount& mount : parsed.job.mounts) types += mount.type;
  EXPECT_EQ(types, "bcdae");
}

TEST(JobText, AFullRegionOfMounts) {
  std::string text = "x";
  while (text.size() < kExeText) text += "\na\tb";
  EXPECT_EQ(parse_text(text).job.mounts.size(), (text.size() - 1) / 4);
}

TEST(Job, MountOfIsAPlainPrefix) {
  Job job;
  job.mounts = {{"/", "ext4"}, {"/scratch", "lustre"}};
  job.sort_mounts();
  EXPECT_EQ(job.mount_of("/scratch/a")->type, "lustre");
  EXPECT_EQ(job.mount_of("/scratches")->type, "lustre") << "no boundary is asked for, as everywhere";
  EXPECT_EQ(job.mount_of("/home")->type, "ext4");
  EXPECT_EQ(job.mount_of("<STDIN>"), nullptr);
  EXPECT_EQ(job.mount_of(""), nullptr);
}

TEST(Job, MetadataPairs) {
  Job job;
  job.metadata = "a=1\nno pair\n=empty key\nb=\nc=d=e\nlast=9";
  using Pair = std::pair<std::string_view, std::string_view>;
  EXPECT_EQ(job.metadata_pairs(),
            (std::vector<Pair>{{"a", "1"}, {"", "empty key"}, {"b", ""}, {"c", "d=e"}, {"last", "9"}}));
  job.metadata = "";
  EXPECT_TRUE(job.metadata_pairs().empty());
}

TEST(Job, MetadataWithoutANulEndsWithItsField) {
  const ParsedJob parsed = parse({.metadata = std::string(5000, 'm')});
  EXPECT_EQ(parsed.job.metadata, std::string(kMetadata, 'm'));
  EXPECT_EQ(parsed.job.exe, "/bin/app -x");
}

}  // namespace
}  // namespace trikal::log

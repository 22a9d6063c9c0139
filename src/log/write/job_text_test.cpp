#include "log/write/job_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trikal::log {
namespace {

std::string text_of(const JobRegion& region) {
  const Bytes text = region.bytes().subspan(kJobBytes);
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

std::string metadata_of(const JobRegion& region) {
  return reinterpret_cast<const char*>(region.bytes().data() + 8 * kJobNumbers);
}

TEST(JobRegion, NumbersThenMetadataThenText) {
  const std::vector<MountText> mounts = {{"ext4", "/"}, {"lustre", "/scratch"}};
  const JobRegion region({1, 2, 3, 4, 5, 6, 7}, {"lib_ver=3.5.0\n", "./a.out x", mounts});
  for (std::size_t i = 0; i < kJobNumbers; ++i) {
    EXPECT_EQ(load<std::int64_t>(region.bytes().data() + 8 * i), static_cast<std::int64_t>(i + 1));
  }
  EXPECT_EQ(metadata_of(region), "lib_ver=3.5.0\n");
  EXPECT_EQ(text_of(region), std::string("./a.out x\next4\t/\nlustre\t/scratch\0", 33));
}

TEST(JobRegion, AlwaysHasAByteOfText) {
  const JobRegion region({}, {});
  EXPECT_EQ(region.bytes().size(), kJobBytes + 1);  // readers refuse the struct alone
}

TEST(JobRegion, CutsALongCommandAndSaysSo) {
  const std::string fits(3015, 'x');
  EXPECT_EQ(text_of(JobRegion({}, {"", fits, {}})), fits + '\0');
  EXPECT_FALSE(JobRegion({}, {"", fits, {}}).fit().exe_cut);

  const std::vector<MountText> mounts = {{"ext4", "/"}};
  const JobRegion cut({}, {"", fits + "y", mounts});
  EXPECT_EQ(text_of(cut), std::string(3004, 'x') + "<TRUNCATED>" + '\0');
  EXPECT_EQ(cut.bytes().size(), kJobRegion);
  EXPECT_TRUE(cut.fit().exe_cut);
  EXPECT_EQ(cut.fit().mounts_left_out, 1U);
}

TEST(JobRegion, LeavesOutMountsThatDoNotFitOrCannotBeWritten) {
  const std::string long_path = "/" + std::string(3000, 'p');
  const std::vector<MountText> mounts = {
      {"ext4", long_path}, {"ext4", "/with\nbreak"}, {"", "/x"}, {"a b", "/y"}, {"xfs", "/z"}};
  const JobRegion region({}, {"", "exe with space for less!", mounts});
  EXPECT_EQ(text_of(region), std::string("exe with space for less!\nxfs\t/z\0", 32));
  EXPECT_EQ(region.fit().mounts_left_out, 4U);
}

TEST(JobRegion, ACommandIsOneLine) {
  const JobRegion region({}, {"", std::string_view("sh -c a\nb\0c", 11), {}});
  EXPECT_EQ(text_of(region), std::string("sh -c a b c\0", 12));
}

TEST(JobRegion, KeepsWholeLinesOfMetadata) {
  std::string metadata;
  for (int i = 0; i < 100; ++i) metadata += "key_" + std::to_string(i) + "=0123456\n";
  const JobRegion region({}, {metadata, "", {}});
  const std::string kept = metadata_of(region);
  EXPECT_TRUE(region.fit().metadata_cut);
  EXPECT_LT(kept.size(), kMetadata);
  EXPECT_GT(kept.size(), kMetadata - 20);
  EXPECT_EQ(kept.back(), '\n');
  EXPECT_TRUE(metadata.starts_with(kept));
  EXPECT_FALSE(JobRegion({}, {std::string(1023, 'm'), "", {}}).fit().metadata_cut);
}

}  // namespace
}  // namespace trikal::log

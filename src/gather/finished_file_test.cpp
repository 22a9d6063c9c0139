#include "gather/finished_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "gather/compact_map.hpp"
#include "support/map_builder.hpp"

namespace trikal::gather {
namespace {

using log::crash::MapView;

class Finished : public ::testing::Test {
 protected:
  Finished() : folder_(::testing::TempDir() + "finished-" + std::to_string(::getpid())) {
    std::filesystem::create_directory(folder_);
  }
  ~Finished() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path() const { return folder_ + "/finished"; }
  [[nodiscard]] std::uint64_t size() const { return std::filesystem::file_size(path()); }
  void cut(std::uint64_t bytes) const { std::filesystem::resize_file(path(), bytes); }

 private:
  std::string folder_;
};

// A process that is like others, but for its id, its times and what it did to its file.
testing::MapBuilder process(std::int64_t pid, const std::string& program = "/bin/cat") {
  testing::MapBuilder map = testing::map_of_everything();
  map.header().identity.pid = pid;
  map.header().job.start_nsec = 1000 * pid;
  map.set_text("cat\0in\0", program, "\next4\t/");
  const std::size_t names = map.add_chunk({log::crash::ChunkKind::kNames, 0, 1, 0, 200});
  map.add_name(names, static_cast<std::uint64_t>(pid), "/data/" + std::string(static_cast<std::size_t>(pid % 50), 'x'));
  map.add_chunk({log::crash::ChunkKind::kOther, 0, 64, 0, 5000});
  return map;
}

void expect_same(const MapView& found, const testing::MapBuilder& wanted) {
  const auto made = trimmed(found), before = trimmed(*MapView::open(wanted.bytes()));
  ASSERT_EQ(made.size(), before.size());
  EXPECT_EQ(std::memcmp(made.data(), before.data(), made.size()), 0);
}

TEST_F(Finished, MapsComeBackAsTheyWere) {
  constexpr std::int64_t kCount = 300;
  {
    FinishedWriter writer(path(), UINT64_MAX);
    for (std::int64_t pid = 1; pid <= kCount; ++pid)
      ASSERT_TRUE(writer.append(*MapView::open(process(pid, pid % 7 == 0 ? "/bin/cp" : "/bin/cat").bytes())));
  }
  const auto file = FinishedFile::open(path());
  ASSERT_TRUE(file);
  ASSERT_EQ(file->count(), static_cast<std::size_t>(kCount));
  for (const std::int64_t pid : {1L, 2L, 300L, 7L, 14L, 299L, 1L})
    expect_same(file->fetch(static_cast<std::size_t>(pid - 1)), process(pid, pid % 7 == 0 ? "/bin/cp" : "/bin/cat"));
  EXPECT_LT(size(), kCount * 1000U) << "maps that are alike take little";
}

TEST_F(Finished, WhatIsInUseStays) {
  FinishedWriter writer(path(), UINT64_MAX);
  for (std::int64_t pid = 1; pid <= 9; ++pid) ASSERT_TRUE(writer.append(*MapView::open(process(pid).bytes())));
  const auto file = FinishedFile::open(path());
  const log::crash::MapPin first = file->fetch(0);
  for (const std::size_t other : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 1U}) (void)file->fetch(other);
  expect_same(first, process(1));
}

TEST_F(Finished, AFullFileIsAsItWas) {
  FinishedWriter writer(path(), 8000);
  std::int64_t pid = 1;
  while (pid < 1000 && writer.append(*MapView::open(process(pid).bytes()))) ++pid;
  EXPECT_LE(size(), 8000U);
  EXPECT_EQ(FinishedFile::open(path())->count(), static_cast<std::size_t>(pid - 1));
  FinishedWriter nowhere(path() + "/nowhere", UINT64_MAX);
  EXPECT_FALSE(nowhere.append(*MapView::open(process(1).bytes())));
}

TEST_F(Finished, AnotherWriterGoesOn) {
  for (std::int64_t pid = 1; pid <= 3; ++pid) {
    FinishedWriter writer(path(), UINT64_MAX);
    ASSERT_TRUE(writer.append(*MapView::open(process(pid).bytes())));
  }
  const auto file = FinishedFile::open(path());
  ASSERT_EQ(file->count(), 3U);
  expect_same(file->fetch(2), process(3));
}

TEST_F(Finished, AnEntryThatWasCutIsLeftOut) {
  {
    FinishedWriter writer(path(), UINT64_MAX);
    for (std::int64_t pid = 1; pid <= 3; ++pid) ASSERT_TRUE(writer.append(*MapView::open(process(pid).bytes())));
  }
  cut(size() - 1);
  EXPECT_EQ(FinishedFile::open(path())->count(), 2U);
  cut(20);
  EXPECT_EQ(FinishedFile::open(path())->count(), 0U);
  EXPECT_EQ(FinishedFile::open(path() + ".none"), nullptr);
}

TEST_F(Finished, WhateverIsInTheFile) {
  {
    FinishedWriter writer(path(), UINT64_MAX);
    for (std::int64_t pid = 1; pid <= 3; ++pid) ASSERT_TRUE(writer.append(*MapView::open(process(pid).bytes())));
  }
  std::ifstream in(path(), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  for (std::size_t at = 0; at < whole.size(); at += 1 + at / 30) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 8));
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << flipped;
    const auto file = FinishedFile::open(path());
    ASSERT_TRUE(file);
    for (std::size_t i = 0; i < file->count(); ++i) EXPECT_EQ(file->fetch(i)->header().magic, log::crash::kMagic);
  }
}

TEST_F(Finished, AFileThatShrinksIsNoMore) {
  FinishedWriter writer(path(), UINT64_MAX);
  for (std::int64_t pid = 1; pid <= 9; ++pid) ASSERT_TRUE(writer.append(*MapView::open(process(pid).bytes())));
  const auto file = FinishedFile::open(path());
  cut(100);
  EXPECT_EQ(file->fetch(8)->header().identity.pid, 0);
}

TEST(CompactMap, DifferencesAreNotBelieved) {
  const auto base = trimmed(*MapView::open(process(1).bytes()));
  const auto other = trimmed(*MapView::open(process(2).bytes()));
  std::vector<std::byte> difference;
  put_difference(other, base, difference);
  EXPECT_EQ(with_difference(base, difference, other.size()), other);
  EXPECT_FALSE(with_difference(base, difference, other.size() - 1));
  EXPECT_FALSE(with_difference(base, Bytes(difference).first(difference.size() - 8), other.size()));
  for (std::size_t at = 0; at < difference.size(); ++at) {
    auto flipped = difference;
    flipped[at] ^= std::byte{0x81};
    (void)with_difference(base, flipped, 1 << 20);
    (void)with_difference({}, flipped, 1 << 20);
  }
}

}  // namespace
}  // namespace trikal::gather

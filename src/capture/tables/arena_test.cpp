#include "capture/tables/arena.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "log/crash/view.hpp"

namespace trikal::capture {
namespace {

using log::crash::Chunk;
using log::crash::ChunkKind;
using log::crash::MapView;

constexpr std::size_t kCap = 4 << 20;
constexpr Arena::Shape kShape = {
    .kind = ChunkKind::kRecords, .module = 1, .stride = 64, .record_bytes = 8, .slots = 100};

class ArenaTest : public testing::Test {
 protected:
  ArenaTest() {
    std::string pattern = testing::TempDir() + "trikal-arena-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    path_ = folder_ + "/a.map";
  }
  ~ArenaTest() override { std::filesystem::remove_all(folder_); }

  std::vector<std::byte> on_disk() const {
    constexpr std::size_t kPiece = 1 << 20;  // maps of many megabytes are read often
    std::ifstream file(path_, std::ios::binary);
    std::vector<std::byte> bytes;
    std::size_t length = 0;
    // To its end, wherever that is by then: the file may grow, and the header, read first, tells of no more than there is.
    do {
      bytes.resize(length + kPiece);
      file.read(reinterpret_cast<char*>(bytes.data() + length), kPiece);
      length += static_cast<std::size_t>(file.gcount());
    } while (file);
    bytes.resize(length);
    return bytes;
  }
  // Chunks that others would find in the file.
  std::size_t chunks_on_disk() const {
    const std::vector<std::byte> bytes = on_disk();
    const auto view = MapView::open(bytes);
    if (!view || !view->damage().ok()) return 0;
    std::size_t count = 0;
    // The rest of an extent is a chunk of nothing.
    view->for_each_chunk([&](const Chunk& chunk, Bytes) { count += chunk.kind == kShape.kind ? 1 : 0; });
    return count;
  }
  void begin(Arena& arena) const {
    ASSERT_TRUE(arena.begin({path_.c_str(), kCap}));
    arena.header()->magic = log::crash::kMagic;
  }

  std::string folder_, path_;
};

Arena* settled_arena = nullptr;
const char* settled_path = nullptr;
int settled = 0;

TEST_F(ArenaTest, AFileIsMadeWithTheFirstChunkAndTheHeaderStays) {
  Arena arena;
  settled_arena = &arena, settled_path = path_.c_str(), settled = 0;
  ASSERT_TRUE(arena.begin_without_file(kCap, []() noexcept {
    ++settled;
    (void)settled_arena->move_to_file({settled_path, kCap});
  }));
  const log::crash::Header* header = arena.header();
  arena.header()->magic = log::crash::kMagic;
  arena.header()->exit_status = 7;
  EXPECT_FALSE(arena.file_backed());
  EXPECT_FALSE(std::filesystem::exists(path_));
  for (int i = 0; i < 30; ++i) ASSERT_NE(arena.add_chunk(kShape, Arena::Use::kNormal), nullptr);
  EXPECT_EQ(settled, 1);
  EXPECT_TRUE(arena.file_backed());
  EXPECT_EQ(arena.header(), header);
  EXPECT_EQ(chunks_on_disk(), 30U);
  const std::vector<std::byte> bytes = on_disk();
  EXPECT_EQ(MapView::open(bytes)->header().exit_status, 7);
}

TEST_F(ArenaTest, WithoutAFileItGoesOnInPlainMemory) {
  Arena arena;
  ASSERT_TRUE(arena.begin_without_file(kCap, []() noexcept {}));
  EXPECT_NE(arena.add_chunk(kShape, Arena::Use::kNormal), nullptr);
  EXPECT_FALSE(arena.file_backed());
}

TEST_F(ArenaTest, WhatIsWrittenIsInTheFileAtOnce) {
  Arena arena;
  begin(arena);
  EXPECT_TRUE(arena.file_backed());
  struct stat status{};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  Chunk* chunk = nullptr;
  for (int i = 0; i < 30; ++i) chunk = arena.add_chunk(kShape, Arena::Use::kNormal);
  ASSERT_NE(chunk, nullptr);
  for (int i = 0; i < 6400; ++i) ASSERT_EQ(slots_of(chunk)[i], std::byte{0});
  std::memcpy(slots_of(chunk), "seen!", 5);
  chunk->count = 1;
  EXPECT_EQ(chunks_on_disk(), 30U);
  const std::vector<std::byte> bytes = on_disk();
  std::string last;
  MapView::open(bytes)->for_each_chunk(
      [&](const Chunk&, Bytes slots) { last.assign(reinterpret_cast<const char*>(slots.data()), slots.size()); });
  EXPECT_EQ(last.substr(0, 5), "seen!");
}

TEST_F(ArenaTest, BeginsWithItsHeaderAndGrows) {
  Arena arena;
  ASSERT_TRUE(arena.begin({.path = path_.c_str(), .cap = kCap, .first = Arena::kHeaderOnly}));
  arena.header()->magic = log::crash::kMagic;
  EXPECT_LT(on_disk().size(), Arena::kFirstBytes);
  ASSERT_NE(arena.add_chunk(kShape, Arena::Use::kNormal), nullptr);
  ASSERT_NE(arena.add_chunk(kShape, Arena::Use::kNormal), nullptr);
  EXPECT_GE(chunks_on_disk(), 2U);
  const std::vector<std::byte> bytes = on_disk();
  EXPECT_TRUE(MapView::open(bytes)->damage().ok());
}

TEST_F(ArenaTest, EndsAtItsCapAndKeepsAReserve) {
  Arena arena;
  begin(arena);
  std::size_t normal = 0, reserved = 0;
  while (arena.add_chunk(kShape, Arena::Use::kNormal) != nullptr) ++normal;
  while (arena.add_chunk(kShape, Arena::Use::kReserve) != nullptr) ++reserved;
  EXPECT_GT(reserved, 200 * 1024 / (6400 + 64U));
  // Less than one is lost at the end of each extent, which an empty chunk fills.
  constexpr std::size_t kMostExtents = 4, kAll = (kCap - log::crash::kHeaderBytes) / (6400 + 64);
  EXPECT_GE(normal + reserved, kAll - kMostExtents);
  EXPECT_LE(normal + reserved, kAll);
  EXPECT_GE(chunks_on_disk(), normal + reserved);
  EXPECT_LE(chunks_on_disk(), normal + reserved + kMostExtents);
  EXPECT_EQ(arena.add_chunk({.stride = 0xffffffff, .slots = 0xffffffff}, Arena::Use::kReserve), nullptr);
}

// Chunks of odd sizes lie in several extents; the file, and what bytes() makes, have them one behind the other.
TEST_F(ArenaTest, ManyExtentsAreOneMap) {
  for (const bool in_file : {true, false}) {
    Arena arena;
    ASSERT_TRUE(arena.begin({in_file ? path_.c_str() : nullptr, 32 << 20}));
    arena.header()->magic = log::crash::kMagic;
    std::uint32_t made = 0;
    for (std::uint32_t slots = 900;; slots = slots * 7 % 2999 + 1) {
      Chunk* chunk = arena.add_chunk({.kind = ChunkKind::kRecords, .module = 1, .stride = 64, .slots = slots},
                                     Arena::Use::kNormal);
      if (chunk == nullptr) break;
      chunk->count = 1;
      std::memcpy(slots_of(chunk), &made, sizeof made);
      ++made;
    }
    EXPECT_GT(made, 200U);
    const auto expect_all = [made](Bytes bytes) {
      const auto view = MapView::open(bytes);
      ASSERT_TRUE(view.ok());
      EXPECT_TRUE(view->damage().ok());
      std::uint32_t next = 0;
      view->for_each_chunk([&](const Chunk& chunk, Bytes slots) {
        if (chunk.kind != ChunkKind::kRecords) return;
        EXPECT_EQ(load<std::uint32_t>(slots.data()), next++);
      });
      EXPECT_EQ(next, made);
    };
    expect_all(arena.bytes());
    expect_all(arena.bytes());
    if (in_file) expect_all(on_disk());
  }
}

// As `trikal run` and `recover` meet it: whoever reads the file sees whole chunks, as many as before or more.
TEST_F(ArenaTest, IsReadWhileThreadsMakeItGrow) {
  Arena arena;
  ASSERT_TRUE(arena.begin({path_.c_str(), 32 << 20}));
  arena.header()->magic = log::crash::kMagic;
  std::atomic<unsigned> made{0}, growing{3};
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < growing; ++thread) {
    threads.emplace_back([&arena, &made, &growing, thread] {
      for (std::uint32_t slots = 900 + thread; made.load() < 900; slots = slots * 7 % 499 + 1) {
        Chunk* chunk = arena.add_chunk({.kind = ChunkKind::kRecords, .module = 1, .stride = 64, .slots = slots},
                                       Arena::Use::kNormal);
        ASSERT_NE(chunk, nullptr);
        std::memset(slots_of(chunk), 'x', std::size_t{64} * slots);
        ++made;
      }
      --growing;
    });
  }
  std::size_t seen = 0;
  while (growing.load() > 0) {
    const std::size_t now = chunks_on_disk();
    EXPECT_GE(now, seen);
    seen = now;
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(chunks_on_disk(), made.load());
}

TEST_F(ArenaTest, NeverWritesToWhatIsThereAlready) {
  std::ofstream(path_) << "somebody's";
  Arena arena;
  ASSERT_TRUE(arena.begin({path_.c_str(), kCap}));
  EXPECT_FALSE(arena.file_backed());
  EXPECT_NE(arena.add_chunk(kShape, Arena::Use::kNormal), nullptr) << "observed all the same";
  EXPECT_EQ(on_disk().size(), 10U);
  const std::string link = folder_ + "/link";
  std::filesystem::create_symlink(folder_ + "/target", link);
  Arena through;
  ASSERT_TRUE(through.begin({link.c_str(), kCap}));
  EXPECT_FALSE(through.file_backed());
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/target"));
}

TEST_F(ArenaTest, WithoutAFileWorksInMemory) {
  for (const std::string& path : {folder_ + "/no/such/directory", "/" + std::string(600, 'x')}) {
    Arena arena;
    ASSERT_TRUE(arena.begin({path.c_str(), kCap}));
    EXPECT_FALSE(arena.file_backed());
    for (int i = 0; i < 100; ++i) EXPECT_NE(arena.add_chunk(kShape, Arena::Use::kNormal), nullptr);
  }
}

// A map that somebody removed and replaced is not ours to grow.
TEST_F(ArenaTest, AFileThatWasReplacedIsLeftAlone) {
  Arena arena;
  begin(arena);
  std::filesystem::remove(path_);
  std::ofstream(path_) << "another";
  std::size_t chunks = 0;
  while (arena.add_chunk(kShape, Arena::Use::kNormal) != nullptr) ++chunks;
  EXPECT_LT(chunks, 20U) << "what was mapped is used up, no more";
  EXPECT_EQ(on_disk().size(), 7U);
}

TEST_F(ArenaTest, ALimitOfFileSizesIsKept) {
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  Arena arena;
  begin(arena);
  const rlimit tight{256 * 1024, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &tight);
  const auto old = std::signal(SIGXFSZ, SIG_DFL);  // it would end the test
  std::size_t chunks = 0;
  while (arena.add_chunk(kShape, Arena::Use::kNormal) != nullptr) ++chunks;
  const rlimit tiny{1024, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &tiny);
  Arena second;
  const std::string other = folder_ + "/b.map";
  EXPECT_TRUE(second.begin({other.c_str(), kCap}));
  EXPECT_FALSE(second.file_backed());
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old);
  EXPECT_GT(chunks, 10U);
  EXPECT_LE(std::filesystem::file_size(path_), tight.rlim_cur);
}

TEST_F(ArenaTest, SetAsideAndPutBack) {
  Arena arena;
  begin(arena);
  for (int i = 0; i < 30; ++i) ASSERT_NE(arena.add_chunk(kShape, Arena::Use::kNormal), nullptr);
  arena.set_aside();
  EXPECT_FALSE(std::filesystem::exists(path_));
  arena.put_back();
  EXPECT_EQ(chunks_on_disk(), 30U);
  for (int i = 0; i < 30; ++i) ASSERT_NE(arena.add_chunk(kShape, Arena::Use::kNormal), nullptr);
  EXPECT_EQ(chunks_on_disk(), 60U) << "it grows on";
  arena.remove();
  EXPECT_FALSE(arena.file_backed() || std::filesystem::exists(path_));
}

}  // namespace
}  // namespace trikal::capture

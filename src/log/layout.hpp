#pragma once
// Where everything lies in a log: nothing else knows bytes. All numbers are in the writer's byte
// order, told by the magic number. A log is a header, then compressed regions: job, names, one a module.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "schema/module.hpp"

namespace trikal::log {

inline constexpr std::int64_t kMagic = 6567223;
inline constexpr std::size_t kVersionText = 8;

enum class Codec : std::uint8_t { kZlib = 0, kBzip2 = 1, kNone = 2 };

// A run of bytes in the file.
struct Extent {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  friend bool operator==(const Extent&, const Extent&) = default;
};

// The header since log version 3.41.
struct NewHeader {
  static constexpr std::size_t kBytes = 1328;
  static constexpr std::size_t kModules = 64;
  static constexpr std::size_t kMagicAt = 8;
  static constexpr std::size_t kCodecAt = 16;
  static constexpr std::size_t kPartialAt = 24;  // u64
  static constexpr std::size_t kNamesAt = 32;
  static constexpr std::size_t kMapAt = 48;
  static constexpr std::size_t kVersionsAt = 1072;
};

// The header of 3.00, 3.10, 3.20 and 3.21.
struct OldHeader {
  static constexpr std::size_t kBytes = 360;
  static constexpr std::size_t kModules = 16;
  static constexpr std::size_t kPartialAt = 20;  // u32
  static constexpr std::size_t kNamesAt = 24;
  static constexpr std::size_t kMapAt = 40;
  static constexpr std::size_t kVersionsAt = 296;
};

// The job region: a struct, then text, at most kJobRegion bytes together.
inline constexpr std::size_t kJobRegion = 4096;
inline constexpr std::size_t kMetadata = 1024;
// A line of the metadata: the job was killed, and nobody saw when. Its end is the last that is known of it.
inline constexpr std::string_view kRunTimeKey = "run_time", kAtLeast = "at least";
// Another: the launcher of this name was seen, and no rank that it started.
inline constexpr std::string_view kUnseenRanksKey = "ranks_unseen_of";
inline constexpr std::size_t kJobNumbers = 7;     // uid, start s, start ns, end s, end ns, nprocs, job id
inline constexpr std::size_t kOldJobNumbers = 5;  // uid, start, end, nprocs, job id
inline constexpr std::size_t kJobBytes = 8 * kJobNumbers + kMetadata;
inline constexpr std::size_t kOldJobBytes = 8 * kOldJobNumbers + kMetadata;
inline constexpr std::size_t kExeText = kJobRegion - kJobBytes;  // with its NUL

// Modules that old logs do not have a slot for: index in the new numbering, first log minor with it.
struct LateModule {
  std::size_t index;
  int since_minor;
};
inline constexpr std::array<LateModule, 2> kLateModules = {{{4, 20}, {6, 41}}};

inline constexpr int kMajor = 3;
inline constexpr std::array<int, 5> kKnownMinors = {0, 10, 20, 21, 41};
inline constexpr const char* kNewestVersion = "3.41";

// A decoded header; extents of modules are in today's numbering.
struct Header {
  std::array<char, kVersionText> version{};  // as the file spells it
  int minor = 0;
  bool foreign = false;  // the other byte order
  Codec codec = Codec::kZlib;
  std::uint64_t partial = 0;  // bit i: module i ran out of memory
  std::size_t bytes = 0;      // of this header in the file
  Extent job;
  Extent names;
  std::array<Extent, kModuleSlots> modules{};
  std::array<std::uint32_t, kModuleSlots> module_versions{};

  [[nodiscard]] bool is_partial(std::size_t module) const { return ((partial >> module) & 1) != 0; }
};

}  // namespace trikal::log

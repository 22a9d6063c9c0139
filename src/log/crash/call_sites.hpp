#pragma once
// Where in the program calls came from, as an observed process notes it (opt-in), and the trailer's section "sites".
// Shared by the runtime and the tools: nothing here allocates, and slots read from a map are not believed.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "log/crash/operation.hpp"
#include "log/crash/to_log.hpp"
#include "log/trailer/writer.hpp"

namespace trikal::log::crash {

// One call site, one file, one operation.
struct SiteSlot {
  static constexpr std::uint64_t kUnknown = 0, kTableFull = UINT64_MAX, kScript = 1ULL << 62U;
  // Number of an ObjectSlot; kScript and that of a ScriptSlot; or kUnknown, or kTableFull: sites beyond what the table holds.
  std::uint64_t object = 0;
  std::uint64_t offset = 0;  // of the return address in the object; the address itself where the object is unknown
  std::uint64_t id = 0;  // of the file
  std::uint32_t operation = 0;
  std::uint32_t stack = 0;  // number of a StackSlot; 0: the site called the function itself
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  double seconds = 0;
};
static_assert(sizeof(SiteSlot) == 56);

// A program or library that calls came from.
struct ObjectSlot {
  static constexpr std::size_t kPathBytes = 456, kBuildBytes = 40;
  std::uint64_t number = 0;  // counted from 1
  std::uint32_t path_bytes = 0, build_bytes = 0;
  std::uint8_t build[kBuildBytes] = {};
  char path[kPathBytes] = {};
};
static_assert(sizeof(ObjectSlot) == 512);

// A line of a program that an interpreter runs.
struct ScriptSlot {
  static constexpr std::size_t kFunctionBytes = 112, kPathBytes = 376;
  std::uint64_t number = 0;  // counted from 1
  std::uint32_t line = 0;  // 0: not known
  std::uint32_t path_bytes = 0, function_bytes = 0, zero = 0;
  char function[kFunctionBytes] = {};
  char path[kPathBytes] = {};
};
static_assert(sizeof(ScriptSlot) == 512);

// What stands between an observed function and a call site: the function's caller first.
struct StackSlot {
  static constexpr std::size_t kMost = 30;
  static constexpr std::uint32_t kScript = 1U << 31U;
  struct Frame {
    std::uint32_t object = 0;  // as of a SiteSlot; kScript and a number; 0: code of no file
    std::uint32_t offset = 0;
  };
  std::uint64_t number = 0;  // counted from 1
  std::uint32_t depth = 0, zero = 0;
  Frame frames[kMost] = {};
};
static_assert(sizeof(StackSlot) == 256);

// What a call site is called in the source. Views live until the next question.
struct SiteName {
  std::string_view function, source;
  std::uint64_t line = 0;
};
// Somebody who knows; a process that writes its own log has nobody to ask.
struct SiteNames {
  SiteName (*find)(void* context, std::string_view object, std::string_view build, std::uint64_t offset) = nullptr;
  void* context = nullptr;
};

[[nodiscard]] Status put_sites(TrailerWriter& trailer, std::span<const Process> processes,
                               const SiteNames& names = {}) noexcept;

}  // namespace trikal::log::crash

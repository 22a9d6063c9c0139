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
  static constexpr std::uint64_t kUnknown = 0, kTableFull = UINT64_MAX;
  std::uint64_t object = 0;  // number of an ObjectSlot; or kUnknown, or kTableFull: sites beyond what the table holds
  std::uint64_t offset = 0;  // of the return address in the object; the address itself where the object is unknown
  std::uint64_t id = 0;  // of the file
  std::uint32_t operation = 0;
  std::uint32_t zero = 0;
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

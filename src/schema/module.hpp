#pragma once
// What every tool may know of a module without knowing the module.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "schema/counter.hpp"
#include "schema/live.hpp"

namespace trikal {

using ModuleId = std::uint8_t;
inline constexpr std::size_t kModuleSlots = 64;  // what a log's header has slots for
inline constexpr std::size_t kKnownModules = 18;

// Every record begins with these 16 bytes.
struct BaseRecord {
  std::uint64_t id;
  std::int64_t rank;  // kSharedRank: folded over all ranks
};
inline constexpr std::int64_t kSharedRank = -1;

// The shape of a record in memory, which is also the newest shape on disk.
enum class Shape : std::uint8_t {
  kFixed,   // head_bytes, always
  kWhole,   // a head that tells how much follows; small enough to be held
  kSliced,  // as kWhole, but handed out in runs of items: traces have no bound
};

// A field of the record's fixed part that is not a counter (a file's record id, uuids, a host name).
struct Field {
  enum class Type : std::uint8_t { kU64, kI64, kF64, kText, kUuid };
  std::string_view name;
  Type type = Type::kU64;
  std::uint16_t offset = 0;  // in the record
  std::uint16_t bytes = 8;
  std::string_view help;
  std::string_view line = {};  // what a listing calls it, behind the counters; empty: not listed
};

// Which slots mean bytes and times, for derived metrics. kNoSlot where the module has none.
struct Roles {
  std::size_t bytes_read = kNoSlot, bytes_written = kNoSlot;
  std::size_t max_byte_read = kNoSlot, max_byte_written = kNoSlot;
  std::size_t read_time = kNoSlot, write_time = kNoSlot, meta_time = kNoSlot;
  std::size_t slowest_rank_time = kNoSlot;
};

struct ModuleSchema {
  ModuleId id;
  std::string_view name;    // as logs and tools spell it: "MPI-IO"
  std::string_view prefix;  // what its counters begin with: "MPIIO"
  std::uint32_t version;    // the newest record version known
  Shape shape;
  std::uint32_t head_bytes;    // the fixed part, whole record where shape is kFixed
  std::uint16_t counters_at;   // where counter 0 lies in the record
  std::span<const Counter> counters;
  std::span<const Field> fields;
  bool totals;  // takes part in --total, --perf and --file
  Roles roles;
  std::string_view help;  // one sentence: what it observes
  bool timeline = false;  // values by slice of time: no two runs agree on them
  const LiveForm* live = nullptr;  // where records of a running process are not yet as in the log
  const ModuleSchema* extra = nullptr;  // counters its records have no slot for: a section of the trailer
  std::span<const std::uint16_t> live_slots = {};  // where each slot lies in a running process; empty: as in the log
  const RunForm* runs = nullptr;  // what the records of a running process may lack
  std::uint32_t brief_bytes = 0;  // of a live record that are all that opening and closing change; 0: not told apart
  std::span<const std::size_t> calls = {};  // slots whose sum is how many calls succeeded
};

// Finds the roles by the names all modules use. Tables whose module has none pass totals = false.
constexpr Roles roles_of(std::string_view prefix, std::span<const Counter> table) {
  const auto find = [&](std::string_view suffix) {
    std::size_t slot = 0;
    for (const Counter& counter : table) {
      if (counter.name.size() == prefix.size() + suffix.size() && counter.name.starts_with(prefix) &&
          counter.name.ends_with(suffix)) {
        return slot;
      }
      slot += counter.width();
    }
    return kNoSlot;
  };
  return {find("_BYTES_READ"),  find("_BYTES_WRITTEN"), find("_MAX_BYTE_READ"), find("_MAX_BYTE_WRITTEN"),
          find("_F_READ_TIME"), find("_F_WRITE_TIME"),  find("_F_META_TIME"),   find("_F_SLOWEST_RANK_TIME")};
}

// What totals, variances and the fastest and slowest rank are made from: a module that has them asserts this.
constexpr bool has_volume_and_time(const Roles& roles) {
  for (const std::size_t slot : {roles.bytes_read, roles.bytes_written, roles.read_time, roles.write_time,
                                 roles.meta_time, roles.slowest_rank_time}) {
    if (slot == kNoSlot) return false;
  }
  return true;
}

}  // namespace trikal

#pragma once
// What a module must be told, and how it notes a call. A module has its own in capture.hpp; modules/list.txt says
// which modules there are.

#include <span>
#include <string_view>

#include "capture/clock/clock.hpp"
#include "capture/session/config.hpp"
#include "log/crash/operation.hpp"
#include "schema/module.hpp"
#include "schema/rewrite.hpp"

namespace trikal::capture {

// For records that count in bins of time, as the log has them: ranks of a job put theirs on one axis.
struct Timeline {
  // The record, `seconds` later, widens the grid.
  void (*survey)(Bytes record, double seconds, TimeGrid& grid) = nullptr;
  // Puts it on the grid. Returns the size of what lies in `now`; 0: it does not fit.
  std::size_t (*rebin)(Bytes record, double seconds, const TimeGrid& grid, MutableBytes now) = nullptr;
};

// The operations that a module tells events of.
struct ModuleOperations {
  using Operation = log::crash::Operation;
  Operation first{}, last{};
  std::span<const std::string_view> words = {};  // of a module that log/crash/operation.hpp does not know

  [[nodiscard]] constexpr bool has(Operation operation) const noexcept {
    return first <= operation && operation <= last && first != last;
  }
};
// Those of a module that is named nowhere else: `words`, 2 to 16 of them, say what its operations are called; their interface
// is the module's name.
template <std::size_t Count>
[[nodiscard]] consteval ModuleOperations own_operations(const ModuleSchema& schema,
                                                        const std::string_view (&words)[Count]) {
  static_assert(Count >= 2 && Count <= log::crash::kMostOfModule);
  return {log::crash::operation_of_module(schema.id, 0), log::crash::operation_of_module(schema.id, Count - 1), words};
}

// What a record has counted up to now, for listeners that ask; -1: the module does not count that.
struct RecordDetails {
  std::int64_t highest_read = -1, highest_written = -1;  // byte, counted from 0
  std::int64_t switches = -1;  // between reading and writing
  std::int64_t flushes = -1;
};

struct ModuleHooks {
  const ModuleSchema* schema = nullptr;
  void (*after_fork)() noexcept = nullptr;  // in the child: free every lock, forget every record
  void (*before_stop)() noexcept = nullptr;  // a last chance to count
  void (*rehearse)(TickInterval when) noexcept = nullptr;  // notes a read of 64 bytes on a record that is nobody's
  const Timeline* timeline = nullptr;
  ModuleOperations operations = {};
  // Of the record with that id. Under the guard, no lock held.
  RecordDetails (*details)(std::uint64_t id) noexcept = nullptr;
};

// Whether a listener (modules/listeners.cpp) is to hear of every event.
[[nodiscard]] bool is_every_event_wanted(const Config& config) noexcept;

// In order of module id.
[[nodiscard]] std::span<const ModuleHooks> module_hooks() noexcept;

}  // namespace trikal::capture

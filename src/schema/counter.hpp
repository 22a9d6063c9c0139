#pragma once
// The language of trikal: what a counter is. A module declares its counters in one table of these;
// logs, tools, SQL, Python and the C library all read that table and nothing else.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace trikal {

enum class Kind : std::uint8_t { kInt, kUint, kReal };

enum class Unit : std::uint8_t {
  kNone,       // a plain number
  kCalls,      // how often something was done
  kBytes,      // how much
  kOffset,     // a position in a file
  kSeconds,    // a duration
  kTimestamp,  // seconds since the job began
  kRank,       // an MPI rank
  kId,         // a record id
  kFlag,       // 0 or 1
  kMode,       // bits as the call took them
  kElements,   // dimensions, array elements
};

// How two ranks' values of a counter become one. Written once, in schema/fold.
enum class Fold : std::uint8_t {
  kKeep,          // describes the file: either value stands for both
  kSum,
  kSumClamped,    // a sum that stays -1 ("not monitored") once it is negative
  kMax,
  kMin,
  kMinNonZero,    // 0 means "never happened"
  kAny,           // 1 when either is 1
  kWithMaxRead,   // goes with whichever side has the larger longest read
  kWithMaxWrite,  // likewise for writes
  kWithMaxPut,    // goes with whichever side has the larger largest put (the _PUT_MAX_SIZE counter)
  kWithMaxGet,    // likewise for gets
  kTopValues,     // the four most common values; the counter after it holds their counts
  kTopCounts,
  kFastestRank,   // these three go with the smaller time,
  kFastestBytes,
  kFastestTime,
  kSlowestRank,   // these with the larger
  kSlowestBytes,
  kSlowestTime,
  kVarianceTime,  // over ranks; needs all ranks at once
  kVarianceBytes,
  kDistinct,      // how many different values the ranks have
};

// A counter, or a run of alike counters (a histogram, the common values): then `name` has a '#'
// that each bucket's label replaces.
struct Counter {
  std::string_view name;  // its only spelling: log, command line, SQL, Python
  Unit unit = Unit::kNone;
  Fold fold = Fold::kKeep;
  std::string_view help;  // one clause, for `trikal explain`
  std::span<const std::string_view> labels = {};
  Kind kind = Kind::kInt;

  [[nodiscard]] constexpr std::size_t width() const { return labels.empty() ? 1 : labels.size(); }
};

// Shorthand for tables: reals come after all integers of a module, as on disk.
constexpr Counter real(std::string_view name, Unit unit, Fold fold, std::string_view help) {
  return {name, unit, fold, help, {}, Kind::kReal};
}

constexpr std::size_t slots_in(std::span<const Counter> table) {
  std::size_t slots = 0;
  for (const Counter& counter : table) slots += counter.width();
  return slots;
}

constexpr std::size_t slots_in(std::span<const Counter> table, bool reals) {
  std::size_t slots = 0;
  for (const Counter& counter : table) {
    if ((counter.kind == Kind::kReal) == reals) slots += counter.width();
  }
  return slots;
}

inline constexpr std::size_t kNoSlot = ~std::size_t{0};

// The first slot of the counter with this name ('#' and all), or kNoSlot.
constexpr std::size_t find_slot(std::span<const Counter> table, std::string_view name) {
  std::size_t slot = 0;
  for (const Counter& counter : table) {
    if (counter.name == name) return slot;
    slot += counter.width();
  }
  return kNoSlot;
}

// Not constexpr, so that a call of it at compile time is an error that says this. (No throw: the components inside
// the application are built without exceptions.)
void no_counter_of_that_name_in_this_table();

// As find_slot, but a name that is not in the table does not compile.
consteval std::size_t slot_of(std::span<const Counter> table, std::string_view name) {
  const std::size_t slot = find_slot(table, name);
  if (slot == kNoSlot) no_counter_of_that_name_in_this_table();
  return slot;
}

// The slots of several counters.
template <std::size_t N>
consteval std::array<std::size_t, N> slots_of(std::span<const Counter> table, const std::string_view (&names)[N]) {
  std::array<std::size_t, N> slots{};
  for (std::size_t i = 0; i < N; ++i) slots[i] = slot_of(table, names[i]);
  return slots;
}

// The full name of one bucket: POSIX_SIZE_READ_# and "0_100" make POSIX_SIZE_READ_0_100.
[[nodiscard]] inline std::string bucket_name(const Counter& counter, std::size_t bucket) {
  const std::size_t mark = counter.name.find('#');
  if (mark == std::string_view::npos) return std::string(counter.name);
  std::string name(counter.name.substr(0, mark));
  name += counter.labels[bucket];
  return name += counter.name.substr(mark + 1);
}

}  // namespace trikal

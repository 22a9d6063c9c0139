#pragma once
// What a prediction says of a file, counter by counter. A table has a row for each counter that is said: its records are
// filled from the table, and the log lists the table's names, so that nobody else need know what a prediction leaves open.

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "predict/out/uses.hpp"
#include "schema/record.hpp"

namespace trikal::predict {

// Everything one layer does to one file, summed up once for all rows.
struct Seen {
  explicit Seen(const Uses& all);

  const Uses& uses;
  analyze::PredictedUse reads, writes, moves;
  using Shape = std::array<std::int64_t, 11>;
  std::array<std::pair<double, std::uint64_t>, 4> sizes{};  // the most common ones; how often, and which
  std::array<std::pair<double, Shape>, 4> shapes{};
};

struct Said {
  std::string_view counter;  // as the module's table spells it
  std::int64_t (*value)(const Seen& seen, std::size_t bucket);
};

template <analyze::Operation Op>
std::int64_t calls(const Seen& seen, std::size_t /*bucket*/) {
  return seen.uses.count({Op});
}

// A module as predictions have it.
struct SaidModule {
  const ModuleSchema* schema;
  std::span<const Said> said;
  std::string_view unless;  // modules whose files are left to them: the calls below are a library's
};

// A name that the module does not have does not compile.
template <std::size_t N>
consteval std::array<Said, N> said_of(const ModuleSchema& schema, const Said (&rows)[N]) {
  for (const Said& row : rows) (void)slot_of(schema.counters, row.counter);
  return std::to_array(rows);
}

template <const ModuleSchema& Schema>
[[nodiscard]] Record<Schema> record_of(std::span<const Said> said, const Uses& uses) {
  constexpr Roles kRoles = roles_of(Schema.prefix, Schema.counters);
  Record<Schema> record;
  const Seen seen(uses);
  for (const Said& row : said) {
    std::size_t slot = 0;
    for (const Counter& counter : Schema.counters) {
      if (counter.name == row.counter)
        for (std::size_t i = 0; i < counter.width(); ++i) record.slot(slot + i) = row.value(seen, i);
      slot += counter.width();
    }
  }
  const Times times = times_of(uses);
  if constexpr (kRoles.read_time != kNoSlot) record.set_real_slot(kRoles.read_time, times.read);
  if constexpr (kRoles.write_time != kNoSlot) record.set_real_slot(kRoles.write_time, times.write);
  if constexpr (kRoles.meta_time != kNoSlot) record.set_real_slot(kRoles.meta_time, times.meta);
  return record;
}

extern const SaidModule kSaidPosix, kSaidMpiio, kSaidStdio, kSaidH5f, kSaidH5d;

}  // namespace trikal::predict

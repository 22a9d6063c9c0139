#pragma once
// Layouts as tables: a row a component, and a row a stripe.

#include "modules/lustre/schema.hpp"
#include "schema/record_view.hpp"
#include "schema/table.hpp"

namespace trikal::modules::lustre {

inline constexpr std::size_t kComponentValues = std::size(kComponentCounters);
inline constexpr auto kComponentColumns = [] {
  std::array<TableColumn, kComponentValues + 2> columns{};
  columns[0] = {"component", CellType::kI64, Unit::kNone, "number of the component in its file, from 1"};
  for (std::size_t i = 0; i < kComponentValues; ++i) {
    const Counter& counter = kComponentCounters[i];
    columns[i + 1] = {counter.name, CellType::kI64, counter.unit, counter.help};
  }
  columns.back() = {"pool_name", CellType::kText, Unit::kNone, "the pool its targets are from"};
  return columns;
}();

inline std::uint64_t component_rows(const RecordPart& part) {
  return load<std::uint64_t>(part.record.data() + kNumCompsAt);
}

inline void fill_components(const RecordPart& part, std::uint64_t first, RowBlock& rows) {
  const std::byte* const begin = part.record.data() + kHeadBytes + first * kComponentBytes;
  std::uint64_t* const number = rows.words(0);
  for (std::size_t i = 0; i < rows.rows(); ++i) number[i] = first + i + 1;
  for (std::size_t value = 0; value < kComponentValues; ++value) {
    std::uint64_t* const column = rows.words(1 + value);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      column[i] = load<std::uint64_t>(begin + i * kComponentBytes + 8 * value);
    }
  }
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    rows.text(1 + kComponentValues, field_text(begin + i * kComponentBytes + kPoolNameAt, kPoolNameBytes));
  }
}

inline constexpr TableColumn kStripeColumns[] = {
    {"component", CellType::kI64, Unit::kNone, "number of the component in its file, from 1"},
    {"stripe", CellType::kI64, Unit::kNone, "number of the stripe in its component, from 0"},
    {"ost", CellType::kI64, Unit::kNone, "index of the storage target it lies on"},
};

inline std::uint64_t stripe_rows(const RecordPart& part) {
  return load<std::uint64_t>(part.record.data() + kNumStripesAt);
}

// Component k owns the next STRIPE_COUNT targets; the last one whatever is left of them.
inline void fill_stripes(const RecordPart& part, std::uint64_t first, RowBlock& rows) {
  const std::uint64_t comps = component_rows(part);
  const std::byte* const component = part.record.data() + kHeadBytes;
  const std::byte* const targets = component + comps * kComponentBytes;
  std::uint64_t* const owner = rows.words(0);
  std::uint64_t* const stripe = rows.words(1);
  std::uint64_t* const target = rows.words(2);
  std::uint64_t begins = 0;  // the first stripe of component `comp`
  std::uint64_t comp = 0;
  const auto owns = [&] {
    const auto count = load<std::int64_t>(component + comp * kComponentBytes + kStripeCountAt);
    return count > 0 ? static_cast<std::uint64_t>(count) : 0;
  };
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::uint64_t number = first + i;
    while (comp + 1 < comps && number - begins >= owns()) begins += owns(), ++comp;
    owner[i] = comp + 1;
    stripe[i] = number - begins;
    target[i] = load<std::uint64_t>(targets + 8 * number);
  }
}

inline constexpr ItemTable kItemTables[] = {
    {"components", TableRole::kItems, "how each part of a file is striped", kComponentColumns, component_rows,
     fill_components},
    {"stripes", TableRole::kItems, "the storage target of every stripe", kStripeColumns, stripe_rows, fill_stripes},
};
inline constexpr ModuleTables kTables = {.items = kItemTables};

}  // namespace trikal::modules::lustre

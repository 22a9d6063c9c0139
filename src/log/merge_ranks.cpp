#include "log/merge_ranks.hpp"

#include <array>

#include "base/wrapping.hpp"
#include "schema/rank_values.hpp"

namespace trikal::log {
namespace {

ValueTable table_in(const std::vector<std::int64_t>& rows, std::size_t words) {
  return {rows.data(), rows.size() / (words + 1), words};
}

}  // namespace

// All values that are known of the record, or what its slots have.
RankRecords::Rows RankRecords::rows_in(std::size_t top, const std::byte* record, std::span<const Values> values) const {
  const FoldPlan::Top& layout = plan_.tops()[top];
  std::array<std::int64_t, kTopSlots * kMostRowWords> four;  // NOLINT: filled right below
  TopWords slots(record, layout);
  ValueTable table = table_of(slots.four(), four.data());
  for (const Values& more : values) {
    if (more.counter == layout.counter && more.table.words == layout.words()) table = more.table;
  }
  return {table.rows, table.rows + table.size * (table.words + 1)};
}

void RankRecords::add_values(Entry& entry, const std::byte* record, std::span<const Values> values) const {
  const std::vector<Values> known = values_of(entry);
  for (std::size_t top = 0; top < plan_.tops().size(); ++top) {
    const std::size_t words = plan_.tops()[top].words();
    const Rows mine = rows_in(top, entry.record.data(), known), theirs = rows_in(top, record, values);
    Rows sum(mine.size() + theirs.size());
    sum.resize(add_tables(table_in(mine, words), table_in(theirs, words), sum.data()) * (words + 1));
    TopWords slots(entry.record.data(), plan_.tops()[top]);
    rank_four(table_in(sum, words), slots.four());
    slots.copy_to(entry.record.data());
    if (sum.size() > kTopSlots * (words + 1)) entry.rows[top] = std::move(sum);
  }
}

void RankRecords::add(const std::byte* record, Bytes tail, std::span<const Values> values) {
  const auto base = load<BaseRecord>(record);
  const auto [found, is_new] = entries_.try_emplace({base.rank, base.id, tail.size()});
  Entry& entry = found->second;
  const std::size_t head = schema_.head_bytes;
  if (is_new) {
    entry.record.assign(record, record + head);
    entry.record.insert(entry.record.end(), tail.begin(), tail.end());
    for (std::size_t top = 0; !values.empty() && top < plan_.tops().size(); ++top)
      entry.rows[top] = rows_in(top, record, values);
    return;
  }
  add_values(entry, record, values);
  plan_.combine_ranks(entry.record.data(), record, FoldPlan::Tops::kLeftOut);
  std::byte* counts = entry.record.data() + head;
  for (std::size_t at = 0; at + 8 <= tail.size(); at += 8)
    store(counts + at, wrap_add(load<std::int64_t>(counts + at), load<std::int64_t>(tail.data() + at)));
}

std::vector<RankRecords::Values> RankRecords::values_of(const Entry& entry) const {
  std::vector<Values> values;
  for (const auto& [top, rows] : entry.rows) {
    const FoldPlan::Top& layout = plan_.tops()[top];
    values.push_back({layout.counter, table_in(rows, layout.words())});
  }
  return values;
}

}  // namespace trikal::log

#include "log/merge_fold.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/wrapping.hpp"
#include "schema/rank_values.hpp"

namespace trikal::log {
namespace {

// Spreads a rank over 64 bits, so that sums of different sets of ranks differ.
std::uint64_t scatter(std::int64_t rank) {
  auto x = static_cast<std::uint64_t>(rank) + 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

void RankSurvey::count(const BaseRecord& record, std::size_t tail_bytes) {
  const auto [index, fresh] = indexes_.try_emplace(record.id, entries_.size());
  if (fresh) entries_.push_back({.id = record.id, .tail_bytes = tail_bytes});
  Entry& entry = entries_[index->second];
  entry.alike = entry.alike && entry.tail_bytes == tail_bytes;
  ++entry.records;
  entry.ranks += scatter(record.rank);
}

const RankSurvey::Entry* RankSurvey::find(std::uint64_t id) const {
  const auto found = indexes_.find(id);
  return found == indexes_.end() ? nullptr : &entries_[found->second];
}

// Asked only once that many records were seen: a log may claim any number of ranks.
std::uint64_t RankSurvey::all_ranks() const {
  for (; summed_ < nprocs_; ++summed_) all_ranks_ += scatter(summed_);
  return all_ranks_;
}

bool RankSurvey::on_all(const Entry& entry) const {
  return entry.alike && entry.records == nprocs_ && entry.ranks == all_ranks();
}

bool RankSurvey::on_all_but_first(const Entry& entry) const {
  return entry.alike && entry.records == nprocs_ - 1 && entry.records > 1 && entry.ranks == all_ranks() - scatter(0);
}

bool RankSurvey::is_shared(const Entry& entry) const {
  return on_all(entry) || on_all_but_first(entry) ||
         (shared_by_ == SharedBy::kSeveral && entry.alike && entry.records > 1);
}

bool RankSurvey::shared(std::uint64_t id) const {
  const Entry* entry = find(id);
  return entry != nullptr && is_shared(*entry);
}

bool RankSurvey::without_first_rank(std::uint64_t id) const {
  const Entry* entry = find(id);
  return entry != nullptr && on_all_but_first(*entry);
}

std::vector<std::uint64_t> RankSurvey::shared_ids() const {
  std::vector<std::uint64_t> ids;
  for (const Entry& entry : entries_) {
    if (is_shared(entry)) ids.push_back(entry.id);
  }
  return ids;
}

std::uint64_t RankSurvey::longest_tail() const {
  std::uint64_t most = 0;
  for (const Entry& entry : entries_) {
    if (is_shared(entry)) most = std::max<std::uint64_t>(most, entry.tail_bytes);
  }
  return most;
}

SharedFold::SharedFold(const ModuleSchema& schema, std::span<const std::uint64_t> ids)
    : schema_(schema),
      plan_(schema),
      states_(ids.size()),
      records_(ids.size() * schema.head_bytes),
      scratch_(schema.head_bytes) {
  for (std::size_t i = 0; i < ids.size(); ++i) indexes_.emplace(ids[i], i);
  std::size_t at = schema.counters_at;
  for (const Counter& counter : schema.counters) {
    if (counter.fold == Fold::kDistinct) distinct_at_.push_back(at);
    at += 8 * counter.width();
  }
}

// The values of one file and counter that its record has no slots for.
class SharedFold::Table {
 public:
  Table(SharedFold& fold, std::size_t index, std::size_t top)
      : fold_(fold), key_{index, top}, words_(fold.plan_.tops()[top].words()) {}

  [[nodiscard]] ValueTable current() const {
    const auto found = fold_.values_.find(key_);
    if (found == fold_.values_.end()) return {};
    return {found->second.data(), found->second.size() / (words_ + 1), words_};
  }
  bool add(const ValueTable& more) {
    constexpr std::size_t kMostRows = 65536;  // a log may have anything in it
    ValueTable mine = current();
    mine.words = words_;
    std::vector<std::int64_t> rows((mine.size + more.size) * (words_ + 1));
    const std::size_t size = add_tables(mine, more, rows.data());
    rows.resize(keep_most_common(rows.data(), {rows.data(), size, words_}, kMostRows) * (words_ + 1));
    fold_.values_[key_] = std::move(rows);
    return true;
  }

 private:
  SharedFold& fold_;
  std::pair<std::size_t, std::size_t> key_;
  std::size_t words_;
};

// What is known of the record's values goes beside the fold, and its own slots are emptied.
void SharedFold::add_values(std::size_t index, std::byte* record, std::span<const Values> values) {
  for (const Values& more : values) {
    for (std::size_t i = 0; i < plan_.tops().size(); ++i) {
      const FoldPlan::Top& top = plan_.tops()[i];
      if (more.counter != top.counter || more.table.words != top.words()) continue;
      std::fill_n(record + top.at, 8UL * (top.slots + kTopSlots), std::byte{0});
      Table(*this, index, i).add(more.table);
    }
  }
}

bool SharedFold::add(const std::byte* record, Bytes tail, std::span<const Values> values) {
  const auto found = indexes_.find(load<std::uint64_t>(record));
  if (found == indexes_.end()) return false;
  const std::size_t index = found->second;
  State& state = states_[index];
  state.time.add(Spread::of(plan_.rank_time(record)));
  state.bytes.add(Spread::of(static_cast<double>(plan_.rank_bytes(record))));
  for (const std::size_t at : distinct_at_) distinct_[{index, at}].insert(load<std::int64_t>(record + at));
  std::copy_n(record, schema_.head_bytes, scratch_.begin());
  plan_.prepare_shared(scratch_.data());
  add_values(index, scratch_.data(), values);
  std::byte* into = records_.data() + index * schema_.head_bytes;
  if (!state.begun) std::copy(scratch_.begin(), scratch_.end(), into);
  else plan_.combine_ranks(into, scratch_.data(), FoldPlan::Tops::kLeftOut);
  for (std::size_t i = 0; state.begun && i < plan_.tops().size(); ++i)
    (void)add_rank_values(plan_.tops()[i], into, scratch_.data(), Table(*this, index, i));
  state.begun = true;
  state.tail.resize(tail.size() / 8);
  for (std::size_t i = 0; i < state.tail.size(); ++i) {
    state.tail[i] = wrap_add(state.tail[i], load<std::int64_t>(tail.data() + 8 * i));
  }
  return true;
}

// A rank that could not find its value has -1; if none could, nothing is known.
void SharedFold::finish_distinct() {
  for (const auto& [where, values] : distinct_) {
    const auto known = static_cast<std::int64_t>(values.size()) - (values.contains(-1) ? 1 : 0);
    store(records_.data() + where.first * schema_.head_bytes + where.second, known == 0 ? std::int64_t{-1} : known);
  }
}

std::vector<std::byte> SharedFold::finish() {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    std::byte* record = records_.data() + i * schema_.head_bytes;
    plan_.set_variances(record, states_[i].time.variance(), states_[i].bytes.variance());
  }
  for (const auto& [key, rows] : std::map(values_)) {
    std::byte* record = records_.data() + key.first * schema_.head_bytes;
    (void)cut_to_four(plan_.tops()[key.second], record, Table(*this, key.first, key.second));
  }
  finish_distinct();
  std::vector<std::byte> all;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Bytes head = Bytes{records_}.subspan(i * schema_.head_bytes, schema_.head_bytes);
    const Bytes tail = std::as_bytes(std::span{states_[i].tail});
    all.insert(all.end(), head.begin(), head.end());
    all.insert(all.end(), tail.begin(), tail.end());
  }
  return all;
}

}  // namespace trikal::log

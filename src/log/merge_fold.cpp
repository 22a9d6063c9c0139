#include "log/merge_fold.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/wrapping.hpp"

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
  const auto [place, fresh] = places_.try_emplace(record.id, entries_.size());
  if (fresh) entries_.push_back({.id = record.id, .tail_bytes = tail_bytes});
  Entry& entry = entries_[place->second];
  entry.alike = entry.alike && entry.tail_bytes == tail_bytes;
  ++entry.records;
  entry.ranks += scatter(record.rank);
}

const RankSurvey::Entry* RankSurvey::find(std::uint64_t id) const {
  const auto found = places_.find(id);
  return found == places_.end() ? nullptr : &entries_[found->second];
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
  for (std::size_t i = 0; i < ids.size(); ++i) places_.emplace(ids[i], i);
  std::size_t at = schema.counters_at;
  for (const Counter& counter : schema.counters) {
    if (counter.fold == Fold::kDistinct) distinct_at_.push_back(at);
    at += 8 * counter.width();
  }
}

bool SharedFold::add(const std::byte* record, Bytes tail) {
  const auto found = places_.find(load<std::uint64_t>(record));
  if (found == places_.end()) return false;
  const std::size_t place = found->second;
  State& state = states_[place];
  state.time.add(Spread::of(plan_.rank_time(record)));
  state.bytes.add(Spread::of(static_cast<double>(plan_.rank_bytes(record))));
  for (const std::size_t at : distinct_at_) distinct_[{place, at}].insert(load<std::int64_t>(record + at));
  std::copy_n(record, schema_.head_bytes, scratch_.begin());
  plan_.prepare_shared(scratch_.data());
  std::byte* into = records_.data() + place * schema_.head_bytes;
  if (state.begun) plan_.combine_ranks(into, scratch_.data());
  else std::copy(scratch_.begin(), scratch_.end(), into);
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

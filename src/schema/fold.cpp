#include "schema/fold.hpp"

#include <algorithm>
#include <cstring>

#include "base/bytes.hpp"
#include "base/wrapping.hpp"
#include "schema/labels.hpp"
#include "schema/top_four.hpp"

namespace trikal {
namespace {

template <class T>
T get(const std::byte* record, std::uint16_t at) noexcept {
  return load<T>(record + at);
}

void copy_slot(std::byte* into, const std::byte* from, std::uint16_t at) noexcept {
  if (at != 0xffff) std::memcpy(into + at, from + at, 8);
}

bool all_zero(const std::byte* at, std::size_t slots) noexcept {
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < slots; ++i) seen |= load<std::uint64_t>(at + 8 * i);
  return seen == 0;
}

template <class T, class Op>
void each(std::byte* __restrict into, const std::byte* __restrict from, std::size_t slots, Op op) noexcept {
  for (std::size_t i = 0; i < slots; ++i) store(into + 8 * i, op(load<T>(into + 8 * i), load<T>(from + 8 * i)));
}

double min_non_zero(double mine, double theirs) noexcept {
  return (theirs < mine && theirs > 0) || mine == 0 ? theirs : mine;
}

// In totals 0 is where the sum began, and a time that an old log does not have (-1) must not show.
double min_positive(double mine, double theirs) noexcept {
  return theirs > 0 && (theirs < mine || mine == 0) ? theirs : mine;
}

}  // namespace

FoldPlan::FoldPlan(const ModuleSchema& schema) noexcept : schema_(&schema) {
  if (fold_runs(schema.counters) > kMaxRuns) __builtin_trap();
  std::size_t at = schema.counters_at;
  for (const Counter& counter : schema.counters) {
    const auto offset = static_cast<std::uint16_t>(at);
    switch (counter.fold) {
      case Fold::kFastestRank: fastest_.rank = offset; break;
      case Fold::kFastestBytes: fastest_.bytes = offset; break;
      case Fold::kFastestTime: fastest_.time = offset; break;
      case Fold::kSlowestRank: slowest_.rank = offset; break;
      case Fold::kSlowestBytes: slowest_.bytes = offset; break;
      case Fold::kSlowestTime: slowest_.time = offset; break;
      case Fold::kWithMaxRead: read_.follower = offset; break;
      case Fold::kWithMaxWrite: write_.follower = offset; break;
      case Fold::kWithMaxPut: put_.follower = offset; break;
      case Fold::kWithMaxGet: get_.follower = offset; break;
      case Fold::kVarianceTime: variance_time_ = offset; break;
      case Fold::kVarianceBytes: variance_bytes_ = offset; break;
      case Fold::kTopCounts: break;  // handled with the values before it
      default:
        counts_distinct_ = counts_distinct_ || counter.fold == Fold::kDistinct;
        add_run(counter.fold, counter.kind == Kind::kReal, at, counter.width());
    }
    if (counter.name.ends_with("_F_MAX_READ_TIME")) read_.leader = offset;
    if (counter.name.ends_with("_F_MAX_WRITE_TIME")) write_.leader = offset;
    if (counter.name.ends_with("_PUT_MAX_SIZE")) put_.leader = offset, put_.real_leader = false;
    if (counter.name.ends_with("_GET_MAX_SIZE")) get_.leader = offset, get_.real_leader = false;
    at += 8 * counter.width();
  }
}

void FoldPlan::add_run(Fold fold, bool real, std::size_t at, std::size_t slots) noexcept {
  Run* last = run_count_ > 0 ? &runs_[run_count_ - 1] : nullptr;
  const bool joins = last != nullptr && fold != Fold::kTopValues && last->fold == fold && last->real == real &&
                     last->at + 8U * last->slots == at;
  if (joins) {
    last->slots = static_cast<std::uint16_t>(last->slots + slots);
  } else {
    runs_[run_count_++] = {fold, real, static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(slots)};
  }
  if (fold != Fold::kTopValues) return;
  if (top_count_ == kMaxTops) __builtin_trap();
  tops_[top_count_++] = {static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(slots),
                         static_cast<std::uint16_t>((at - schema_->counters_at) / 8)};
}

void FoldPlan::fold_run(const Run& run, std::byte* into, const std::byte* from, Rule rule) const noexcept {
  if (run.fold == Fold::kTopValues) {
    fold_tops(run, into, from, rule);
  } else if (run.fold == Fold::kKeep) {
    // Ranks agree on what describes a file; totals show the record seen last.
    if (rule == Rule::kTotals) std::memcpy(into + run.at, from + run.at, 8UL * run.slots);
  } else if (run.fold == Fold::kMinNonZero) {
    each<double>(into + run.at, from + run.at, run.slots, rule == Rule::kTotals ? min_positive : min_non_zero);
  } else {
    fold_common(run, into, from);
  }
}

void FoldPlan::fold_common(const Run& run, std::byte* into, const std::byte* from) const noexcept {
  into += run.at, from += run.at;
  using Int = std::int64_t;
  switch (run.fold) {
    case Fold::kSum:
      if (run.real) each<double>(into, from, run.slots, [](double a, double b) { return a + b; });
      else each<Int>(into, from, run.slots, wrap_add);
      break;
    case Fold::kSumClamped:
      each<Int>(into, from, run.slots, [](Int a, Int b) {
        const Int sum = wrap_add(a, b);
        return sum < 0 ? -1 : sum;
      });
      break;
    case Fold::kMax:
      if (run.real) each<double>(into, from, run.slots, [](double a, double b) { return b > a ? b : a; });
      else each<Int>(into, from, run.slots, [](Int a, Int b) { return b > a ? b : a; });
      break;
    case Fold::kMin:
      if (run.real) each<double>(into, from, run.slots, [](double a, double b) { return b < a ? b : a; });
      else each<Int>(into, from, run.slots, [](Int a, Int b) { return b < a ? b : a; });
      break;
    case Fold::kAny:
      each<Int>(into, from, run.slots, [](Int a, Int b) { return Int{a == 1 || b == 1 ? 1 : 0}; });
      break;
    default: break;
  }
}

void FoldPlan::fold_tops(const Run& run, std::byte* into, const std::byte* from, Rule rule) const noexcept {
  // Most records have no strides at all. Slots are filled from the first on.
  if (rule == Rule::kTotals && load<std::int64_t>(from + run.at) == 0 && all_zero(from + run.at, run.slots)) return;
  const std::size_t all = run.slots + kTopSlots;
  if (rule == Rule::kRanks && all_zero(from + run.at, all) && all_zero(into + run.at, all)) return;
  std::array<std::int64_t, kTopSlots * kShapeWords + kTopSlots> mine;    // NOLINT: filled right below
  std::array<std::int64_t, kTopSlots * kShapeWords + kTopSlots> theirs;  // NOLINT
  const std::size_t bytes = 8UL * (run.slots + kTopSlots);
  std::memcpy(mine.data(), into + run.at, bytes);
  std::memcpy(theirs.data(), from + run.at, bytes);
  const TopFour top{mine.data(), mine.data() + run.slots, run.slots / kTopSlots};
  if (rule == Rule::kRanks) merge_ranks(top, theirs.data(), theirs.data() + run.slots);
  else merge_totals(top, theirs.data(), theirs.data() + run.slots);
  std::memcpy(into + run.at, mine.data(), bytes);
}

// Before the maxima themselves are folded: a size goes with the longer time, a duration with the larger size.
void FoldPlan::fold_followers(std::byte* into, const std::byte* from) const noexcept {
  for (const Follower& pair : {read_, write_, put_, get_}) {
    if (pair.follower == kNowhere || pair.leader == kNowhere) continue;
    const bool larger = pair.real_leader ? get<double>(from, pair.leader) > get<double>(into, pair.leader)
                                         : get<std::int64_t>(from, pair.leader) > get<std::int64_t>(into, pair.leader);
    if (larger) copy_slot(into, from, pair.follower);
  }
}

void FoldPlan::fold_extremes(std::byte* into, const std::byte* from) const noexcept {
  if (fastest_.time != kNowhere && get<double>(from, fastest_.time) < get<double>(into, fastest_.time)) {
    copy_slot(into, from, fastest_.rank), copy_slot(into, from, fastest_.bytes), copy_slot(into, from, fastest_.time);
  }
  if (slowest_.time != kNowhere && get<double>(from, slowest_.time) > get<double>(into, slowest_.time)) {
    copy_slot(into, from, slowest_.rank), copy_slot(into, from, slowest_.bytes), copy_slot(into, from, slowest_.time);
  }
}

void FoldPlan::combine_ranks(std::byte* into, const std::byte* from, Tops tops) const noexcept {
  fold_followers(into, from);
  fold_extremes(into, from);
  for (const Run& run : std::span(runs_).first(run_count_)) {
    if (tops == Tops::kFour || run.fold != Fold::kTopValues) fold_run(run, into, from, Rule::kRanks);
  }
}

double FoldPlan::rank_time(const std::byte* record) const noexcept {
  const Roles& roles = schema_->roles;
  double time = 0;
  for (const std::size_t slot : {roles.read_time, roles.write_time, roles.meta_time}) {
    if (slot != kNoSlot) time += load<double>(record + schema_->counters_at + 8 * slot);
  }
  return time;
}

std::int64_t FoldPlan::rank_bytes(const std::byte* record) const noexcept {
  const Roles& roles = schema_->roles;
  std::int64_t bytes = 0;
  for (const std::size_t slot : {roles.bytes_read, roles.bytes_written}) {
    if (slot != kNoSlot) bytes = wrap_add(bytes, load<std::int64_t>(record + schema_->counters_at + 8 * slot));
  }
  return bytes;
}

void FoldPlan::prepare_shared(std::byte* record) const noexcept {
  const auto rank = load<std::int64_t>(record + 8);
  for (const Extreme& extreme : {fastest_, slowest_}) {
    if (extreme.rank != kNowhere) store(record + extreme.rank, rank);
    if (extreme.bytes != kNowhere) store(record + extreme.bytes, rank_bytes(record));
    if (extreme.time != kNowhere) store(record + extreme.time, rank_time(record));
  }
  store(record + 8, kSharedRank);
}

void FoldPlan::set_variances(std::byte* record, double time, double bytes) const noexcept {
  if (variance_time_ != kNowhere) store(record + variance_time_, time);
  if (variance_bytes_ != kNowhere) store(record + variance_bytes_, bytes);
}

// A shared record has the count; a rank's own has one value, -1 if it could not be found. What two records have
// together is in neither.
void FoldPlan::total_distinct(std::byte* into, const std::byte* from, bool first) const noexcept {
  const bool shared = load<std::int64_t>(from + 8) == kSharedRank;
  for (const Run& run : std::span(runs_).first(run_count_)) {
    if (run.fold != Fold::kDistinct) continue;
    for (std::size_t at = run.at; at < run.at + 8UL * run.slots; at += 8) {
      const auto value = load<std::int64_t>(from + at);
      const std::int64_t own = value < 0 ? -1 : 1;
      store(into + at, !first ? std::int64_t{-1} : shared ? value : own);
    }
  }
}

// Fastest and slowest mean something only while all records are of one file.
void FoldPlan::total_extremes(std::byte* into, const std::byte* from, bool first, bool same_id) const noexcept {
  const auto rank = load<std::int64_t>(from + 8);
  for (const Extreme& extreme : {fastest_, slowest_}) {
    if (extreme.time == kNowhere) continue;
    if (!same_id) {
      store(into + extreme.rank, std::int64_t{-1}), store(into + extreme.bytes, std::int64_t{-1});
      store(into + extreme.time, 0.0);
      continue;
    }
    const bool shared = rank == kSharedRank;
    const double time = shared ? get<double>(from, extreme.time) : rank_time(from);
    const double held = get<double>(into, extreme.time);
    const bool wins = first || (extreme.rank == fastest_.rank ? time < held : time > held);
    if (!wins) continue;
    store(into + extreme.rank, shared ? get<std::int64_t>(from, extreme.rank) : rank);
    store(into + extreme.bytes, shared ? get<std::int64_t>(from, extreme.bytes) : rank_bytes(from));
    store(into + extreme.time, time);
  }
}

void FoldPlan::combine_totals(std::byte* into, const std::byte* from, bool first) const noexcept {
  bool same_id = true;
  if (first) {
    std::memcpy(into, from, 16);
  } else {
    // An id of 0 says "several files" and stays.
    const auto id = load<std::uint64_t>(into);
    same_id = id != 0 && id == load<std::uint64_t>(from);
    if (!same_id) store(into, std::uint64_t{0});
    if (load<std::int64_t>(into + 8) != load<std::int64_t>(from + 8)) store(into + 8, kSharedRank);
  }
  fold_followers(into, from);
  total_extremes(into, from, first, same_id);
  for (std::size_t i = 0; i < run_count_; ++i) fold_run(runs_[i], into, from, Rule::kTotals);
  if (counts_distinct_) total_distinct(into, from, first);
}

void Spread::add(const Spread& other) noexcept {
  if (other.count == 0) return;
  if (count == 0) {
    *this = other;
    return;
  }
  const double total = count + other.count;
  const double gap = other.count / count * sum - other.sum;
  squares += other.squares + count / (other.count * total) * gap * gap;
  sum += other.sum;
  count = total;
}

}  // namespace trikal

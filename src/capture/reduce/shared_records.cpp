#include "capture/reduce/shared_records.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace trikal::capture {
namespace {

struct Place {
  double time;
  std::uint64_t record;
  friend bool operator<(const Place& a, const Place& b) noexcept {
    return a.time != b.time ? a.time < b.time : a.record < b.record;
  }
};

// Where a record says when its file was first used; 0 if it does not.
std::size_t first_timestamp(const ModuleSchema& schema) noexcept {
  std::size_t at = schema.counters_at;
  for (const Counter& counter : schema.counters) {
    if (counter.kind == Kind::kReal && counter.unit == Unit::kTimestamp) return at;
    at += 8 * counter.width();
  }
  return 0;
}

}  // namespace

double settled_variance(double variance, double ranks) noexcept {
  constexpr int kMantissa = 52, kBias = 1023, kClock = -20;  // powers of two; to_log.cpp has the clock's step
  if (!(variance > 0) || !(ranks >= 1)) return variance;
  const auto power = [](double value) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> kMantissa) - kBias;
  };
  const int size = power(variance);
  if (size == -kBias || size > kBias) return variance;
  const auto half = [](int value) { return value >= 0 ? value / 2 : (value - 1) / 2; };
  const int step = std::min(half(size) + kClock - 1 - half(power(ranks) + 1), kClock);
  const int dropped = step - (size - kMantissa);
  if (dropped <= 0) return variance;
  if (dropped > kMantissa) return std::bit_cast<double>(std::uint64_t(size + kBias) << kMantissa);
  const std::uint64_t unit = std::uint64_t{1} << dropped;
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(variance) + unit / 2) & ~(unit - 1));
}

bool SharedRecords::begin(const IdLists& ids, log::crash::Schemas schemas) noexcept {
  ids_ = &ids, schemas_ = schemas;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < kMostModules; ++i) {
    const std::size_t count = ids.of(i).size();
    if (count > 0 && (i >= schemas.size() || !can_share(*schemas[i]))) return false;
    const std::size_t stride = count > 0 ? sizeof(State) + schemas[i]->head_bytes : 0;
    modules_[i] = {bytes, stride, count};
    bytes += count * stride;
  }
  states_.clear();
  if (!states_.grow(bytes)) return false;
  if (bytes > 0) std::memset(states_.all().data(), 0, bytes);
  return true;
}

void SharedRecords::add(const log::crash::Process& process) noexcept {
  for (std::size_t i = 0; i < schemas_.size() && i < kMostModules; ++i) {
    if (modules_[i].count == 0) continue;
    struct Into {
      SharedRecords& records;
      const FoldPlan plan;
      std::size_t module;
    } into{*this, FoldPlan(*schemas_[i]), i};
    log::crash::for_each_record(process, *schemas_[i],
                                {[](void* self, Bytes record) {
                                   const auto& to = *static_cast<Into*>(self);
                                   to.records.add_record(to.plan, to.module, record);
                                 },
                                 &into});
  }
}

void SharedRecords::add_record(const FoldPlan& plan, std::size_t module, Bytes record) noexcept {
  constexpr std::size_t kLargest = 4096;
  const auto ids = ids_->of(module);
  const auto id = load<std::uint64_t>(record.data());
  const auto* found = std::lower_bound(ids.data(), ids.data() + ids.size(), id);
  if (found == ids.data() + ids.size() || *found != id || record.size() > kLargest) return;
  alignas(8) std::byte one[sizeof(State) + kLargest];
  const State state{1, Spread::of(plan.rank_time(record.data())),
                    Spread::of(static_cast<double>(plan.rank_bytes(record.data())))};
  store(one, state);
  std::memcpy(one + sizeof state, record.data(), record.size());
  plan.prepare_shared(one + sizeof state);
  const Module& place = modules_[module];
  combine_one(plan, states_.all().data() + place.at + static_cast<std::size_t>(found - ids.data()) * place.stride, one);
}

void SharedRecords::combine_one(const FoldPlan& plan, std::byte* into, const std::byte* from) noexcept {
  const auto theirs = load<State>(from);
  auto ours = load<State>(into);
  if (theirs.begun == 0) return;
  if (ours.begun == 0) {
    std::memcpy(into, from, sizeof(State) + plan.schema().head_bytes);
    return;
  }
  ours.begun += theirs.begun;
  ours.time.add(theirs.time);
  ours.bytes.add(theirs.bytes);
  store(into, ours);
  plan.combine_ranks(into + sizeof ours, from + sizeof theirs);
}

bool SharedRecords::combine(Bytes message) noexcept {
  if (message.size() != states_.size()) return false;
  for (std::size_t i = 0; i < kMostModules; ++i) {
    const Module& module = modules_[i];
    if (module.count == 0) continue;
    const FoldPlan plan(*schemas_[i]);
    for (std::size_t at = module.at; at < module.at + module.count * module.stride; at += module.stride)
      combine_one(plan, states_.all().data() + at, message.data() + at);
  }
  return true;
}

bool SharedRecords::finish(std::size_t module, Buffer& records) const noexcept {
  records.clear();
  const Module& place = modules_[module];
  if (place.count == 0) return true;
  const FoldPlan plan(*schemas_[module]);
  const std::size_t time_at = first_timestamp(*schemas_[module]);
  Buffer order;
  for (std::size_t i = 0; i < place.count; ++i) {
    const std::byte* from = states_.bytes().data() + place.at + i * place.stride;
    const double time = time_at != 0 ? load<double>(from + sizeof(State) + time_at) : 0;
    if (load<State>(from).begun != 0 && !order.put(Place{time == time ? time : 0, i})) return false;
  }
  const std::span places(reinterpret_cast<Place*>(order.all().data()), order.size() / sizeof(Place));
  std::sort(places.begin(), places.end());
  for (const Place& next : places) {
    const std::byte* from = states_.bytes().data() + place.at + next.record * place.stride;
    const auto state = load<State>(from);
    const std::size_t at = records.size();
    if (!records.append({from + sizeof state, schemas_[module]->head_bytes})) return false;
    plan.set_variances(records.all().data() + at, settled_variance(state.time.variance(), state.time.count),
                       state.bytes.variance());
  }
  return true;
}

}  // namespace trikal::capture

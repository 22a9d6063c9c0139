#include "capture/reduce/shared_records.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "capture/reduce/word_deltas.hpp"

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

static_assert(sizeof(Spread) % 8 == 0);

bool SharedRecords::begin(const IdLists& ids, log::crash::Schemas schemas) noexcept {
  ids_ = &ids, schemas_ = schemas;
  states_.clear();
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < kMostModules; ++i) {
    const std::size_t count = ids.of(i).size();
    modules_[i] = {bytes, 0, count, {}};
    if (count == 0) continue;
    if (i >= schemas.size() || !can_share(*schemas[i]) || schemas[i]->head_bytes > kLargest) return false;
    modules_[i].stride = sizeof(State) + schemas[i]->head_bytes;
    modules_[i].plan.emplace(*schemas[i]);
    bytes += count * modules_[i].stride;
  }
  return true;
}

// Calls use(place, record) for every record of a shared file.
template <class Use>
void SharedRecords::for_each_own(const log::crash::Process& process, std::size_t module,
                                 const Use& use) const noexcept {
  struct Into {
    const IdLists& ids;
    std::size_t module;
    const Use& use;
  } into{*ids_, module, use};
  log::crash::for_each_record(process, *schemas_[module],
                              {[](void* self, Bytes record) {
                                 const auto& to = *static_cast<Into*>(self);
                                 const std::size_t place = to.ids.find(to.module, load<std::uint64_t>(record.data()));
                                 if (place != IdLists::kNowhere) to.use(place, record);
                               },
                               &into});
}

void SharedRecords::make_state(const FoldPlan& plan, Bytes record, std::byte* state) noexcept {
  store(state, State{1, Spread::of(plan.rank_time(record.data())),
                     Spread::of(static_cast<double>(plan.rank_bytes(record.data())))});
  std::memcpy(state + sizeof(State), record.data(), record.size());
  plan.prepare_shared(state + sizeof(State));
}

bool SharedRecords::write_own(const log::crash::Process& process, Buffer& into) const noexcept {
  for (std::size_t i = 0; i < kMostModules; ++i) {
    const Module& module = modules_[i];
    if (!module.plan) continue;
    const FoldPlan& plan = *module.plan;
    const std::size_t head = into.size();
    std::uint64_t rows = 0;
    bool whole = into.put(rows);
    alignas(8) std::array<std::byte, sizeof(State) + kLargest> state;  // NOLINT: filled before it is read
    DeltaWriter writer(module.stride / 8, into);
    for_each_own(process, i, [&](std::size_t place, Bytes record) {
      make_state(plan, record, state.data());
      whole = whole && writer.put(place, state.data());
      ++rows;
    });
    if (!whole) return false;
    store(into.all().data() + head, rows);
  }
  return true;
}

bool SharedRecords::add(const log::crash::Process& process) noexcept {
  std::size_t bytes = 0;
  for (const Module& module : modules_) bytes += module.count * module.stride;
  states_.clear();
  if (!states_.grow(bytes)) return false;
  for (std::size_t i = 0; i < kMostModules; ++i) {
    const Module& module = modules_[i];
    if (!module.plan) continue;
    const FoldPlan& plan = *module.plan;
    std::byte* states = states_.all().data() + module.at;
    for (std::size_t j = 0; j < module.count; ++j) store(states + j * module.stride, std::uint64_t{0});
    for_each_own(process, i, [&](std::size_t place, Bytes record) {
      std::byte* state = states + place * module.stride;
      if (load<std::uint64_t>(state) == 0) return make_state(plan, record, state);
      alignas(8) std::array<std::byte, sizeof(State) + kLargest> other;  // NOLINT: filled right below
      make_state(plan, record, other.data());
      combine_one(plan, state, other.data());
    });
  }
  return true;
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
  for (const Module& module : modules_) {
    if (!module.plan) continue;
    const FoldPlan& plan = *module.plan;
    if (message.size() < 8) return false;
    const auto rows = load<std::uint64_t>(message.data());
    message = message.subspan(8);
    DeltaReader reader(module.stride / 8);
    for (std::uint64_t i = 0; i < rows; ++i) {
      std::uint64_t place = 0;
      if (!reader.next(message, place) || place >= module.count) return false;
      combine_one(plan, states_.all().data() + module.at + place * module.stride, reader.row());
    }
  }
  return message.empty();
}

bool SharedRecords::write(Buffer& into) const noexcept {
  for (const Module& module : modules_) {
    if (!module.plan) continue;
    const std::size_t head = into.size();
    std::uint64_t rows = 0;
    bool whole = into.put(rows);
    DeltaWriter writer(module.stride / 8, into);
    for (std::size_t i = 0; i < module.count && whole; ++i) {
      const std::byte* state = states_.bytes().data() + module.at + i * module.stride;
      if (load<State>(state).begun == 0) continue;
      whole = writer.put(i, state);
      ++rows;
    }
    if (!whole) return false;
    store(into.all().data() + head, rows);
  }
  return true;
}

bool SharedRecords::finish(std::size_t module, Buffer& records) const noexcept {
  records.clear();
  const Module& place = modules_[module];
  if (!place.plan) return true;
  const FoldPlan& plan = *place.plan;
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

#include "capture/reduce/shared_records.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "capture/reduce/word_deltas.hpp"

namespace trikal::capture {
namespace {

struct ByTime {
  double time;
  std::uint64_t record;
  friend bool operator<(const ByTime& a, const ByTime& b) noexcept {
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
  std::array<std::size_t, kMostModules> files{};
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < kMostModules; ++i) {
    const std::size_t count = ids.of(i).size();
    modules_[i] = {bytes, 0, count, {}};
    if (count == 0) continue;
    if (i >= schemas.size() || !can_share(*schemas[i]) || schemas[i]->head_bytes > kLargest) return false;
    modules_[i].stride = sizeof(State) + schemas[i]->head_bytes;
    modules_[i].plan.emplace(*schemas[i]);
    files[i] = count;
    bytes += count * modules_[i].stride;
  }
  values_.begin(files);
  return true;
}

// Calls use(index, record) for every record of a shared file.
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
                                 const std::size_t index = to.ids.find(to.module, load<std::uint64_t>(record.data()));
                                 if (index != IdLists::kNowhere) to.use(index, record);
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
  OwnValues values;
  for (std::size_t i = 0; i < kMostModules; ++i) {
    const Module& module = modules_[i];
    if (!module.plan) continue;
    const FoldPlan& plan = *module.plan;
    const std::size_t head = into.size();
    std::uint64_t rows = 0;
    bool whole = values.find(process, *schemas_[i], *ids_, i, plan) && into.put(rows);
    alignas(8) std::array<std::byte, sizeof(State) + kLargest> state;  // NOLINT: filled before it is read
    DeltaWriter writer(module.stride / 8, into);
    for_each_own(process, i, [&](std::size_t index, Bytes record) {
      make_state(plan, record, state.data());
      values.clear_slots(index, plan, state.data() + sizeof(State));
      whole = whole && writer.put(index, state.data());
      ++rows;
    });
    if (!whole) return false;
    store(into.all().data() + head, rows);
    if (!SharedValues::write_own(values, into)) return false;
  }
  return true;
}

bool SharedRecords::add(const log::crash::Process& process) noexcept {
  std::size_t bytes = 0;
  for (const Module& module : modules_) bytes += module.count * module.stride;
  states_.clear();
  if (!states_.grow(bytes)) return false;
  OwnValues values;
  for (std::size_t i = 0; i < kMostModules; ++i) {
    const Module& module = modules_[i];
    if (!module.plan) continue;
    const FoldPlan& plan = *module.plan;
    for (std::size_t j = 0; j < module.count; ++j) store(state_of(module, j), std::uint64_t{0});
    bool whole = values.find(process, *schemas_[i], *ids_, i, plan);
    for_each_own(process, i, [&](std::size_t index, Bytes record) {
      alignas(8) std::array<std::byte, sizeof(State) + kLargest> own;  // NOLINT: filled right below
      make_state(plan, record, own.data());
      values.clear_slots(index, plan, own.data() + sizeof(State));
      whole = whole && combine_one(i, index, own.data());
    });
    if (!whole || !values_.add_own(i, values)) return false;
  }
  return true;
}

bool SharedRecords::combine_one(std::size_t module, std::size_t index, const std::byte* from) noexcept {
  const FoldPlan& plan = *modules_[module].plan;
  std::byte* into = state_of(modules_[module], index);
  const auto theirs = load<State>(from);
  auto ours = load<State>(into);
  if (theirs.begun == 0) return true;
  if (ours.begun == 0) {
    std::memcpy(into, from, sizeof(State) + plan.schema().head_bytes);
    return true;
  }
  ours.begun += theirs.begun;
  ours.time.add(theirs.time);
  ours.bytes.add(theirs.bytes);
  store(into, ours);
  into += sizeof ours, from += sizeof theirs;
  plan.combine_ranks(into, from, FoldPlan::Tops::kLeftOut);
  for (std::size_t i = 0; i < plan.tops().size(); ++i) {
    if (!add_rank_values(plan.tops()[i], into, from, values_.table(module, index, i))) return false;
  }
  return true;
}

bool SharedRecords::combine(Bytes message) noexcept {
  for (std::size_t i = 0; i < kMostModules; ++i) {
    const Module& module = modules_[i];
    if (!module.plan) continue;
    if (message.size() < 8) return false;
    const auto rows = load<std::uint64_t>(message.data());
    message = message.subspan(8);
    DeltaReader reader(module.stride / 8);
    for (std::uint64_t row = 0; row < rows; ++row) {
      std::uint64_t index = 0;
      if (!reader.next(message, index) || index >= module.count || !combine_one(i, index, reader.row())) return false;
    }
    if (!values_.combine(i, *module.plan, message)) return false;
  }
  return message.empty();
}

bool SharedRecords::write(Buffer& into) const noexcept {
  for (std::size_t i = 0; i < kMostModules; ++i) {
    const Module& module = modules_[i];
    if (!module.plan) continue;
    const std::size_t head = into.size();
    std::uint64_t rows = 0;
    bool whole = into.put(rows);
    DeltaWriter writer(module.stride / 8, into);
    for (std::size_t index = 0; index < module.count && whole; ++index) {
      const std::byte* state = states_.bytes().data() + module.at + index * module.stride;
      if (load<State>(state).begun == 0) continue;
      whole = writer.put(index, state);
      ++rows;
    }
    if (!whole) return false;
    store(into.all().data() + head, rows);
    if (!values_.write(i, *module.plan, into)) return false;
  }
  return true;
}

bool SharedRecords::finish(std::size_t module, Buffer& records) noexcept {
  records.clear();
  const Module& shared = modules_[module];
  if (!shared.plan) return true;
  const FoldPlan& plan = *shared.plan;
  const std::size_t time_at = first_timestamp(*schemas_[module]);
  Buffer order;
  for (std::size_t i = 0; i < shared.count; ++i) {
    const std::byte* from = states_.bytes().data() + shared.at + i * shared.stride;
    const double time = time_at != 0 ? load<double>(from + sizeof(State) + time_at) : 0;
    if (load<State>(from).begun != 0 && !order.put(ByTime{time == time ? time : 0, i})) return false;
  }
  const std::span ordered(reinterpret_cast<ByTime*>(order.all().data()), order.size() / sizeof(ByTime));
  std::sort(ordered.begin(), ordered.end());
  for (const ByTime& next : ordered) {
    const std::byte* from = states_.bytes().data() + shared.at + next.record * shared.stride;
    const auto state = load<State>(from);
    const std::size_t at = records.size();
    if (!records.append({from + sizeof state, schemas_[module]->head_bytes})) return false;
    for (std::size_t i = 0; i < plan.tops().size(); ++i) {
      if (!cut_to_four(plan.tops()[i], records.all().data() + at, values_.table(module, next.record, i))) return false;
    }
    plan.set_variances(records.all().data() + at, settled_variance(state.time.variance(), state.time.count),
                       state.bytes.variance());
  }
  return true;
}

}  // namespace trikal::capture

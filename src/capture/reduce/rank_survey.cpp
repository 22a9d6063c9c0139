#include "capture/reduce/rank_survey.hpp"

#include <algorithm>
#include <cstring>

#include "log/crash/process_table.hpp"

namespace trikal::capture {
namespace {

constexpr double kNanosecond = 1e-9;

// Two of one id would make a file look as if two ranks had used it: such files are nobody's but the rank's.
std::size_t sort_unique(std::uint64_t* begin, std::size_t count) noexcept {
  std::sort(begin, begin + count);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count;) {
    std::size_t next = i + 1;
    while (next < count && begin[next] == begin[i]) ++next;
    if (next == i + 1) begin[kept++] = begin[i];
    i = next;
  }
  return kept;
}

void widen(TimeGrid& grid, const TimeGrid& other, double later) noexcept {
  if (!(other.width > 0)) return;  // nobody there counted by time
  grid.width = std::max(grid.width, other.width);
  grid.end = std::max(grid.end, other.end + later);
  grid.bins = std::max(grid.bins, other.bins);
}

void add_bytes(const log::crash::MapView& map, Member& member) noexcept {
  map.for_each_chunk([&](const log::crash::Chunk& chunk, Bytes slots) {
    const bool records = log::crash::holds_records(chunk);
    const bool traced = chunk.kind == log::crash::ChunkKind::kTrace || chunk.kind == log::crash::ChunkKind::kTraced;
    if (records || traced || chunk.kind == log::crash::ChunkKind::kNames) member.bytes += slots.size();
    if (records) member.records += slots.size() / std::max<std::uint32_t>(chunk.stride, 1);
  });
}

}  // namespace

Observers::Observers(std::span<const ModuleHooks> hooks) noexcept {
  for (const ModuleHooks& hook : hooks) {
    if (count == kMostModules) return;
    schemas[count] = hook.schema;
    timelines[count++] = hook.timeline;
  }
}

bool can_share(const ModuleSchema& schema) noexcept {
  if (schema.shape != Shape::kFixed || schema.live != nullptr || schema.roles.meta_time == kNoSlot) return false;
  // The number of different values needs the values of all ranks at once, which a tree does not have.
  return std::ranges::none_of(schema.counters, [](const Counter& counter) { return counter.fold == Fold::kDistinct; });
}

double seconds(const Moment& moment) noexcept {
  return static_cast<double>(moment.sec) + static_cast<double>(moment.nsec) * kNanosecond;
}

bool is_plausible(const TimeGrid& grid) noexcept {
  constexpr double kLongest = 1e12;
  constexpr std::int64_t kMostBins = 1 << 20;
  return grid.width >= 0 && grid.width < kLongest && grid.end >= 0 && grid.end < kLongest && grid.bins >= 0 &&
         grid.bins <= kMostBins;
}

std::size_t IdLists::begin_of(std::size_t module) const noexcept {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < module; ++i) begin += static_cast<std::size_t>(counts_[i]);
  return begin;
}

std::span<const std::uint64_t> IdLists::of(std::size_t module) const noexcept {
  const auto* all = reinterpret_cast<const std::uint64_t*>(ids_.bytes().data());
  return {all + begin_of(module), static_cast<std::size_t>(counts_[module])};
}

std::size_t IdLists::slot_of(std::size_t module, std::uint64_t id) const noexcept {
  return static_cast<std::size_t>(((id + module) * 0x9e3779b97f4a7c15) >> 32) & mask_;
}

void IdLists::index() noexcept {
  std::size_t slots = 64;
  while (slots < ids_.size() / 4) slots *= 2;
  slots_.clear();
  if (ids_.size() == 0 || ids_.size() / 8 >= UINT32_MAX || !slots_.grow(4 * slots)) return;
  mask_ = slots - 1;
  auto* indexes = reinterpret_cast<std::uint32_t*>(slots_.all().data());
  std::memset(indexes, 0, 4 * slots);
  std::uint32_t number = 0;
  for (std::size_t module = 0; module < kMostModules; ++module) {
    for (const std::uint64_t id : of(module)) {
      std::size_t at = slot_of(module, id);
      while (indexes[at] != 0) at = (at + 1) & mask_;
      indexes[at] = ++number;
    }
  }
}

std::size_t IdLists::find(std::size_t module, std::uint64_t id) const noexcept {
  if (counts_[module] == 0) return kNowhere;
  const auto list = of(module);
  if (slots_.size() == 0) {
    const auto found = std::ranges::lower_bound(list, id);
    return found != list.end() && *found == id ? static_cast<std::size_t>(found - list.begin()) : kNowhere;
  }
  const auto* indexes = reinterpret_cast<const std::uint32_t*>(slots_.bytes().data());
  const std::size_t begin = begin_of(module);
  for (std::size_t at = slot_of(module, id); indexes[at] != 0; at = (at + 1) & mask_) {
    const std::size_t found = indexes[at] - std::size_t{1} - begin;  // huge if it is another module's
    if (found < list.size() && list[found] == id) return found;
  }
  return kNowhere;
}

bool IdLists::contains(std::size_t module, std::uint64_t id) const noexcept { return find(module, id) != kNowhere; }

bool IdLists::contains(std::uint64_t id) const noexcept {
  for (std::size_t module = 0; module < kMostModules; ++module) {
    if (contains(module, id)) return true;
  }
  return false;
}

bool IdLists::set_own(const log::crash::Process& process, log::crash::Schemas schemas) noexcept {
  clear();
  for (std::size_t module = 0; module < schemas.size() && module < kMostModules; ++module) {
    if (!can_share(*schemas[module])) continue;
    const std::size_t begin = ids_.size();
    bool whole = true;
    log::crash::for_each_slot(*process.map, *schemas[module],
                              [&](const std::byte* slot) { whole = whole && ids_.append({slot, 8}); });
    if (!whole) return clear(), false;
    auto* ids = reinterpret_cast<std::uint64_t*>(ids_.all().data() + begin);
    counts_[module] = sort_unique(ids, (ids_.size() - begin) / 8);
    ids_.shrink(begin + 8 * static_cast<std::size_t>(counts_[module]));
  }
  return true;
}

bool IdLists::set(std::span<const std::uint64_t, kMostModules> counts, Bytes ids) noexcept {
  clear();
  std::uint64_t left = ids.size() / 8;
  if (ids.size() % 8 != 0) return false;
  for (const std::uint64_t count : counts) {
    if (count > left) return false;
    left -= count;
  }
  if (left != 0 || !ids_.append(ids)) return false;
  std::ranges::copy(counts, counts_.begin());
  for (std::size_t module = 0; module < kMostModules; ++module) {
    const auto list = of(module);
    if (std::ranges::adjacent_find(list, [](std::uint64_t a, std::uint64_t b) { return a >= b; }) != list.end())
      return clear(), false;
  }
  return true;
}

void IdLists::intersect(const IdLists& other) noexcept {
  slots_.clear();
  auto* out = reinterpret_cast<std::uint64_t*>(ids_.all().data());
  std::size_t total = 0, begin = 0;
  for (std::size_t module = 0; module < kMostModules; ++module) {
    const auto count = static_cast<std::size_t>(counts_[module]);
    const auto theirs = other.of(module);
    std::size_t kept = 0, at = 0;
    for (std::size_t i = begin; i < begin + count; ++i) {
      while (at < theirs.size() && theirs[at] < out[i]) ++at;
      if (at < theirs.size() && theirs[at] == out[i]) out[total + kept++] = out[i];
    }
    begin += count;
    total += kept;
    counts_[module] = kept;
  }
  ids_.shrink(8 * total);
}

void IdLists::clear() noexcept {
  counts_.fill(0);
  slots_.clear();
  ids_.clear();
}

bool Survey::count(const log::crash::Process& process, const Observers& observers) noexcept {
  const log::crash::JobFacts& job = process.map->header().job;
  head.ranks = 1;
  head.start = {job.start_sec, job.start_nsec}, head.end = {job.end_sec, job.end_nsec};
  const auto member = static_cast<std::size_t>(process.rank % kBlock);
  head.present = Part{1} << member;
  add_bytes(*process.map, head.members[member]);
  for (std::size_t module = 0; module < observers.count; ++module) {
    if (log::crash::has_module(*process.map, *observers.schemas[module])) head.modules |= std::uint64_t{1} << module;
    if (observers.timelines[module] == nullptr) continue;
    struct Look {
      TimeGrid& grid;
      const Timeline& timeline;
    } look{head.grid, *observers.timelines[module]};
    log::crash::for_each_record({process.map, process.rank, 0}, *observers.schemas[module],
                                {[](void* self, Bytes record) {
                                   const auto& at = *static_cast<Look*>(self);
                                   at.timeline.survey(record, 0, at.grid);
                                 },
                                 &look});
  }
  return ids.set_own(process, observers.all());
}

bool Survey::merge(Bytes message, const Rule& rule) noexcept {
  if (message.size() < sizeof(SurveyHead)) return false;
  const auto theirs = load<SurveyHead>(message.data());
  IdLists lists;
  if (!lists.set(theirs.ids, message.subspan(sizeof theirs)) || theirs.ranks < 1) return false;
  if (!is_plausible(theirs.grid)) return false;
  const Moment start = std::min(head.start, theirs.start);
  TimeGrid grid;
  widen(grid, head.grid, seconds(head.start) - seconds(start));
  widen(grid, theirs.grid, seconds(theirs.start) - seconds(start));
  head.grid = grid;
  head.start = start, head.end = std::max(head.end, theirs.end);
  head.ranks += theirs.ranks;
  head.wait_limit = std::min(head.wait_limit, theirs.wait_limit);
  head.modules |= theirs.modules;
  for (std::size_t i = 0; rule.same_block && i < kBlock; ++i) {
    if (((theirs.present >> i) & 1) != 0) head.members[i] = theirs.members[i];
  }
  if (rule.same_block) head.present |= theirs.present;
  if (rule.first && !rule.share_own) return ids.set(theirs.ids, message.subspan(sizeof theirs));
  ids.intersect(lists);
  return true;
}

bool Survey::write(Buffer& into) noexcept {
  std::ranges::copy(ids.counts(), head.ids.begin());
  return into.put(head) && into.append(ids.bytes());
}

}  // namespace trikal::capture

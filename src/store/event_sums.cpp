#include "store/event_sums.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "store/store.hpp"

namespace trikal::storage {
namespace {

// What a program claims may be any number.
std::int64_t sum_of(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace

void EventSum::add(std::int64_t duration, std::int64_t length, bool sizes) {
  ++calls, bytes += static_cast<std::uint64_t>(std::max<std::int64_t>(0, length));
  nanoseconds = sum_of(nanoseconds, duration);
  if (!sizes) return;
  longest = std::max(longest, duration), durations.add(duration);
  if (length > 0) lengths.add(length);
}

void EventSum::add(const EventSum& more) {
  calls += more.calls, bytes += more.bytes, nanoseconds = sum_of(nanoseconds, more.nanoseconds);
  longest = std::max(longest, more.longest);
  durations.add(more.durations), lengths.add(more.lengths);
}

std::size_t EventSums::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = key.file ^ key.address;
  const auto mix = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL, hash ^= hash >> 29; };
  mix(static_cast<std::uint64_t>(key.slice)), mix(static_cast<std::uint64_t>(key.rank));
  mix(static_cast<std::uint64_t>(key.process)), mix(std::uint64_t{key.thread} << 32 | key.object);
  mix(std::uint64_t{key.interface} << 32 | key.call);
  return static_cast<std::size_t>(hash);
}

std::uint32_t EventSums::Texts::number_of(std::string_view text) {
  if (!numbers_.empty() && text == last_) return last_number_;
  auto found = numbers_.find(text);
  if (found == numbers_.end())
    found = numbers_.emplace(std::string(text), static_cast<std::uint32_t>(numbers_.size())).first;
  last_ = found->first, last_number_ = found->second;
  return last_number_;
}

std::vector<std::uint32_t> EventSums::Texts::positions() const {
  std::vector<std::uint32_t> positions(numbers_.size());
  std::uint32_t position = 0;
  for (const auto& [text, number] : numbers_) positions[number] = position++;
  return positions;
}

EventSums::Key EventSums::key_of(const StoredEvent& event) {
  const auto part = [this](EventBy by, auto value) { return by_.has(by) ? value : decltype(value){}; };
  const auto text = [this](EventBy by, std::string_view value) { return by_.has(by) ? value : std::string_view(); };
  // Rounded down, also before the origin.
  const std::int64_t distance = event.time - by_.origin, width = std::max<std::int64_t>(1, by_.width);
  const bool by_process = by_.has(EventBy::kProcess) || by_.has(EventBy::kThread);
  return {.slice = part(EventBy::kTime, distance / width - (distance % width < 0 ? 1 : 0)),
          .rank = part(EventBy::kRank, event.rank),
          .process = by_process ? event.process_row : 0,
          .thread = part(EventBy::kThread, event.thread),
          .interface = interfaces_.number_of(text(EventBy::kInterface, event.interface)),
          .call = calls_.number_of(text(EventBy::kCall, event.operation)),
          .object = objects_.number_of(text(EventBy::kSite, event.object)),
          .file = part(EventBy::kFile, event.file),
          .address = part(EventBy::kSite, event.address)};
}

EventGroup& EventSums::group_of(const StoredEvent& event) {
  const Key key = key_of(event);
  const auto [found, is_new] = index_.try_emplace(key, groups_.size());
  if (!is_new) return groups_[found->second].group;
  const auto text = [this](EventBy by, std::string_view value) { return std::string(by_.has(by) ? value : ""); };
  groups_.push_back(
      {key,
       {.begin = by_.has(EventBy::kTime) ? by_.origin + key.slice * std::max<std::int64_t>(1, by_.width) : 0,
        .rank = key.rank,
        .process = key.process,
        .pid = by_.has(EventBy::kProcess) || by_.has(EventBy::kThread) ? event.pid : 0,
        .thread = key.thread,
        .interface = text(EventBy::kInterface, event.interface),
        .call = text(EventBy::kCall, event.operation),
        .file = text(EventBy::kFile, event.file_name),
        .object = text(EventBy::kSite, event.object),
        .address = key.address,
        .sum = {}}});
  return groups_.back().group;
}

void EventSums::add(const StoredEvent& event) { group_of(event).sum.add(event.duration, event.length, by_.sizes); }
void EventSums::add(const StoredEvent& event, const EventSum& sum) {
  EventSum& to = group_of(event).sum;
  if (by_.sizes) return to.add(sum);
  to.calls += sum.calls, to.bytes += sum.bytes, to.nanoseconds = sum_of(to.nanoseconds, sum.nanoseconds);
}

std::vector<EventGroup> EventSums::take() {
  const auto interfaces = interfaces_.positions(), calls = calls_.positions(), objects = objects_.positions();
  const auto order = [&](std::uint32_t group) {
    const Key& key = groups_[group].key;
    return std::tuple(key.slice, key.rank, key.process, key.thread, interfaces[key.interface], calls[key.call],
                      key.file, objects[key.object], key.address);
  };
  // Their numbers are sorted: a group has hundreds of bytes.
  std::vector<std::uint32_t> numbers(groups_.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::ranges::sort(numbers, {}, order);
  std::vector<EventGroup> groups;
  groups.reserve(groups_.size());
  for (const std::uint32_t number : numbers) groups.push_back(std::move(groups_[number].group));
  groups_.clear(), index_.clear();
  return groups;
}

Result<std::vector<EventGroup>> Store::event_sums(const EventQuery& query, const EventGrouping& grouping) {
  EventSums sums(grouping);
  const Status read = events(query, [&](const StoredEvent& event) { return sums.add(event), true; });
  if (!read) return read.error();
  return sums.take();
}

}  // namespace trikal::storage

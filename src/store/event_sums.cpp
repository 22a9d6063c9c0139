#include "store/event_sums.hpp"

#include <algorithm>
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

std::uint64_t EventSums::hash_of(const Key& key) {
  std::uint64_t hash = key.file ^ key.address;
  const auto mix = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL, hash ^= hash >> 29; };
  mix(static_cast<std::uint64_t>(key.slice)), mix(static_cast<std::uint64_t>(key.rank));
  mix(static_cast<std::uint64_t>(key.process)), mix(std::uint64_t{key.thread} << 32 | key.object);
  mix(std::uint64_t{key.interface} << 32 | key.call);
  return hash;
}

std::uint32_t EventSums::Texts::number_of(std::string_view text) {
  if (!texts_.empty() && text == last_) return last_number_;
  auto found = numbers_.find(text);
  if (found == numbers_.end()) {
    found = numbers_.emplace(std::string(text), static_cast<std::uint32_t>(numbers_.size())).first;
    texts_.push_back(&found->first);
  }
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

// Where the group is, or would be.
std::size_t EventSums::slot_of(const Key& key, std::uint64_t hash) const {
  std::size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot] != 0) {
    const Group& known = groups_[slots_[slot] - 1];
    if (known.hash == hash && known.key == key) break;
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

void EventSums::grow() {
  constexpr std::size_t kLeast = 256;
  std::vector<std::uint32_t> larger(std::max(kLeast, 4 * slots_.size()));
  slots_.swap(larger);
  for (std::size_t i = 0; i < groups_.size(); ++i)
    slots_[slot_of(groups_[i].key, groups_[i].hash)] = static_cast<std::uint32_t>(i + 1);
}

std::size_t EventSums::group_of(const StoredEvent& event) {
  if (2 * groups_.size() >= slots_.size()) grow();
  const Key key = key_of(event);
  const std::uint64_t hash = hash_of(key);
  std::uint32_t& slot = slots_[slot_of(key, hash)];
  if (slot != 0) return slot - 1;
  groups_.push_back({.key = key,
                     .hash = hash,
                     .pid = by_.has(EventBy::kProcess) || by_.has(EventBy::kThread) ? event.pid : 0,
                     .file_name = files_.number_of(by_.has(EventBy::kFile) ? event.file_name : std::string_view())});
  if (by_.sizes) sizes_.emplace_back();
  slot = static_cast<std::uint32_t>(groups_.size());
  return slot - 1;
}

void EventSums::add(const StoredEvent& event) {
  EventSum one;
  one.add(event.duration, event.length, by_.sizes);
  add(event, one);
}

void EventSums::add(const StoredEvent& event, const EventSum& sum) {
  const std::size_t number = group_of(event);
  Group& to = groups_[number];
  to.calls += sum.calls, to.bytes += sum.bytes, to.nanoseconds = sum_of(to.nanoseconds, sum.nanoseconds);
  if (by_.sizes) sizes_[number].add(sum);
}

EventGroup EventSums::answer(std::uint32_t number) {
  const Group& group = groups_[number];
  const Key& key = group.key;
  EventGroup answer{
      .begin = by_.has(EventBy::kTime) ? by_.origin + key.slice * std::max<std::int64_t>(1, by_.width) : 0,
      .rank = key.rank,
      .process = key.process,
      .pid = group.pid,
      .thread = key.thread,
      .interface = interfaces_.text_of(key.interface),
      .call = calls_.text_of(key.call),
      .file = files_.text_of(group.file_name),
      .object = objects_.text_of(key.object),
      .address = key.address,
      .sum = {}};
  if (by_.sizes) answer.sum = std::move(sizes_[number]);
  answer.sum.calls = group.calls, answer.sum.bytes = group.bytes, answer.sum.nanoseconds = group.nanoseconds;
  return answer;
}

// What mostly decides is side by side.
std::vector<std::uint32_t> EventSums::in_order() const {
  struct Entry {
    std::int64_t slice, rank, process;
    std::uint32_t thread, group;
  };
  const auto interfaces = interfaces_.positions(), calls = calls_.positions(), objects = objects_.positions();
  const auto rest = [&](const Entry& entry) {
    const Key& key = groups_[entry.group].key;
    return std::tuple(interfaces[key.interface], calls[key.call], key.file, objects[key.object], key.address);
  };
  std::vector<Entry> entries;
  entries.reserve(groups_.size());
  for (const Group& group : groups_)
    entries.push_back({group.key.slice, group.key.rank, group.key.process, group.key.thread,
                       static_cast<std::uint32_t>(entries.size())});
  std::ranges::sort(entries, [&](const Entry& a, const Entry& b) {
    const auto first =
        std::tie(a.slice, a.rank, a.process, a.thread) <=> std::tie(b.slice, b.rank, b.process, b.thread);
    return first == 0 ? rest(a) < rest(b) : first < 0;
  });
  std::vector<std::uint32_t> order;
  order.reserve(entries.size());
  for (const Entry& entry : entries) order.push_back(entry.group);
  return order;
}

std::vector<EventGroup> EventSums::take() {
  std::vector<EventGroup> groups;
  groups.reserve(groups_.size());
  for (const std::uint32_t number : in_order()) groups.push_back(answer(number));
  groups_.clear(), slots_.clear(), sizes_.clear();
  return groups;
}

Result<std::vector<EventGroup>> Store::event_sums(const EventQuery& query, const EventGrouping& grouping) {
  EventSums sums(grouping);
  const Status read = events(query, [&](const StoredEvent& event) { return sums.add(event), true; });
  if (!read) return read.error();
  return sums.take();
}

}  // namespace trikal::storage

#include "store/event_sums.hpp"

#include <algorithm>

#include "store/store.hpp"

namespace trikal::storage {
namespace {

// What a program claims may be any number.
std::int64_t sum_of(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace

void EventSum::add(std::int64_t duration, std::int64_t length) {
  ++calls, bytes += static_cast<std::uint64_t>(std::max<std::int64_t>(0, length));
  nanoseconds = sum_of(nanoseconds, duration), longest = std::max(longest, duration);
  durations.add(duration);
  if (length > 0) lengths.add(length);
}

void EventSum::add(const EventSum& more) {
  calls += more.calls, bytes += more.bytes, nanoseconds = sum_of(nanoseconds, more.nanoseconds);
  longest = std::max(longest, more.longest);
  durations.add(more.durations), lengths.add(more.lengths);
}

EventGroup& EventSums::group_of(const StoredEvent& event) {
  const auto part = [this](EventBy by, auto value) { return by_.has(by) ? value : decltype(value){}; };
  const auto text = [this](EventBy by, std::string_view value) { return by_.has(by) ? value : std::string_view(); };
  // Rounded down, also before the origin.
  const std::int64_t distance = event.time - by_.origin, width = std::max<std::int64_t>(1, by_.width);
  const std::int64_t slice = part(EventBy::kTime, distance / width - (distance % width < 0 ? 1 : 0));
  const bool by_process = by_.has(EventBy::kProcess) || by_.has(EventBy::kThread);
  Key key(slice, part(EventBy::kRank, event.rank), by_process ? event.process_row : 0,
          part(EventBy::kThread, event.thread), text(EventBy::kInterface, event.interface),
          text(EventBy::kCall, event.operation), part(EventBy::kFile, event.file), text(EventBy::kSite, event.object),
          part(EventBy::kSite, event.address));
  if (last_ != nullptr && key == last_key_) return *last_;
  const auto [found, is_new] = groups_.try_emplace(key);
  if (is_new) {
    found->second = {.begin = by_.has(EventBy::kTime) ? by_.origin + slice * width : 0,
                     .rank = std::get<1>(key),
                     .process = std::get<2>(key),
                     .pid = by_process ? event.pid : 0,
                     .thread = std::get<3>(key),
                     .interface = std::get<4>(key),
                     .call = std::get<5>(key),
                     .file = std::string(text(EventBy::kFile, event.file_name)),
                     .object = std::get<7>(key),
                     .address = std::get<8>(key),
                     .sum = {}};
  }
  last_key_ = std::move(key), last_ = &found->second;
  return *last_;
}

void EventSums::add(const StoredEvent& event) { group_of(event).sum.add(event.duration, event.length); }
void EventSums::add(const StoredEvent& event, const EventSum& sum) { group_of(event).sum.add(sum); }

std::vector<EventGroup> EventSums::take() {
  std::vector<EventGroup> groups;
  for (auto& [key, group] : groups_) groups.push_back(std::move(group));
  groups_.clear(), last_ = nullptr;
  return groups;
}

Result<std::vector<EventGroup>> Store::event_sums(const EventQuery& query, const EventGrouping& grouping) {
  EventSums sums(grouping);
  const Status read = events(query, [&](const StoredEvent& event) { return sums.add(event), true; });
  if (!read) return read.error();
  return sums.take();
}

}  // namespace trikal::storage

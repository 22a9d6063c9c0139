#pragma once
// Single events for the page: a table of them, how long they took and how large they were, and how many there are.

#include "serve/parameters.hpp"
#include "store/store.hpp"

namespace trikal::serve {

// As the store understands it; an error where there is no such run or process.
[[nodiscard]] Result<storage::EventQuery> event_query(storage::Panels& panels, const EventRequest& asked);

enum class EventOrder : std::uint8_t { kTime, kDuration };

// time, duration, rank, pid, thread, interface, operation, file, offset, length, site: times in nanoseconds. The first `most` by the time
// they began, or those that took longest.
[[nodiscard]] Result<storage::Table> event_rows(storage::Store& store, const storage::EventQuery& query,
                                                std::size_t most, EventOrder order = EventOrder::kTime);

// Their times since a second, instead of since 1970.
void count_from(storage::Table& events, std::int64_t second);

// operation, measure ("duration", "length"), least, count, and for each operation rows "p50", "p90", "p99", "max" of the duration. A
// bucket reaches from `least` to the next power of two; percentiles are right to a sixteenth of themselves. Those of
// all operations together have an empty name.
[[nodiscard]] Result<storage::Table> event_distribution(storage::Store& store, const storage::EventQuery& query);

}  // namespace trikal::serve

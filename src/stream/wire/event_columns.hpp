#pragma once
// Events as bytes, one column behind the other: the difference of each value from the one before, in as few bytes as it needs.
// Batches have them so, and chunks of the store inside of their compression. Format: docs/formats/stream.md.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "stream/wire/ring.hpp"

namespace trikal::stream {

enum class EventColumn : std::uint8_t {
  kBegin,
  kDuration,
  kOffset,
  kLength,
  kFile,
  kCallSite,
  kThread,
  kRank,
  kOperation,
  kSequence,
  // Only where details are asked for.
  kHighestRead,
  kHighestWritten,
  kSwitches,
  kFlushes,
  kSelected,
  kDatasetElements,
  kPointSelects,
  kRegularSelects,
  kIrregularSelects,
  kDimensions,
  kSelection,
  kCount,
};
inline constexpr std::size_t kEventColumns = static_cast<std::size_t>(EventColumn::kCount);
inline constexpr std::size_t kPlainEventColumns = static_cast<std::size_t>(EventColumn::kHighestRead);

// `details`: one for each event, or none.
void append_event_columns(std::vector<std::byte>& out, std::span<const EventRecord> events,
                          std::span<const EventDetails> details);

// Where the columns are. Believes nothing; what values() writes is bounded by the bytes that are there.
class EventColumns {
 public:
  // Fails on what is no such bytes, to the last one.
  static Result<EventColumns> open(Bytes bytes);

  [[nodiscard]] std::size_t count() const { return count_; }  // of events
  [[nodiscard]] bool has_details() const { return columns_ > kPlainEventColumns; }
  // False: the column is damaged. A column that is not there has no values.
  [[nodiscard]] bool values(EventColumn column, std::vector<std::int64_t>& into) const;
  // All of them at once, behind what is there. Details of events that have none are those of EventDetails{}, as soon as any has.
  [[nodiscard]] Status append_to(std::vector<EventRecord>& events, std::vector<EventDetails>& details) const;

 private:
  std::size_t count_ = 0, columns_ = 0;
  std::array<Bytes, kEventColumns> bytes_{};
};

// What an operation that every version of trikal knows is called; others are named by the process that has them.
struct EventOperationName {
  std::string_view interface, word;  // empty: not one of those
};
[[nodiscard]] EventOperationName event_operation_name(std::uint32_t operation);

}  // namespace trikal::stream

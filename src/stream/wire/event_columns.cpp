#include "stream/wire/event_columns.hpp"

#include "log/crash/operation.hpp"
#include "stream/wire/batch_bytes.hpp"

namespace trikal::stream {
namespace {

constexpr std::size_t kLongest = 10;  // bytes of a number

// Calls use(column, member) for each field of the event.
template <class Use>
void for_each_field(const Use& use) {
  use(EventColumn::kBegin, &EventRecord::begin), use(EventColumn::kDuration, &EventRecord::duration);
  use(EventColumn::kOffset, &EventRecord::offset), use(EventColumn::kLength, &EventRecord::length);
  use(EventColumn::kFile, &EventRecord::file), use(EventColumn::kCallSite, &EventRecord::call_site);
  use(EventColumn::kThread, &EventRecord::thread), use(EventColumn::kRank, &EventRecord::rank);
  use(EventColumn::kOperation, &EventRecord::operation), use(EventColumn::kSequence, &EventRecord::sequence);
}

template <class Use>
void for_each_detail(const Use& use) {
  use(EventColumn::kHighestRead, &EventDetails::highest_read);
  use(EventColumn::kHighestWritten, &EventDetails::highest_written);
  use(EventColumn::kSwitches, &EventDetails::switches), use(EventColumn::kFlushes, &EventDetails::flushes);
  use(EventColumn::kSelected, &EventDetails::selected);
  use(EventColumn::kDatasetElements, &EventDetails::dataset_elements);
  use(EventColumn::kPointSelects, &EventDetails::point_selects);
  use(EventColumn::kRegularSelects, &EventDetails::regular_selects);
  use(EventColumn::kIrregularSelects, &EventDetails::irregular_selects);
  use(EventColumn::kDimensions, &EventDetails::dimensions), use(EventColumn::kSelection, &EventDetails::selection);
}

std::byte* put(std::byte* at, std::uint64_t value) {
  for (; value > 0x7f; value >>= 7) *at++ = static_cast<std::byte>(value | 0x80);
  *at++ = static_cast<std::byte>(value);
  return at;
}

// The column's bytes have their length in front: who wants another column passes over them.
template <class Row, class Member>
void append_column(std::vector<std::byte>& out, std::span<const Row> rows, Member member) {
  std::vector<std::byte> column(rows.size() * kLongest);
  std::byte* at = column.data();
  std::uint64_t before = 0;
  for (const Row& row : rows) {
    const auto value = static_cast<std::uint64_t>(static_cast<std::int64_t>(row.*member));
    const std::uint64_t difference = value - before;
    at = put(at, (difference << 1) ^ (0 - (difference >> 63)));
    before = value;
  }
  const auto size = static_cast<std::size_t>(at - column.data());
  std::byte length[kLongest];
  out.insert(out.end(), length, put(length, size));
  out.insert(out.end(), column.data(), at);
}

// One number; false: it does not end, or has more than 64 bits.
bool take(Bytes& from, std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0, at = 0; shift < 64 && at < from.size(); shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(from[at++]);
    if (shift == 63 && byte > 1) return false;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return from = from.subspan(at), true;
  }
  return false;
}

constexpr std::size_t kShort = 4;

// One number of three bytes at most, from at least kShort; false: it is longer.
bool take_short(Bytes& from, std::uint64_t& value) {
  const auto word = load_le<std::uint32_t>(from.data());
  if ((word & 0x80) == 0) return value = word & 0x7f, from = from.subspan(1), true;
  if ((word & 0x8000) == 0) return value = (word & 0x7f) | (word >> 1 & 0x3f80), from = from.subspan(2), true;
  if ((word & 0x800000) != 0) return false;
  value = (word & 0x7f) | (word >> 1 & 0x3f80) | (word >> 2 & 0x1fc000);
  return from = from.subspan(3), true;
}

Error damaged(const char* what) { return {.code = ErrorCode::kDamaged, .what = what}; }

// Fields are narrower than columns: what does not fit was not written by us.
template <class Row, class T>
bool fill(std::span<Row> rows, T Row::* member, std::span<const std::int64_t> values) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].*member = static_cast<T>(values[i]);
    if (static_cast<std::int64_t>(rows[i].*member) != values[i]) return false;
  }
  return true;
}

}  // namespace

void append_event_columns(std::vector<std::byte>& out, std::span<const EventRecord> events,
                          std::span<const EventDetails> details) {
  std::byte number[kLongest];
  out.insert(out.end(), number, put(number, events.size()));
  out.insert(out.end(), number, put(number, details.empty() ? kPlainEventColumns : kEventColumns));
  for_each_field([&](EventColumn, auto member) { append_column(out, events, member); });
  if (!details.empty()) for_each_detail([&](EventColumn, auto member) { append_column(out, details, member); });
}

Result<EventColumns> EventColumns::open(Bytes bytes) {
  EventColumns columns;
  std::uint64_t count = 0, number = 0;
  if (!take(bytes, count) || !take(bytes, number)) return damaged("the events have no head");
  if (number != kPlainEventColumns && number != kEventColumns)
    return damaged("the events have columns of another version");
  // Each value takes a byte at least.
  if (count > bytes.size() / number) return damaged("there are fewer events than said");
  columns.count_ = static_cast<std::size_t>(count), columns.columns_ = static_cast<std::size_t>(number);
  for (std::size_t i = 0; i < columns.columns_; ++i) {
    std::uint64_t length = 0;
    if (!take(bytes, length) || length > bytes.size() || length < count) return damaged("a column of events is cut");
    columns.bytes_[i] = bytes.first(static_cast<std::size_t>(length));
    bytes = bytes.subspan(static_cast<std::size_t>(length));
  }
  if (!bytes.empty()) return damaged("there is more behind the events");
  return columns;
}

bool EventColumns::values(EventColumn column, std::vector<std::int64_t>& into) const {
  const auto at = static_cast<std::size_t>(column);
  into.resize(at < columns_ ? count_ : 0);
  Bytes bytes = bytes_[at];
  std::uint64_t value = 0;
  for (std::int64_t& each : into) {
    std::uint64_t folded = 0;
    // Most numbers have one byte, or two or three.
    if (bytes.size() < kShort || !take_short(bytes, folded)) {
      if (!take(bytes, folded)) return false;
    }
    value += (folded >> 1) ^ (0 - (folded & 1));
    each = static_cast<std::int64_t>(value);
  }
  return bytes.empty();
}

Status EventColumns::append_to(std::vector<EventRecord>& events, std::vector<EventDetails>& details) const {
  const std::size_t first = events.size();
  events.resize(first + count_);
  if (has_details() || !details.empty()) details.resize(events.size());
  std::vector<std::int64_t> column;
  bool ok = true;
  for_each_field([&](EventColumn which, auto member) {
    ok = ok && values(which, column) && fill(std::span(events).subspan(first), member, column);
  });
  if (has_details())
    for_each_detail([&](EventColumn which, auto member) {
      ok = ok && values(which, column) && fill(std::span(details).subspan(first), member, column);
    });
  if (ok) return {};
  events.resize(first);
  if (details.size() > first) details.resize(first);
  return damaged("a column of events is damaged");
}

EventOperationName event_operation_name(std::uint32_t operation) {
  if (operation >= log::crash::kOperations) return {};
  const log::crash::Operation known{operation};
  return {log::crash::interface_of(known), log::crash::word_of(known)};
}

}  // namespace trikal::stream

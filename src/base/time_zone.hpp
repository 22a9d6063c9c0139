#pragma once
// Local time without the C library, whose functions take a lock and allocate: neither may happen where a process ends
// in a signal handler. Reads zones as files have them (TZif, RFC 8536) and as the TZ variable spells them.

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bytes.hpp"

namespace trikal {

// Seconds east of Greenwich at `when` (seconds since 1970). Nothing: `file` is no zone's.
[[nodiscard]] std::optional<std::int64_t> offset_by_file(Bytes file, std::int64_t when) noexcept;
// The same by a rule as POSIX writes it ("CET-1CEST,M3.5.0,M10.5.0/3"). Nothing: `rule` is none.
[[nodiscard]] std::optional<std::int64_t> offset_by_rule(std::string_view rule, std::int64_t when) noexcept;

struct CalendarTime {
  std::int64_t year = 1970;
  int month = 1, day = 1;  // both from 1
  int second = 0;          // of the day
};
// By a clock that shows `seconds` since 1970 and has never heard of zones.
[[nodiscard]] CalendarTime calendar_time(std::int64_t seconds) noexcept;

}  // namespace trikal

#include "base/time_zone.hpp"

#include <bit>
#include <cstring>

#include "base/text.hpp"

namespace trikal {
namespace {

constexpr std::int64_t kDay = 86400, kHour = 3600, kMinute = 60;
constexpr std::int64_t kUntil1970 = 719468;  // days, from the first of March in year 0
constexpr std::int64_t kCycle = 146097;      // days of 400 years

std::int64_t floor_div(std::int64_t value, std::int64_t by) noexcept { return value / by - (value % by < 0 ? 1 : 0); }

bool is_leap(std::int64_t year) noexcept { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

// Days from 1970 to the first of a month. Years are counted from March: then a leap day is their last.
std::int64_t days_until(std::int64_t year, int month) noexcept {
  if (month <= 2) --year;
  const std::int64_t since_march = (month + 9) % 12;
  return 365 * year + floor_div(year, 4) - floor_div(year, 100) + floor_div(year, 400) + (153 * since_march + 2) / 5 -
         kUntil1970;
}

int days_in(std::int64_t year, int month) noexcept {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return kDays[month - 1] + (month == 2 && is_leap(year) ? 1 : 0);
}

// A rule, read from front to back.
class RuleText {
 public:
  explicit RuleText(std::string_view text) noexcept : text_(text) {}

  [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
  bool take(char wanted) noexcept {
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Three letters or more, or anything between < and >.
  bool skip_name() noexcept {
    const bool quoted = take('<');
    std::size_t length = 0;
    while (length < text_.size() && (quoted ? text_[length] != '>' : is_letter(text_[length]))) ++length;
    text_.remove_prefix(length);
    return length >= 3 && (!quoted || take('>'));
  }
  bool number(std::int64_t most, std::int64_t& out) noexcept {
    const std::size_t before = text_.size();
    for (out = 0; !text_.empty() && text_[0] >= '0' && text_[0] <= '9' && out <= most; text_.remove_prefix(1))
      out = 10 * out + (text_[0] - '0');
    return text_.size() < before && out <= most;
  }
  // [+-]hh[:mm[:ss]]
  bool time(std::int64_t most_hours, std::int64_t& out) noexcept {
    const std::int64_t sign = take('-') ? -1 : (take('+'), 1);
    std::int64_t hours = 0, minutes = 0, seconds = 0;
    if (!number(most_hours, hours)) return false;
    if (take(':') && (!number(59, minutes) || (take(':') && !number(59, seconds)))) return false;
    out = sign * (hours * kHour + minutes * kMinute + seconds);
    return true;
  }

 private:
  static bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  std::string_view text_;
};

// When clocks are set: a day of the year and a time on it.
struct Change {
  enum class Kind : std::uint8_t { kDayFromOne, kDayFromZero, kWeekday } kind = Kind::kWeekday;
  std::int64_t day = 0, month = 1, week = 1;
  std::int64_t time = 2 * kHour;

  bool read(RuleText& text) noexcept {
    bool well = false;
    if (text.take('M')) {
      kind = Kind::kWeekday;
      well = text.number(12, month) && month >= 1 && text.take('.') && text.number(5, week) && week >= 1 &&
             text.take('.') && text.number(6, day);
    } else {
      kind = text.take('J') ? Kind::kDayFromOne : Kind::kDayFromZero;
      well = text.number(365, day) && (kind == Kind::kDayFromZero || day >= 1);
    }
    constexpr std::int64_t kMostHours = 167;
    return well && (!text.take('/') || text.time(kMostHours, time));
  }

  // Seconds since 1970 by the clock that is set.
  [[nodiscard]] std::int64_t in(std::int64_t year) const noexcept {
    if (kind == Kind::kWeekday) return kDay * weekday_in(year) + time;
    std::int64_t days = days_until(year, 1) + day;
    // The 29th of February has no number of its own when days are counted from one.
    if (kind == Kind::kDayFromOne) days -= day < 60 || !is_leap(year) ? 1 : 0;
    return kDay * days + time;
  }

 private:
  [[nodiscard]] std::int64_t weekday_in(std::int64_t year) const noexcept {
    const int in_month = static_cast<int>(month);
    const std::int64_t first = days_until(year, in_month);
    constexpr std::int64_t kThursday = 4;  // 1970 began with one
    const std::int64_t weekday = ((first + kThursday) % 7 + 7) % 7;
    std::int64_t date = (day - weekday + 7) % 7 + 7 * (week - 1);
    if (date >= days_in(year, in_month)) date -= 7;  // week 5 is the last, whichever that is
    return first + date;
  }
};

struct Rule {
  std::int64_t standard = 0, summer = 0;  // seconds east
  bool has_summer = false;
  Change begin, end;

  bool read(std::string_view from) noexcept {
    constexpr std::int64_t kMostHours = 24;
    RuleText text(from);
    if (!text.skip_name() || !text.time(kMostHours, standard)) return false;
    standard = -standard;  // the rule counts towards the west
    if (text.empty()) return true;
    if (!text.skip_name()) return false;
    has_summer = true;
    summer = standard + kHour;
    if (std::int64_t west = 0; !text.empty() && !text.take(',')) {
      if (!text.time(kMostHours, west) || (!text.empty() && !text.take(','))) return false;
      summer = -west;
    }
    if (text.empty()) return read_changes(RuleText("M3.2.0,M11.1.0"));  // as every C library has it
    return read_changes(text);
  }

  [[nodiscard]] std::int64_t offset(std::int64_t when) const noexcept {
    if (!has_summer) return standard;
    const std::int64_t year = calendar_time(when).year;
    const std::int64_t from = begin.in(year)-standard, until = end.in(year)-summer;
    const bool is_summer = from > until ? when < until || when >= from : when >= from && when < until;
    return is_summer ? summer : standard;
  }

 private:
  bool read_changes(RuleText text) noexcept {
    return begin.read(text) && text.take(',') && end.read(text) && text.empty();
  }
};

// One of the one or two blocks of a file. All numbers are big-endian; none is believed before it is checked.
struct Block {
  static constexpr std::size_t kHead = 44;
  Bytes times, types_of, types, leaps;
  std::size_t wide = 4;  // bytes of a time
  Bytes rest;            // behind the block

  bool read(Bytes file, std::size_t bytes_of_time) noexcept {
    wide = bytes_of_time;
    if (file.size() < kHead || std::memcmp(file.data(), "TZif", 4) != 0) return false;
    const auto count = [&](std::size_t which) { return std::size_t{word(file, 20 + 4 * which)}; };
    rest = file.subspan(kHead);
    return take(count(3) * wide, times) && take(count(3), types_of) && take(count(4) * kType, types) &&
           skip(count(5)) && take(count(2) * (wide + 4), leaps) && skip(count(1)) && skip(count(0)) && !types.empty();
  }

  [[nodiscard]] std::size_t changes() const noexcept { return types_of.size(); }
  [[nodiscard]] std::int64_t time(Bytes from, std::size_t at) const noexcept {
    if (wide == 4) return static_cast<std::int32_t>(word(from, at));
    return static_cast<std::int64_t>(std::uint64_t{word(from, at)} << 32 | word(from, at + 4));
  }
  // How many changes lie at or before `when`.
  [[nodiscard]] std::size_t changes_until(std::int64_t when) const noexcept {
    std::size_t low = 0, high = changes();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (time(times, middle * wide) <= when) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  [[nodiscard]] std::int64_t offset_of(std::size_t type) const noexcept {
    return type < types.size() / kType ? static_cast<std::int32_t>(word(types, type * kType)) : 0;
  }
  [[nodiscard]] std::int64_t first_offset() const noexcept {
    std::size_t type = 0;
    while (type < types.size() / kType && types[type * kType + 4] != std::byte{0}) ++type;
    return offset_of(type < types.size() / kType ? type : 0);
  }
  // Clocks of some zones ("right/…") count leap seconds: by how many they are ahead.
  [[nodiscard]] std::int64_t leap_seconds(std::int64_t when) const noexcept {
    std::int64_t ahead = 0;
    for (std::size_t at = 0; at < leaps.size() && time(leaps, at) <= when; at += wide + 4)
      ahead = static_cast<std::int32_t>(word(leaps, at + wide));
    return ahead;
  }

 private:
  static constexpr std::size_t kType = 6;
  static std::uint32_t word(Bytes from, std::size_t at) noexcept {
    const auto value = load<std::uint32_t>(from.data() + at);
    return std::endian::native == std::endian::little ? byteswap(value) : value;
  }
  bool take(std::size_t bytes, Bytes& out) noexcept {
    if (bytes > rest.size()) return false;
    out = rest.first(bytes);
    rest = rest.subspan(bytes);
    return true;
  }
  bool skip(std::size_t bytes) noexcept {
    Bytes skipped;
    return take(bytes, skipped);
  }
};

// Of a file of version 2 or later: what holds after its last change.
std::string_view rule_behind(Bytes rest) noexcept {
  std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
  if (!text.starts_with('\n')) return {};
  text.remove_prefix(1);
  const std::size_t end = text.find('\n');
  return end == std::string_view::npos ? std::string_view{} : text_until(text, end);
}

}  // namespace

std::optional<std::int64_t> offset_by_file(Bytes file, std::int64_t when) noexcept {
  Block block;
  if (!block.read(file, 4)) return {};
  std::string_view rule;
  if (file[4] != std::byte{0}) {  // the version: everything is there again, with times of eight bytes
    if (!block.read(block.rest, 8)) return {};
    rule = rule_behind(block.rest);
  }
  const std::size_t before = block.changes_until(when);
  std::optional<std::int64_t> offset;
  if (before == block.changes()) offset = offset_by_rule(rule, when);
  if (!offset)
    offset =
        before == 0 ? block.first_offset() : block.offset_of(std::to_integer<std::size_t>(block.types_of[before - 1]));
  return *offset - block.leap_seconds(when);
}

std::optional<std::int64_t> offset_by_rule(std::string_view rule, std::int64_t when) noexcept {
  Rule read;
  if (!read.read(rule)) return {};
  return read.offset(when);
}

// The calendar repeats itself every 400 years. Within them, years are counted from March.
CalendarTime calendar_time(std::int64_t seconds) noexcept {
  const std::int64_t days = floor_div(seconds, kDay);
  const std::int64_t from_march = days + kUntil1970;
  const std::int64_t cycle = floor_div(from_march, kCycle);
  const std::int64_t in_cycle = from_march - cycle * kCycle;
  const std::int64_t leap_days = in_cycle / (4 * 365) - in_cycle / (kCycle / 4) + in_cycle / (kCycle - 1);
  const std::int64_t year = (in_cycle - leap_days) / 365;
  const std::int64_t day = in_cycle - (365 * year + year / 4 - year / 100);
  const auto month = static_cast<int>((5 * day + 2) / 153);  // 0 is March
  CalendarTime time;
  time.month = month < 10 ? month + 3 : month - 9;
  time.year = 400 * cycle + year + (time.month <= 2 ? 1 : 0);
  time.day = static_cast<int>(day - (153 * month + 2) / 5) + 1;
  time.second = static_cast<int>(seconds - days * kDay);
  return time;
}

}  // namespace trikal

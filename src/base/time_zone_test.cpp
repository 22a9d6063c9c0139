#include "base/time_zone.hpp"

#include <gtest/gtest.h>
#include <time.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace trikal {
namespace {

constexpr std::int64_t kHour = 3600, kDay = 24 * kHour;

class ZoneOfLibc {
 public:
  explicit ZoneOfLibc(const std::string& zone) {
    ::setenv("TZ", zone.c_str(), 1);
    ::tzset();
  }
  ~ZoneOfLibc() {
    ::unsetenv("TZ");
    ::tzset();
  }
  ZoneOfLibc(const ZoneOfLibc&) = delete;
  ZoneOfLibc& operator=(const ZoneOfLibc&) = delete;
};

// Year, month, day and second of the day, in a form that compares and prints.
struct Shown {
  std::int64_t year, month, day, second;
  bool operator==(const Shown&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Shown& time) {
    return out << time.year << '/' << time.month << '/' << time.day << ' ' << time.second;
  }
};
Shown shown(const CalendarTime& time) { return {time.year, time.month, time.day, time.second}; }

Shown by_libc(std::int64_t when) {
  const time_t time = when;
  tm local{};
  ::localtime_r(&time, &local);
  return shown(
      {local.tm_year + 1900, local.tm_mon + 1, local.tm_mday, local.tm_hour * 3600 + local.tm_min * 60 + local.tm_sec});
}

// Every few days and the hours around every change would take long: steps that meet all hours of all days of the week.
std::vector<std::int64_t> times_between(int first_year, int last_year) {
  std::vector<std::int64_t> times;
  constexpr std::int64_t kYear = 31556952, kStep = 9 * kDay + 5 * kHour + 1801;
  for (std::int64_t at = (first_year - 1970) * kYear; at < (last_year - 1970) * kYear; at += kStep) times.push_back(at);
  return times;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
Bytes as_bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

// The exact second at which the offset changes, between two times where it differs.
template <class Same>
std::int64_t first_after_change(std::int64_t low, std::int64_t high, const Same& same_as_low) {
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (same_as_low(middle) ? low : high) = middle;
  }
  return high;
}

template <class Offset>
void expect_as_libc(const std::string& zone, const std::vector<std::int64_t>& times, const Offset& offset_at) {
  const ZoneOfLibc libc(zone);
  std::int64_t last = times.front();
  auto offset_then = offset_at(last);
  for (const std::int64_t when : times) {
    const auto offset = offset_at(when);
    ASSERT_TRUE(offset.has_value()) << zone;
    ASSERT_EQ(shown(calendar_time(when + *offset)), by_libc(when)) << zone << " at " << when;
    if (offset_then != offset) {
      const std::int64_t change = first_after_change(last, when, [&](auto at) { return offset_at(at) == offset_then; });
      for (const std::int64_t at : {change - 1, change}) {
        ASSERT_EQ(shown(calendar_time(at + *offset_at(at))), by_libc(at)) << zone << " at its change " << at;
      }
    }
    last = when;
    offset_then = offset;
  }
}

const std::filesystem::path kZones = "/usr/share/zoneinfo";

TEST(TimeZone, EveryZoneOfThisSystemIsAsTheLibrarySaysIt) {
  if (!std::filesystem::exists(kZones))
    GTEST_SKIP() << "no time zones in /usr/share/zoneinfo: scripts/install-deps installs tzdata";
  const std::vector<std::int64_t> times = times_between(1965, 2060);
  std::size_t zones = 0;
  std::set<std::string> seen;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kZones)) {
    // posix/ has the same again; in right/ the second that is inserted has no name of its own here.
    const std::string name = entry.path().lexically_relative(kZones).string();
    if (!entry.is_regular_file() || name.starts_with("posix/") || name.starts_with("right/")) continue;
    const std::string file = bytes_of(entry.path());
    if (!file.starts_with("TZif") || !seen.insert(file).second) continue;  // many zones have two names
    expect_as_libc(name, times, [&](std::int64_t when) { return offset_by_file(as_bytes(file), when); });
    ++zones;
  }
  EXPECT_GT(zones, 100U);
}

TEST(TimeZone, ZonesThatCountLeapSecondsAreAsTheLibrarySaysThem) {
  for (const char* name : {"right/UTC", "right/Europe/Berlin", "right/Australia/Sydney"}) {
    const std::string file = bytes_of(kZones / name);
    if (file.empty())
      GTEST_SKIP() << "no zones with leap seconds in /usr/share/zoneinfo/right: scripts/install-deps installs tzdata";
    const ZoneOfLibc libc(name);
    for (const std::int64_t when : times_between(1971, 2035)) {
      const auto offset = offset_by_file(as_bytes(file), when);
      ASSERT_TRUE(offset.has_value());
      ASSERT_EQ(shown(calendar_time(when + *offset)), by_libc(when)) << name << " at " << when;
    }
  }
}

TEST(TimeZone, RulesAreAsTheLibraryReadsThem) {
  for (const char* rule :
       {"UTC0", "XYZ-5:45", "XYZ+3:30:15", "<+0330>-3:30", "<-03>3", "CET-1CEST,M3.5.0,M10.5.0/3",
        "EST5EDT4,M3.2.0/2,M11.1.0/2", "AEST-10AEDT,M10.1.0,M4.1.0/3", "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1",
        "IST-1GMT0,M10.5.0,M3.5.0/1", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "AAA3BBB,J60/0,J300/24:30:10",
        "AAA3BBB,59/1:15,299/167", "EET-2EEST,M3.4.4/50,M10.4.4/50", "XXX3EDT4,0/0,J365/23",
        "ABCDEF-12GHIJKL,M2.5.2,M8.1.6"})
    expect_as_libc(rule, times_between(1971, 2060), [&](std::int64_t when) { return offset_by_rule(rule, when); });
}

TEST(TimeZone, SummerWithoutDatesIsAmerican) {
  constexpr std::int64_t kJuly2024 = 1720000000, kJanuary2024 = 1705000000;
  EXPECT_EQ(offset_by_rule("AAA8BBB", kJuly2024), -7 * kHour);
  EXPECT_EQ(offset_by_rule("AAA8BBB", kJanuary2024), -8 * kHour);
  EXPECT_EQ(offset_by_rule("AAA8BBB6", kJuly2024), -6 * kHour);
}

TEST(TimeZone, WhatIsNoRuleIsRefused) {
  for (const char* text : {"", "A1", "AB1", "ABC", "ABC+", "ABC1D", "ABC25", "<AB>1", "<ABC1", "ABC1DEF,M3.2.0",
                           "ABC1DEF,M13.1.0,M1.1.0", "ABC1DEF,M0.1.0,M1.1.0", "ABC1DEF,M1.6.0,M1.1.0", "ABC1DEF,J0,J2",
                           "ABC1DEF,J1,366", "ABC1DEF,M1.1.0/168,J1", "ABC1DEF,J1,J2,", "ABC1:60", "Europe/Berlin"})
    EXPECT_FALSE(offset_by_rule(text, 0).has_value()) << text;
}

TEST(TimeZone, FilesThatLieAreRefusedOrReadWithinTheirBounds) {
  const std::string whole = bytes_of(kZones / "Europe/Berlin");
  if (whole.empty()) GTEST_SKIP() << "no time zones in /usr/share/zoneinfo: scripts/install-deps installs tzdata";
  EXPECT_FALSE(offset_by_file({}, 0).has_value());
  EXPECT_FALSE(offset_by_file(as_bytes(std::string(100, 'x')), 0).has_value());
  // Copies of exactly that size: a sanitizer sees a step behind their end.
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::vector<char> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    (void)offset_by_file(std::as_bytes(std::span(cut)), 1700000000);
  }
  for (std::size_t at = 4; at < whole.size(); ++at) {
    for (const char value : {'\0', '\x7f', '\xff'}) {
      std::vector<char> wrong(whole.begin(), whole.end());
      wrong[at] = value;
      (void)offset_by_file(std::as_bytes(std::span(wrong)), 1700000000);
    }
  }
}

TEST(TimeZone, DaysBeforeAndLongAfterOurs) {
  EXPECT_EQ(shown(calendar_time(0)), (Shown{1970, 1, 1, 0}));
  EXPECT_EQ(shown(calendar_time(-1)), (Shown{1969, 12, 31, 86399}));
  EXPECT_EQ(shown(calendar_time(951782400)), (Shown{2000, 2, 29, 0}));
  EXPECT_EQ(shown(calendar_time(4107542399)), (Shown{2100, 2, 28, 86399}));
  EXPECT_EQ(shown(calendar_time(4107542400)), (Shown{2100, 3, 1, 0}));
  EXPECT_EQ(shown(calendar_time(-62135596800)), (Shown{1, 1, 1, 0}));
}

}  // namespace
}  // namespace trikal

#include "capture/sink/local_time.hpp"

#include <gtest/gtest.h>
#include <time.h>

#include <cstdlib>

namespace trikal::capture {
namespace {

void set_zone(const char* zone) {
  if (zone == nullptr) ::unsetenv("TZ");
  else ::setenv("TZ", zone, 1);
  ::tzset();
}

// Where the zone comes from; what zones say is base/time_zone_test.cpp's.
TEST(LocalTime, IsTheLibrarysForEveryWayToNameAZone) {
  for (const char* zone :
       {static_cast<const char*>(nullptr), "", ":", "Europe/Berlin", ":America/Sao_Paulo",
        "/usr/share/zoneinfo/Asia/Kolkata", ":/usr/share/zoneinfo/Asia/Tokyo", "CET-1CEST,M3.5.0,M10.5.0/3",
        "<+0330>-3:30", "EST5EDT", "Nowhere/Atall", "../../etc", "/etc", "/dev/null/x", "\xff\xfe", "A"}) {
    set_zone(zone);
    KeptEnvironment environment;
    environment.begin();
    for (const time_t when : {time_t{1720000000}, time_t{1705000000}, time_t{1}}) {
      tm wanted{};
      ::localtime_r(&when, &wanted);
      const CalendarTime is = local_time(when, environment);
      const char* name = zone == nullptr ? "(unset)" : zone;
      EXPECT_EQ(is.year, wanted.tm_year + 1900) << name;
      EXPECT_EQ(is.month, wanted.tm_mon + 1) << name;
      EXPECT_EQ(is.day, wanted.tm_mday) << name;
      EXPECT_EQ(is.second, wanted.tm_hour * 3600 + wanted.tm_min * 60 + wanted.tm_sec) << name;
    }
  }
  set_zone(nullptr);
}

}  // namespace
}  // namespace trikal::capture

#include "base/decimal.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>

namespace trikal {
namespace {

std::string fixed6(double value) {
  char text[kMaxRealText];
  return {text, write_fixed6(text, value)};
}
std::string fixed4(double value) {
  char text[kMaxRealText];
  return {text, write_fixed4(text, value)};
}
std::string printed(const char* format, double value) {
  char text[kMaxRealText + 1];
  std::snprintf(text, sizeof text, format, value);
  return text;
}
void expect_as_printf(double value) {
  EXPECT_EQ(fixed6(value), printed("%f", value)) << std::hexfloat << value;
  EXPECT_EQ(fixed4(value), printed("%.4f", value)) << std::hexfloat << value;
}

TEST(Decimal, IntegersAsPrintf) {
  char text[kMaxIntegerText + 1];
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{9}, std::int64_t{10}, std::int64_t{99}, std::int64_t{100},
        std::int64_t{-1234567}, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(std::string(text, write_int(text, value)), std::to_string(value));
  }
  EXPECT_EQ(std::string(text, write_uint(text, ~std::uint64_t{0})), "18446744073709551615");
}

TEST(Decimal, EveryNumberOfDigits) {
  char text[kMaxIntegerText + 1];
  std::uint64_t ten = 1;
  for (int digits = 1; digits <= 20; ++digits, ten *= 10) {
    for (const std::uint64_t value : {ten - 1, ten, ten + 1, 2 * ten}) {
      EXPECT_EQ(std::string(text, write_uint(text, value)), std::to_string(value));
    }
  }
}

TEST(Decimal, RightAlignedAsPrintf) {
  char text[kMaxRealText + 64];
  char wanted[kMaxRealText + 64];
  for (const std::size_t width : {std::size_t{0}, std::size_t{1}, std::size_t{9}, std::size_t{16}, std::size_t{40}}) {
    for (const std::int64_t value :
         {std::int64_t{0}, std::int64_t{-1}, std::int64_t{7}, std::int64_t{-123456789}, std::int64_t{1234567890},
          std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
      std::snprintf(wanted, sizeof wanted, "%*" PRId64, static_cast<int>(width), value);
      EXPECT_EQ(std::string(text, write_int_right(text, value, width)), wanted);
    }
    for (const double value : {0.0, -0.0, 0.00004, 0.00005, 9.99995, 99999.99994, -12.5, 1e17, 1e30, -1e300,
                               std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      std::snprintf(wanted, sizeof wanted, "%*.4f", static_cast<int>(width), value);
      EXPECT_EQ(std::string(text, write_fixed4_right(text, value, width)), wanted);
    }
  }
}

TEST(Decimal, EdgesAsPrintf) {
  for (const double value : {0.0,
                             -0.0,
                             0.5,
                             1.5,
                             2.5,
                             0.0000005,
                             0.0000015,
                             0.0000025,
                             0.9999995,
                             0.99999949999,
                             0.00005,
                             1e15,
                             1e18,
                             4e18,
                             9e18,
                             1e19,
                             1e300,
                             -1e300,
                             5e-324,
                             1.7976931348623157e308,
                             123456.7890625,
                             0.1,
                             0.3,
                             -1.0,
                             4611686018427387904.0,
                             4611686018427387903.0}) {
    expect_as_printf(value);
    expect_as_printf(-value);
  }
  expect_as_printf(std::numeric_limits<double>::infinity());
  expect_as_printf(-std::numeric_limits<double>::infinity());
  expect_as_printf(std::numeric_limits<double>::quiet_NaN());
}

TEST(Decimal, RandomBitPatternsAsPrintf) {
  std::mt19937_64 random(20261115);
  for (int i = 0; i < 20000; ++i) expect_as_printf(std::bit_cast<double>(random()));
}

TEST(Decimal, EveryHugeExponentAsPrintf) {
  for (int exponent = 60; exponent < 1024; ++exponent) {
    const double power = std::ldexp(1.0, exponent);
    for (const double value : {power, -power, std::nextafter(power, 0.0), std::ldexp(0x1.fffffffffffffp0, exponent)}) {
      expect_as_printf(value);
    }
  }
  char text[kMaxRealText + 64];
  EXPECT_EQ(std::string(text, write_fixed4_right(text, -0x1p62, 30)), "     -4611686018427387904.0000");
}

TEST(Decimal, RandomTimesAsPrintf) {
  std::mt19937_64 random(20261116);
  std::uniform_real_distribution<double> seconds(0, 100000);
  for (int i = 0; i < 20000; ++i) {
    expect_as_printf(seconds(random));
    expect_as_printf(std::ldexp(static_cast<double>(random() >> 40), -22));  // a runtime's clock steps: exact ties
  }
}

}  // namespace
}  // namespace trikal

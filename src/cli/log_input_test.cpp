#include "cli/log_input.hpp"

#include <gtest/gtest.h>

namespace trikal::cli {
namespace {

TEST(ParseSize, NumbersAndUnits) {
  std::uint64_t bytes = 0;
  EXPECT_TRUE(parse_size("0", bytes) && bytes == 0);
  EXPECT_TRUE(parse_size("1500", bytes) && bytes == 1500);
  EXPECT_TRUE(parse_size("64K", bytes) && bytes == 65536);
  EXPECT_TRUE(parse_size("64k", bytes) && bytes == 65536);
  EXPECT_TRUE(parse_size("3M", bytes) && bytes == 3145728);
  EXPECT_TRUE(parse_size("2G", bytes) && bytes == std::uint64_t{2} << 30);
  EXPECT_TRUE(parse_size("1T", bytes) && bytes == std::uint64_t{1} << 40);
  EXPECT_TRUE(parse_size("16777215T", bytes) && bytes == std::uint64_t{16777215} << 40);
}

TEST(ParseSize, WhatIsNone) {
  std::uint64_t bytes = 0;
  for (const char* text : {"", "K", "-1", "1.5G", "10X", "10KB", "10 K", "16777216T", "99999999999999999999", "1K1"}) {
    EXPECT_FALSE(parse_size(text, bytes)) << text;
  }
}

}  // namespace
}  // namespace trikal::cli

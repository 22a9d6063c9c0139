#include "predict/world/netcdf.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace trikal::predict {
namespace {

// As PnetCDF 1.12.3 wrote it, by the sizes of its files.
NetCdfContent fields(int format) {
  NetCdfContent content;
  content.format = format;
  content.dimensions = {{"time", 0}, {"y", 20}, {"x", 101}};
  content.variables = {{"field", 5, {0, 1, 2}}, {"grid", 3, {1, 2}}};
  return content;
}

TEST(NetCdf, HeaderSizes) {
  EXPECT_EQ(NetCdfContent{}.header(), 32U);
  EXPECT_EQ(fields(1).header(), 156U);
  EXPECT_EQ(fields(2).header(), 164U);
}

TEST(NetCdf, VariablesWithoutRecordsComeFirst) {
  NetCdfContent content = fields(1);
  content.lay_out({.align = 512});
  EXPECT_EQ(content.variables[1].begin, 512U);
  EXPECT_EQ(content.variables[0].begin, 512U + 4040);
  EXPECT_EQ(content.record_bytes, 8080U);
  content.records = 3;
  EXPECT_EQ(content.size(), 512U + 4040 + 3 * 8080);
}

std::string small() {
  std::string bytes("CDF\1", 4);
  const auto number = [&](unsigned value) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  };
  number(7), number(10), number(1);                            // records, dimensions
  number(1), bytes.append("x\0\0\0", 4), number(9);            // x = 9
  number(12), number(1), number(1), bytes.append("a\0\0\0", 4);  // an attribute
  number(4), number(1), number(258);                           // an int
  number(11), number(1), number(1), bytes.append("v\0\0\0", 4);  // a variable
  number(1), number(0), number(0), number(0), number(6), number(72), number(512);
  return bytes;
}

TEST(NetCdf, HeadersAreRead) {
  const std::string path = (std::filesystem::temp_directory_path() / ("netcdf" + std::to_string(::getpid()))).string();
  const std::string whole = small();
  std::ofstream(path, std::ios::binary) << whole;
  const auto content = read_netcdf(path);
  ASSERT_TRUE(content);
  EXPECT_EQ(content->records, 7U);
  EXPECT_EQ(content->header_bytes, whole.size());
  EXPECT_EQ(content->header(), whole.size());
  EXPECT_EQ(content->dimensions.at(0).length, 9U);
  auto attributes = content->attributes;
  ASSERT_NE(attributes.find("a"), nullptr);
  EXPECT_EQ(attributes.find("a")->value, std::string("\2\1\0\0", 4));
  EXPECT_EQ(content->variables.at(0).begin, 512U);
  // Cut off anywhere, and with any byte another one: nothing, or something, but an answer.
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, i);
    EXPECT_FALSE(read_netcdf(path)) << i;
    std::string bad = whole;
    bad[i] = static_cast<char>(bad[i] ^ 0xff);
    std::ofstream(path, std::ios::binary) << bad;
    (void)read_netcdf(path);
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace trikal::predict

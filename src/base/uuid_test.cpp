#include "base/uuid.hpp"

#include <gtest/gtest.h>

#include <array>

namespace trikal {
namespace {

TEST(Uuid, TextIsTheBytesInOrder) {
  std::array<std::byte, kUuidBytes> uuid{};
  for (std::size_t i = 0; i < uuid.size(); ++i) uuid[i] = std::byte(0x11 * i);
  EXPECT_EQ(uuid_text(uuid.data()), "00112233-4455-6677-8899-aabbccddeeff");
}

TEST(Uuid, NullIsAllZero) {
  std::array<std::byte, kUuidBytes> uuid{};
  EXPECT_TRUE(is_null_uuid(uuid.data()));
  uuid[15] = std::byte{1};
  EXPECT_FALSE(is_null_uuid(uuid.data()));
}

}  // namespace
}  // namespace trikal

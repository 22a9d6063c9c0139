#include "base/hash.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace trikal {
namespace {

// Values the original library produced for the same keys.
TEST(RecordId, AgreesWithKnownVectors) {
  EXPECT_EQ(record_id(""), 10211412111675192767U);
  EXPECT_EQ(record_id("a"), 2110215103713784748U);
  EXPECT_EQ(record_id("/tmp/x"), 15471093128405409614U);
  EXPECT_EQ(record_id("<STDIN>"), 14734109647742566553U);
  EXPECT_EQ(record_id("heatmap:POSIX"), 16592106915301738621U);
  EXPECT_EQ(record_id("0123456789abcdef0123456"), 10182034770847688729U);
  EXPECT_EQ(record_id("0123456789abcdef01234567"), 16758250644655386282U);
  EXPECT_EQ(record_id("/home/user/data/output.h5"), 14564452368938915660U);
  EXPECT_EQ(record_id("/scratch/abcdefghijklmnopqrstuvwxyz0123456789/file.dat"), 5497808161113102796U);
  EXPECT_EQ(record_id("host", 12345), 481220477145845953U);
}

TEST(RecordId, HashesRawBytes) {
  std::vector<std::byte> key(48);
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::byte>(i);
  EXPECT_EQ(record_id(Bytes{key}), 17449868882718948431U);
}

TEST(ObfuscationHash, AgreesWithKnownVectors) {
  EXPECT_EQ(obfuscation_hash("", 0), 3735928559U);
  EXPECT_EQ(obfuscation_hash("a", 0), 1490454280U);
  EXPECT_EQ(obfuscation_hash("/tmp/x", 0), 1181133220U);
  EXPECT_EQ(obfuscation_hash("<STDIN>", 0), 3126844023U);
}

TEST(Crc32c, AgreesWithTheStandardCheckValue) {
  constexpr std::string_view kDigits = "123456789";
  EXPECT_EQ(crc32c(std::as_bytes(std::span{kDigits})), 0xE3069283U);
}

// Eight bytes at once are the same as one after the other, wherever they begin.
TEST(Crc32c, IsTheSameInPiecesOfAnyLength) {
  std::vector<std::byte> bytes(67);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(37 * i + 11);
  std::uint32_t one_by_one = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) one_by_one = crc32c(Bytes(bytes).subspan(i, 1), one_by_one);
  for (std::size_t first = 0; first < bytes.size(); ++first)
    EXPECT_EQ(crc32c(Bytes(bytes).subspan(first), crc32c(Bytes(bytes).first(first))), one_by_one);
}

}  // namespace
}  // namespace trikal

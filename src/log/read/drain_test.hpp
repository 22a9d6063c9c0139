#pragma once
// All that a stream of blocks gives, for tests that compare it.

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "log/read/block_stream.hpp"

namespace trikal::log {

struct Drained {
  std::string plain;
  std::vector<std::uint64_t> offsets;  // one for each block
  Error error;

  bool operator==(const Drained& other) const {
    return plain == other.plain && offsets == other.offsets && error.code == other.error.code &&
           error.offset == other.error.offset && std::strcmp(error.what, other.error.what) == 0;
  }
};

inline Drained drain(BlockStream& stream) {
  Drained drained;
  Block block;
  for (;;) {
    auto more = stream.next(block);
    if (!more) drained.error = more.error();
    if (!more || !*more) return drained;
    EXPECT_GT(block.size, 0U);
    drained.plain.append(reinterpret_cast<const char*>(block.data()), block.size);
    drained.offsets.push_back(block.file_offset);
  }
}

}  // namespace trikal::log

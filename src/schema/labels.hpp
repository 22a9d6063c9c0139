#pragma once
// Bucket labels that several modules share.

#include <array>
#include <cstdint>
#include <string_view>

namespace trikal {

// The ten access-size classes and their upper bounds (inclusive; the last has none).
inline constexpr std::array<std::string_view, 10> kSizeClasses = {"0_100", "100_1K", "1K_10K",   "10K_100K", "100K_1M",
                                                                  "1M_4M", "4M_10M", "10M_100M", "100M_1G",  "1G_PLUS"};
inline constexpr std::array<std::int64_t, 9> kSizeClassBounds = {100,     1024,     10240,     102400,    1048576,
                                                                 4194304, 10485760, 104857600, 1073741824};

constexpr std::size_t size_class(std::int64_t bytes) {
  std::size_t bin = 0;
  while (bin < kSizeClassBounds.size() && bytes > kSizeClassBounds[bin]) ++bin;
  return bin;
}

// The four most common values of something.
inline constexpr std::size_t kTopSlots = 4;
inline constexpr std::array<std::string_view, kTopSlots> kTopFour = {"1", "2", "3", "4"};

// The four most common accesses to an array: size, then length and stride of five dimensions each.
inline constexpr std::size_t kShapeWords = 11;
inline constexpr std::array<std::string_view, kTopSlots * kShapeWords> kTopFourShapes = {
    "1_ACCESS",    "1_LENGTH_D1", "1_LENGTH_D2", "1_LENGTH_D3", "1_LENGTH_D4", "1_LENGTH_D5", "1_STRIDE_D1",
    "1_STRIDE_D2", "1_STRIDE_D3", "1_STRIDE_D4", "1_STRIDE_D5", "2_ACCESS",    "2_LENGTH_D1", "2_LENGTH_D2",
    "2_LENGTH_D3", "2_LENGTH_D4", "2_LENGTH_D5", "2_STRIDE_D1", "2_STRIDE_D2", "2_STRIDE_D3", "2_STRIDE_D4",
    "2_STRIDE_D5", "3_ACCESS",    "3_LENGTH_D1", "3_LENGTH_D2", "3_LENGTH_D3", "3_LENGTH_D4", "3_LENGTH_D5",
    "3_STRIDE_D1", "3_STRIDE_D2", "3_STRIDE_D3", "3_STRIDE_D4", "3_STRIDE_D5", "4_ACCESS",    "4_LENGTH_D1",
    "4_LENGTH_D2", "4_LENGTH_D3", "4_LENGTH_D4", "4_LENGTH_D5", "4_STRIDE_D1", "4_STRIDE_D2", "4_STRIDE_D3",
    "4_STRIDE_D4", "4_STRIDE_D5"};

inline constexpr std::array<std::string_view, 5> kFiveDimensions = {"1", "2", "3", "4", "5"};

}  // namespace trikal

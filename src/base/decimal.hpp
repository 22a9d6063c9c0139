#pragma once
// Numbers as text, digit for digit what printf writes, many times faster. Each function writes at `at`
// and returns the end; no terminating NUL.

#include <cstddef>
#include <cstdint>

namespace trikal {

inline constexpr std::size_t kMaxIntegerText = 20;
inline constexpr std::size_t kMaxRealText = 320;  // "%f" of the largest double, sign and fraction included

char* write_uint(char* at, std::uint64_t value) noexcept;
char* write_int(char* at, std::int64_t value) noexcept;
char* write_fixed6(char* at, double value) noexcept;  // as "%f"
char* write_fixed4(char* at, double value) noexcept;  // as "%.4f"

// Spaces in front to fill `width` columns, as "%16d" and "%12.4f"; longer text is written whole.
char* write_int_right(char* at, std::int64_t value, std::size_t width) noexcept;
char* write_fixed4_right(char* at, double value, std::size_t width) noexcept;

}  // namespace trikal

#pragma once
// What the two AutoPerf modules, APXC and APMPI, have in common: a log holds one header record, then a perf
// record a rank. Nothing but a magic number behind the base record tells them apart, so 24 bytes are read
// before the size is known.

#include <array>
#include <string_view>

#include "schema/form.hpp"
#include "schema/module.hpp"

namespace trikal::modules::autoperf {

inline constexpr std::uint32_t kMagicAt = 16;
inline constexpr std::uint32_t kHeadBytes = 24;

template <std::int64_t Magic>
bool is_header(const std::byte* record) {
  return load<std::int64_t>(record + kMagicAt) == Magic;
}

template <std::int64_t Magic, std::uint32_t HeaderBytes, std::uint32_t PerfBytes>
Result<Tail> tail(const std::byte* head) {
  return Tail{.items = ((is_header<Magic>(head) ? HeaderBytes : PerfBytes) - kHeadBytes) / 8};
}

// Readers of the original expect one header, before everything else.
template <std::int64_t Magic>
inline constexpr Rewrite kRewrite = {.whole_job = is_header<Magic>};

// A name put together at compile time, for tables that follow a rule.
struct MadeName {
  std::array<char, 48> text{};
  std::size_t size = 0;

  constexpr MadeName& add(std::string_view part) {
    for (const char c : part) text.at(size++) = c;
    return *this;
  }
  constexpr MadeName& add_digit(std::size_t digit) {
    text.at(size++) = static_cast<char>('0' + digit);
    return *this;
  }
  [[nodiscard]] constexpr std::string_view view() const { return {text.data(), size}; }
};

}  // namespace trikal::modules::autoperf

#pragma once
// The prefix codes of deflate. Runs inside applications: no heap.

#include <cstddef>
#include <cstdint>
#include <span>

namespace trikal::log {

inline constexpr std::size_t kMostSymbols = 288;

// The lengths of the best code in which no word has more than `longest` bits, by how often symbols come; 0 for those
// that never do. Less than two that do: a second one gets a word, too, because readers want a whole code.
void make_code_lengths(std::span<std::uint32_t> counts, unsigned longest, std::span<std::uint8_t> lengths) noexcept;

// The words that belong to these lengths, first bit lowest, as deflate sends them.
void make_code_words(std::span<const std::uint8_t> lengths, std::span<std::uint16_t> words) noexcept;

}  // namespace trikal::log

#include "predict/world/random.hpp"

namespace trikal::predict {
namespace {

constexpr Word kMostSkipped = 20'000'000;
constexpr Word kFactor48 = 0x5DEECE66DULL, kAdded48 = 0xB, kMask48 = (Word{1} << 48) - 1;

}  // namespace

// Each number is the sum of those 31 and 3 before it, modulo 2^32; the lowest bit is not given away.
std::uint32_t Random::step(State& state) {
  const std::size_t three_before = (state.at + 31 - 3) % 31;
  state.numbers[state.at] += state.numbers[three_before];
  const std::uint32_t number = state.numbers[state.at];
  state.at = (state.at + 1) % 31;
  return number >> 1;
}

void Random::seed(std::uint32_t seed, bool known) {
  known_ = known;
  taken_ = 0;
  state_ = std::make_shared<State>();
  auto number = static_cast<std::int64_t>(static_cast<std::int32_t>(seed == 0 ? 1 : seed));
  for (std::uint32_t& one : state_->numbers) {
    one = static_cast<std::uint32_t>(number);
    number = number * 16807 % 2147483647;
    if (number < 0) number += 2147483647;
  }
  state_->at = 3;
  for (int i = 0; i < 310; ++i) (void)step(*state_);  // libc throws the first away, too
}

Random::State& Random::own() {
  if (state_ == nullptr) seed(1, true);
  if (state_.use_count() > 1) state_ = std::make_shared<State>(*state_);
  return *state_;
}

std::optional<Word> Random::next() {
  if (!known_) return std::nullopt;
  const Word number = step(own());
  ++taken_;
  return number;
}

void Random::seed_48(Word seed, bool known) {
  known_48_ = known;
  state_48_ = (lowest(seed, 32) << 16) | 0x330E;
}

std::optional<Word> Random::next_48() {
  if (!known_48_) return std::nullopt;
  ++taken_48_;
  return state_48_ = (state_48_ * kFactor48 + kAdded48) & kMask48;
}

void Random::skip(Word numbers, Word numbers_48) {
  if (numbers > kMostSkipped) known_ = false;
  for (Word i = 0; known_ && i < numbers; ++i) (void)step(own());
  if (numbers_48 > kMostSkipped) known_48_ = false;
  for (Word i = 0; known_48_ && i < numbers_48; ++i) state_48_ = (state_48_ * kFactor48 + kAdded48) & kMask48;
  taken_ += numbers, taken_48_ += numbers_48;
}

}  // namespace trikal::predict

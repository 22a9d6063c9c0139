#pragma once
// The numbers that rand, random and the family of drand48 give: sums of earlier ones (31 are kept), and a product modulo 2^48.

#include <array>
#include <memory>
#include <optional>

#include "predict/machine/value.hpp"

namespace trikal::predict {

class Random {
 public:
  void seed(std::uint32_t seed, bool known);
  void seed_48(Word seed, bool known);
  [[nodiscard]] std::optional<Word> next();  // 31 bits; nothing: not known
  [[nodiscard]] std::optional<Word> next_48();  // 48 bits

  // How many were taken of each, and going on as if so many more had been.
  [[nodiscard]] Word taken() const { return taken_; }
  [[nodiscard]] Word taken_48() const { return taken_48_; }
  void skip(Word numbers, Word numbers_48);

 private:
  struct State {
    std::array<std::uint32_t, 31> numbers;
    std::size_t at = 0;  // the oldest
  };
  [[nodiscard]] static std::uint32_t step(State& state);
  State& own();  // worlds are copied: this one's alone

  std::shared_ptr<State> state_;
  bool known_ = true, known_48_ = true;
  Word state_48_ = 0x1234ABCD330EULL;  // as if nobody had called srand48
  Word taken_ = 0, taken_48_ = 0;
};

}  // namespace trikal::predict

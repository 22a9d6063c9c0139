#pragma once
// How many instructions were run, and how many may be.

#include <chrono>
#include <cstdint>

#include "predict/machine/ends.hpp"

namespace trikal::predict {

class Budget {
 public:
  // `exact_steps`: what may be spent on results that could also be left unknown.
  Budget(std::uint64_t most_steps, std::uint64_t exact_steps, double most_seconds)
      : most_steps_(most_steps),
        exact_steps_(exact_steps),
        deadline_(std::chrono::steady_clock::now() +
                  std::chrono::milliseconds(static_cast<std::int64_t>(most_seconds * 1000))) {}

  void spend(std::uint64_t steps) {
    steps_ += steps;
    if (steps_ > most_steps_) throw BudgetSpent{};
    // The clock is read once in 4096 steps.
    if ((steps_ & 0xfff) < steps && std::chrono::steady_clock::now() > deadline_) throw BudgetSpent{};
  }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] std::uint64_t exact_steps() const { return exact_steps_; }
  [[nodiscard]] std::uint64_t steps_to_spare() const { return steps_ < exact_steps_ ? exact_steps_ - steps_ : 0; }

 private:
  std::uint64_t steps_ = 0, most_steps_, exact_steps_;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace trikal::predict

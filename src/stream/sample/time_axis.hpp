#pragma once
// The time of day on an axis that goes on evenly whatever is done to the clock of the machine.

#include <chrono>

#include "stream/wire/batch.hpp"

namespace trikal::stream {

class TimeAxis {
 public:
  [[nodiscard]] Nanoseconds now() const {
    return began_ + std::chrono::nanoseconds(std::chrono::steady_clock::now() - zero_).count();
  }

 private:
  std::chrono::steady_clock::time_point zero_ = std::chrono::steady_clock::now();
  Nanoseconds began_ = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
};

}  // namespace trikal::stream

#pragma once
// A loop without a pattern that takes too long: as many iterations as its test says are left, each like those before.

#include <set>

#include "predict/machine/frame.hpp"

namespace trikal::predict {

class Machine;

class RestOfLoop {
 public:
  RestOfLoop(Machine& machine, Frame& frame, Activation& activation);

  // Counts what the iterations that are left would do, and forgets what they would have computed.
  void guess();

 private:
  [[nodiscard]] std::set<std::uint32_t> exit_tests() const;
  [[nodiscard]] double iterations_left(std::uint32_t test) const;
  void count_work(double left);
  void count_operations(double share);
  void move_on(std::uint32_t file, double bytes);
  void forget();

  Machine& machine_;
  Frame& frame_;
  Activation& activation_;
  const LoopShape& shape_;
  std::size_t since_;  // where the trace of the first marked iteration begins
};

}  // namespace trikal::predict

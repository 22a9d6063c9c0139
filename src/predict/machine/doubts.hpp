#pragma once
// What is known only because something was assumed: times of the clock, messages of ranks that are not followed, the side
// of a branch that was not tried. A value keeps its doubt through everything that is computed from it; where a branch rests on
// one, all that happens until the ways come together again is in doubt as well.

#include <vector>

#include "predict/machine/value.hpp"

namespace trikal::predict {

class Memory;

class Doubts {
 public:
  explicit Doubts(Memory& memory) : memory_(memory) {}
  Doubts(const Doubts&) = delete;
  Doubts& operator=(const Doubts&) = delete;

  [[nodiscard]] Doubt of(Cause cause);
  [[nodiscard]] Cause cause_of(Doubt doubt) const { return causes_[doubt]; }

  // What is being run is in doubt, as long as anybody who began that has not ended it.
  void begin(Doubt doubt);
  void end();
  // From here to the end of the program.
  void for_good(Cause cause) { begin(of(cause)); }
  [[nodiscard]] Doubt now() const { return now_; }

 private:
  Memory& memory_;
  std::vector<Cause> causes_{kKnown};
  unsigned begun_ = 0;
  Doubt now_ = 0;
};

}  // namespace trikal::predict

#include "predict/machine/doubts.hpp"

#include <algorithm>
#include <limits>

#include "predict/machine/memory.hpp"

namespace trikal::predict {

Doubt Doubts::of(Cause cause) {
  const auto found = std::ranges::find(causes_, cause);
  if (found != causes_.end()) return static_cast<Doubt>(found - causes_.begin());
  if (causes_.size() > std::numeric_limits<Doubt>::max()) return std::numeric_limits<Doubt>::max();
  causes_.push_back(cause);
  return static_cast<Doubt>(causes_.size() - 1);
}

void Doubts::begin(Doubt doubt) {
  ++begun_;
  memory_.in_doubt = now_ = doubt;
}

void Doubts::end() {
  if (begun_ > 0 && --begun_ == 0) memory_.in_doubt = now_ = 0;
}

}  // namespace trikal::predict

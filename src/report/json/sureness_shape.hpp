#pragma once
// How sure a prediction is, as JSON: of predictions themselves and of whatever is made of their logs.

#include "analyze/dataset/prediction.hpp"
#include "report/json/shape.hpp"

namespace trikal::report {

template <>
struct Shape<analyze::Sureness> {
  using Sureness = analyze::Sureness;
  static constexpr std::string_view kName = "Sureness",
                                    kMeaning = "How much of it is sure, as shares of all operations.";
  static constexpr std::tuple kFields{
      Field{"operations", &Sureness::operations},
      Field{"exact", &Sureness::exact},
      Field{"extrapolated", &Sureness::extrapolated},
      Field{"assumed", &Sureness::assumed},
      Field{"assumed_bytes", &Sureness::assumed_bytes, "of all bytes"},
      Field{"because", &Sureness::because, "of what they are assumed, the commonest first"},
  };
};

}  // namespace trikal::report

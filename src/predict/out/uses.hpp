#pragma once
// Everything one layer was predicted to do to one file, for the records of a predicted log.

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "analyze/dataset/prediction.hpp"

namespace trikal::predict {

inline std::int64_t whole(double value) { return std::llround(value); }

struct Uses {
  std::map<analyze::Operation, analyze::PredictedUse> by;
  double like_it = 0;
  std::optional<analyze::PredictedDataset> dataset{};
  std::uint64_t container = 0;  // the record of the file that the dataset is in
  bool parallel = false;
  bool standard = false;  // a stream that every program has

  [[nodiscard]] analyze::PredictedUse all(bool (*which)(analyze::Operation)) const {
    analyze::PredictedUse sum;
    for (const auto& [operation, use] : by)
      if (which(operation)) sum.merge(use);
    return sum;
  }
  [[nodiscard]] std::int64_t count(std::initializer_list<analyze::Operation> operations) const {
    double sum = 0;
    for (const analyze::Operation operation : operations)
      if (const auto found = by.find(operation); found != by.end()) sum += found->second.count;
    return whole(sum);
  }
};

struct Times {
  double read = 0, write = 0, meta = 0;
};
// A log has no profile of the machine: costs are plain ones, with HDF5's own share on top of what it calls.
[[nodiscard]] inline const analyze::Costs& log_costs(analyze::Operation operation) {
  using analyze::PredictedLayer;
  static const analyze::Costs plain;
  static const analyze::Costs hdf5 = [] {
    analyze::Costs costs;
    costs.prices.assign(analyze::kOperationKinds, {0, 0});
    for (const analyze::Operation one :
         {analyze::Operation::kRead, analyze::Operation::kWrite, analyze::Operation::kClose})
      costs.prices[static_cast<std::size_t>(one)] = {costs.operation, costs.bytes};
    costs.prices[static_cast<std::size_t>(analyze::Operation::kOpen)] = {costs.open, 0};
    analyze::guess_hdf5_prices(costs.prices);
    return costs;
  }();
  const PredictedLayer layer = analyze::layer_of(operation);
  return layer == PredictedLayer::kHdf5File || layer == PredictedLayer::kHdf5Dataset ? hdf5 : plain;
}

[[nodiscard]] inline Times times_of(const Uses& uses) {
  Times times;
  for (const auto& [operation, use] : uses.by) {
    const double seconds = analyze::seconds_of(operation, use, log_costs(operation));
    (analyze::reads(operation) ? times.read : analyze::writes(operation) ? times.write : times.meta) += seconds;
  }
  return times;
}

}  // namespace trikal::predict

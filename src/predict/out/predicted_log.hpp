#pragma once
// A prediction as a log: the same records a run would leave, marked as predicted in its metadata, with the call sites of the
// source in the trailer.

#include <span>
#include <string>

#include "analyze/dataset/prediction.hpp"
#include "base/result.hpp"

namespace trikal::predict {

// One prediction for each rank that was looked at.
[[nodiscard]] Status write_predicted_log(const std::string& path, std::span<const analyze::Prediction> predictions);

}  // namespace trikal::predict

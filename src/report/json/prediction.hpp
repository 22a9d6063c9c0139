#pragma once
// Predictions as JSON (schema trikal-prediction 1); docs/formats/prediction-json.md describes it.

#include <span>
#include <string_view>

#include "analyze/dataset/prediction.hpp"
#include "report/sink.hpp"

namespace trikal::report {

void write_predictions_json(Sink& out, std::span<const analyze::Prediction> predictions, std::string_view version);

}  // namespace trikal::report

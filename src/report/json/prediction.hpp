#pragma once
// Predictions as JSON (schema trikal-prediction 1); docs/formats/prediction-json.md describes it.

#include <span>
#include <string>
#include <string_view>

#include "analyze/dataset/prediction.hpp"
#include "report/sink.hpp"

namespace trikal::report {

void write_predictions_json(Sink& out, std::span<const analyze::Prediction> predictions, std::string_view version);

// What the page of a prediction is drawn from (web/src/prediction_data.ts): the same, and the source.
struct SourceText {
  std::string path, text;
};
void write_prediction_page(Sink& out, std::span<const analyze::Prediction> predictions, std::string_view version,
                           std::span<const SourceText> sources);

}  // namespace trikal::report

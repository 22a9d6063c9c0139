#include "report/json/prediction.hpp"

#include "report/html/page.hpp"
#include "report/json/prediction_shapes.hpp"

namespace trikal::report {

void write_predictions_json(Sink& out, std::span<const analyze::Prediction> predictions, std::string_view version) {
  JsonWriter json(out);
  put(json, PredictionDocument{version, predictions});
  out.put("\n");
}

void write_prediction_page(Sink& out, std::span<const analyze::Prediction> predictions, std::string_view version,
                           std::span<const SourceText> sources) {
  StringSink data;
  JsonWriter json(data);
  put(json, PredictionPage{version, predictions, sources});
  const std::string program = predictions.empty() ? "" : predictions.front().program;
  write_page_head(out, "trikal predict " + program.substr(program.rfind('/') + 1));
  put_page_data(out, data.text());
  write_page_tail(out);
}

}  // namespace trikal::report

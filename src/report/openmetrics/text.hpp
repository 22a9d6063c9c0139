#pragma once
// The text format of OpenMetrics 1.0: families with type, unit and help, samples with labels, and "# EOF".

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "report/sink.hpp"

namespace trikal::report {

using MetricLabels = std::vector<std::pair<std::string_view, std::string>>;

class MetricsText {
 public:
  // `common` goes with every sample.
  MetricsText(Sink& out, MetricLabels common) : out_(out), common_(std::move(common)) {}

  // A name with a unit must end in "_" and that unit: the format asks for it.
  void family(std::string_view name, std::string_view type, std::string_view unit, std::string_view help);
  // Of the family begun last; `suffix` as its type has them: "", "_info", "_bucket", "_count", "_sum".
  void sample(double value, const MetricLabels& labels = {}, std::string_view suffix = {});
  void finish() { out_.put("# EOF\n"); }

 private:
  void put_labels(const MetricLabels& labels, bool& first);

  Sink& out_;
  MetricLabels common_;
  std::string name_;
};

}  // namespace trikal::report

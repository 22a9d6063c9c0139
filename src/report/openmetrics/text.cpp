#include "report/openmetrics/text.hpp"

#include <cmath>

#include "base/utf8.hpp"
#include "report/shortest.hpp"

namespace trikal::report {
namespace {

void put_label_text(Sink& out, std::string_view text) {
  std::string valid;
  append_utf8(valid, text);
  for (const char character : valid) {
    switch (character) {
      case '\\': out.put("\\\\"); break;
      case '"': out.put("\\\""); break;
      case '\n': out.put("\\n"); break;
      default: out.put({&character, 1});
    }
  }
}

void put_value(Sink& out, double value) {
  if (std::isnan(value)) out.put("NaN");
  else if (std::isinf(value)) out.put(value > 0 ? "+Inf" : "-Inf");
  else put_shortest(out, value);
}

}  // namespace

void MetricsText::family(std::string_view name, std::string_view type, std::string_view unit, std::string_view help) {
  name_ = name;
  const auto line = [&](std::string_view keyword, std::string_view text) {
    out_.put("# ");
    out_.put(keyword);
    out_.put(" ");
    out_.put(name_);
    out_.put(" ");
    put_label_text(out_, text);
    out_.put("\n");
  };
  line("TYPE", type);
  if (!unit.empty()) line("UNIT", unit);
  line("HELP", help);
}

void MetricsText::put_labels(const MetricLabels& labels, bool& first) {
  for (const auto& [name, value] : labels) {
    out_.put(first ? "{" : ",");
    first = false;
    out_.put(name);
    out_.put("=\"");
    put_label_text(out_, value);
    out_.put("\"");
  }
}

void MetricsText::sample(double value, const MetricLabels& labels, std::string_view suffix) {
  bool first = true;
  out_.put(name_);
  out_.put(suffix);
  put_labels(common_, first);
  put_labels(labels, first);
  out_.put(first ? " " : "} ");
  put_value(out_, value);
  out_.put("\n");
}

}  // namespace trikal::report

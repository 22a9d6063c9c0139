#pragma once
// A run for systems that collect metrics (Prometheus and its kin), in the OpenMetrics text format. One finished run is
// one set of gauges; which run it was is in labels. docs/formats/openmetrics.md lists the families.

#include "analyze/rules/rule.hpp"
#include "report/output.hpp"
#include "report/tables.hpp"

namespace trikal::report {

[[nodiscard]] ExportStatus write_openmetrics(log::Reader& reader, std::string_view version, TableOutput& output);

}  // namespace trikal::report

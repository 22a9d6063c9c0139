#include "gather/machine_rows.hpp"

#include "log/trailer/format.hpp"

namespace trikal::gather {
namespace {

constexpr log::Column kMachineColumns[] = {
    {"host", log::ColumnType::kText, "", "the node"},
    {"metric", log::ColumnType::kText, "", "what was measured, as the view system of a store names it"},
    {"device", log::ColumnType::kText, "", "of which disk, network interface or mount; empty: of the machine"},
    {"unit", log::ColumnType::kText, "", "of the values"},
    {"samples", log::ColumnType::kU64, "", "how often it was measured"},
    {"least", log::ColumnType::kF64, "", "the smallest value"},
    {"mean", log::ColumnType::kF64, "", "the mean over the run"},
    {"most", log::ColumnType::kF64, "", "the largest value"},
};
constexpr log::SectionSchema kMachineSection = {"machine", "what the machine did while the job ran", kMachineColumns};

}  // namespace

Status put_machine(log::Writer& out, std::span<const MachineRow> rows) {
  log::TrailerWriter* trailer = out.trailer();
  if (trailer == nullptr || rows.empty()) return {};
  Status status = trailer->begin_section(kMachineSection);
  const auto next = [&](Status put) {
    if (status.ok()) status = put;
  };
  for (const MachineRow& row : rows) {
    for (const std::string* text : {&row.host, &row.metric, &row.device, &row.unit}) next(trailer->put_text(*text));
    next(trailer->put_u64(row.samples));
    for (const double value : {row.least, row.mean, row.most}) next(trailer->put_f64(value));
  }
  next(trailer->end_section());
  return status;
}

}  // namespace trikal::gather

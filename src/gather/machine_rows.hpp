#pragma once
// What the machine did during a run, as `trikal watch` measured it: the section "machine" of the trailer.

#include <cstdint>
#include <span>
#include <string>

#include "log/write/writer.hpp"

namespace trikal::gather {

// One metric of one device over the whole run.
struct MachineRow {
  std::string host, metric, device, unit;
  std::uint64_t samples = 0;
  double least = 0, mean = 0, most = 0;
};

// Nothing where there are no rows.
[[nodiscard]] Status put_machine(log::Writer& out, std::span<const MachineRow> rows);

}  // namespace trikal::gather

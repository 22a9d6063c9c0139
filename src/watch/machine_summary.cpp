#include "watch/machine_summary.hpp"

#include <algorithm>
#include <string_view>

namespace trikal::watch {
namespace {

// Counters are stored as what they grew by in a second.
const char* unit_of(std::string_view metric) {
  if (metric.starts_with("cpu.")) return "processors";
  if (metric.starts_with("memory.")) return "bytes";
  if (metric.starts_with("pressure.") || metric.ends_with("_seconds")) return "seconds/s";
  return metric.ends_with("bytes") ? "bytes/s" : "1/s";
}

}  // namespace

void MachineSummary::add(const std::vector<stream::SystemValue>& values) {
  if (values.empty()) return;
  const stream::Nanoseconds before = last_;
  for (const stream::SystemValue& value : values) {
    Sum& sum = sums_[{value.metric, value.device}];
    sum.least = sum.samples == 0 ? value.value : std::min(sum.least, value.value);
    sum.most = sum.samples == 0 ? value.value : std::max(sum.most, value.value);
    ++sum.samples, sum.plain += value.value;
    const double seconds = before == 0 ? 0 : static_cast<double>(value.time - before) / stream::kSecond;
    sum.weighted += seconds * value.value, sum.weight += seconds;
    last_ = value.time;
  }
}

std::vector<gather::MachineRow> MachineSummary::rows(const std::string& host) const {
  std::vector<gather::MachineRow> rows;
  for (const auto& [key, sum] : sums_) {
    const double mean = sum.weight > 0 ? sum.weighted / sum.weight : sum.plain / static_cast<double>(sum.samples);
    rows.push_back({host, key.first, key.second, unit_of(key.first), sum.samples, sum.least,
                    std::clamp(mean, sum.least, sum.most), sum.most});
  }
  return rows;
}

}  // namespace trikal::watch

#pragma once
// What the machine did during a run, summed up for its log.

#include <map>
#include <string>
#include <vector>

#include "gather/machine_rows.hpp"
#include "stream/wire/batch.hpp"

namespace trikal::watch {

class MachineSummary {
 public:
  // In the order of time.
  void add(const std::vector<stream::SystemValue>& values);
  // One for each metric and device. The mean counts each value for the time since the one before.
  [[nodiscard]] std::vector<gather::MachineRow> rows(const std::string& host) const;

 private:
  struct Sum {
    std::uint64_t samples = 0;
    double least = 0, most = 0, plain = 0, weighted = 0, weight = 0;
  };
  std::map<std::pair<std::string, std::string>, Sum> sums_;
  stream::Nanoseconds last_ = 0;  // when the machine was looked at last
};

}  // namespace trikal::watch

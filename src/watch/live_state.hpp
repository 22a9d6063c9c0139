#pragma once
// What a screen shows of a run while it goes on, kept up from the batches that go to the store.

#include <deque>
#include <string>
#include <unordered_map>

#include "report/text/live_screen.hpp"
#include "stream/wire/batch.hpp"

namespace trikal::watch {

class LiveState {
 public:
  void add(const stream::Batch& batch);
  // As of the end of what was added last.
  [[nodiscard]] report::LiveScreen screen(std::size_t most_files, std::size_t most_processes) const;

 private:
  static constexpr stream::Nanoseconds kWindow = 2 * stream::kSecond;  // what "now" is
  struct Sum {
    stream::Amount total;
    std::uint64_t bytes_now = 0;
  };
  struct Process : Sum {
    stream::ProcessEntry entry;
  };
  struct Recent {
    stream::Nanoseconds begin = 0, end = 0;
    std::vector<stream::Rollup> rows;
  };
  void add_rows(const stream::Interval& interval);
  void forget();
  void add_system(const stream::SystemValue& value);

  std::string command_;
  stream::Nanoseconds begin_ = 0, now_ = 0, system_time_ = 0;
  std::array<stream::Amount, kOperations> total_{}, recent_total_{};
  std::deque<Recent> recent_;
  std::unordered_map<std::uint64_t, Sum> files_;
  std::unordered_map<std::uint64_t, std::string> names_;
  std::unordered_map<std::uint64_t, Process> processes_;
  report::LiveMachine machine_;
};

}  // namespace trikal::watch

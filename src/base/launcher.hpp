#pragma once
// Which of how many tasks this process is, by what launchers (mpirun, srun, flux run, aprun, jsrun, ...) put into the
// environment of what they start. Only this decides whether a process was launched. No heap.

#include <cstdint>
#include <string_view>

namespace trikal {

struct LaunchedTask {
  std::int64_t rank = -1;  // -1: no launcher said
  std::int64_t ranks = 0;  // started together; 0: not told
  std::int64_t here = 0;   // of them on this node; 0: not told
  std::uint64_t step = 0;  // the same for all of them, on every node; 0: not told
  std::uint64_t node = 0;  // tells the nodes of a step apart where one machine plays several; 0: not told

  // One of several: the job is more than what this process starts.
  [[nodiscard]] bool is_one_of_many() const noexcept { return rank >= 0 && ranks > 1 && rank < ranks; }
  // Also where it is not told how many there are.
  [[nodiscard]] bool may_be_one_of_many() const noexcept {
    return is_one_of_many() || (rank >= 0 && ranks == 0 && step != 0);
  }
};

// `variable(name)`: its value, null where it is not set.
using Environment = const char* (*)(std::string_view name) noexcept;

[[nodiscard]] LaunchedTask launched_task(Environment variable) noexcept;

// The node's name as the launcher knows it; null: none was told.
[[nodiscard]] const char* launched_node(Environment variable) noexcept;

}  // namespace trikal

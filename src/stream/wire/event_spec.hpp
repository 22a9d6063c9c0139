#pragma once
// Which events are asked for: the value of TRIKAL_EVENTS and of `trikal run --events=SPEC`. Read inside the application, so
// nothing here allocates.
//
//   off | all | 1/N [,interface=A+B] [,operation=A+B] [,file=PATTERN+PATTERN] [,from=S] [,until=S] [,memory=MIB] [,details]

#include <cstdint>
#include <string_view>

namespace trikal::stream {

struct EventSpec {
  std::uint32_t sample = 0;  // 0: off; 1: every event; N: one in N of each thread
  bool details = false;  // what the record had counted goes with each event
  std::string_view interfaces, operations, files;  // lists separated by '+', patterns with * and ?; empty: all
  // Seconds; since 1970 if they are marked by '@', else since the process began to be observed.
  double from = 0, until = 0;  // until 0: no end
  bool from_is_absolute = false, until_is_absolute = false;
  std::uint64_t memory = 32;  // MiB that the rings of one process may take

  [[nodiscard]] bool is_on() const noexcept { return sample != 0; }
};

// What is wrong with it, in words; null if nothing is. Views point into `text`.
[[nodiscard]] const char* parse_event_spec(std::string_view text, EventSpec& spec) noexcept;

// "12.5" or "@1700000000"
[[nodiscard]] bool read_moment(std::string_view text, double& seconds, bool& absolute) noexcept;
// Whether any pattern of a list is that text. Upper and lower case alike; '_', '-' and spaces as well.
[[nodiscard]] bool list_has(std::string_view list, std::string_view text) noexcept;
// The same where upper and lower case differ, and * stands for any bytes: of paths.
[[nodiscard]] bool paths_have(std::string_view list, std::string_view path) noexcept;

}  // namespace trikal::stream

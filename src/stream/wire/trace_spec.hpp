#pragma once
// What is to be traced: the value of TRIKAL_TRACE and of `trikal run --trace=SPEC`. Read inside the application, so nothing here
// allocates.
//
//   off | all [,file=PATTERN+PATTERN] [,rank=A+B:C] [,from=S] [,until=S] [,small=SHARE] [,unaligned=SHARE]

#include <cstdint>
#include <string_view>

namespace trikal::stream {

struct TraceSpec {
  bool on = false;
  std::string_view files, ranks;  // lists separated by '+'; empty: all
  double from = 0, until = 0;  // seconds, since 1970 if they are marked by '@'; until 0: no end
  bool from_is_absolute = false, until_is_absolute = false;
  // Only of files of whose reads and writes so many are small (up to 10 KiB), or not aligned; 0: of all. Where both are given,
  // either will do.
  double small = 0, unaligned = 0;

  [[nodiscard]] bool has_shares() const noexcept { return small > 0 || unaligned > 0; }
};

// What is wrong with it, in words; null if nothing is. Views point into `text`.
[[nodiscard]] const char* parse_trace_spec(std::string_view text, TraceSpec& spec) noexcept;
// "0.25"; false: that is no share.
[[nodiscard]] bool read_share(std::string_view text, double& share) noexcept;
// Whether a rank is in a list such as "3+5:8".
[[nodiscard]] bool ranks_have(std::string_view list, std::int64_t rank) noexcept;

}  // namespace trikal::stream

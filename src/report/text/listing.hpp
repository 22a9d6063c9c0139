#pragma once
// The whole text of `trikal parse`: header, then module by module what was asked for.

#include "base/result.hpp"
#include "log/read/reader.hpp"
#include "report/sink.hpp"

namespace trikal::report {

struct ListingOptions {
  bool base = false, total = false, file = false, perf = false;
  bool show_incomplete = true;  // false: stop at a module whose data are incomplete
};

// Notices that belong beside the text, not in it (unknown modules, incomplete data).
class Notices {
 public:
  virtual ~Notices() = default;
  virtual void notice(std::string_view sentence) = 0;
};

// kUsage with what = kIncomplete: a module is incomplete and the options say to stop there.
inline constexpr const char* kIncomplete = "a module's data are incomplete";
[[nodiscard]] Status write_listing(Sink& out, log::Reader& reader, const ListingOptions& options, Notices& notices);

}  // namespace trikal::report

#pragma once
// The whole text of `trikal parse`: header, then module by module what was asked for.

#include "base/result.hpp"
#include "log/read/reader.hpp"
#include "report/sink.hpp"
#include "report/text/notices.hpp"

namespace trikal::report {

struct ListingOptions {
  bool base = false, total = false, file = false, perf = false;
  bool show_incomplete = true;  // false: stop at a module whose data are incomplete
};

[[nodiscard]] Status write_listing(Sink& out, log::Reader& reader, const ListingOptions& options, Notices& notices);

}  // namespace trikal::report

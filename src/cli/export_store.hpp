#pragma once
// `trikal export --format ldms-json|ldms-csv` of a store of `trikal watch`: the messages that `trikal run --publish` would have
// sent of the events in it.

#include <string>

#include "report/ldms/messages.hpp"

namespace trikal::cli {

struct StoreExportOptions {
  std::string path, output;
  std::int64_t run = 0;  // as the store's views have it; 0: all
  report::ldms::Dialect dialect = report::ldms::Dialect::kCurrent;
  report::ldms::ModuleSet modules = report::ldms::ModuleSet::all();
  bool csv = false, force = false, salvage = false;
};

// By its scheme, or by what the file begins with.
[[nodiscard]] bool is_store(const std::string& path);

// The exit code.
[[nodiscard]] int export_store(const StoreExportOptions& options);

}  // namespace trikal::cli

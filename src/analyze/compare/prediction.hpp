#pragma once
// A prediction beside a run: only what a prediction speaks of is compared, and of the run only what the program did itself.
// The predicted log says what that is (dataset/predicted_counters.hpp).

#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "analyze/compare/value.hpp"
#include "analyze/dataset/prediction.hpp"
#include "base/keyed_hash.hpp"
#include "log/read/reader.hpp"

namespace trikal::analyze {

struct PredictionScope {
  struct Module {
    const ModuleSchema* schema = nullptr;
    std::vector<bool> said;  // by index in the schema's table of counters
    std::vector<ModuleId> unless;  // of files that these have, too, the calls are a library's
  };

  Side predicted = Side::kA;
  std::vector<Module> modules;
  std::set<std::int64_t> ranks;  // that were looked at; empty: all
  double like_it = 0;  // files that have no record, as they are like one that has
  std::optional<Sureness> sureness;
  bool has_sites = false;  // the run says where calls came from
  std::unordered_set<std::uint64_t, KeyedHash> libraries;  // files of the run that only libraries touched, by id

  [[nodiscard]] const Module* find(ModuleId id) const;
};

// Where exactly one of the two is a prediction that says what it speaks of.
[[nodiscard]] std::optional<PredictionScope> prediction_among(log::Reader& a, log::Reader& b);

// What such a comparison comes to.
struct PredictionCounts {
  std::uint64_t values = 0;  // counters of records in both that are not 0 in both
  std::uint64_t files = 0, files_only_a = 0, files_only_b = 0;
  // Left out.
  std::uint64_t counters = 0, counters_of = 0;  // counters of the modules that are compared: not said, of so many
  std::vector<std::string_view> modules;  // in one of the logs, and not said
  std::uint64_t beneath = 0;  // records of what libraries do to files that are theirs
  std::uint64_t libraries = 0;  // files that only libraries touched
  std::uint64_t ranks = 0;  // records of ranks that were not looked at, or of all ranks

  [[nodiscard]] bool nothing_compared() const { return values + files_only_a + files_only_b == 0; }
};

}  // namespace trikal::analyze

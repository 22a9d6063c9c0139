#pragma once
// Differences gathered by file and ranked by how large they are. Keeps the largest ones only, so that two large logs
// that have nothing in common take no more memory than a number a file.

#include <string>
#include <unordered_map>
#include <vector>

#include "analyze/compare/compare.hpp"
#include "base/keyed_hash.hpp"

namespace trikal::analyze {

struct RankedChange {
  const ModuleSchema* schema = nullptr;
  std::int64_t rank = 0;
  std::string name;
  Value a, b;
  Unit unit = Unit::kNone;
  double relative = 0;
  std::uint64_t number = 0;  // order of arrival: decides between equals
};

struct FileDifferences {
  std::uint64_t id_a = 0, id_b = 0;
  std::string name_a, name_b;                   // of files that may be shown
  double largest = 0;               // of all its changes, kept or not
  std::uint64_t changes = 0;
  std::uint64_t only_a = 0, only_b = 0;         // records without a counterpart
  std::uint64_t modules_a = 0, modules_b = 0;   // a bit for each module of those
  std::uint64_t number = 0;
  std::vector<RankedChange> kept;  // largest first, once ranked
};

class Ranking {
 public:
  static constexpr std::size_t kNoBound = ~std::size_t{0};

  Ranking(std::size_t files, std::size_t changes_a_file) : files_wanted_(files), changes_wanted_(changes_a_file) {}

  void add(const RecordPair& record, const Change& change);
  void add_only(Side side, const RecordPair& record);

  // Files with changes, the largest change first; then those that only miss records. All of them, the first
  // `files` with their changes.
  [[nodiscard]] std::vector<const FileDifferences*> ranked();
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // what it takes, roughly

 private:
  FileDifferences& file_of(const RecordPair& record);
  static void name(FileDifferences& file, const RecordPair& record);
  void keep_largest(FileDifferences& file, std::size_t count);
  void drop_small_files();

  std::size_t files_wanted_, changes_wanted_;
  std::unordered_map<std::uint64_t, FileDifferences, KeyedHash> files_;
  std::vector<FileDifferences*> with_changes_;  // those that have kept some
  std::size_t only_named_ = 0;
  std::uint64_t numbers_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace trikal::analyze

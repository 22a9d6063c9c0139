#pragma once
// Databases of a run that keep a journal beside them, as SQLite does.

#include <cstdint>
#include <map>
#include <set>
#include <string_view>

#include "analyze/dataset/run.hpp"

namespace trikal::analyze {

class Journals {
 public:
  struct Cost {
    std::int64_t commits = 0;
    double seconds = 0;  // of writing, syncing, making and removing
    Use use;
  };

  explicit Journals(const Run& run);

  // Of a database; null: it has none.
  [[nodiscard]] const Cost* of(std::string_view database) const;
  // Whether a file is a database that commits again and again, the journal of one, or the directory both lie in, which is
  // synced with each.
  [[nodiscard]] bool have(const FileUse& file) const;

  // What a file itself costs, journal or database.
  [[nodiscard]] static Cost cost_of(const Run& run, const FileUse& file);
  static constexpr std::int64_t kOften = 32;  // commits

 private:
  std::map<std::string_view, Cost> costs_;  // by the database's name
  std::set<std::string_view> directories_;  // of those that commit often
};

}  // namespace trikal::analyze

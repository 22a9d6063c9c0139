#include "analyze/rules/journals.hpp"

#include <algorithm>

namespace trikal::analyze {
namespace {

// The journal beside a database: made and removed (or synced) for every transaction.
std::string_view database_of(std::string_view name) {
  for (const std::string_view end : {"-journal", "-wal"})
    if (name.ends_with(end)) return name.substr(0, name.size() - end.size());
  return {};
}

}  // namespace

Journals::Cost Journals::cost_of(const Run& run, const FileUse& file) {
  Cost cost;
  if (const auto use = run.use(file, Layer::kPosix)) {
    cost.use = *use, cost.seconds = use->write.seconds + use->meta_seconds;
    // A journal that is kept is synced twice a commit; one that is removed is opened once.
    cost.commits = std::max({use->opens, use->syncs / 2, run.extra(file).unlinks});
  }
  cost.seconds += run.extra(file).seconds;
  return cost;
}

Journals::Journals(const Run& run) {
  for (const FileUse& file : single_files(run))
    if (const std::string_view database = database_of(file.name); !database.empty())
      costs_.emplace(database, cost_of(run, file));
  for (const auto& [database, cost] : costs_)
    if (cost.commits >= kOften) directories_.insert(database.substr(0, database.rfind('/')));
}

const Journals::Cost* Journals::of(std::string_view database) const {
  const auto found = costs_.find(database);
  return found == costs_.end() ? nullptr : &found->second;
}

bool Journals::have(const FileUse& file) const {
  if (costs_.empty()) return false;
  const std::string_view database = database_of(file.name);
  const Cost* journal = of(database.empty() ? std::string_view(file.name) : database);
  return (journal != nullptr && journal->commits >= kOften) || directories_.contains(file.name);
}

}  // namespace trikal::analyze

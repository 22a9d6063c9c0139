#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kNoTransactionsLimits[] = {
    {"commits", 32, "of a database, at least"},
};

// The journal beside a database: made and removed (or synced) for every transaction.
std::string_view database_of(std::string_view name) {
  for (const std::string_view end : {"-journal", "-wal"})
    if (name.ends_with(end)) return name.substr(0, name.size() - end.size());
  return {};
}

struct Cost {
  std::int64_t commits = 0;
  double seconds = 0;
  const FileUse* file = nullptr;
  Use use;
};

Cost cost_of(const Run& run, const FileUse& file) {
  Cost cost{.file = &file};
  if (const auto use = run.use(file, Layer::kPosix)) {
    cost.use = *use, cost.seconds = use->write.seconds + use->meta_seconds;
    // A journal that is kept is synced twice a commit; one that is removed is opened once.
    cost.commits = std::max({use->opens, use->syncs / 2, run.extra(file).unlinks});
  }
  cost.seconds += run.extra(file).seconds;
  return cost;
}

void look_for_no_transactions(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  std::map<std::string_view, Cost> journals;
  for (const FileUse& file : single_files(run))
    if (const std::string_view database = database_of(file.name); !database.empty())
      journals.emplace(database, cost_of(run, file));
  if (journals.empty()) return;
  Offenders offenders(run);
  std::int64_t commits = 0;
  for (const FileUse& file : single_files(run)) {
    const auto journal = journals.find(file.name);
    if (journal == journals.end()) continue;
    const std::int64_t count = journal->second.commits;
    if (count < scene.count(at(kNoTransactionsLimits, "commits"))) continue;
    const Cost own = cost_of(run, file);
    const double lost = (own.seconds + journal->second.seconds) * (1 - 1 / real_of(count));
    offenders.add(file, own.use.ranks > 0 ? own.use : journal->second.use, lost,
                  fmt::format("{} transactions, {} in it and its journal", grouped(count),
                              timed(own.seconds + journal->second.seconds)));
    commits += count;
  }
  Finding finding;
  finding.title =
      fmt::format("{} transactions, each with its own journal and syncs: {}", grouped(commits), offenders.names());
  finding.formula = "time of writing, syncing, opening and removing the database and its journal, but one transaction";
  conclude(offenders, std::move(finding), out, Bound::kRun);
}

}  // namespace

const Rule kNoTransactions = {
    "no-transactions",
    "a database that commits every change on its own",
    "Each transaction makes a journal, syncs it, changes the database, syncs that and removes the journal: several "
    "waits for "
    "the disk for a row of a few bytes.",
    "Put many changes into one transaction: BEGIN before the loop and COMMIT after it (Python: with connection: around "
    "executemany); PRAGMA journal_mode=WAL and synchronous=NORMAL where the last commits may be lost in a power cut.",
    "time of writing, syncing, opening and removing the database and its journal, but one transaction",
    look_for_no_transactions,
    kNoTransactionsLimits};

}  // namespace trikal::analyze

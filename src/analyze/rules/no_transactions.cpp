#include <fmt/format.h>

#include "analyze/rules/journals.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kNoTransactionsLimits[] = {
    {"commits", Journals::kOften, "of a database, at least"},
};

void look_for_no_transactions(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  const Journals journals(run);
  Offenders offenders(run);
  std::int64_t commits = 0;
  for (const FileUse& file : single_files(run)) {
    const Journals::Cost* journal = journals.of(file.name);
    if (journal == nullptr || journal->commits < scene.count(at(kNoTransactionsLimits, "commits"))) continue;
    const Journals::Cost own = Journals::cost_of(run, file);
    const double seconds = own.seconds + journal->seconds;
    offenders.add(file, own.use.ranks > 0 ? own.use : journal->use, seconds * (1 - 1 / real_of(journal->commits)),
                  fmt::format("{} transactions, {} in it and its journal", grouped(journal->commits), timed(seconds)));
    commits += journal->commits;
  }
  if (offenders.empty()) return;
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

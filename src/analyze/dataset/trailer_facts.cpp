#include "analyze/dataset/trailer_facts.hpp"

#include <set>

#include <algorithm>

#include "analyze/dataset/trailer_rows.hpp"

namespace trikal::analyze {
namespace {

class Facts {
 public:
  Facts(log::Reader& reader, FileIndexes& indexes, Run& run) : reader_(reader), indexes_(indexes), run_(run) {}

  void read_extras() {
    static constexpr std::string_view kOfDirectories[] = {"POSIX_MKDIRS",   "POSIX_RMDIRS",     "POSIX_OPENDIRS",
                                                          "POSIX_RENAMES",  "POSIX_LINKS",      "POSIX_READLINKS",
                                                          "POSIX_ACCESSES", "POSIX_ATTRIBUTES", "POSIX_OTHER_STATS"};
    for_each_row(reader_, "posix_extra", [this](const TrailerRow& row) {
      ExtraUse& extra = run_.extra_of(file(static_cast<std::uint64_t>(row.count("id"))));
      extra.unlinks += row.count("POSIX_UNLINKS");
      extra.mapped_bytes += row.count("POSIX_BYTES_MAPPED");
      extra.short_reads += row.count("POSIX_SHORT_READS");
      extra.short_writes += row.count("POSIX_SHORT_WRITES");
      extra.empty_reads += row.count("POSIX_EMPTY_READS");
      extra.readdirs += row.count("POSIX_READDIRS"), extra.opendirs += row.count("POSIX_OPENDIRS");
      extra.unmaps += row.count("POSIX_UNMAPS"), extra.locks += row.count("POSIX_LOCKS");
      extra.map_syncs += row.count("POSIX_MSYNCS");
      extra.renames += row.count("POSIX_RENAMES"), extra.linked += row.count("POSIX_LINKED");
      for (const std::string_view name : kOfDirectories) extra.directory_calls += row.count(name);
      extra.seconds += row.real("POSIX_F_EXTRA_TIME"), extra.sync_seconds += row.real("POSIX_F_SYNC_TIME");
    });
    for_each_row(reader_, "stdio_extra", [this](const TrailerRow& row) {
      run_.untimed_calls += row.count("STDIO_READS_NOT_TIMED") + row.count("STDIO_WRITES_NOT_TIMED");
    });
  }

  void read_errors() {
    for_each_row(reader_, "errors", [this](const TrailerRow& row) {
      ErrorCount error{static_cast<std::uint64_t>(row.count("id")), row.text("error"), row.count("count")};
      if (error.what.empty()) error.what = "errno " + std::to_string(row.count("errno"));
      if (error.file != 0) run_.extra_of(file(error.file)).errors += error.count;
      run_.errors.push_back(std::move(error));
    });
  }

  void read_processes() {
    for_each_row(reader_, "processes", [this](const TrailerRow& row) {
      run_.processes.push_back({.pid = row.count("pid"),
                                .parent = row.count("parent"),
                                .rank = row.count("rank"),
                                .uses_mpi = row.count("mpi_ranks") > 0,
                                .start = row.real("start"),
                                .end = row.real("end"),
                                .exe = row.text("exe"),
                                .command = row.text("argv"),
                                .ended = row.text("ended"),
                                .status = row.count("status"),
                                .calls = row.count("calls"),
                                .observing = row.real("call_cost") + row.real("session_cost")});
      run_.has_mpi_ranks |= row.count("mpi_ranks") > 1;
      run_.missed_calls += row.count("missed");
      run_.folded_files += row.count("folded");
      run_.unobserved_processes += row.count("unobserved");
    });
    std::ranges::stable_sort(run_.processes, {}, &ProcessRow::start);
  }

  // The table has every rank of the job, unless it says that it has not.
  void find_missing_ranks() {
    if (run_.processes.empty() || reader_.trailer()->find("processes_left_out") != nullptr) return;
    // In an MPI job the shell that was to become a rank is none.
    const bool has_mpi = std::ranges::any_of(run_.processes, &ProcessRow::uses_mpi);
    std::set<std::int64_t> there;
    for (const ProcessRow& process : run_.processes) {
      if (process.uses_mpi && process.rank < 0) return;  // a log from before ranks without I/O had their number
      if ((process.uses_mpi || !has_mpi) && process.rank >= 0) there.insert(process.rank);
    }
    if (there.empty()) return;  // nobody did I/O: a job has one process all the same
    run_.missing_ranks = gaps_in(there, run_.job->nprocs);
  }

  void read_notes() {
    for_each_row(reader_, "phases", [this](const TrailerRow& row) {
      const double end = row.real("end");
      run_.phases.push_back({row.text("phase"), row.real("begin"), end != 0 ? end : run_.seconds, row.count("rank")});
    });
    run_.unseen = read_unseen(reader_);
    for_each_row(reader_, "machine", [this](const TrailerRow& row) {
      run_.machine.push_back({row.text("host"), row.text("metric"), row.text("device"), row.text("unit"),
                              row.count("samples"), row.real("least"), row.real("mean"), row.real("most")});
    });
  }

  void read_sureness() {
    if (run_.is_prediction) run_.sureness = sureness_of(reader_);
  }

  void read_sites() {
    std::vector<SiteUse> rows;
    for_each_row(reader_, "sites", [&](const TrailerRow& row) {
      rows.push_back({.file = static_cast<std::uint64_t>(row.count("id")),
                      .interface = row.text("interface"),
                      .operation = row.text("operation"),
                      .object = row.text("object"),
                      .build = row.text("build_id"),
                      .function = row.text("function"),
                      .source = row.text("source"),
                      .through = row.text("through"),
                      .line = row.count("line"),
                      .offset = row.count("offset"),
                      .count = row.count("count"),
                      .bytes = row.count("bytes"),
                      .seconds = row.real("seconds")});
    });
    run_.sites = sum_sites(std::move(rows));
  }

 private:
  FileUse& file(std::uint64_t id) {
    const auto [found, is_new] = indexes_.try_emplace(id, run_.files.size());
    if (is_new) {
      auto names = reader_.names();
      run_.files.push_back({.id = id, .name = names ? (*names)->name_of(id, "") : ""});
    }
    return run_.files[found->second];
  }

  log::Reader& reader_;
  FileIndexes& indexes_;
  Run& run_;
};

}  // namespace

std::vector<UnseenProgram> read_unseen(log::Reader& reader) {
  std::vector<UnseenProgram> unseen;
  for_each_row(reader, "unseen", [&](const TrailerRow& row) {
    const std::string exe = row.text("exe"), why = row.text("why");
    const auto known = std::ranges::find_if(
        unseen, [&](const UnseenProgram& program) { return program.exe == exe && program.why == why; });
    if (known != unseen.end()) known->count += row.count("count");
    else unseen.push_back({exe, why, row.count("count")});
  });
  return unseen;
}

void read_trailer_facts(log::Reader& reader, FileIndexes& indexes, Run& run) {
  Facts facts(reader, indexes, run);
  facts.read_extras();
  facts.read_errors();
  facts.read_processes();
  facts.find_missing_ranks();
  facts.read_notes();
  facts.read_sites();
  facts.read_sureness();
}

std::optional<Sureness> sureness_of(log::Reader& predicted) {
  SurenessSum sum;
  for_each_row(predicted, "predicted_sites", [&](const TrailerRow& row) {
    const std::string text = row.text("certainty");
    const Certainty certainty = text == name_of(Certainty::kExact)          ? Certainty::kExact
                                : text == name_of(Certainty::kExtrapolated) ? Certainty::kExtrapolated
                                                                            : Certainty::kAssumed;
    sum.add(certainty, std::max(0.0, row.real("count")), std::max(0.0, row.real("bytes")), row.text("because"));
  });
  const Sureness shares = sum.shares();
  return shares.operations > 0 ? std::optional(shares) : std::nullopt;
}

}  // namespace trikal::analyze

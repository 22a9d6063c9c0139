#include "cli/compare_runs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <deque>

#include "cli/complain.hpp"
#include "cli/verbs.hpp"
#include "report/comparison.hpp"
#include "report/html/page.hpp"
#include "report/output.hpp"
#include "report/text/program_name.hpp"

namespace trikal::cli {
namespace {

// Logs of one side. Digests hold names of the readers: they stay open.
struct Side {
  std::vector<std::unique_ptr<log::Reader>> readers;
  std::deque<analyze::Run> runs;
  std::vector<analyze::RunDigest> digests;
  std::vector<report::ComparedLog> logs;
  int damaged = kOk;  // an exit code
};

int add_log(const std::string& path, std::unique_ptr<log::Reader> reader, const RunComparison& wanted,
            const LogInput& input, Side& side) {
  const auto names = wanted.by_name ? analyze::FileNames::kLastPart : analyze::FileNames::kWhole;
  auto run = analyze::read_run(*reader);
  if (!run) return complain(path, run.error());
  const int damaged = report_damage(path, reader->damage());
  if (damaged != kOk && !input.salvage) return damaged;
  side.damaged = std::max(side.damaged, damaged);
  side.logs.push_back({path, report::program_name(*run), run->job->nprocs, run->seconds});
  side.readers.push_back(std::move(reader));
  side.runs.push_back(std::move(*run));
  const analyze::Run& kept = side.runs.back();
  side.digests.push_back(digest_of(kept, find_all(kept, wanted.policy.policy), names));
  return kOk;
}

int read_side(const std::vector<std::string>& paths, const RunComparison& wanted, const LogInput& input, Side& side) {
  for (const std::string& path : paths) {
    int code = kOk;
    TerminalProgress progress(!input.no_progress && !wanted.quiet, TerminalProgress::Output::kNone);
    auto reader = input.open(path, code, progress);
    if (!reader) return code;
    code = add_log(path, std::move(reader), wanted, input, side);
    progress.end();
    if (code != kOk) return code;
  }
  return kOk;
}

Status write_page(const RunComparison& wanted, const report::Comparison& comparison) {
  if (!report::has_page())
    return Error{.code = ErrorCode::kUnsupported, .what = "this trikal was built without the report page"};
  const auto replace = wanted.force ? report::Replace::kYes : report::Replace::kNo;
  auto output = report::open_file_or_standard_output(wanted.page, replace);
  if (!output) return output.error();
  auto sink = (*output)->open("page");
  if (!sink) return sink.error();
  report::write_comparison_page(**sink, comparison);
  return (*output)->close();
}

// What the totals may hide.
void write_counter_line(report::Sink& out, const analyze::CompareResult& counters) {
  const analyze::CompareCounts& c = counters.counts;
  if (!counters.differs())
    return out.put(fmt::format("\nEvery counter of {} record{} is the same.\n", c.pairs, c.pairs == 1 ? "" : "s"));
  out.put(fmt::format("\n{} of {} records in both differ, {} only in A, {} only in B: --counters shows them.\n",
                      c.differing, c.pairs, c.only_a, c.only_b));
}

int write(const RunComparison& wanted, const Side& a, const Side& b, const analyze::CompareResult* counters) {
  const analyze::RunChanges changes = analyze::compare_runs(a.digests, b.digests, wanted.alpha);
  const report::Comparison comparison{a.logs, b.logs, changes};
  if (!wanted.page.empty()) {
    const Status written = write_page(wanted, comparison);
    if (!written) return complain(wanted.page == "-" ? "standard output" : wanted.page, written.error());
  }
  if (!wanted.quiet && wanted.page != "-" && (wanted.json || wanted.page.empty())) {
    report::DescriptorSink out(STDOUT_FILENO, wanted.json ? report::Audience::kProgram : report::Audience::kPerson);
    if (wanted.json) report::write_comparison_json(out, comparison);
    else report::write_comparison_text(out, comparison);
    if (counters != nullptr) write_counter_line(out, *counters);
    if (const Status written = out.flush(); !written) return complain("standard output", written.error());
  }
  const bool same = std::ranges::all_of(
      changes.numbers, [](const analyze::NumberChange& number) { return number.verdict == analyze::Verdict::kSame; });
  return same && (counters == nullptr || !counters->differs()) ? kOk : kDiffers;
}

}  // namespace

int compare_runs(RunComparison& wanted, const LogInput& input) {
  if (const int code = wanted.policy.load(); code != kOk) return code;
  Side a, b;
  if (const int code = read_side(wanted.a, wanted, input, a); code != kOk) return code;
  if (const int code = read_side(wanted.b, wanted, input, b); code != kOk) return code;
  return write(wanted, a, b, nullptr);
}

int compare_two_runs(RunComparison& wanted, const LogInput& input, std::unique_ptr<log::Reader> log_a,
                     std::unique_ptr<log::Reader> log_b, const CompareCounters& compare_counters) {
  if (const int code = wanted.policy.load(); code != kOk) return code;
  Side a, b;
  if (const int code = add_log(wanted.a.front(), std::move(log_a), wanted, input, a); code != kOk) return code;
  if (const int code = add_log(wanted.b.front(), std::move(log_b), wanted, input, b); code != kOk) return code;
  const analyze::CompareResult counters = compare_counters(*a.readers.front(), *b.readers.front());
  if (!counters.status) {
    const auto& side = counters.side == analyze::Side::kA ? wanted.a : wanted.b;
    return complain(side.front(), counters.status.error());
  }
  const int code = write(wanted, a, b, &counters);
  return a.damaged != kOk || b.damaged != kOk ? std::max(a.damaged, b.damaged) : code;
}

}  // namespace trikal::cli

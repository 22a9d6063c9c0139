#include "report/text/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyze/dataset/internal_files.hpp"
#include "analyze/dataset/trailer_facts.hpp"
#include "analyze/rules/judge.hpp"
#include "base/utf8.hpp"
#include "report/json/run_data.hpp"
#include "report/text/findings.hpp"
#include "report/text/program_name.hpp"
#include "report/text/unseen.hpp"

namespace trikal::report {
namespace {

using analyze::sized;
using analyze::timed;

constexpr std::size_t kTopFindings = 3;

void write_volume(Sink& out, const analyze::Run& run) {
  const auto read = static_cast<double>(run.bytes_read()), written = static_cast<double>(run.bytes_written());
  const double seconds = run.io_seconds(), speed = seconds > 0 ? (written + read) / seconds : 0;
  const std::int64_t files = analyze::program_files(run);
  out.put(fmt::format("         wrote {} · read {} · together {}/s · {} · metadata {}\n", sized(written), sized(read),
                      sized(speed), files == 1 ? "1 file" : fmt::format("{} files", analyze::grouped(files)),
                      timed(run.meta_seconds() / run.concurrency)));
}

// What observing took: of the time of all processes together, for they pay for it one by one.
void write_self_cost(Sink& out, const analyze::Run& run) {
  std::int64_t calls = 0;
  double cost = 0, lived = 0;
  for (const analyze::ProcessRow& process : run.processes) {
    calls += process.calls;
    cost += process.observing;
    lived += std::max(0.0, (process.end != 0 ? process.end : run.seconds) - process.start);
  }
  if (cost <= 0) return;
  const std::string share = lived > 0 ? fmt::format(" ({:.1f} %)", std::min(100.0, 100 * cost / lived)) : "";
  out.put(
      fmt::format("         {} calls seen · observing cost about {}{}\n", analyze::grouped(calls), timed(cost), share));
}

// How long the phases took that the program named itself, in all processes and threads together.
void write_phases(Sink& out, const analyze::Run& run) {
  constexpr std::size_t kMostShown = 6;
  struct Total {
    double seconds = 0;
    std::size_t times = 0;
  };
  std::map<std::string, Total> totals;
  for (const analyze::PhaseRow& phase : run.phases) {
    Total& total = totals[phase.name];
    total.seconds += std::max(0.0, phase.end - phase.begin);
    total.times += 1;
  }
  if (totals.empty()) return;
  std::vector<std::pair<std::string, Total>> longest(totals.begin(), totals.end());
  std::ranges::sort(longest, std::greater<>(), [](const auto& phase) { return phase.second.seconds; });
  std::string text;
  for (std::size_t i = 0; i < std::min(longest.size(), kMostShown); ++i) {
    const auto& [name, total] = longest[i];
    text += fmt::format("{}{} {}", i == 0 ? "" : " · ", printable(name), timed(total.seconds));
    if (total.times > 1) text += fmt::format(" in {}", total.times);
  }
  out.put(fmt::format("         phases: {}\n", text));
}

}  // namespace

Status write_run_summary(Sink& out, log::Reader& reader, const RunFacts& facts, const analyze::Policy& policy) {
  if (facts.processes == 0) {
    out.put(fmt::format("\ntrikal   {} · nothing was seen   {}\n", program_name(reader.job().exe),
                        printable(facts.log_path)));
    for (const std::string& line : unseen_lines(analyze::read_unseen(reader)))
      out.put("         " + line + "\n", Style::kWarning);
    return {};
  }
  const auto run = analyze::read_run(reader);
  if (!run) return run.error();
  const double share = run->seconds > 0 ? 100 * run->io_seconds() / run->seconds : 0;
  out.put("\ntrikal   ");
  out.put(program_name(*run), Style::kStrong);
  out.put(fmt::format(
      " · {} · {}{}, {}{:.0f} % of it in I/O   {} ({})\n",
      facts.processes == 1 ? "1 process" : fmt::format("{} processes, {} with I/O", facts.processes, facts.with_io),
      run->at_least ? "at least " : "", timed(run->seconds), run->at_least ? "at most " : "", share,
      printable(facts.log_path), sized(static_cast<double>(reader.file_size()))));
  write_volume(out, *run);
  write_phases(out, *run);
  for (const std::string& line : unseen_lines(run->unseen)) out.put("         " + line + "\n", Style::kWarning);
  // Silence would pass for completeness.
  for (const std::string& warning : warnings_of(*run))
    out.put("         " + printable(warning) + "\n", Style::kWarning);
  write_self_cost(out, *run);
  write_top_findings(out, analyze::find_all(*run, policy), kTopFindings);
  if (facts.still_running > 0)
    out.put(fmt::format(
        "         {} still running when this was written\n",
        facts.still_running == 1 ? "1 process was" : fmt::format("{} processes were", facts.still_running)));
  return {};
}

}  // namespace trikal::report

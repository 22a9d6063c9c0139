#include "report/text/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "report/text/findings.hpp"
#include "report/text/summary.hpp"

namespace trikal::report {
namespace {

constexpr std::size_t kTopFindings = 3;

// Calls use(row) for every row of a section of the trailer, where the log has it and it is sound.
template <class Use>
void for_each_row(log::Reader& reader, std::string_view section, std::size_t columns, const Use& use) {
  const log::Trailer* trailer = reader.trailer();
  const log::Section* found = trailer != nullptr ? trailer->find(section) : nullptr;
  if (found == nullptr || found->columns.size() < columns) return;
  auto rows = trailer->rows(*found);
  std::span<const log::Cell> row;
  while (rows) {
    const auto more = (*rows)->next(row);
    if (!more || !*more) return;
    use(row);
  }
}

// Programs that ran and of whose I/O the log knows nothing.
void write_unseen(Sink& out, log::Reader& reader) {
  constexpr std::size_t kMostShown = 3, kWhy = 1, kCount = 2, kExe = 3;
  std::map<std::pair<std::string, std::string>, std::uint64_t> programs;
  for_each_row(reader, "unseen", kExe + 1, [&](std::span<const log::Cell> row) {
    programs[{std::string(row[kExe].text), std::string(row[kWhy].text)}] += row[kCount].u64();
  });
  std::size_t shown = 0;
  for (const auto& [program, count] : programs) {
    if (shown++ == kMostShown) {
      out.put(fmt::format("         and {} more programs (trikal export -t unseen)\n", programs.size() - kMostShown));
      break;
    }
    out.put(fmt::format("         not seen: {} ({}), started {}\n", program.first, program.second,
                        count == 1 ? "once" : fmt::format("{} times", count)));
  }
}

// What the log is short of, from the table of processes. Silence would pass for completeness.
void write_shortcomings(Sink& out, log::Reader& reader) {
  const log::Trailer* trailer = reader.trailer();
  const log::Section* processes = trailer != nullptr ? trailer->find("processes") : nullptr;
  if (processes == nullptr) return;
  const std::size_t columns[] = {processes->column("missed"), processes->column("folded"),
                                 processes->column("unobserved")};
  std::array<std::uint64_t, 3> sums{};
  for_each_row(reader, "processes", 1, [&](std::span<const log::Cell> row) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += columns[i] < row.size() ? row[columns[i]].u64() : 0;
  });
  static constexpr std::array kTexts = {
      "calls were not noted: a signal came in the middle of our own work",
      "files share a record with others on their mount: memory was full (TRIKAL_MEMORY raises it); totals are exact",
      "processes found no memory to be observed with"};
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] > 0) out.put(fmt::format("         {} {}\n", sums[i], kTexts[i]));
  }
}

void write_volume(Sink& out, const analyze::Run& run) {
  const auto read = static_cast<double>(run.bytes_read()), written = static_cast<double>(run.bytes_written());
  const double seconds = run.io_seconds(), speed = seconds > 0 ? (written + read) / seconds : 0;
  const auto files = std::ranges::count_if(run.files, [](const analyze::FileUse& file) {
    return std::ranges::any_of(file.uses, [](std::uint32_t use) { return use != analyze::kNoUse; });
  });
  const double meta =
      run.layer(analyze::Layer::kPosix).total.meta_seconds + run.layer(analyze::Layer::kStdio).total.meta_seconds;
  out.put(fmt::format("         wrote {} · read {} · together {}/s · {} · metadata {:.3f} s\n", human_bytes(written),
                      human_bytes(read), human_bytes(speed), files == 1 ? "1 file" : fmt::format("{} files", files),
                      meta / run.concurrency));
}

// How long the phases took that the program named itself, in all processes and threads together.
void write_phases(Sink& out, log::Reader& reader) {
  constexpr std::size_t kMostShown = 6, kBegin = 4, kEnd = 5, kName = 6;
  struct Total {
    double seconds = 0;
    std::size_t times = 0;
  };
  std::map<std::string, Total> totals;
  for_each_row(reader, "phases", kName + 1, [&](std::span<const log::Cell> row) {
    Total& total = totals[std::string(row[kName].text)];
    const double end = row[kEnd].f64() != 0 ? row[kEnd].f64() : reader.job().run_time();
    total.seconds += std::max(0.0, end - row[kBegin].f64());
    total.times += 1;
  });
  if (totals.empty()) return;
  std::vector<std::pair<std::string, Total>> longest(totals.begin(), totals.end());
  std::ranges::sort(longest, std::greater<>(), [](const auto& phase) { return phase.second.seconds; });
  std::string text;
  for (std::size_t i = 0; i < std::min(longest.size(), kMostShown); ++i) {
    const auto& [name, total] = longest[i];
    text += fmt::format("{}{} {:.2f} s", i == 0 ? "" : " · ", name, total.seconds);
    if (total.times > 1) text += fmt::format(" in {}", total.times);
  }
  out.put(fmt::format("         phases: {}\n", text));
}

}  // namespace

std::string human_bytes(double bytes) {
  static constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.2f} {}", bytes, kUnits[unit]);
}

Status write_run_summary(Sink& out, log::Reader& reader, const RunFacts& facts) {
  if (facts.processes == 0) {
    out.put(fmt::format("\ntrikal   {} · nothing was seen   {}\n", program_name(reader.job().exe), facts.log_path));
    return {};
  }
  const auto run = analyze::read_run(reader);
  if (!run) return run.error();
  const double share = run->seconds > 0 ? 100 * run->io_seconds() / run->seconds : 0;
  out.put(fmt::format(
      "\ntrikal   {} · {} · {:.2f} s, {:.0f} % of it in I/O   {} ({})\n", program_name(reader.job().exe),
      facts.processes == 1 ? "1 process" : fmt::format("{} processes, {} with I/O", facts.processes, facts.with_io),
      run->seconds, share, facts.log_path, human_bytes(static_cast<double>(reader.file_size()))));
  write_volume(out, *run);
  write_phases(out, reader);
  write_unseen(out, reader);
  write_shortcomings(out, reader);
  write_top_findings(out, analyze::find_all(*run), kTopFindings);
  if (facts.still_running > 0)
    out.put(fmt::format("         {} processes were still running when this was written\n", facts.still_running));
  return {};
}

}  // namespace trikal::report

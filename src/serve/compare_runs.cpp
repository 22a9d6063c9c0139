#include "serve/compare_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyze/variability.hpp"

namespace trikal::serve {
namespace {

constexpr std::size_t kMostRuns = 200;
constexpr std::int64_t kPhases = 10;

std::int64_t whole(const storage::Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  const auto* real = std::get_if<double>(&value);
  return real == nullptr ? 0 : static_cast<std::int64_t>(*real);
}
double real(const storage::Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return static_cast<double>(whole(value));
}
std::string text(const storage::Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word == nullptr ? std::to_string(whole(value)) : *word;
}

// What is run: the first word of a command without its folder.
std::string program_of(const std::string& command) {
  const std::string word = command.substr(0, command.find(' '));
  return word.substr(word.rfind('/') + 1);
}

struct Sample {
  analyze::RunSample run;
  std::int64_t begin = 0, end = 0;
};

Result<std::map<std::int64_t, Sample>> runs_like(storage::Panels& panels, std::int64_t run) {
  const auto table = panels.runs();
  if (!table) return table.error();
  enum { kRun, kStart, kEnd, kCommand, kSeconds = 10 };
  std::string program;
  for (const storage::Row& row : table->rows) {
    if (whole(row[kRun]) == run) program = program_of(text(row[kCommand]));
  }
  std::map<std::int64_t, Sample> found;
  for (const storage::Row& row : table->rows) {
    if (program.empty() || program_of(text(row[kCommand])) != program || found.size() == kMostRuns) continue;
    Sample& sample = found[whole(row[kRun])];
    sample.run = {whole(row[kRun]), real(row[kStart]), real(row[kSeconds]), {}};
    sample.begin = whole(row[kStart]), sample.end = whole(row[kEnd]);
  }
  return found;
}

Status add_parts(storage::Panels& panels, storage::By by, std::map<std::int64_t, Sample>& runs) {
  const auto table = panels.sums({.by = {storage::By::kRun, by}});
  if (!table) return table.error();
  for (const storage::Row& row : table->rows) {
    const auto found = runs.find(whole(row[0]));
    const std::string name = text(row[1]);
    if (found == runs.end() || (by == storage::By::kRank && name == "-1")) continue;
    found->second.run.parts.push_back(
        {std::string(storage::kGroupNames[static_cast<std::size_t>(by)]), name, real(row[4])});
  }
  return {};
}

// Tenths of the time of each run: what happens late in one happens late in the others.
Status add_phases(storage::Panels& panels, Sample& sample) {
  const std::int64_t length = sample.end - sample.begin;
  if (length < kPhases) return {};
  const auto table =
      panels.sums({.run = sample.run.run, .from = sample.begin, .to = sample.end, .by = {storage::By::kTime}});
  if (!table) return table.error();
  std::map<std::int64_t, double> phases;
  for (const storage::Row& row : table->rows)
    phases[std::clamp<std::int64_t>((whole(row[0]) - sample.begin) * kPhases / length, 0, kPhases - 1)] += real(row[3]);
  for (const auto& [phase, seconds] : phases)
    sample.run.parts.push_back(
        {"phase", fmt::format("{} to {} % of the run", phase * kPhases, (phase + 1) * kPhases), seconds});
  return {};
}

}  // namespace

Result<storage::Table> compare_runs(storage::Panels& panels, std::int64_t run) {
  auto runs = runs_like(panels, run);
  if (!runs) return runs.error();
  for (const storage::By by : {storage::By::kRank, storage::By::kFile, storage::By::kHost, storage::By::kOperation}) {
    if (const Status added = add_parts(panels, by, *runs); !added) return added.error();
  }
  std::vector<analyze::RunSample> samples;
  for (auto& [number, sample] : *runs) {
    if (const Status added = add_phases(panels, sample); !added) return added.error();
    samples.push_back(std::move(sample.run));
  }
  storage::Table table{{"dimension", "name", "run", "seconds", "typical", "compared"}, {}};
  for (const analyze::Deviation& one : analyze::find_deviations(samples))
    table.rows.push_back(
        {one.dimension, one.name, one.run, one.seconds, one.typical, static_cast<std::int64_t>(one.compared)});
  return table;
}

}  // namespace trikal::serve

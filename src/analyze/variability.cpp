#include "analyze/variability.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace trikal::analyze {
namespace {

constexpr double kLeastRatio = 1.25;
constexpr double kLeastExcess = 0.05;  // seconds
constexpr double kSpreads = 4;  // how many median absolute deviations are still usual
constexpr double kOtherRanks = 1.5;  // a rank is slow in general from this ratio to the others of its run on

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  const double upper = *middle;
  return values.size() % 2 == 1 ? upper : (upper + *std::max_element(values.begin(), middle)) / 2;
}

// Without the one that is judged: one far value among few would hide itself.
struct Usual {
  double typical = 0, spread = 0;
  std::size_t count = 0;

  explicit Usual(const std::vector<double>& others) : typical(median(others)), count(others.size()) {
    std::vector<double> away;
    for (const double value : others) away.push_back(std::abs(value - typical));
    spread = median(std::move(away));
  }
  [[nodiscard]] bool is_passed_by(double value) const {
    const double excess = value - typical;
    return excess >= kLeastExcess && value >= typical * kLeastRatio && excess > kSpreads * spread;
  }
};

using Named = std::pair<std::string, std::string>;  // dimension, name
using ByRun = std::map<std::int64_t, double>;

// Each value of a run against those of the other runs.
void compare_runs(const Named& what, const ByRun& values, std::vector<Deviation>& found) {
  if (values.size() < kLeastRuns) return;
  for (const auto& [run, value] : values) {
    std::vector<double> others;
    for (const auto& [other, seconds] : values) {
      if (other != run) others.push_back(seconds);
    }
    const Usual usual(others);
    if (usual.is_passed_by(value)) found.push_back({what.first, what.second, run, value, usual.typical, usual.count});
  }
}

// Ranks that are slower than the others in every run: no comparison of runs tells of those.
void compare_ranks(const std::vector<RunSample>& runs, std::vector<Deviation>& found) {
  std::map<std::string, std::vector<double>> ratios;
  std::map<std::string, std::pair<double, double>> sums;  // own, typical
  for (const RunSample& run : runs) {
    std::vector<double> all;
    for (const RunPart& part : run.parts) {
      if (part.dimension == "rank") all.push_back(part.seconds);
    }
    const double typical = median(all);
    if (all.size() < kLeastRuns || typical <= 0) continue;
    for (const RunPart& part : run.parts) {
      if (part.dimension != "rank") continue;
      ratios[part.name].push_back(part.seconds / typical);
      sums[part.name].first += part.seconds, sums[part.name].second += typical;
    }
  }
  for (const auto& [rank, values] : ratios) {
    const auto [own, typical] = sums[rank];
    const double runs_of_rank = static_cast<double>(values.size());
    if (std::ranges::min(values) < kOtherRanks || own - typical < kLeastExcess) continue;
    found.push_back({"rank", rank, 0, own / runs_of_rank, typical / runs_of_rank, values.size()});
  }
}

std::string hour_name(int hour) { return (hour < 10 ? "0" : "") + std::to_string(hour) + ":00 UTC"; }

// Runs that began in one hour of the day against those of all other hours; two of each are the least that shows a habit.
void compare_hours(const std::vector<RunSample>& runs, std::vector<Deviation>& found) {
  constexpr int kHours = 24;
  constexpr double kHour = 3600;
  constexpr std::size_t kLeast = 2;
  for (int hour = 0; hour < kHours; ++hour) {
    std::vector<double> here, elsewhere;
    for (const RunSample& run : runs) {
      const int began = static_cast<int>(std::fmod(std::floor(run.start / kHour), kHours));
      (began == hour ? here : elsewhere).push_back(run.seconds);
    }
    if (here.size() < kLeast || elsewhere.size() < kLeast) continue;
    const Usual usual(elsewhere);
    if (usual.is_passed_by(std::ranges::min(here)))
      found.push_back({"hour", hour_name(hour), 0, median(here), usual.typical, usual.count});
  }
}

}  // namespace

std::vector<Deviation> find_deviations(const std::vector<RunSample>& runs) {
  std::map<Named, ByRun> values;
  for (const RunSample& run : runs) {
    values[{"run", ""}][run.run] = run.seconds;
    // The only file or host of a run says nothing that the run itself does not.
    std::map<std::string, std::set<std::string>> names;
    for (const RunPart& part : run.parts) names[part.dimension].insert(part.name);
    for (const RunPart& part : run.parts) {
      if (names[part.dimension].size() > 1) values[{part.dimension, part.name}][run.run] += part.seconds;
    }
  }
  std::vector<Deviation> found;
  for (const auto& [what, by_run] : values) compare_runs(what, by_run, found);
  compare_ranks(runs, found);
  compare_hours(runs, found);
  std::ranges::stable_sort(
      found, [](const Deviation& a, const Deviation& b) { return a.seconds - a.typical > b.seconds - b.typical; });
  return found;
}

}  // namespace trikal::analyze

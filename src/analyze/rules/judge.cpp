#include "analyze/rules/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace trikal::analyze {
namespace {

constexpr std::size_t kMostNamed = 20;
// No estimate is better than what bench/run-savings shows of them all: most are right to this factor.
constexpr double kFactor = 2;

}  // namespace

std::string grouped(std::int64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t left = digits.size() - i;
    if (i > 0 && left % 3 == 0 && digits[i - 1] != '-') text += ',';
    text += digits[i];
  }
  return text;
}

std::string sized(double bytes) {
  static constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 100 ? 0 : bytes >= 10 ? 1 : 2, kUnits[unit]);
}

std::string timed(double seconds) {
  if (seconds == 0) return "0 s";
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  return seconds >= 0.001 ? fmt::format("{:.1f} ms", 1e3 * seconds) : fmt::format("{:.1f} us", 1e6 * seconds);
}

bool is_pipe(std::string_view name) {
  return name == "<STDIN>" || name.starts_with("pipe:") || name.starts_with("socket:") || name.starts_with("<pipe") ||
         name.starts_with("/dev/pts/") || name == "/dev/tty";
}

Severity severity_of(double seconds, const Run& run) {
  const double share = run.seconds > 0 ? seconds / run.seconds : 0;
  if (share >= 0.1 && seconds >= 0.5) return Severity::kHigh;
  return share >= 0.02 && seconds >= 0.05 ? Severity::kMedium : Severity::kLow;
}

void Offenders::add(const FileUse& file, const Use& use, double lost, std::string text) {
  if (!(lost > 0)) return;  // not a number is no time, either
  const double seconds = path_.add(use, lost);
  count_ += 1;
  if (seconds <= least_kept_) return;
  files_.push_back({std::string(file.name), seconds, std::move(text)});
  if (files_.size() >= 8 * kMostNamed) {
    keep_worst(kMostNamed);
    least_kept_ = std::ranges::min_element(files_, {}, &FileEvidence::seconds)->seconds;
  }
}

void Offenders::keep_worst(std::size_t most) {
  std::ranges::stable_sort(files_, std::greater<>(), &FileEvidence::seconds);
  if (files_.size() > most) files_.resize(most);
}

std::string Offenders::names() const {
  const auto worst = std::ranges::max_element(files_, {}, &FileEvidence::seconds);
  if (worst == files_.end()) return {};
  std::string name = worst->name.substr(worst->name.rfind('/') + 1);
  if (count_ == 1) return name;
  return fmt::format("{} and {} other{}", name, grouped(static_cast<std::int64_t>(count_ - 1)), count_ == 2 ? "" : "s");
}

void Offenders::add_beside(double lost) {
  if (lost > 0) path_.add(one_rank(), lost);
}

void conclude(const Run& run, double lost, Finding finding, std::vector<Finding>& out, Bound bound) {
  // Files one after the other may add up to more than there was: nobody can save more than that.
  const double most = bound == Bound::kRun ? run.seconds : run.io_seconds();
  const auto bounded = [most](double seconds) { return most > 0 ? std::min(seconds, most) : seconds; };
  finding.seconds = bounded(lost);
  if (finding.most == 0) finding.least = finding.seconds / kFactor, finding.most = finding.seconds * kFactor;
  finding.least = std::min(finding.least, finding.seconds);
  finding.most = bounded(std::max(finding.most, finding.seconds));
  if (!(finding.seconds >= kWorthSeconds)) return;
  finding.severity = severity_of(finding.seconds, run);
  out.push_back(std::move(finding));
}

void mention(Finding finding, std::vector<Finding>& out) {
  finding.file_count = finding.files.size();
  if (finding.files.size() > kMostNamed) finding.files.resize(kMostNamed);
  out.push_back(std::move(finding));
}

void conclude(Offenders& offenders, Finding finding, std::vector<Finding>& out, Bound bound) {
  const SecondsRange lost = offenders.path_.seconds();
  if (lost.likely < kWorthSeconds) return;
  if (finding.most == 0)
    finding.least = std::min(lost.least, lost.likely / kFactor),
    finding.most = std::max(lost.most, lost.likely * kFactor);
  offenders.keep_worst(kMostNamed);
  finding.files = std::move(offenders.files_), finding.file_count = offenders.count_;
  conclude(offenders.run_, lost.likely, std::move(finding), out, bound);
}

}  // namespace trikal::analyze

#pragma once
// What most rules have in common: go through the files, collect the worst, word the numbers.

#include "analyze/rules/rules.hpp"

namespace trikal::analyze {

// "12,345"
[[nodiscard]] std::string grouped(std::int64_t number);
// "1.20 MiB"
[[nodiscard]] std::string sized(double bytes);
// "1.5 ms", "2.30 s"
[[nodiscard]] std::string timed(double seconds);

// High from a tenth of the run and half a second, medium from a fiftieth, low below.
[[nodiscard]] Severity severity_of(double seconds, const Run& run);

// What no finding can lose more than: time in I/O, or, for calls that no layer has in its time, the run itself.
enum class Bound : std::uint8_t { kTimeInIo, kRun };

// Files a rule applies to. Seconds are of all ranks together in, of one rank's clock out.
class Offenders {
 public:
  explicit Offenders(const Run& run) : run_(run), path_(run) {}
  void add(const FileUse& file, const Use& use, double lost, std::string text);
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] double seconds() const { return path_.seconds().likely; }
  // "out.dat", or "out.dat and 3 others"
  [[nodiscard]] std::string names() const;
  // Seconds of one rank's clock that are lost in no file.
  void add_beside(double lost);

 private:
  friend void conclude(Offenders& offenders, Finding finding, std::vector<Finding>& out, Bound bound);
  void keep_worst(std::size_t most);

  const Run& run_;
  std::vector<FileEvidence> files_;  // the worst, in no order: a run may have millions
  std::size_t count_ = 0;
  CriticalPath path_;
  double least_kept_ = 0;
};

// Sets what the files lost, names the worst of them and adds the finding, unless it is not worth a word.
void conclude(Offenders& offenders, Finding finding, std::vector<Finding>& out, Bound bound = Bound::kTimeInIo);
// The same for what is lost in no file. A range that the finding has already is kept; else it is a factor of two.
void conclude(const Run& run, double lost, Finding finding, std::vector<Finding>& out, Bound bound = Bound::kTimeInIo);

// Adds a finding that has no price; of its files, which are in no order, only some are named.
void mention(Finding finding, std::vector<Finding>& out);

// Counts as the reals that shares are made of.
[[nodiscard]] constexpr double real_of(std::int64_t count) { return static_cast<double>(count); }

// The other way round, for any real: what is no number is none.
[[nodiscard]] constexpr std::int64_t whole(double value) {
  constexpr double kMost = 1e18;
  return value > 0 ? static_cast<std::int64_t>(value < kMost ? value : kMost) : 0;
}

// Pipes, sockets and terminals: reading them is waiting for somebody.
[[nodiscard]] bool is_pipe(std::string_view name);

// For what one rank alone lost: nobody shares it.
[[nodiscard]] inline Use one_rank() {
  Use use;
  use.ranks = 1;
  return use;
}

// Less than this is not worth a word, however bad it looks.
inline constexpr double kWorthSeconds = 0.001;

}  // namespace trikal::analyze

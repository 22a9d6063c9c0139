#pragma once
// The trailer's section "processes": who took part in a job, and how each ended. Written by observed processes for
// themselves and by `trikal run` for whole trees, so nothing here allocates.

#include <array>

#include "log/crash/self_cost.hpp"
#include "log/trailer/writer.hpp"

namespace trikal::log::crash {

struct ProcessRow {
  MapRef map;
  std::int64_t rank = -1;  // its rank in the log; -1 if it did no I/O
  double job_start = 0;    // seconds since 1970
  std::string_view ended;
  SelfCost cost;
};

[[nodiscard]] Status begin_process_table(TrailerWriter& trailer) noexcept;
[[nodiscard]] Status put_process(TrailerWriter& trailer, const ProcessRow& row) noexcept;

// Section "processes_left_out": that the table does not have all of them, and how many. Nothing is written for 0.
[[nodiscard]] Status put_left_out(TrailerWriter& trailer, std::uint64_t processes) noexcept;

// When it started and ended, in seconds since 1970; 0: it has not ended.
[[nodiscard]] double start_time(const JobFacts& job) noexcept;
[[nodiscard]] double end_time(const JobFacts& job) noexcept;
[[nodiscard]] inline double start_time(const Header& header) noexcept { return start_time(header.job); }
[[nodiscard]] inline double end_time(const Header& header) noexcept { return end_time(header.job); }

// A command line as text: words by spaces, as Darshan keeps it, or quoted so that a shell would take it apart again.
class CommandText {
 public:
  enum class Form : bool { kSpaced, kQuoted };
  CommandText(std::string_view arguments, Form form) noexcept;
  [[nodiscard]] std::string_view text() const noexcept { return {text_.data(), length_}; }

 private:
  void put(char c) noexcept {
    if (length_ < text_.size()) text_[length_++] = c;
  }
  void put_word(std::string_view word, Form form) noexcept;

  std::array<char, 2 * kTextBytes> text_;
  std::size_t length_ = 0;
};

}  // namespace trikal::log::crash

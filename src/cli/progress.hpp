#pragma once
// One line on a terminal that says how far a long export is; nothing where stderr is no terminal.

#include <chrono>

#include "report/tables.hpp"

namespace trikal::cli {

class TerminalProgress final : public report::Progress {
 public:
  TerminalProgress();
  ~TerminalProgress() override;  // wipes the line
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;

  void at(std::string_view table, std::uint64_t rows) override;

 private:
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace trikal::cli

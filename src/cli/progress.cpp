#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace trikal::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kFirst = std::chrono::milliseconds(500);  // what is done sooner needs no line
constexpr auto kEvery = std::chrono::milliseconds(100);
constexpr std::string_view kWipe = "\r\x1b[K";

}  // namespace

TerminalProgress::TerminalProgress() : terminal_(::isatty(STDERR_FILENO) == 1), next_(Clock::now() + kFirst) {}

TerminalProgress::~TerminalProgress() {
  if (!shown_) return;
  std::fwrite(kWipe.data(), 1, kWipe.size(), stderr);
}

void TerminalProgress::at(std::string_view table, std::uint64_t rows) {
  if (!terminal_ || Clock::now() < next_) return;
  next_ = Clock::now() + kEvery;
  shown_ = true;
  const std::string line = fmt::format("{}trikal: {}: {} rows", kWipe, table, rows);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace trikal::cli

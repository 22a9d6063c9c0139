#pragma once
// One line on a terminal that says how far long work is, and is gone when the work is done. Nothing where stderr is no
// terminal, nor for work of less than half a second.
//
// A thread of its own draws the line, so that it moves whatever the work waits for. It knows how far the work is from
// the sources it watches: they note what is read from them.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "log/read/source.hpp"
#include "report/tables.hpp"

namespace trikal::cli {

class TerminalProgress final : public report::Progress {
 public:
  // Text that appears on the terminal as it is made shows by itself how far it is; a line would stand in its way.
  enum class Output { kNone, kStandard };

  TerminalProgress(bool wanted, Output output);
  ~TerminalProgress() override;  // wipes the line
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;

  // From now on the line is about this log, although nothing of it was read yet.
  void begin(const std::string& path);
  // The same source, with what is read from it noted here. It must not outlive this.
  [[nodiscard]] std::unique_ptr<log::Source> watch(std::unique_ptr<log::Source> source, const std::string& path);
  void at(std::string_view table, std::uint64_t rows) override;
  // Wipes the line for good: output follows.
  void end();

  // Who writes to stderr while work may be going on holds one of these, so that lines do not run into each other.
  class Pause {
   public:
    Pause();
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
  };

 private:
  friend class WatchedSource;
  using Clock = std::chrono::steady_clock;

  void note(std::uint64_t position, std::uint64_t size, std::uint64_t bytes);
  void run();
  [[nodiscard]] std::string line() const;  // the lock is held
  void draw();
  void wipe();

  Clock::time_point start_ = Clock::now();
  std::atomic<std::uint64_t> position_ = 0, size_ = 0, bytes_ = 0;
  std::string name_, table_;
  std::uint64_t rows_ = 0;
  std::size_t shown_ = 0;  // columns of the line that stand on the terminal
  bool stop_ = false;
  std::condition_variable stopped_;
  std::thread thread_;  // none: no line is wanted
};

// Columns that text takes on a terminal, and as much of it as fits; one for each character.
[[nodiscard]] std::string clipped(std::string_view text, std::size_t columns);

}  // namespace trikal::cli

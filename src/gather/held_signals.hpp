#pragma once
// Signals that would end `trikal run` before its log is written. They are held back for as long as this lives, from before
// the command starts on; what the command should hear of them is passed on.

#include <array>
#include <csignal>

namespace trikal::gather {

class HeldSignals {
 public:
  HeldSignals();
  // What still came was meant for a command that has ended: nobody hears of it.
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  // In the child, before it becomes the program: everything as we found it.
  void restore() const;
  // Readable when a signal has come. -1: none can be made, signals are held all the same.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  // Passes on to `child` what has come. True: a child may have ended.
  bool pass_on(pid_t child) const;
  // Ends this process by a signal, as the command ended. Returns if that signal ends nobody.
  static void end_by(int signal);

 private:
  // Broken pipes and file size limits become errors of a write.
  static constexpr std::array kIgnored = {SIGPIPE, SIGXFSZ};

  sigset_t before_{};
  struct sigaction child_before_{};
  std::array<struct sigaction, kIgnored.size()> ignored_before_{};
  int descriptor_;
};

}  // namespace trikal::gather

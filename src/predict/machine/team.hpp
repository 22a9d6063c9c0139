#pragma once
// The threads of a parallel region. They run one behind the other, each until it waits for the others, in the order of their
// numbers: what one did before a barrier all see behind it. A thread that waits keeps its stack, so those that come after it
// have stacks of their own. None of this is a thread of ours: one of them runs, the others are put aside.

#include <ucontext.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "predict/machine/machine.hpp"

namespace trikal::predict {

class Team {
 public:
  Team(Machine& machine, std::uint32_t size);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Every member does it; returns when all are done. What one of them throws ends the others, too.
  void run(const std::function<void()>& work);
  // The member that is running waits for all others.
  void wait();

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(members_.size()); }
  [[nodiscard]] std::uint32_t number() const { return running_; }  // of the member that is running
  [[nodiscard]] Team* around() const { return around_; }
  [[nodiscard]] unsigned level() const { return level_; }  // 1: the outermost
  [[nodiscard]] unsigned active_level() const { return active_level_; }  // teams of more than one
  // The thread that nobody waits for, and whatever it shared: a list of what others are to copy.
  Value shared{};
  bool number_asked = false, by_chance = false;  // the program asked who runs; who does what is chance
  int anyone = 0;  // a single or a task is being done, which could be anybody's

 private:
  enum class State : std::uint8_t { kNew, kReady, kRunning, kWaiting, kDone };
  struct Member {
    State state = State::kNew;
    ucontext_t context{};  // where it waits
  };
  struct Cancelled {};  // another one has failed

  [[nodiscard]] std::uint32_t next();
  void host(bool caller);
  void begin(std::uint32_t number);
  bool hand_over(std::uint32_t number);
  static void enter_host(unsigned high, unsigned low);

  Machine& machine_;
  Team* around_;
  unsigned level_, active_level_;
  std::vector<Member> members_;
  class Stack;
  std::vector<std::unique_ptr<Stack>> stacks_;
  ucontext_t caller_{};  // where the one who made the team waits
  const std::function<void()>* work_ = nullptr;
  Threads::Strand start_{};
  std::exception_ptr failure_;
  std::uint32_t running_ = 0;
  int fork_depth_ = 0;
};

}  // namespace trikal::predict

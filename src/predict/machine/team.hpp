#pragma once
// The threads of a parallel region. They run one behind the other, each until it waits for the others, in the order of their
// numbers: what one did before a barrier all see behind it. A thread that waits keeps its stack, so those that come after it
// have stacks of their own; at any moment one of them runs.

#include <cstdint>
#include <exception>
#include <functional>
#include <semaphore>
#include <thread>
#include <vector>

#include "predict/machine/machine.hpp"

namespace trikal::predict {

class Team {
 public:
  Team(Machine& machine, std::uint32_t size);

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

 private:
  enum class State : std::uint8_t { kNew, kReady, kRunning, kWaiting, kDone };
  struct Member {
    State state = State::kNew;
    std::binary_semaphore turn{0};
  };
  struct Cancelled {};  // another one has failed

  [[nodiscard]] std::uint32_t next();
  void host(bool caller);
  void begin(std::uint32_t number);
  bool hand_over(std::uint32_t number);

  Machine& machine_;
  Team* around_;
  unsigned level_, active_level_;
  std::vector<Member> members_;
  std::vector<std::thread> hosts_;
  std::binary_semaphore done_{0};
  const std::function<void()>* work_ = nullptr;
  Machine::Strand start_{};
  std::exception_ptr failure_;
  std::uint32_t running_ = 0;
  int fork_depth_ = 0;
};

}  // namespace trikal::predict

#pragma once
// Threads of the program. One at a time is run; what each has of its own is put aside while others run.

#include <optional>

#include "predict/machine/call.hpp"
#include "predict/machine/calls.hpp"
#include "predict/machine/frame.hpp"
#include "predict/machine/unwind.hpp"

namespace trikal::predict {

class Team;

class Threads {
 public:
  explicit Threads(Machine& machine) : machine_(machine) {}
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  Team* team = nullptr;  // of OpenMP: the innermost
  unsigned wanted = 0;  // by the next parallel region

  // A thread does its work at once. One that has to wait for others before it did anything is as if it had not begun.
  enum class End : std::uint8_t { kReturned, kExited, kWaits };
  End run(Word function, Value argument, const Call& call, Value& result);
  [[noreturn]] void leave(End how);
  [[nodiscard]] bool inside() const { return running_ > 0; }

  // What a thread has of its own while others run.
  struct Strand {
    CallStack stack;
    Calls::Watch watch;
    Unwinder::Handlers handlers;
  };
  [[nodiscard]] Strand strand() const;
  void go_on_as(Strand strand);
  [[nodiscard]] bool follows_another() const;

 private:
  Machine& machine_;
  int running_ = 0;  // one inside the other
  std::optional<End> left_;
};

}  // namespace trikal::predict

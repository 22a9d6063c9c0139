#pragma once
// Ranks that follow scripts, on fewer processors than there are of them: who computes has the processor for a slice of
// time, who waits for a message looks for it, gives the processor away and gets in line again, and sleeps after a while,
// as the runtime's Backoff does.

#include <cstdint>
#include <vector>

namespace trikal::bench {

struct Machine {
  double message = 0;  // seconds a small message takes whoever receives it
  double bandwidth = 1;  // bytes a second
  double poll = 0;  // seconds of a look by somebody who waits, the change of processes with it
  double slice = 0;  // seconds until somebody else gets the processor
  double nap = 0;  // seconds that a nap of 100 us takes
  double share = 1;  // of the processors that others leave to this job
  double first = 0;  // seconds that the first message of one rank to another takes more
  double late = 0;  // seconds by which others begin later than rank 0, on average
  std::int64_t processors = 0;  // 0: one a rank
  // capture/mpi/messages.cpp has these two.
  double wait_limit = 0.002;  // seconds of waiting before the first nap
  std::uint64_t packet = 2032;  // bytes: what is longer comes as two messages
};

struct Op {
  enum class Kind : std::uint8_t { kWork, kSend, kReceive };
  Kind kind = Kind::kWork;
  double seconds = 0;  // of work
  std::int64_t peer = 0;
  std::uint64_t bytes = 0;  // of a message, the same for both sides
  bool first = false;  // nothing was received from this peer before
};
using Script = std::vector<Op>;

inline Op work(double seconds) { return {Op::Kind::kWork, seconds, 0, 0, false}; }
inline Op send(std::int64_t to, std::uint64_t bytes) { return {Op::Kind::kSend, 0, to, bytes, false}; }
inline Op receive(std::int64_t from, std::uint64_t bytes) { return {Op::Kind::kReceive, 0, from, bytes, false}; }

// Seconds from rank 0's first time slice to the end of its script. `seed`: who comes first is chance.
[[nodiscard]] double run_scripts(const std::vector<Script>& scripts, const Machine& machine, std::uint64_t seed);

}  // namespace trikal::bench

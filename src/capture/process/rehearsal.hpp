#pragma once
// What noting a call takes: measured while the session runs, so that it is known of processes that are killed, too. Not of
// those that take less time than it: log/crash/self_cost.cpp then assumes it.

#include <atomic>

namespace trikal::capture {

class Session;

// What a call costs that is timed: the largest that was measured, or what is usual until then. Other threads read it meanwhile.
extern constinit std::atomic<double> noting_seconds;

// Some microseconds, under the guard. Events of this thread are suppressed meanwhile.
void rehearse_calls(Session& owner) noexcept;
// Into the header of a map: the first one, or a forked child's.
void keep_costs(Session& owner) noexcept;

}  // namespace trikal::capture

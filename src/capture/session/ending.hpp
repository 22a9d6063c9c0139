#pragma once
// What becomes of a finished session: its map is left to `trikal run`, or turned into a log right here.

#include "log/crash/view.hpp"

namespace trikal::capture {

class Session;
void finish_session(Session& session) noexcept;

// At the end of MPI, once, while its messages can still be sent: the ranks of the job write one log together. False:
// they did not, and each process will write its own when it ends.
[[nodiscard]] bool finish_job(Session& session) noexcept;
// Then there is nothing left to write but what earlier programs of this process left.
void finish_after_job(Session& session) noexcept;

// With its first record, of a process that cannot reach its `trikal run`.
void announce(Session& session) noexcept;
// Of a process that cannot reach its `trikal run`: whether a copy of its map is where that will find it, or nobody would
// miss it.
[[nodiscard]] bool brought_home(Session& session, const log::crash::MapView& map) noexcept;

// Before a fork, once: the functions a process ends with, or becomes another program by.
void find_endings() noexcept;

}  // namespace trikal::capture

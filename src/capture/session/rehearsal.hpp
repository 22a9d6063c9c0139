#pragma once
// What noting a call takes: measured when the session begins, so that it is known of processes that are killed, too.

namespace trikal::capture {

class Session;

// Some microseconds. Before any call is noted: listeners are deaf meanwhile.
void rehearse_calls(Session& owner) noexcept;
// Into the header of a map: the first one, or a forked child's.
void keep_costs(Session& owner) noexcept;

}  // namespace trikal::capture

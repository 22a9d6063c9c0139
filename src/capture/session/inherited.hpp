#pragma once
// Descriptors that were opened elsewhere: a shell's redirection, a parent that execed us, a process that sent one.

namespace trikal::capture {

class Session;

// Regular files among them are watched from here on, at the position they are at.
void adopt_inherited_descriptors(Session& session) noexcept;
// The same of one; under the guard.
void adopt_descriptor(Session& session, int fd) noexcept;

}  // namespace trikal::capture

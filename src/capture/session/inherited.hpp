#pragma once
// Descriptors that were open before the session began: a shell's redirection, a parent that execed us.

namespace trikal::capture {

class Session;

// Regular files among them are watched from here on, at the position they are at.
void adopt_inherited_descriptors(Session& session) noexcept;

}  // namespace trikal::capture

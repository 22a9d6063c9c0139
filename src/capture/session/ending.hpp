#pragma once
// What becomes of a finished session: its map is left to `trikal run`, or turned into a log right here.

namespace trikal::capture {

class Session;
void finish_session(Session& session) noexcept;

}  // namespace trikal::capture

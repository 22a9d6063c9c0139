#pragma once
// A process that runs where the directory of its `trikal run` is not (another node, a private /dev/shm) keeps its map as
// one without `trikal run` does, and brings a copy of it to where the log will be when it ends.

#include "base/bytes.hpp"
#include "capture/session/config.hpp"
#include "log/crash/view.hpp"

namespace trikal::capture {

// Whether anybody would miss it: ranks are counted, other processes only if they did something.
[[nodiscard]] bool is_worth_sending(const log::crash::MapView& map) noexcept;
// The directory is gone from where it was: this process has outlived it.
[[nodiscard]] bool is_run_over(const log::crash::Header& header, const Config& config) noexcept;
// Leaves the name of what will be sent: if the process is killed, `trikal run` can tell that something is missing.
void announce_map(const log::crash::Header& header, const Config& config) noexcept;
[[nodiscard]] bool send_map(Bytes map, const Config& config) noexcept;

}  // namespace trikal::capture

#pragma once
// The mounts of this machine as maps have them: those of a job's processes are these, and none of them says so.

#include <string>

namespace trikal::gather {

// "\n<type>\t<path>" for every mount.
[[nodiscard]] std::string mount_text();

}  // namespace trikal::gather

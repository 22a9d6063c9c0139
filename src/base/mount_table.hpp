#pragma once
// The kernel's table of mounted file systems (/proc/self/mounts) as Darshan's logs have it.

#include <algorithm>
#include <string_view>

#include "base/short_text.hpp"

namespace trikal {

// Nothing is stored on these.
inline constexpr ShortText<11> kNoStorage[] = {"tmpfs",      "proc",      "sysfs",      "devpts", "binfmt_misc",
                                               "fusectl",    "debugfs",   "securityfs", "nfsd",   "none",
                                               "rpc_pipefs", "hugetlbfs", "cgroup"};

// use(type, path) for every line "<device> <path> <type> ..." that is about storage; network file systems come last.
template <class Use>
void for_each_mount(std::string_view table, const Use& use) {
  const auto next_word = [](std::string_view& line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view word(line.data(), end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return word;
  };
  for (const bool network : {false, true}) {
    for (std::string_view rest = table; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      std::string_view line(rest.data(), end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      next_word(line);
      const std::string_view path = next_word(line);
      const std::string_view type = next_word(line);
      if (path.empty() || type.empty() || (type == "nfs") != network) continue;
      if (std::ranges::find(kNoStorage, type, &ShortText<11>::view) == std::end(kNoStorage)) use(type, path);
    }
  }
}

}  // namespace trikal

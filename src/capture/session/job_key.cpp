#include "capture/session/job_key.hpp"

#include <cstring>
#include <string_view>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "capture/raw.hpp"
#include "capture/session/environment.hpp"
#include "capture/session/small_file.hpp"

namespace trikal::capture {
namespace {

// As /proc has names: 15 characters. Hydra starts one of these on each node for every job, spawned ones included.
constexpr std::string_view kProxies[] = {"hydra_pmi_proxy", "pmi_proxy"};
constexpr int kMostAncestors = 16;

std::uint64_t number_at(std::string_view text, std::size_t at) noexcept {
  std::uint64_t number = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
    number = number * 10 + static_cast<std::uint64_t>(text[at] - '0');
  return number;
}

struct Ancestor {
  std::uint64_t pid, parent, start;
  bool is_proxy;
};

std::string_view path_of(std::uint64_t pid, char (&path)[40]) noexcept {
  char* at = path + sizeof path;
  const auto put = [&](std::string_view text) { std::memcpy(at -= text.size(), text.data(), text.size()); };
  *--at = '\0';
  put("/stat");
  do *--at = static_cast<char>('0' + pid % 10);
  while ((pid /= 10) != 0);
  put("/proc/");
  return {at};
}

// "pid (name) state parent ...", the start being field 22; the name may hold anything.
Ancestor look_at(std::uint64_t pid) noexcept {
  char path[40], text[1024];
  const std::string_view stat = read_small_file(path_of(pid, path).data(), text, sizeof text);
  const std::size_t open = stat.find('('), close = stat.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  const std::string_view name = text_until(text_after(stat, open + 1), close - open - 1);
  Ancestor found{.pid = pid, .parent = number_at(stat, close + 4), .start = 0, .is_proxy = false};
  std::size_t at = close;
  for (int field = 2; field < 22 && at != std::string_view::npos; ++field) at = stat.find(' ', at + 1);
  if (at != std::string_view::npos) found.start = number_at(stat, at + 1);
  for (const std::string_view proxy : kProxies) found.is_proxy = found.is_proxy || name == proxy;
  return found;
}

std::uint64_t key_of_proxy() noexcept {
  auto pid = static_cast<std::uint64_t>(raw_syscall(__NR_getppid));
  for (int i = 0; i < kMostAncestors && pid > 1; ++i) {
    const Ancestor ancestor = look_at(pid);
    if (ancestor.is_proxy) {
      const std::uint64_t identity[] = {ancestor.pid, ancestor.start};
      return record_id(std::as_bytes(std::span(identity)));
    }
    pid = ancestor.parent;
  }
  return 0;
}

}  // namespace

std::uint64_t read_job_key(const LaunchedTask& task) noexcept {
  if (task.rank < 0) return 0;
  // PMIx gives every job, also a spawned one, a name of its own; so does Open MPI before it.
  for (const char* name : {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"}) {
    if (const char* value = variable(name); value != nullptr) return record_id(std::string_view(value));
  }
  return task.step != 0 || variable("PMI_RANK") == nullptr ? task.step : key_of_proxy();
}

}  // namespace trikal::capture

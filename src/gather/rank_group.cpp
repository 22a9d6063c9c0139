#include "gather/rank_group.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "gather/liveness.hpp"
#include "gather/programs.hpp"

namespace trikal::gather {
namespace {

constexpr int kMostAncestors = 16;
constexpr auto kLateRanks = std::chrono::seconds(5);    // that must still come
constexpr auto kOtherRanks = std::chrono::seconds(1);   // that may be on this node, or not
constexpr auto kBetweenLooks = std::chrono::milliseconds(20);

const char* variable(std::string_view name) noexcept { return std::getenv(std::string(name).c_str()); }

struct Parent {
  pid_t pid = 0;
  std::string name;
  pid_t parent = 0;
};

// "pid (name) state parent ..."; the name may hold anything.
Parent look_at(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close + 4 > text.size()) return {};
  return {pid, text.substr(open + 1, close - open - 1), std::atoi(text.c_str() + close + 4)};
}

// What started all ranks of this node, perhaps with a shell in between; 0: nothing that we know.
pid_t launcher_above() {
  pid_t pid = ::getppid();
  for (int i = 0; i < kMostAncestors && pid > 1; ++i) {
    const Parent parent = look_at(pid);
    if (starts_ranks_of_node(parent.name)) return pid;
    pid = parent.parent;
  }
  return 0;
}

// The same for all ranks of the job on this node, and nobody else's. Empty: they cannot be told from others.
std::string group_name(const LaunchedTask& task) {
  if (const pid_t launcher = launcher_above(); launcher > 1)
    return fmt::format("{}-job-{}-{}", launcher, start_ticks_of(launcher), task.node);
  if (task.step != 0) return fmt::format("step-{:016x}-{}", task.step, task.node);
  const pid_t starter = ::getppid();  // init, or nobody's in a container, may be anyone's
  return starter > 1 ? fmt::format("{}-job-{}", starter, start_ticks_of(starter)) : "";
}

std::string counter_of(const RunDirectory& directory) { return directory.path() + "/joined"; }

// One byte for each.
void count_in(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(file, ".", 1);
  ::close(file);
}

std::int64_t counted_in(const std::string& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 ? status.st_size : 0;
}

}  // namespace

LaunchedTask own_task() { return launched_task(variable); }

bool is_launched_rank() {
  if (own_task().may_be_one_of_many()) return true;
  // It may not be told how many there are. Of Slurm the step: a batch script has a rank as well, and is nobody's.
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_STEP_ID", "FLUX_TASK_RANK",
                           "PALS_RANKID", "JSM_NAMESPACE_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

RankGroup::RankGroup(RunDirectory directory, const LaunchedTask& task) : directory_(std::move(directory)), task_(task) {
  count_in(counter_of(directory_));
}

bool RankGroup::leave() {
  const std::int64_t expected = task_.here > 0 ? task_.here : task_.ranks;
  const auto until = std::chrono::steady_clock::now() + (task_.here > 0 ? kLateRanks : kOtherRanks);
  for (;;) {
    if (!directory_.hold_alone()) return false;  // others are still there, and one of them will be the last
    joined_ = counted_in(counter_of(directory_));
    if (joined_ >= expected || std::chrono::steady_clock::now() > until) return true;
    directory_.share_again();  // so that late ones can join
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

bool RankGroup::is_whole_job() const { return task_.here >= task_.ranks || joined_ >= task_.ranks; }

std::string RankGroup::node() {
  if (const char* name = launched_node(variable); name != nullptr) return name;
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  return host;
}

std::optional<RankGroup> join_rank_group() {
  const LaunchedTask task = own_task();
  if (!task.is_one_of_many()) return std::nullopt;
  const std::string name = group_name(task);
  RunDirectory directory = name.empty() ? RunDirectory() : RunDirectory::share(name);
  if (!directory) return std::nullopt;
  return RankGroup(std::move(directory), task);
}

}  // namespace trikal::gather

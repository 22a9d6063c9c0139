// trikal snapshot: what a running process has done so far, as a log.

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "cli/complain.hpp"
#include "cli/verbs.hpp"
#include "gather/job_log.hpp"
#include "gather/run_directory.hpp"
#include "gather/run_maps.hpp"

namespace trikal::cli {
namespace {

struct SnapshotOptions {
  std::int64_t pid = 0;
  std::string output;
  bool force = false;
};

// The process's map, among all that this user has. A program that replaced itself has several: the last counts.
std::vector<gather::MapFile> find_map(std::int64_t pid) {
  std::vector<std::string> directories = gather::map_directories();
  for (const std::string& run : gather::run_directories()) directories.push_back(run);
  std::vector<gather::MapFile> found;
  for (const std::string& directory : directories) {
    for (const std::string& path : gather::list_maps(directory)) {
      auto map = gather::MapFile::open(path);
      if (!map || map->facts().identity.pid != pid || !map->process_lives()) continue;
      if (map->facts().state != log::crash::State::kExec) found.push_back(std::move(*map));
    }
  }
  return found;
}

// A whole run, by the `trikal run` or `trikal watch` that started it: those that have ended as well.
std::vector<gather::MapFile> find_run(std::int64_t pid) {
  std::vector<gather::MapFile> found;
  for (const std::string& directory : gather::run_directories_of(pid)) {
    gather::RunMaps run = gather::load_run(directory);
    std::ranges::move(run.maps, std::back_inserter(found));
  }
  return found;
}

int run_snapshot(const SnapshotOptions& options) {
  const std::string name = fmt::format("process {}", options.pid);
  if (!std::filesystem::exists(fmt::format("/proc/{}", options.pid)))
    return warn(name, "there is no such process"), kUsage;
  auto maps = find_map(options.pid);
  if (maps.empty()) maps = find_run(options.pid);
  if (maps.empty()) return warn(name, "is not observed by trikal, or is another user's"), kUsage;
  const std::string path = options.output.empty() ? fmt::format("snapshot-{}.darshan", options.pid) : options.output;
  const auto result = gather::write_job_logs(
      maps, {.path = path, .arguments = {}, .taken = options.force ? gather::Taken::kReplace : gather::Taken::kRefuse});
  if (!result) return complain(path, result.error());
  for (const gather::JobLogResult& log : *result) fmt::print("{}\n", log.path);
  return kOk;
}

constexpr const char* kSnapshotOutput = "What comes out";

void attach_snapshot(CommandLine& app, Action& action) {
  auto options = std::make_shared<SnapshotOptions>();
  app.add_option("PID", options->pid, "id of the process, or of the trikal run or trikal watch that started it")
      ->required()
      ->type_name("");
  app.add_option("-o,--output", options->output, "name of the log (default: snapshot-PID.darshan in this directory)")
      ->type_name("PATH")
      ->group(kSnapshotOutput);
  app.add_flag("--force", options->force, "replace the file if it exists")->group(kSnapshotOutput);
  action = [options] { return run_snapshot(*options); };
}

constexpr Example kSnapshotExamples[] = {
    {"trikal snapshot $(pgrep -n simulate)", "a log of what the process has done so far"},
    {"trikal snapshot $(pgrep -n simulate) -o now.darshan && trikal parse --total now.darshan",
     "the same, and print the totals of its counters"},
    {"trikal snapshot $(pgrep -nx trikal)", "a log of all that a trikal run or trikal watch has started"},
};

}  // namespace

const Verb kSnapshot = {"snapshot",
                        "write a log of what a running process has done so far",
                        "Reads the records of a process that runs under trikal run, or with libtrikal.so preloaded, "
                        "and writes them as a log. With the id of a trikal run or trikal watch the log is of all "
                        "processes of the run, as the log at the end will be. "
                        "The process is not stopped and does no additional work.",
                        kSnapshotExamples,
                        attach_snapshot,
                        kWatchingSection,
                        kAnswers};

}  // namespace trikal::cli

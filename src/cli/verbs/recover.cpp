// trikal recover: what killed processes left behind becomes logs.

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "cli/complain.hpp"
#include "cli/site_names.hpp"
#include "cli/verbs.hpp"
#include "gather/file_lock.hpp"
#include "gather/job_log.hpp"
#include "gather/run_directory.hpp"
#include "gather/run_maps.hpp"

namespace trikal::cli {
namespace {

struct RecoverOptions {
  std::vector<std::string> paths;
  std::string output = ".";
  bool all = false, force = false, keep = false;
  NamedSites sites = {};
};

std::string log_name(const RecoverOptions& options, const gather::MapFile& map) {
  const auto& identity = map.facts().identity;
  const std::string arguments(map.view().arguments());
  const std::string program = std::filesystem::path(arguments.substr(0, arguments.find('\0'))).filename().string();
  return fmt::format("{}/{}-{}-{}-{}.darshan", options.output, program.empty() ? "unknown" : program, identity.pid,
                     identity.start_ticks, identity.generation);
}

// A map that is done with; a damaged one is kept under another name, where nobody stumbles over it again.
int dispose(const RecoverOptions& options, const gather::MapFile& map) {
  const Status damage = map.damage();
  std::error_code ignored;
  if (damage.ok()) {
    if (!options.keep) gather::remove_map(map.path());
    return kOk;
  }
  if (!options.keep) std::filesystem::rename(map.path(), map.path() + ".damaged", ignored);
  return complain(map.path(), damage.error());
}

// Who asked for a file by its own name is told why nothing came of it; a directory may hold many that are in use.
enum class Asked : std::uint8_t { kByName, kWithOthers };

// Whether what a process or a `trikal run` left may be taken; where that is not known, only if the user insists.
bool may_take(const RecoverOptions& options, const std::string& path, gather::Life life) {
  const bool insisted = life == gather::Life::kUnknown && options.force;
  if (life == gather::Life::kUnknown && !insisted)
    warn(path, "left alone: of another machine, boot or pid namespace, and may be in use there (--force takes it)");
  return life == gather::Life::kGone || insisted;
}

int recover(RecoverOptions& options, const std::string& file, Asked asked) {
  const gather::FileLock lock(file, gather::FileLock::Kind::kAlone);
  const bool tells = asked == Asked::kByName;
  if (lock.is_taken()) {
    if (tells) warn(file, "left alone: another trikal has it");
    return kOk;
  }
  auto map = gather::MapFile::open(file);
  if (!map) return complain(file, map.error());
  if (tells && map->life() == gather::Life::kLives)
    warn(file, fmt::format("left alone: process {} still runs", map->facts().identity.pid));
  if (!may_take(options, file, map->life())) return kOk;
  const std::string path = log_name(options, *map);
  std::vector<gather::MapFile> maps;
  maps.push_back(std::move(*map));
  const auto result = gather::write_job_logs(maps, {.path = path, .arguments = {}, .names = options.sites.names()});
  if (!result) return complain(path, result.error());
  fmt::print("{}: recovered from {}\n", printable(path), printable(file));
  return dispose(options, maps.front());
}

// What is not needed any more once there is a log. Damaged maps are kept under another name.
int dispose(const RecoverOptions& options, const std::string& directory, const gather::RunMaps& run) {
  int code = kOk;
  for (const auto& [file, error] : run.damaged) code = complain(file, error);
  if (options.keep) return code;
  if (run.damaged.empty()) return gather::remove_run(directory), code;
  std::error_code ignored;
  for (const auto& [file, error] : run.damaged) std::filesystem::rename(file, file + ".damaged", ignored);
  for (const gather::MapFile& map : run.maps) gather::remove_map(map.path());
  for (const std::string& path : {directory, gather::overflow_of(directory)})
    std::filesystem::remove(gather::finished_file(path), ignored);
  return code;
}

// What a `trikal run` left that was itself killed: one log for its tree.
int recover_run(RecoverOptions& options, const std::string& directory, Asked asked) {
  const gather::LeftRun left(directory);
  if (asked == Asked::kByName && left.life() == gather::Life::kLives)
    warn(directory, "left alone: its trikal run goes on");
  if (!may_take(options, directory, left.life())) return kOk;
  const gather::RunMaps run = gather::load_run(directory);
  const bool all_gone = std::ranges::all_of(
      run.maps, [&](const gather::MapFile& map) { return may_take(options, map.path(), map.life()); });
  if (!all_gone) return kOk;  // the command goes on without its observer, or may do so
  if (!run.maps.empty()) {
    const auto first = std::ranges::min_element(run.maps, {}, [](const gather::MapFile& map) {
      const auto& job = map.facts().job;
      return std::pair(job.start_sec, job.start_nsec);
    });
    const std::string path = log_name(options, *first);
    const auto results = gather::write_job_logs(
        run.maps, {.path = path, .arguments = {}, .lost = run.lost, .names = options.sites.names()});
    if (!results) return complain(path, results.error());
    for (const gather::JobLogResult& result : *results)
      fmt::print("{}: recovered from {}, {} processes\n", printable(result.path), printable(directory),
                 result.processes);
  }
  return dispose(options, directory, run);
}

// What is no directory was meant as a map itself.
bool is_directory_of_maps(const std::string& path) {
  std::error_code ignored;
  return !gather::is_run_directory(path) && std::filesystem::is_directory(path, ignored);
}

// Everything that processes of this user left where the runtime keeps it.
std::vector<std::string> left_by_runtime() {
  std::vector<std::string> paths;
  for (const std::string& directory : gather::map_directories()) {
    for (std::string& map : gather::list_maps(directory)) paths.push_back(std::move(map));
  }
  for (std::string& directory : gather::run_directories()) paths.push_back(std::move(directory));
  return paths;
}

// One line for what would be taken; nothing for what is in use.
bool tell(const RecoverOptions& options, const std::string& path) {
  if (gather::is_run_directory(path)) {
    const gather::LeftRun left(path);
    if (!may_take(options, path, left.life())) return false;
    fmt::print("{}: trikal run of {} processes: {}\n", printable(path), gather::load_run(path).maps.size(),
               printable(left.command()));
    return true;
  }
  const auto map = gather::MapFile::open(path);
  if (!map) return complain(path, map.error()), false;
  if (!may_take(options, path, map->life())) return false;
  fmt::print("{}: process {}: {}\n", printable(path), map->facts().identity.pid, printable(map->command()));
  return true;
}

int run_recover(RecoverOptions& options) {
  if (options.paths.empty() && !options.all) {
    std::size_t found = 0;
    for (const std::string& path : left_by_runtime()) found += tell(options, path) ? 1U : 0U;
    if (found > 0) fmt::print("trikal recover --all makes logs of {}\n", found == 1 ? "it" : "these");
    return kOk;
  }
  int code = kOk;
  const auto take = [&](const std::string& path, Asked asked) {
    const int result =
        gather::is_run_directory(path) ? recover_run(options, path, asked) : recover(options, path, asked);
    if (result != kOk) code = result;
  };
  for (const std::string& path : options.paths) {
    if (!is_directory_of_maps(path)) take(path, Asked::kByName);
    else
      for (const std::string& map : gather::list_maps(path)) take(map, Asked::kWithOthers);
  }
  if (options.all)
    for (const std::string& path : left_by_runtime()) take(path, Asked::kWithOthers);
  return code;
}

constexpr const char *kTake = "What to take", *kOutput = "What comes out";

void attach_recover(CommandLine& app, Action& action) {
  auto options = std::make_shared<RecoverOptions>();
  app.add_option("PATH", options->paths,
                 "crash maps, or directories with crash maps (default: only list what could be recovered)")
      ->type_name("");
  app.add_flag("--all", options->all, "recover all crash maps of this user in the default directories")->group(kTake);
  app.add_flag("--force", options->force,
               "also recover maps that may be in use on another machine or in another pid namespace; never maps that "
               "are in use here")
      ->group(kTake);
  app.add_option("-o,--output", options->output, "directory for the logs")
      ->type_name("PATH")
      ->capture_default_str()
      ->group(kOutput);
  app.add_flag("--keep", options->keep, "do not remove the crash maps")->group(kOutput);
  action = [options] { return run_recover(*options); };
}

constexpr Example kRecoverExamples[] = {
    {"trikal recover", "list what could be recovered"},
    {"trikal recover --all", "write the logs of all killed processes to this directory"},
    {"trikal recover --all -o logs", "write them to the directory logs"},
};

}  // namespace

const Verb kRecover = {
    "recover",
    "write the logs of processes that were killed",
    "A process that crashes or is killed, for example by a batch system, leaves its records in a crash map, a file in "
    "memory. This command makes logs of such files: one log per process, or one for all processes of a trikal run that "
    "was itself killed. Without a path it only lists the crash maps. It does not touch maps of running processes, nor "
    "maps that may be in use on another machine or in another pid namespace. If a map is damaged, the log holds what "
    "can "
    "be read, and the map is kept with .damaged appended to its name.",
    kRecoverExamples,
    attach_recover,
    kWatchingSection};

}  // namespace trikal::cli

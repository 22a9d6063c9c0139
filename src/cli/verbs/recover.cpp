// trikal recover: what killed processes left behind becomes logs.

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cli/complain.hpp"
#include "cli/site_names.hpp"
#include "cli/verbs.hpp"
#include "gather/job_log.hpp"

namespace trikal::cli {
namespace {

struct Options {
  std::vector<std::string> places;
  std::string output = ".";
  bool keep = false;
  NamedSites sites = {};
};

std::string log_name(const Options& options, const gather::MapFile& map) {
  const auto& identity = map.view().header().identity;
  const std::string_view arguments = map.view().arguments();
  const std::string program = std::filesystem::path(arguments.substr(0, arguments.find('\0'))).filename().string();
  return fmt::format("{}/{}-{}-{}-{}.darshan", options.output, program.empty() ? "unknown" : program, identity.pid,
                     identity.start_ticks, identity.generation);
}

// A map that is done with; a damaged one is kept under another name, where nobody stumbles over it again.
int dispose(const Options& options, const gather::MapFile& map) {
  const Status damage = map.view().damage();
  std::error_code ignored;
  if (damage.ok()) {
    if (!options.keep) std::filesystem::remove(map.path(), ignored);
    return kOk;
  }
  if (!options.keep) std::filesystem::rename(map.path(), map.path() + ".damaged", ignored);
  return complain(map.path(), damage.error());
}

int recover(Options& options, const std::string& file) {
  auto map = gather::MapFile::open(file);
  if (!map) return complain(file, map.error());
  if (map->process_lives() && map->view().header().state.load() == log::crash::State::kRunning)
    return kOk;  // not ours to take
  const std::string path = log_name(options, *map);
  std::vector<gather::MapFile> maps;
  maps.push_back(std::move(*map));
  const auto result = gather::write_job_logs(maps, {.path = path, .arguments = {}, .names = options.sites.names()});
  if (!result) return complain(path, result.error());
  fmt::print("{}: recovered from {}\n", path, file);
  return dispose(options, maps.front());
}

// What a `trikal run` left that was itself killed: one log for its tree.
int recover_run(Options& options, const std::string& directory) {
  std::vector<gather::MapFile> maps;
  int code = kOk;
  for (const std::string& file : gather::list_maps(directory)) {
    auto map = gather::MapFile::open(file);
    if (map && map->process_lives()) return kOk;  // the command goes on without its observer: later
    if (!map) code = complain(file, map.error());
    else maps.push_back(std::move(*map));
  }
  if (!maps.empty()) {
    const auto first = std::ranges::min_element(maps, {}, [](const gather::MapFile& map) {
      const auto& job = map.view().header().job;
      return std::pair(job.start_sec, job.start_nsec);
    });
    const std::string path = log_name(options, *first);
    const auto results = gather::write_job_logs(maps, {.path = path, .arguments = {}, .names = options.sites.names()});
    if (!results) return complain(path, results.error());
    for (const gather::JobLogResult& result : *results)
      fmt::print("{}: recovered from {}, {} processes\n", result.path, directory, result.processes);
  }
  for (const gather::MapFile& map : maps) {
    if (const int result = dispose(options, map); result != kOk) code = result;
  }
  std::error_code ignored;
  if (!options.keep && code == kOk) std::filesystem::remove_all(directory, ignored);
  return code;
}

// The maps in a directory; what is no directory was meant as a map itself.
std::vector<std::string> maps_at(const std::string& place) {
  std::error_code ignored;
  if (std::filesystem::is_directory(place, ignored)) return gather::list_maps(place);
  return {place};
}

int run(Options& options) {
  int code = kOk;
  const auto take = [&](const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      if (const int result = recover(options, file); result != kOk) code = result;
    }
  };
  for (const std::string& place : options.places) {
    if (!gather::is_run_directory(place)) take(maps_at(place));
    else if (const int result = recover_run(options, place); result != kOk) code = result;
  }
  if (!options.places.empty()) return code;
  for (const std::string& directory : gather::map_directories()) take(gather::list_maps(directory));
  for (const gather::RunDirectory& left : gather::run_directories()) {
    if (left.in_use) continue;
    if (const int result = recover_run(options, left.path); result != kOk) code = result;
  }
  return code;
}

constexpr const char* kOutput = "What comes out";

void attach(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  app.add_option("PATH", options->places, "such files, or directories of them (default: where the runtime keeps them)")
      ->type_name("");
  app.add_option("-o,--output", options->output, "directory the logs go to")
      ->type_name("PATH")
      ->capture_default_str()
      ->group(kOutput);
  app.add_flag("--keep", options->keep, "leave the maps where they are")->group(kOutput);
  action = [options] { return run(*options); };
}

constexpr Example kExamples[] = {
    {"trikal recover", "logs of processes that were killed, into this directory"},
    {"trikal recover -o logs", "into another one"},
};

}  // namespace

const Verb kRecover = {
    "recover",
    "make logs of what killed processes left behind",
    "A process that is killed, crashes or is cut off by a batch system leaves its observations in a file in memory. "
    "This turns such files into logs, one for each process, or one for the whole tree of a trikal run that was killed "
    "itself. Files of living processes are left alone. Of a damaged file the log has what can be read; it is then kept "
    "with .damaged behind its name.",
    kExamples,
    attach,
    kWatchingSection};

}  // namespace trikal::cli

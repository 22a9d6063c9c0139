// trikal doctor: does observing work here, and what would not be seen?

#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "cli/complain.hpp"
#include "cli/darshan_settings.hpp"
#include "cli/verbs.hpp"
#include "gather/launch.hpp"
#include "gather/maps.hpp"
#include "gather/programs.hpp"
#include "gather/runtime_library.hpp"

namespace trikal::cli {
namespace {

struct DoctorOptions {
  std::vector<std::string> programs;
};

constexpr std::uint64_t kMiB = 1024 * 1024;
constexpr std::uint64_t kWantedMemory = 64 * kMiB;

// What was looked at, line by line; remembers whether anything is wrong.
class Findings {
 public:
  void good(std::string_view what, std::string_view detail) { line("ok", what, detail); }
  void note(std::string_view what, std::string_view detail) { line("note", what, detail); }
  void bad(std::string_view what, std::string_view detail) { line("BAD", what, detail), wrong_ = true; }
  [[nodiscard]] bool wrong() const { return wrong_; }

 private:
  static void line(std::string_view verdict, std::string_view what, std::string_view detail) {
    fmt::print("{:<5} {:<22} {}\n", verdict, printable(what), printable(detail));
  }
  bool wrong_ = false;
};

void check_memory(Findings& findings) {
  for (const char* folder : {"/dev/shm", "/tmp"}) {
    struct statvfs space{};
    if (::access(folder, W_OK) != 0 || ::statvfs(folder, &space) != 0) continue;
    const std::uint64_t free = std::uint64_t{space.f_bavail} * space.f_frsize;
    const std::string detail = fmt::format("{}, {} MiB free", folder, free / kMiB);
    if (free < kWantedMemory) findings.note("memory for maps", detail + ": a process may want 64");
    else findings.good("memory for maps", detail);
    return;
  }
  findings.bad("memory for maps", "neither /dev/shm nor /tmp can be written: killed processes would leave nothing");
}

void check_environment(Findings& findings) {
  for (const char* name : {"TRIKAL_DISABLE", "DARSHAN_DISABLE"}) {
    if (std::getenv(name) != nullptr) findings.bad("environment", fmt::format("{} is set: nothing is observed", name));
  }
  if (const char* preload = std::getenv("LD_PRELOAD"); preload != nullptr && preload[0] != '\0')
    findings.note("environment", fmt::format("LD_PRELOAD is set already: {}", preload));
  for (const std::string& sentence : idle_settings()) findings.note("environment", sentence);
}

// The whole way, once: a program that writes a file, its map, its record.
void check_observing(Findings& findings, const std::string& runtime) {
  std::string folder = (std::filesystem::temp_directory_path() / "trikal-doctor-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return findings.bad("observing", "no temporary directory can be made");
  const std::string file = folder + "/written";
  // Quoted in the shell by being an argument of its own.
  const gather::HeldSignals signals;
  const auto status =
      gather::run_command({{"/bin/sh", "-c", "echo observed > \"$0\"", file}, runtime, folder, {}}, signals);
  bool seen = false;
  for (const std::string& path : gather::list_maps(folder)) {
    const auto map = gather::MapFile::open(path);
    if (!map) continue;
    map->view().for_each_chunk([&](const log::crash::Chunk& chunk, Bytes slots) {
      if (chunk.kind != log::crash::ChunkKind::kNames) return;
      log::crash::for_each_name(slots, [&](std::uint64_t, std::string_view name) { seen = seen || name == file; });
    });
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  if (!status || *status != 0) findings.bad("observing", "a shell with the library preloaded does not run");
  else if (!seen) findings.bad("observing", "a file that a shell wrote was not seen");
  else findings.good("observing", "a file that a shell wrote was seen");
}

void check_left_behind(Findings& findings) {
  std::size_t left = 0;
  for (const std::string& directory : gather::map_directories()) {
    for (const std::string& path : gather::list_maps(directory)) {
      const auto map = gather::MapFile::open(path);
      if (map && map->life() == gather::Life::kGone) ++left;
    }
  }
  if (left > 0)
    findings.note("left behind", fmt::format("maps of {} ended processes: trikal recover names them", left));
}

void check_program(Findings& findings, const std::string& command) {
  const gather::ProgramReport report = gather::look_for_program(command);
  if (report.path.empty()) return findings.bad(command, "no such program");
  const std::string what = report.interpreter.empty() ? report.path : report.path + ", run by " + report.interpreter;
  if (report.why == Unseen::kNothing) findings.good(command, what + ": " + std::string(unseen_text(report.why)));
  else findings.bad(command, what + ": " + std::string(unseen_text(report.why)));
}

int run_doctor(const DoctorOptions& options) {
  Findings findings;
  const std::string runtime = gather::find_runtime();
  if (runtime.empty()) findings.bad("library", "libtrikal.so is not beside this program");
  else findings.good("library", runtime);
  check_memory(findings);
  check_environment(findings);
  if (!runtime.empty()) check_observing(findings, runtime);
  check_left_behind(findings);
  for (const std::string& program : options.programs) check_program(findings, program);
  return findings.wrong() ? kDiffers : kOk;
}

void attach_doctor(CommandLine& app, Action& action) {
  auto options = std::make_shared<DoctorOptions>();
  app.add_option("PROGRAM", options->programs, "programs to look at: can they be observed?")->type_name("");
  action = [options] { return run_doctor(*options); };
}

constexpr Example kDoctorExamples[] = {
    {"trikal doctor", "does observing work on this machine?"},
    {"trikal doctor python3 ./simulate", "would these programs be seen?"},
};

}  // namespace

const Verb kDoctor = {
    "doctor",
    "check this machine, say what would not be seen",
    "Checks that the observing library is there, that processes have memory for their observations, and, by running a "
    "shell, that a written file is seen. Programs that are named are looked at: statically linked, Go, musl, 32-bit "
    "and "
    "setuid programs cannot be observed by preloading. Exit status 1 if anything is wrong.",
    kDoctorExamples,
    attach_doctor,
    kWatchingSection,
    kAnswers | 1U << kDiffers};

}  // namespace trikal::cli

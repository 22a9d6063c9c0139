#include "gather/programs.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

namespace trikal::gather {
namespace {

bool is_program(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::string find_in_path(const std::string& command) {
  if (command.find('/') != std::string::npos) return is_program(command) ? command : std::string();
  const char* path_list = std::getenv("PATH");
  for (std::string_view rest = path_list != nullptr ? path_list : "/bin:/usr/bin"; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    std::string path = (folder.empty() ? "." : std::string(folder)) + "/" + command;
    if (is_program(path)) return path;
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
  }
  return {};
}

bool gains_privileges(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return false;
  return ((status.st_mode & S_ISUID) != 0 && status.st_uid != ::geteuid()) ||
         ((status.st_mode & S_ISGID) != 0 && status.st_gid != ::getegid());
}

}  // namespace

ProgramReport look_for_program(const std::string& command) {
  constexpr int kMostScripts = 4;
  ProgramReport report{.path = find_in_path(command)};
  std::string at = report.path;
  for (int scripts = 0; scripts < kMostScripts && !at.empty(); ++scripts) {
    std::ifstream file(at, std::ios::binary);
    std::array<char, kProgramHead> head{};
    file.read(head.data(), head.size());
    const auto bytes = std::as_bytes(std::span(head)).first(static_cast<std::size_t>(file.gcount()));
    const ProgramKind kind = look_at_program(bytes);
    report.why = kind.why;
    if (kind.interpreter.empty()) {
      if (report.why == Unseen::kNothing && gains_privileges(at)) report.why = Unseen::kPrivileged;
      break;
    }
    report.interpreter = at = std::string(kind.interpreter);
  }
  return report;
}

bool starts_ranks_of_node(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "mpirun", "mpiexec",         "mpirun.openmpi", "mpiexec.openmp", "orterun", "orted",     "prterun",
      "prted",  "hydra_pmi_proxy", "pmi_proxy",      "slurmstepd",     "palsd",   "flux-shell"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

bool starts_mpi_programs(std::string_view program) {
  static constexpr std::string_view kLaunchers[] = {
      "mpirun",       "mpiexec",       "orterun",         "orted",
      "prterun",      "prted",         "hydra_pmi_proxy", "hydra_bstrap_proxy",
      "srun",         "flux",          "flux-shell",      "aprun",
      "jsrun",        "prun",          "mpirun.openmpi",  "mpiexec.openmpi",
      "mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra",   "mpirun.hydra"};
  const std::string_view name = program.substr(program.rfind('/') + 1);
  return std::ranges::find(kLaunchers, name) != std::end(kLaunchers);
}

}  // namespace trikal::gather

#include "analyze/dataset/history.hpp"

#include <algorithm>

namespace trikal::analyze {
namespace {

double start_of(const log::Job& job) {
  return static_cast<double>(job.start_sec) + 1e-9 * static_cast<double>(job.start_nsec);
}

std::string_view next_word(std::string_view& command) {
  command.remove_prefix(std::min(command.find_first_not_of(' '), command.size()));
  const std::string_view word = command.substr(0, command.find(' '));
  command.remove_prefix(word.size());
  return word;
}

bool is_launcher(std::string_view command) {
  constexpr std::string_view kLaunchers[] = {"mpirun", "mpiexec", "orterun", "prterun", "srun", "aprun", "jsrun"};
  std::string_view word = next_word(command);
  word.remove_prefix(word.rfind('/') + 1);
  return std::ranges::any_of(kLaunchers, [word](std::string_view name) { return word.starts_with(name); });
}

// The program, and the script where it is an interpreter: other arguments change from run to run.
// Of a launcher the whole command counts: which of its words is the program cannot be told from its options.
std::pair<std::string_view, std::string_view> program_of(std::string_view command) {
  constexpr std::string_view kScripts[] = {".py", ".sh", ".R", ".jl", ".pl", ".rb", ".lua"};
  if (is_launcher(command)) return {command, {}};
  const std::string_view program = next_word(command), argument = next_word(command);
  const bool is_script =
      std::ranges::any_of(kScripts, [argument](std::string_view ending) { return argument.ends_with(ending); });
  return {program, is_script ? argument : std::string_view()};
}

}  // namespace

bool is_earlier_run(const log::Job& earlier, const log::Job& now) {
  return earlier.nprocs == now.nprocs && start_of(earlier) < start_of(now) &&
         program_of(earlier.exe) == program_of(now.exe);
}

Result<PastRun> past_run(log::Reader& reader) {
  const auto run = read_run(reader);
  if (!run) return run.error();
  return PastRun{start_of(*run->job), run->seconds, run->io_seconds(),
                 static_cast<double>(run->bytes_read()) + static_cast<double>(run->bytes_written())};
}

void add_past_run(Run& run, const PastRun& past) {
  const auto next = std::ranges::lower_bound(run.history, past.start, {}, &PastRun::start);
  if (next != run.history.end() && next->start == past.start && next->seconds == past.seconds) return;
  run.history.insert(next, past);
}

}  // namespace trikal::analyze

#include "capture/session/config.hpp"

#include <algorithm>
#include <cstring>

#include "base/small_regex.hpp"
#include "base/text.hpp"
#include "capture/raw.hpp"
#include "capture/session/environment.hpp"
#include "capture/session/hooks.hpp"
#include "capture/session/job_key.hpp"
#include "capture/session/small_file.hpp"
#include "schema/system_paths.hpp"

namespace trikal::capture {
namespace {

constexpr std::uint64_t kMiB = 1024 * 1024;

// The first of these that is set.
template <class... Names>
const char* first_of(Names... names) noexcept {
  const char* found = nullptr;
  ((found = found != nullptr ? found : variable(names)), ...);
  return found;
}

bool number(const char* text, std::uint64_t& value) noexcept {
  if (text == nullptr || *text < '0' || *text > '9') return false;
  std::uint64_t sum = 0;
  for (; *text >= '0' && *text <= '9'; ++text) sum = sum * 10 + static_cast<std::uint64_t>(*text - '0');
  value = sum;
  return true;
}

// Whether `holds(item)` is true of any item of a comma list.
template <class Holds>
bool any_of(std::string_view list, const Holds& holds) noexcept {
  while (!list.empty()) {
    const std::string_view item = text_until(list, list.find(','));
    if (!item.empty() && holds(item)) return true;
    list.remove_prefix(std::min(item.size() + 1, list.size()));
  }
  return false;
}

bool has_prefix(std::string_view list, std::string_view path) noexcept {
  return any_of(list, [path](std::string_view prefix) { return path.starts_with(prefix); });
}

bool has_match(std::string_view list, std::string_view text) noexcept {
  return any_of(list, [text](std::string_view expression) { return regex_finds(expression, text); });
}

// "3", "2:5", ":5", "2:", "*"
bool has_rank(std::string_view list, std::int64_t rank) noexcept {
  return any_of(list, [rank](std::string_view item) {
    if (item == "*") return true;
    const std::size_t colon = item.find(':');
    const auto bound = [](std::string_view text, std::int64_t otherwise) {
      std::int64_t value = 0;
      for (const char c : text) value = c >= '0' && c <= '9' ? value * 10 + (c - '0') : value;
      return text.empty() ? otherwise : value;
    };
    if (colon == std::string_view::npos) return bound(item, -1) == rank;
    return bound(text_until(item, colon), 0) <= rank && rank <= bound(text_after(item, colon + 1), INT64_MAX);
  });
}

// A bit for every module of a list of names; * is all of them.
std::uint64_t modules_named(std::string_view list) noexcept {
  std::uint64_t bits = 0;
  for (const ModuleHooks& module : module_hooks()) {
    const bool named =
        any_of(list, [&](std::string_view item) { return item == "*" || matches(item, module.schema->name); });
    if (named) bits |= std::uint64_t{1} << module.schema->id;
  }
  return bits;
}

bool has_trace_module(std::string_view list) noexcept {
  bool found = false;
  for (const ModuleHooks& module : module_hooks()) {
    found = found || (module.schema->shape == Shape::kSliced &&
                      any_of(list, [&](std::string_view item) { return matches(item, module.schema->name); }));
  }
  return found;
}

// "r1,r2 modules": rules about names hold for all modules here, since a file is watched or not.
std::string_view first_word(const char* value) noexcept {
  const std::string_view text(value);
  return text_until(text, text.find_first_of(" \t"));
}

}  // namespace

void Config::read() noexcept {
  settings_.begin();
  disabled = settings_.find("DISABLE", "DISABLE") != nullptr;
  read_paths();
  std::uint64_t value = 0;
  if (number(settings_.find("MEMORY", "MODMEM"), value) && value > 0) memory = value * kMiB;
  const char* alignment = settings_.find("MEMALIGN", "MEMALIGN");
  if (number(alignment != nullptr ? alignment : settings_.find(nullptr, "MEM_ALIGNMENT"), value) && value > 0)
    memory_alignment = value;
  if (const char* list = settings_.find("EXCLUDE", "EXCLUDE_DIRS")) {
    exclude = list;
    default_excludes = false;
    if (exclude == "none") exclude = {};
  }
  if (const char* list = settings_.find("INCLUDE", nullptr)) include = list;
  settings_.for_each("NAME_EXCLUDE", [this](const char*) { has_name_rules = true; });
  redact = redact_rules(settings_.find("REDACT", nullptr));
  redact.program = settings_.find("REDACT_PROGRAM", nullptr) != nullptr;
  // Before MPI puts names of its own into the environment, which it also does in a process that nobody launched.
  task = launched_task(variable);
  job_key = read_job_key(task);
  // Darshan's setting is the name of a variable, not the number.
  const char* job_variable = settings_.find(nullptr, "JOBID");
  const char* job = job_variable != nullptr
                        ? variable(job_variable)
                        : first_of("TRIKAL_JOBID", "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID", "COBALT_JOBID");
  if (number(job, value)) job_id = static_cast<std::int64_t>(value);
  read_modules();
  if (number(settings_.find("MPI_DEADLINE", nullptr), value)) mpi_deadline = static_cast<double>(value);
  shared_reduction = settings_.find("DISABLE_SHARED_REDUCTION", "DISABLE_SHARED_REDUCTION") == nullptr;
  const char* sites = settings_.find("CALL_SITES", nullptr);
  call_sites = sites != nullptr && std::strcmp(sites, "0") != 0;
  // Not from the file: `trikal run`, which reads the events, does not look there. It has told what is wrong with one.
  const char* wanted = environment().find("TRIKAL_EVENTS");
  if (wanted == nullptr || stream::parse_event_spec(wanted, events) != nullptr) events = {};
  read_trace();
  const char* all = settings_.find("TIME_ALL", nullptr);
  time_all = call_sites || events.is_on() || trace.on || (all != nullptr && std::strcmp(all, "0") != 0);
  internal_timing = settings_.find("INTERNAL_TIMING", "INTERNAL_TIMING") != nullptr;
  leaves_out_ranks = !list("RANK_EXCLUDE").empty() || !list("APP_EXCLUDE").empty();
}

void Config::read_paths() noexcept {
  relative_count_ = beginning_bytes_ = 0;
  log_file = absolute(settings_.find("LOGFILE", "LOGFILE"));
  log_path = absolute(environment().find("TRIKAL_LOGPATH"));
  dated_path = log_path == nullptr;
  if (log_path == nullptr) log_path = absolute(settings_.find(nullptr, "LOGPATH"));
  run_directory = absolute(environment().find("TRIKAL_RUN_DIRECTORY"));
  remote_directory = absolute(environment().find("TRIKAL_RUN_REMOTE"));
  run_overflow = absolute(environment().find("TRIKAL_RUN_OVERFLOW"));
  map_directory = absolute(settings_.find("MAP_DIRECTORY", "MMAP_LOGPATH"));
  for (const char* file : {"TRIKAL_CONFIG", "DARSHAN_CONFIG_PATH"}) (void)absolute(environment().find(file));
}

// As it is where the working directory cannot be told.
const char* Config::absolute(const char* path) noexcept {
  if (path == nullptr || path[0] == '/' || relative_count_ == kMostRelative) return path;
  if (beginning_bytes_ == 0) {
    const long got = raw_syscall(__NR_getcwd, raw_pointer(beginning_), sizeof beginning_ - 1);
    if (got <= 1 || beginning_[0] != '/') return path;
    beginning_bytes_ = static_cast<std::size_t>(got) - 1;
    if (beginning_bytes_ > 1) beginning_[beginning_bytes_++] = '/';
  }
  FixedText text(relative_[relative_count_], kRelativeBytes);
  text.put(beginning()).put(path);
  if (!text.whole()) return path;
  return relative_[relative_count_++];
}

void Config::read_modules() noexcept {
  if (const char* list = settings_.find("MODULES", nullptr)) modules_off = modules_named("*") & ~modules_named(list);
  if (const char* list = settings_.find(nullptr, "MOD_DISABLE")) modules_off |= modules_named(list);
  if (const char* list = settings_.find(nullptr, "MOD_ENABLE")) modules_off &= ~modules_named(list);
  if (leaves_out_program() || leaves_out_rank()) disabled = true;
}

// Traces are off unless they are asked for, as with Darshan, which also knows them as modules.
void Config::read_trace() noexcept {
  const char* wanted = settings_.find("TRACE", nullptr);
  if (wanted != nullptr && stream::parse_trace_spec(wanted, trace) != nullptr) trace = {};
  if (wanted == nullptr)
    trace.on = environment().find("DXT_ENABLE_IO_TRACE") != nullptr || has_trace_module(list("MOD_ENABLE"));
  if (!trace.ranks.empty() && !stream::ranks_have(trace.ranks, std::max<std::int64_t>(task.rank, 0))) trace.on = false;
  const auto share = [this](const char* name, double& value) {
    if (const char* text = settings_.find(nullptr, name); text != nullptr && !stream::read_share(text, value))
      value = 0;
  };
  share("DXT_SMALL_IO_TRIGGER", trace.small);
  share("DXT_UNALIGNED_IO_TRIGGER", trace.unaligned);
  trace_memory = memory / 2;
  std::uint64_t value = 0;
  if (number(settings_.find("TRACE_MEMORY", nullptr), value) && value > 0)
    trace_memory = std::min<std::size_t>(value * kMiB, memory - memory / 4);
}

std::string_view Config::list(const char* name) const noexcept {
  const char* text = settings_.find(nullptr, name);
  return text != nullptr ? text : "";
}

bool Config::leaves_out_program() const noexcept {
  if (list("APP_EXCLUDE").empty()) return false;
  char command[1024];
  std::string_view program = read_small_file("/proc/self/cmdline", command, sizeof command);
  program = text_until(program, program.find('\0'));
  return has_match(list("APP_EXCLUDE"), program) && !has_match(list("APP_INCLUDE"), program);
}

bool Config::leaves_out_rank() const noexcept {
  return task.rank >= 0 && has_rank(list("RANK_EXCLUDE"), task.rank) && !has_rank(list("RANK_INCLUDE"), task.rank);
}

bool Config::admitted_by_rules(std::string_view path) const noexcept {
  bool out = false;
  settings_.for_each("NAME_EXCLUDE", [&](const char* value) { out = out || has_match(first_word(value), path); });
  settings_.for_each("NAME_INCLUDE", [&](const char* value) { out = out && !has_match(first_word(value), path); });
  return !out;
}

bool Config::watches(std::string_view path) const noexcept {
  if (has_prefix(include, path)) return true;
  if (has_prefix(exclude, path)) return false;
  if (has_name_rules && !admitted_by_rules(path)) return false;
  return !default_excludes || !is_system_path(path);
}

}  // namespace trikal::capture

#include "capture/session/config.hpp"

#include <algorithm>
#include <cstring>

#include "capture/session/environment.hpp"

namespace trikal::capture {
namespace {

// System files: what a program runs on, not what it works on.
constexpr std::string_view kSystemPrefixes[] = {"/etc/", "/dev/",  "/usr/", "/bin/",  "/boot/", "/lib/",
                                                "/opt/", "/sbin/", "/sys/", "/proc/", "/var/"};
constexpr std::string_view kReadmitted = "/var/opt/cray/dws/mounts/";

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

bool listed(std::string_view list, std::string_view path) noexcept {
  while (!list.empty()) {
    const std::size_t length = std::min(list.find(','), list.size());
    const std::string_view prefix(list.data(), length);
    if (!prefix.empty() && path.starts_with(prefix)) return true;
    list.remove_prefix(std::min(length + 1, list.size()));
  }
  return false;
}

}  // namespace

void Config::read_environment() noexcept {
  disabled = first_of("TRIKAL_DISABLE", "DARSHAN_DISABLE") != nullptr;
  log_file = first_of("TRIKAL_LOGFILE", "DARSHAN_LOGFILE");
  log_path = variable("TRIKAL_LOGPATH");
  dated_path = log_path == nullptr;
  if (log_path == nullptr) log_path = variable("DARSHAN_LOGPATH");
  run_directory = variable("TRIKAL_RUN_DIRECTORY");
  map_directory = first_of("TRIKAL_MAP_DIRECTORY", "DARSHAN_MMAP_LOGPATH");
  std::uint64_t value = 0;
  if (number(first_of("TRIKAL_MEMORY", "DARSHAN_MODMEM"), value) && value > 0) memory = value * 1024 * 1024;
  if (number(first_of("TRIKAL_MEMALIGN", "DARSHAN_MEMALIGN"), value) && value > 0) memory_alignment = value;
  if (const char* list = first_of("TRIKAL_EXCLUDE", "DARSHAN_EXCLUDE_DIRS")) {
    exclude = list;
    default_excludes = false;
    if (exclude == "none") exclude = {};
  }
  if (const char* list = variable("TRIKAL_INCLUDE")) include = list;
  redact = redact_rules(variable("TRIKAL_REDACT"));
  redact.program = variable("TRIKAL_REDACT_PROGRAM") != nullptr;
  if (number(first_of("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID", "RANK"), value)) {
    rank = static_cast<std::int64_t>(value);
  }
  const char* job_variable = variable("DARSHAN_JOBID");
  const char* job = job_variable != nullptr
                        ? variable(job_variable)
                        : first_of("TRIKAL_JOBID", "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID", "COBALT_JOBID");
  if (number(job, value)) job_id = static_cast<std::int64_t>(value);
}

bool Config::watches(std::string_view path) const noexcept {
  if (listed(include, path)) return true;
  if (listed(exclude, path)) return false;
  if (!default_excludes || path.starts_with(kReadmitted)) return true;
  for (const std::string_view prefix : kSystemPrefixes) {
    if (path.starts_with(prefix)) return false;
  }
  return true;
}

}  // namespace trikal::capture

#include "base/launcher.hpp"

#include <limits>

#include "base/hash.hpp"
#include "base/short_text.hpp"
#include "base/text.hpp"

namespace trikal {
namespace {

constexpr std::size_t kIds = 2;

// Names of variables; empty: the launcher has none for it. Those that others start from within come first: Open MPI's
// mpirun in a step of Slurm's hands on the variables of the step.
using Name = ShortText<26>;
struct Launcher {
  Name rank, ranks, here;
  Name list_here;  // where the ranks of this node are told one by one, separated by commas
  Name ids[kIds];  // together they name the step
  Name sign = {};  // it is this launcher only where that is set, too
  Name nodes = {};  // how many there are: on one, all ranks are here
};
constexpr Launcher kLaunchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "", {"PMIX_NAMESPACE", ""}},
    {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_LOCAL_SIZE", "", {"PMIX_NAMESPACE", ""}},
    {"PALS_RANKID", "PMI_SIZE", "PALS_LOCAL_SIZE", "", {"PALS_APID", ""}},
    {"ALPS_APP_PE", "PMI_SIZE", "", "", {"ALPS_APP_ID", ""}},
    {"FLUX_TASK_RANK", "FLUX_JOB_SIZE", "", "", {"FLUX_JOB_ID", ""}, "", "FLUX_JOB_NNODES"},
    {"PMI_RANK",
     "PMI_SIZE",
     "MPI_LOCALNRANKS",
     "",
     {"", ""},
     "MPI_LOCALNRANKS"},  // Hydra, perhaps in a step of Slurm's
    {"PMI_RANK", "PMI_SIZE", "", "SLURM_GTIDS", {"SLURM_JOB_ID", "SLURM_STEP_ID"}},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "", "SLURM_GTIDS", {"SLURM_JOB_ID", "SLURM_STEP_ID"}},
    {"PMIX_RANK", "", "", "", {"PMIX_NAMESPACE", ""}},
    {"RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "", {"TORCHELASTIC_RUN_ID", ""}},
};

constexpr Name kNodeNumbers[] = {"SLURM_NODEID", "PALS_NODEID"};

// -1: not set, or no number.
std::int64_t number_in(Environment variable, std::string_view name) noexcept {
  const char* text = name.empty() ? nullptr : variable(name);
  if (text == nullptr || *text < '0' || *text > '9') return -1;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 16;
  std::int64_t number = 0;
  for (; *text >= '0' && *text <= '9' && number < kMost; ++text) number = number * 10 + (*text - '0');
  return number;
}

std::int64_t items_in(Environment variable, std::string_view name) noexcept {
  const char* text = name.empty() ? nullptr : variable(name);
  if (text == nullptr || *text == '\0') return 0;
  std::int64_t items = 1;
  for (; *text != '\0'; ++text) items += *text == ',' ? 1 : 0;
  return items;
}

// 0 unless all of them are set.
std::uint64_t step_of(Environment variable, const Launcher& launcher) noexcept {
  std::uint64_t key = 0;
  for (const std::string_view id : launcher.ids) {
    if (id.empty()) continue;
    const char* text = variable(id);
    if (text == nullptr || *text == '\0') return 0;
    key = record_id(std::string_view(text), key);
  }
  return key;
}

}  // namespace

LaunchedTask launched_task(Environment variable) noexcept {
  for (const Launcher& launcher : kLaunchers) {
    LaunchedTask task{.rank = number_in(variable, launcher.rank)};
    if (task.rank < 0 || (launcher.sign.length != 0 && variable(launcher.sign) == nullptr)) continue;
    const std::int64_t ranks = number_in(variable, launcher.ranks), here = number_in(variable, launcher.here);
    task.ranks = ranks > 0 ? ranks : 0;
    task.here = here > 0 ? here : items_in(variable, launcher.list_here);
    if (task.here == 0 && number_in(variable, launcher.nodes) == 1) task.here = task.ranks;
    task.step = step_of(variable, launcher);
    for (const std::string_view name : kNodeNumbers) {
      if (const std::int64_t node = number_in(variable, name); node >= 0 && task.node == 0)
        task.node = static_cast<std::uint64_t>(node) + 1;
    }
    return task;
  }
  return {};
}

const char* launched_node(Environment variable) noexcept {
  const char* name = variable("SLURMD_NODENAME");
  return name != nullptr && *name != '\0' ? name : nullptr;
}

}  // namespace trikal

#include "gather/rank_group.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace trikal::gather {
namespace {

int number_in(const char* variable) {
  const char* text = std::getenv(variable);
  int number = 0;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), number);
  return number;
}

int first_of(std::initializer_list<const char*> variables) {
  for (const char* variable : variables) {
    if (const int number = number_in(variable); number > 0) return number;
  }
  return 0;
}

}  // namespace

bool is_launched_rank() {
  // Of Slurm the step: a batch script has a rank as well, and is nobody's.
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_STEP_ID", "FLUX_TASK_RANK",
                               "PALS_RANKID", "JSM_NAMESPACE_RANK"}) {
    if (std::getenv(variable) != nullptr) return true;
  }
  return false;
}

std::optional<RankGroup> join_rank_group() {
  RankGroup group;
  group.here = first_of({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"});
  group.everywhere = first_of({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"});
  if (group.here < 1 || group.everywhere < 2) return std::nullopt;
  const pid_t starter = ::getppid();  // started the others, too; but init, or nobody's in a container, may be anyone's
  if (starter <= 1) return std::nullopt;
  group.directory = RunDirectory::share(starter);
  return group.directory ? std::optional(std::move(group)) : std::nullopt;
}

bool RankGroup::leave() const {
  const int file =
      ::open((directory.path() + "/ended").c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return false;  // then `trikal recover` makes the log
  struct stat status{};
  const bool counted = ::flock(file, LOCK_EX) == 0 && ::write(file, ".", 1) == 1 && ::fstat(file, &status) == 0;
  ::close(file);
  return counted && status.st_size == here;
}

}  // namespace trikal::gather

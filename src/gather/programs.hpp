#pragma once
// Programs seen from outside: which file a command means, and whether it can be observed.

#include <string>

#include "base/program_kind.hpp"

namespace trikal::gather {

struct ProgramReport {
  std::string path;         // of the file that would run; empty: not found
  std::string interpreter;  // where that is a script
  Unseen why = Unseen::kNothing;
};

// `command` as a shell would look for it.
[[nodiscard]] ProgramReport look_for_program(const std::string& command);

// Whether that is mpirun, a daemon of its or the like: by the name of its file.
[[nodiscard]] bool starts_mpi_programs(std::string_view program);
// Whether that is the parent of all ranks on its node: by its name as /proc has it.
[[nodiscard]] bool starts_ranks_of_node(std::string_view name);

}  // namespace trikal::gather

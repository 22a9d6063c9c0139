// The modules of MPI as flang can read them. Those that are installed are gfortran's; the constants are in mpif.h, which is
// text, and procedures need no interface to be called.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "predict/source/fortran.hpp"

namespace trikal::predict {
namespace {

namespace fs = std::filesystem;

struct Handles {  // of one type
  std::string_view type;
  std::vector<std::string_view> constants;
};

std::string module_of_2008() {
  const Handles kinds[] = {
      {"MPI_Comm", {"MPI_COMM_WORLD", "MPI_COMM_SELF", "MPI_COMM_NULL"}},
      {"MPI_Datatype",
       {"MPI_INTEGER", "MPI_REAL", "MPI_DOUBLE_PRECISION", "MPI_COMPLEX", "MPI_DOUBLE_COMPLEX", "MPI_LOGICAL",
        "MPI_CHARACTER", "MPI_BYTE", "MPI_PACKED", "MPI_INTEGER1", "MPI_INTEGER2", "MPI_INTEGER4", "MPI_INTEGER8",
        "MPI_REAL4", "MPI_REAL8", "MPI_OFFSET", "MPI_AINT", "MPI_COUNT", "MPI_DATATYPE_NULL"}},
      {"MPI_Op", {"MPI_SUM", "MPI_MAX", "MPI_MIN", "MPI_PROD", "MPI_LAND", "MPI_LOR", "MPI_BAND", "MPI_BOR"}},
      {"MPI_Info", {"MPI_INFO_NULL"}},
      {"MPI_File", {"MPI_FILE_NULL"}},
      {"MPI_Request", {"MPI_REQUEST_NULL"}},
      {"MPI_Group", {"MPI_GROUP_NULL", "MPI_GROUP_EMPTY"}},
      {"MPI_Errhandler", {"MPI_ERRORS_RETURN", "MPI_ERRORS_ARE_FATAL"}},
  };
  std::string types, renamed, constants;
  for (const Handles& kind : kinds) {
    const std::string type(kind.type);
    types += "  type, bind(C) :: " + type + "\n    integer :: MPI_VAL\n  end type\n";
    for (const std::string_view one : kind.constants) {
      const std::string name(one);
      renamed += ", &\n    number_of_" + name + " => " + name;
      constants += "  type(" + type + "), parameter :: " + name + " = " + type + "(number_of_" + name + ")\n";
    }
  }
  return "module trikal_mpi_numbers\n  include 'mpif.h'\nend module\n\nmodule trikal_mpi_types\n" + types +
         "  type, bind(C) :: MPI_Status\n    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR, own(16)\n  end type\n"
         "end module\n\nmodule mpi_f08\n  use trikal_mpi_types\n  use trikal_mpi_numbers, ignored => "
         "MPI_STATUS_IGNORE, &\n"
         "    all_ignored => MPI_STATUSES_IGNORE" +
         renamed + "\n" + constants + "  type(MPI_Status) :: MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE(1)\nend module\n";
}

bool is_there(const fs::path& path, const std::string& text) {
  std::ifstream file(path, std::ios::binary);
  return file && std::string(std::istreambuf_iterator<char>(file), {}) == text;
}

// Under another name first: somebody else may be reading.
std::string kept(const fs::path& path, const std::string& text) {
  if (is_there(path, text)) return path.string();
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  const fs::path fresh =
      path.string() + "." + std::to_string(fs::file_time_type::clock::now().time_since_epoch().count());
  std::ofstream(fresh, std::ios::binary) << text;
  fs::rename(fresh, path, error);
  return path.string();
}

}  // namespace

void add_mpi_modules(std::vector<SourceFile>& sources, const std::string& cache) {
  std::vector<SourceFile> made;
  for (const std::string& module : {std::string("mpi"), std::string("mpi_f08")}) {
    const auto user =
        std::ranges::find_if(sources, [&](const SourceFile& one) { return misses_module(one, sources, module); });
    if (user == sources.end()) continue;
    const std::string text = module == "mpi" ? "module mpi\n  include 'mpif.h'\nend module\n" : module_of_2008();
    made.push_back({kept(fs::path(cache) / ("trikal_" + module + ".f90"), text), user->options, user->directory});
  }
  sources.insert(sources.begin(), made.begin(), made.end());
}

}  // namespace trikal::predict

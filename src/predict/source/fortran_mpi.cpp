// The modules of MPI as flang can read them. Those that are installed are gfortran's; the constants are in mpif.h, which is
// text. Procedures have interfaces, so that arguments may have keywords; of any type and rank, as buffers are.

#include <algorithm>
#include <sstream>

#include "predict/source/fortran.hpp"

namespace trikal::predict {
namespace {

// Names of arguments as in the standard; a word in capitals is text. The error comes behind them.
struct Procedure {
  std::string_view name, arguments;
};
constexpr Procedure kProcedures[] = {
    {"MPI_Init", ""},
    {"MPI_Init_thread", "required provided"},
    {"MPI_Finalize", ""},
    {"MPI_Initialized", "flag"},
    {"MPI_Comm_rank", "comm rank"},
    {"MPI_Comm_size", "comm size"},
    {"MPI_Comm_dup", "comm newcomm"},
    {"MPI_Comm_split", "comm color key newcomm"},
    {"MPI_Comm_free", "comm"},
    {"MPI_Barrier", "comm"},
    {"MPI_Bcast", "buffer count datatype root comm"},
    {"MPI_Abort", "comm errorcode"},
    {"MPI_Reduce", "sendbuf recvbuf count datatype op root comm"},
    {"MPI_Allreduce", "sendbuf recvbuf count datatype op comm"},
    {"MPI_Scan", "sendbuf recvbuf count datatype op comm"},
    {"MPI_Send", "buf count datatype dest tag comm"},
    {"MPI_Isend", "buf count datatype dest tag comm request"},
    {"MPI_Recv", "buf count datatype source tag comm status"},
    {"MPI_Irecv", "buf count datatype source tag comm request"},
    {"MPI_Wait", "request status"},
    {"MPI_Waitall", "count array_of_requests array_of_statuses"},
    {"MPI_Sendrecv", "sendbuf sendcount sendtype dest sendtag recvbuf recvcount recvtype source recvtag comm status"},
    {"MPI_Type_contiguous", "count oldtype newtype"},
    {"MPI_Type_vector", "count blocklength stride oldtype newtype"},
    {"MPI_Type_create_subarray", "ndims array_of_sizes array_of_subsizes array_of_starts order oldtype newtype"},
    {"MPI_Type_commit", "datatype"},
    {"MPI_Type_free", "datatype"},
    {"MPI_Type_size", "datatype size"},
    {"MPI_Info_create", "info"},
    {"MPI_Info_set", "info KEY VALUE"},
    {"MPI_Info_free", "info"},
    {"MPI_File_open", "comm FILENAME amode info fh"},
    {"MPI_File_close", "fh"},
    {"MPI_File_write", "fh buf count datatype status"},
    {"MPI_File_write_at", "fh offset buf count datatype status"},
    {"MPI_File_write_all", "fh buf count datatype status"},
    {"MPI_File_write_at_all", "fh offset buf count datatype status"},
    {"MPI_File_read", "fh buf count datatype status"},
    {"MPI_File_read_at", "fh offset buf count datatype status"},
    {"MPI_File_read_all", "fh buf count datatype status"},
    {"MPI_File_read_at_all", "fh offset buf count datatype status"},
    {"MPI_File_iwrite", "fh buf count datatype request"},
    {"MPI_File_iwrite_at", "fh offset buf count datatype request"},
    {"MPI_File_iread", "fh buf count datatype request"},
    {"MPI_File_iread_at", "fh offset buf count datatype request"},
    {"MPI_File_sync", "fh"},
    {"MPI_File_set_view", "fh disp etype filetype DATAREP info"},
    {"MPI_File_seek", "fh offset whence"},
    {"MPI_File_get_size", "fh size"},
    {"MPI_File_set_size", "fh size"},
    {"MPI_File_delete", "FILENAME info"},
    {"MPI_Get_count", "status datatype count"},
};

// What flang may not check it passes by address, whatever it is.
std::string interface_of(const Procedure& procedure) {
  std::string names, any, types;
  std::istringstream words{std::string(procedure.arguments)};
  for (std::string word; words >> word;) {
    names += word + ", ";
    if (word[0] >= 'A' && word[0] <= 'Z') {
      types += "      character(len=*) :: " + word + "\n";
    } else {
      types += "      integer :: " + word + "(*)\n";
      any += (any.empty() ? "" : ", ") + word;
    }
  }
  std::string out = "    subroutine " + std::string(procedure.name) + "( &\n      " + names + "ierror)\n" + types;
  if (!any.empty()) out += "      !dir$ ignore_tkr(tkr) " + any + "\n";
  return out + "      integer, optional :: ierror\n    end subroutine\n";
}

std::string interfaces() {
  std::string out = "  interface\n";
  for (const Procedure& one : kProcedures) out += interface_of(one);
  return out + "  end interface\n";
}

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
         renamed + "\n" + constants + "  type(MPI_Status) :: MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE(1)\n" +
         interfaces() + "end module\n";
}

}  // namespace

void add_mpi_modules(std::vector<SourceFile>& sources, const std::string& cache) {
  std::vector<SourceFile> made;
  for (const std::string& module : {std::string("mpi"), std::string("mpi_f08")}) {
    const auto user =
        std::ranges::find_if(sources, [&](const SourceFile& one) { return misses_module(one, sources, module); });
    if (user == sources.end()) continue;
    const std::string text =
        module == "mpi" ? "module mpi\n  include 'mpif.h'\n" + interfaces() + "end module\n" : module_of_2008();
    made.push_back({kept_text(cache, "trikal_" + module + ".f90", text), user->options, user->directory});
  }
  sources.insert(sources.begin(), made.begin(), made.end());
}

}  // namespace trikal::predict

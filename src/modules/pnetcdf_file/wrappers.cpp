#include "modules/pnetcdf_file/wrappers.hpp"

#include "capture/mpi/library.hpp"
#include "modules/pnetcdf_file/capture.hpp"
#include "modules/pnetcdf_file/capture_library.hpp"
#include "modules/pnetcdf_var/capture.hpp"

namespace trikal::modules::pnetcdf_file {
namespace {

using namespace capture;  // NOLINT: a file of wrappers

template <FixedString Name, bool Creates>
struct OpenAny {
  using Call = PnetcdfCall<Name, int(MpiHandle, const char*, int, MpiHandle, int*)>;
  static int wrapper(MpiHandle communicator, const char* path, int mode, MpiHandle info, int* number) noexcept {
    return Call::call(
        [](Span when, int, MpiHandle, const char* p, int, MpiHandle, int* n) noexcept {
          File* file = file_at(p);
          keep(*n, file);
          if (PnetcdfFile* record = record_of(file)) opened(*record, when, Creates);
        },
        communicator, path, mode, info, number);
  }
};
template <FixedString N> using CreateWrapper = OpenAny<N, true>;
template <FixedString N> using OpenWrapper = OpenAny<N, false>;

// The record is looked up before the call: after it another thread may have closed the file, and its number be another's.
template <FixedString Name, void (*Note)(PnetcdfFile&, Span) noexcept, class... Rest>
struct OnFile {
  using Call = PnetcdfCall<Name, int(int, Rest...)>;
  static int wrapper(int number, Rest... rest) noexcept {
    return Call::call_asking([](int n, Rest...) noexcept { return record_of(file_of(n)); },
                             [](PnetcdfFile* record, Span when, int, int, Rest...) noexcept {
                               if (record != nullptr) Note(*record, when);
                             },
                             number, rest...);
  }
};
template <FixedString N> using EndDefineWrapper = OnFile<N, defined>;
template <FixedString N> using EndDefineAlignedWrapper = OnFile<N, defined, Offset, Offset, Offset, Offset>;
template <FixedString N> using RedefineWrapper = OnFile<N, redefining>;
template <FixedString N> using SyncWrapper = OnFile<N, synced>;

template <FixedString Name, bool Collective>
struct WaitAny {
  using Call = ImportedCall<PnetcdfWaits, Name, int(int, int, int*, int*)>;
  static int wrapper(int number, int count, int* requests, int* results) noexcept {
    return Call::call_asking([](int n, int, int*, int*) noexcept { return record_of(file_of(n)); },
                             [](PnetcdfFile* record, Span when, int result, int, int, int*, int*) noexcept {
                               if (record != nullptr) waited(*record, when, Collective, result == 0);
                             },
                             number, count, requests, results);
  }
};
template <FixedString N> using WaitWrapper = WaitAny<N, false>;
template <FixedString N> using WaitAllWrapper = WaitAny<N, true>;

struct Closing {
  PnetcdfFile* record = nullptr;
  Moved moved;

  // The number is forgotten before the call: it can be given to another thread's file at once.
  explicit Closing(int number) noexcept {
    pnetcdf_var::forget(number, pnetcdf.variables_in(number));
    record = record_of(take(number));
    if (record != nullptr) moved = {pnetcdf.bytes_read(number), pnetcdf.bytes_written(number)};
  }
};

template <FixedString Name>
struct CloseWrapper {
  using Call = PnetcdfCall<Name, int(int)>;
  static int wrapper(int number) noexcept {
    return Call::call_asking([](int n) noexcept { return Closing(n); },
                             [](const Closing& closing, Span when, int, int) noexcept {
                               if (closing.record != nullptr) closed(*closing.record, when, closing.moved);
                             },
                             number);
  }
};

constexpr ImportGroup kWrappers =
    tell_imports<import_of<CreateWrapper, "ncmpi_create">, import_of<OpenWrapper, "ncmpi_open">,
                 import_of<EndDefineWrapper, "ncmpi_enddef">, import_of<EndDefineAlignedWrapper, "ncmpi__enddef">,
                 import_of<RedefineWrapper, "ncmpi_redef">, import_of<SyncWrapper, "ncmpi_sync">,
                 import_of<WaitWrapper, "ncmpi_wait">, import_of<WaitAllWrapper, "ncmpi_wait_all">,
                 import_of<CloseWrapper, "ncmpi_close">, import_of<CloseWrapper, "ncmpi_abort">>;

}  // namespace

void wrappers(const ImportUse& use) noexcept { kWrappers(use); }

bool find_pnetcdf() noexcept {
  if (pnetcdf.look()) return true;
  session.say("Parallel netCDF is not observed", "this library lacks functions that say what variables are");
  return false;
}

}  // namespace trikal::modules::pnetcdf_file

// Opening, closing and managing files of MPI.

#include "modules/mpiio/wrappers.hpp"

#include "capture/mpi/hints.hpp"
#include "capture/mpi/job.hpp"

namespace trikal::modules::mpiio {
namespace {

using namespace capture;  // NOLINT: a file of wrappers
using Offset = std::int64_t;

template <FixedString Name>
struct OpenWrapper {
  using Call = MpiCall<Name, int(MpiHandle, const char*, int, MpiHandle, MpiHandle*)>;
  static int wrapper(MpiHandle communicator, const char* path, int mode, MpiHandle info, MpiHandle* file) noexcept {
    return Call::call(
        [](Span when, int result, MpiHandle c, const char* p, int m, MpiHandle i, MpiHandle* f) noexcept {
          MpiFile* record = result == 0 ? record_at(p) : nullptr;
          if (record == nullptr) return;
          handles.set(*f, record);
          note_mpi_rank();
          opened(*record, when, {mpi.common_mode(m), mpi.ranks_of(c) == 1, !mpi.is_null_info(i)});
          if (!mpi.is_null_info(i)) note_hints(record->record.base().id, i);
        },
        communicator, path, mode, info, file);
  }
};

template <FixedString Name>
struct CloseWrapper {
  using Call = MpiCall<Name, int(MpiHandle*)>;
  static int wrapper(MpiHandle* file) noexcept {
    MpiFile* record = held(*file);
    if (record != nullptr) {  // before the handle can be given to another thread's open
      const Inside inside;
      handles.forget(*file);
    }
    return Call::call(
        [record](Span when, int, MpiHandle*) noexcept {
          if (record != nullptr) closed(*record, when);
        },
        file);
  }
};

template <FixedString Name>
struct SyncWrapper {
  using Call = MpiCall<Name, int(MpiHandle)>;
  static int wrapper(MpiHandle file) noexcept {
    return Call::call(
        [record = held(file)](Span when, int result, MpiHandle) noexcept {
          if (record != nullptr && result == 0) synced(*record, when);
        },
        file);
  }
};

template <FixedString Name>
struct ViewWrapper {
  using Call = MpiCall<Name, int(MpiHandle, Offset, MpiHandle, MpiHandle, const char*, MpiHandle)>;
  static int wrapper(MpiHandle file, Offset at, MpiHandle element, MpiHandle type, const char* form,
                     MpiHandle info) noexcept {
    return Call::call(
        [record = held(file)](Span when, int result, MpiHandle, Offset, MpiHandle, MpiHandle, const char*,
                              MpiHandle i) noexcept {
          if (record == nullptr || result != 0) return;
          viewed(*record, when, !mpi.is_null_info(i));
          if (!mpi.is_null_info(i)) note_hints(record->record.base().id, i);
        },
        file, at, element, type, form, info);
  }
};

template <FixedString Name>
struct SizeWrapper {
  using Call = MpiCall<Name, int(MpiHandle, Offset)>;
  static int wrapper(MpiHandle file, Offset size) noexcept {
    return Call::call(
        [record = held(file)](Span when, int result, MpiHandle, Offset) noexcept {
          if (record != nullptr && result == 0) managed(*record, when);
        },
        file, size);
  }
};

// Has no counter; what it costs belongs to the file, if that was opened before.
template <FixedString Name>
struct DeleteWrapper {
  using Call = MpiCall<Name, int(const char*, MpiHandle)>;
  static int wrapper(const char* path, MpiHandle info) noexcept {
    return Call::call(
        [](Span when, int result, const char* p, MpiHandle) noexcept {
          MpiFile* record = result == 0 ? known_record_at(p) : nullptr;
          if (record != nullptr) managed(*record, when);
        },
        path, info);
  }
};

constexpr ImportGroup kWrappers =
    tell_imports<imports_of<OpenWrapper, "MPI_File_open">, imports_of<CloseWrapper, "MPI_File_close">,
                 imports_of<SyncWrapper, "MPI_File_sync">, imports_of<ViewWrapper, "MPI_File_set_view">,
                 imports_of<SizeWrapper, "MPI_File_set_size">, imports_of<SizeWrapper, "MPI_File_preallocate">,
                 imports_of<DeleteWrapper, "MPI_File_delete">>;

}  // namespace

void file_wrappers(const ImportUse& use) noexcept { kWrappers(use); }

}  // namespace trikal::modules::mpiio

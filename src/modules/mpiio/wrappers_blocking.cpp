// Reads and writes that are over when they return.

#include "modules/mpiio/wrappers.hpp"

namespace trikal::modules::mpiio {
namespace {

using namespace capture;  // NOLINT: a file of wrappers
using Offset = std::int64_t;

// What the library says was moved; what was asked for where it says nothing.
void note(MpiFile& file, Span when, Transfer transfer, const void* status) noexcept {
  const std::int64_t bytes = mpi.bytes_moved(status);
  if (bytes >= 0 && bytes < transfer.bytes) transfer.bytes = bytes;
  moved(file, when, transfer);
}

template <FixedString Name, Direction D, Way W, class Count, Pointer P = Pointer::kOwn>
struct Plain {
  using Call = MpiCall<Name, int(MpiHandle, void*, Count, MpiHandle, void*)>;
  static int wrapper(MpiHandle file, void* buffer, Count count, MpiHandle type, void* status) noexcept {
    OwnStatus own(status);
    return Call::call(
        [at = held_at_pointer<P>(file)](Span when, int result, MpiHandle, void*, Count c, MpiHandle t,
                                        void* s) noexcept {
          if (at.file != nullptr && result == 0) note(*at.file, when, {D, W, bytes_of(c, t), at.offset}, s);
        },
        file, buffer, count, type, own.get());
  }
};

template <FixedString Name, Direction D, Way W, class Count>
struct At {
  using Call = MpiCall<Name, int(MpiHandle, Offset, void*, Count, MpiHandle, void*)>;
  static int wrapper(MpiHandle file, Offset offset, void* buffer, Count count, MpiHandle type, void* status) noexcept {
    OwnStatus own(status);
    return Call::call(
        [at = held_at(file, offset)](Span when, int result, MpiHandle, Offset, void*, Count c, MpiHandle t,
                                     void* s) noexcept {
          if (at.file != nullptr && result == 0) note(*at.file, when, {D, W, bytes_of(c, t), at.offset}, s);
        },
        file, offset, buffer, count, type, own.get());
  }
};

constexpr auto kRead = Direction::kRead;
constexpr auto kWrite = Direction::kWrite;
constexpr auto kAlone = Way::kIndependent;
constexpr auto kTogether = Way::kCollective;

template <FixedString N> using Read = Plain<N, kRead, kAlone, int>;
template <FixedString N> using Write = Plain<N, kWrite, kAlone, int>;
template <FixedString N> using ReadAll = Plain<N, kRead, kTogether, int>;
template <FixedString N> using WriteAll = Plain<N, kWrite, kTogether, int>;
template <FixedString N> using ReadAt = At<N, kRead, kAlone, int>;
template <FixedString N> using WriteAt = At<N, kWrite, kAlone, int>;
template <FixedString N> using ReadAtAll = At<N, kRead, kTogether, int>;
template <FixedString N> using WriteAtAll = At<N, kWrite, kTogether, int>;
// By the pointer that all ranks share.
constexpr auto kShared = Pointer::kShared;
template <FixedString N> using ReadShared = Plain<N, kRead, kAlone, int, kShared>;
template <FixedString N> using WriteShared = Plain<N, kWrite, kAlone, int, kShared>;
template <FixedString N> using ReadOrdered = Plain<N, kRead, kTogether, int, kShared>;
template <FixedString N> using WriteOrdered = Plain<N, kWrite, kTogether, int, kShared>;
template <FixedString N> using BigReadShared = Plain<N, kRead, kAlone, std::int64_t, kShared>;
template <FixedString N> using BigWriteShared = Plain<N, kWrite, kAlone, std::int64_t, kShared>;
template <FixedString N> using BigReadOrdered = Plain<N, kRead, kTogether, std::int64_t, kShared>;
template <FixedString N> using BigWriteOrdered = Plain<N, kWrite, kTogether, std::int64_t, kShared>;
// With counts of 64 bits.
template <FixedString N> using BigRead = Plain<N, kRead, kAlone, std::int64_t>;
template <FixedString N> using BigWrite = Plain<N, kWrite, kAlone, std::int64_t>;
template <FixedString N> using BigReadAll = Plain<N, kRead, kTogether, std::int64_t>;
template <FixedString N> using BigWriteAll = Plain<N, kWrite, kTogether, std::int64_t>;
template <FixedString N> using BigReadAt = At<N, kRead, kAlone, std::int64_t>;
template <FixedString N> using BigWriteAt = At<N, kWrite, kAlone, std::int64_t>;
template <FixedString N> using BigReadAtAll = At<N, kRead, kTogether, std::int64_t>;
template <FixedString N> using BigWriteAtAll = At<N, kWrite, kTogether, std::int64_t>;

constexpr ImportGroup kWrappers = tell_imports<
    imports_of<Read, "MPI_File_read">, imports_of<Write, "MPI_File_write">, imports_of<ReadAll, "MPI_File_read_all">,
    imports_of<WriteAll, "MPI_File_write_all">, imports_of<ReadAt, "MPI_File_read_at">,
    imports_of<WriteAt, "MPI_File_write_at">, imports_of<ReadAtAll, "MPI_File_read_at_all">,
    imports_of<WriteAtAll, "MPI_File_write_at_all">, imports_of<ReadShared, "MPI_File_read_shared">,
    imports_of<WriteShared, "MPI_File_write_shared">, imports_of<ReadOrdered, "MPI_File_read_ordered">,
    imports_of<WriteOrdered, "MPI_File_write_ordered">, imports_of<BigRead, "MPI_File_read_c">,
    imports_of<BigWrite, "MPI_File_write_c">, imports_of<BigReadAll, "MPI_File_read_all_c">,
    imports_of<BigWriteAll, "MPI_File_write_all_c">, imports_of<BigReadAt, "MPI_File_read_at_c">,
    imports_of<BigWriteAt, "MPI_File_write_at_c">, imports_of<BigReadAtAll, "MPI_File_read_at_all_c">,
    imports_of<BigWriteAtAll, "MPI_File_write_at_all_c">, imports_of<BigReadShared, "MPI_File_read_shared_c">,
    imports_of<BigWriteShared, "MPI_File_write_shared_c">, imports_of<BigReadOrdered, "MPI_File_read_ordered_c">,
    imports_of<BigWriteOrdered, "MPI_File_write_ordered_c">>;

}  // namespace

void blocking_wrappers(const ImportUse& use) noexcept { kWrappers(use); }

}  // namespace trikal::modules::mpiio

// Transfers that only begin with the call: split collectives, and those that give a request.

#include "modules/mpiio/capture_requests.hpp"
#include "modules/mpiio/wrappers.hpp"

namespace trikal::modules::mpiio {
namespace {

using namespace capture;  // NOLINT: a file of wrappers
using Offset = std::int64_t;

void note_begun(MpiFile& file, Span when, const Transfer& transfer, const void* request) noexcept {
  moved(file, when, transfer);
  if (request == nullptr) return;
  const MpiHandle handle = mpi.request_at(request, 0);
  if (!mpi.is_null_request(handle)) requests.add({handle, &file, transfer, when.begin});
}

template <FixedString Name, Direction D, class Count, Pointer P = Pointer::kOwn>
struct Nonblocking {
  using Call = MpiCall<Name, int(MpiHandle, void*, Count, MpiHandle, void*)>;
  static int wrapper(MpiHandle file, void* buffer, Count count, MpiHandle type, void* request) noexcept {
    return Call::call(
        [at = held_at_pointer<P>(file)](Span when, int result, MpiHandle, void*, Count c, MpiHandle t,
                                        void* r) noexcept {
          if (at.file != nullptr && result == 0)
            note_begun(*at.file, when, {D, Way::kNonblocking, bytes_of(c, t), at.offset}, r);
        },
        file, buffer, count, type, request);
  }
};

template <FixedString Name, Direction D, class Count>
struct NonblockingAt {
  using Call = MpiCall<Name, int(MpiHandle, Offset, void*, Count, MpiHandle, void*)>;
  static int wrapper(MpiHandle file, Offset offset, void* buffer, Count count, MpiHandle type, void* request) noexcept {
    return Call::call(
        [at = held_at(file, offset)](Span when, int result, MpiHandle, Offset, void*, Count c, MpiHandle t,
                                     void* r) noexcept {
          if (at.file != nullptr && result == 0)
            note_begun(*at.file, when, {D, Way::kNonblocking, bytes_of(c, t), at.offset}, r);
        },
        file, offset, buffer, count, type, request);
  }
};

template <FixedString Name, Direction D, class Count, Pointer P = Pointer::kOwn>
struct Split {
  using Call = MpiCall<Name, int(MpiHandle, void*, Count, MpiHandle)>;
  static int wrapper(MpiHandle file, void* buffer, Count count, MpiHandle type) noexcept {
    return Call::call(
        [at = held_at_pointer<P>(file)](Span when, int result, MpiHandle, void*, Count c, MpiHandle t) noexcept {
          if (at.file != nullptr && result == 0)
            note_begun(*at.file, when, {D, Way::kSplit, bytes_of(c, t), at.offset}, nullptr);
        },
        file, buffer, count, type);
  }
};

template <FixedString Name, Direction D, class Count>
struct SplitAt {
  using Call = MpiCall<Name, int(MpiHandle, Offset, void*, Count, MpiHandle)>;
  static int wrapper(MpiHandle file, Offset offset, void* buffer, Count count, MpiHandle type) noexcept {
    return Call::call(
        [at = held_at(file, offset)](Span when, int result, MpiHandle, Offset, void*, Count c, MpiHandle t) noexcept {
          if (at.file != nullptr && result == 0)
            note_begun(*at.file, when, {D, Way::kSplit, bytes_of(c, t), at.offset}, nullptr);
        },
        file, offset, buffer, count, type);
  }
};

template <FixedString Name, Direction D>
struct SplitEnd {
  using Call = MpiCall<Name, int(MpiHandle, void*, void*)>;
  static int wrapper(MpiHandle file, void* buffer, void* status) noexcept {
    return Call::call(
        [record = held(file)](Span when, int result, MpiHandle, void*, void*) noexcept {
          if (record != nullptr && result == 0) finished(*record, when, {D, Way::kSplit, 0});
        },
        file, buffer, status);
  }
};

constexpr auto kRead = Direction::kRead;
constexpr auto kWrite = Direction::kWrite;
using Big = std::int64_t;

template <FixedString N> using Iread = Nonblocking<N, kRead, int>;
template <FixedString N> using Iwrite = Nonblocking<N, kWrite, int>;
template <FixedString N> using IreadAt = NonblockingAt<N, kRead, int>;
template <FixedString N> using IwriteAt = NonblockingAt<N, kWrite, int>;
template <FixedString N> using BigIread = Nonblocking<N, kRead, Big>;
template <FixedString N> using BigIwrite = Nonblocking<N, kWrite, Big>;
template <FixedString N> using BigIreadAt = NonblockingAt<N, kRead, Big>;
template <FixedString N> using BigIwriteAt = NonblockingAt<N, kWrite, Big>;
template <FixedString N> using ReadBegin = Split<N, kRead, int>;
template <FixedString N> using WriteBegin = Split<N, kWrite, int>;
template <FixedString N> using ReadAtBegin = SplitAt<N, kRead, int>;
template <FixedString N> using WriteAtBegin = SplitAt<N, kWrite, int>;
template <FixedString N> using BigReadBegin = Split<N, kRead, Big>;
template <FixedString N> using BigWriteBegin = Split<N, kWrite, Big>;
template <FixedString N> using BigReadAtBegin = SplitAt<N, kRead, Big>;
template <FixedString N> using BigWriteAtBegin = SplitAt<N, kWrite, Big>;
// By the pointer that all ranks share.
constexpr auto kShared = Pointer::kShared;
template <FixedString N> using IreadShared = Nonblocking<N, kRead, int, kShared>;
template <FixedString N> using IwriteShared = Nonblocking<N, kWrite, int, kShared>;
template <FixedString N> using BigIreadShared = Nonblocking<N, kRead, Big, kShared>;
template <FixedString N> using BigIwriteShared = Nonblocking<N, kWrite, Big, kShared>;
template <FixedString N> using ReadOrderedBegin = Split<N, kRead, int, kShared>;
template <FixedString N> using WriteOrderedBegin = Split<N, kWrite, int, kShared>;
template <FixedString N> using BigReadOrderedBegin = Split<N, kRead, Big, kShared>;
template <FixedString N> using BigWriteOrderedBegin = Split<N, kWrite, Big, kShared>;
template <FixedString N> using ReadEnd = SplitEnd<N, kRead>;
template <FixedString N> using WriteEnd = SplitEnd<N, kWrite>;

constexpr ImportGroup kWrappers = tell_imports<
    imports_of<Iread, "MPI_File_iread">, imports_of<Iwrite, "MPI_File_iwrite">, imports_of<Iread, "MPI_File_iread_all">,
    imports_of<Iwrite, "MPI_File_iwrite_all">, imports_of<IreadShared, "MPI_File_iread_shared">,
    imports_of<IwriteShared, "MPI_File_iwrite_shared">, imports_of<IreadAt, "MPI_File_iread_at">,
    imports_of<IwriteAt, "MPI_File_iwrite_at">, imports_of<IreadAt, "MPI_File_iread_at_all">,
    imports_of<IwriteAt, "MPI_File_iwrite_at_all">, imports_of<BigIread, "MPI_File_iread_c">,
    imports_of<BigIwrite, "MPI_File_iwrite_c">, imports_of<BigIread, "MPI_File_iread_all_c">,
    imports_of<BigIwrite, "MPI_File_iwrite_all_c">, imports_of<BigIreadShared, "MPI_File_iread_shared_c">,
    imports_of<BigIwriteShared, "MPI_File_iwrite_shared_c">, imports_of<BigIreadAt, "MPI_File_iread_at_c">,
    imports_of<BigIwriteAt, "MPI_File_iwrite_at_c">, imports_of<BigIreadAt, "MPI_File_iread_at_all_c">,
    imports_of<BigIwriteAt, "MPI_File_iwrite_at_all_c">, imports_of<ReadBegin, "MPI_File_read_all_begin">,
    imports_of<WriteBegin, "MPI_File_write_all_begin">, imports_of<ReadOrderedBegin, "MPI_File_read_ordered_begin">,
    imports_of<WriteOrderedBegin, "MPI_File_write_ordered_begin">,
    imports_of<ReadAtBegin, "MPI_File_read_at_all_begin">, imports_of<WriteAtBegin, "MPI_File_write_at_all_begin">,
    imports_of<BigReadBegin, "MPI_File_read_all_begin_c">, imports_of<BigWriteBegin, "MPI_File_write_all_begin_c">,
    imports_of<BigReadOrderedBegin, "MPI_File_read_ordered_begin_c">,
    imports_of<BigWriteOrderedBegin, "MPI_File_write_ordered_begin_c">,
    imports_of<BigReadAtBegin, "MPI_File_read_at_all_begin_c">,
    imports_of<BigWriteAtBegin, "MPI_File_write_at_all_begin_c">, imports_of<ReadEnd, "MPI_File_read_all_end">,
    imports_of<WriteEnd, "MPI_File_write_all_end">, imports_of<ReadEnd, "MPI_File_read_ordered_end">,
    imports_of<WriteEnd, "MPI_File_write_ordered_end">, imports_of<ReadEnd, "MPI_File_read_at_all_end">,
    imports_of<WriteEnd, "MPI_File_write_at_all_end">>;

}  // namespace

void begun_wrappers(const ImportUse& use) noexcept { kWrappers(use); }

}  // namespace trikal::modules::mpiio

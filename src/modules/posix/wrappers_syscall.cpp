// syscall(): I/O that goes round libc's own functions.

#include <linux/openat2.h>
#include <sys/syscall.h>

#include "modules/posix/wrappers_data.hpp"
#include "modules/posix/wrappers_notes.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::posix;  // NOLINT

struct Arguments {
  long a[6];
  [[nodiscard]] int number(int i) const noexcept { return static_cast<int>(a[i]); }
  [[nodiscard]] const char* path(int i) const noexcept { return reinterpret_cast<const char*>(a[i]); }
  template <class T>
  [[nodiscard]] const T* pointer(int i) const noexcept {
    return reinterpret_cast<const T*>(a[i]);
  }
};
using Handler = void (*)(TickInterval when, long result, const Arguments& args) noexcept;

template <Noted note>
void plain(TickInterval when, long result, const Arguments& args) noexcept {
  if (Descriptor* found = session.descriptors.find(args.number(0)))
    at_position<note>(*found, when, {result, static_cast<std::size_t>(args.a[2]), misaligned(args.path(1))});
}
template <Noted note>
void positioned(TickInterval when, long result, const Arguments& args) noexcept {
  if (Descriptor* found = session.descriptors.find(args.number(0)))
    at_offset<note>(*found, when, {result, static_cast<std::size_t>(args.a[2]), misaligned(args.path(1))}, args.a[3]);
}
template <Noted note>
void vectored(TickInterval when, long result, const Arguments& args) noexcept {
  if (Descriptor* found = session.descriptors.find(args.number(0)))
    at_position<note>(*found, when, outcome_of(result, args.pointer<iovec>(1), args.number(2)));
}
// preadv and preadv2: an offset of -1 is the descriptor's position. The high half of the offset is empty on 64 bits.
template <Noted note>
void vectored_at(TickInterval when, long result, const Arguments& args) noexcept {
  Descriptor* found = session.descriptors.find(args.number(0));
  if (found == nullptr) return;
  const Outcome outcome = outcome_of(result, args.pointer<iovec>(1), args.number(2));
  args.a[3] == -1 ? at_position<note>(*found, when, outcome) : at_offset<note>(*found, when, outcome, args.a[3]);
}

void openat_(TickInterval when, long result, const Arguments& args) noexcept {
  note_open(when, static_cast<int>(result), args.number(0), args.path(1), args.number(2),
            static_cast<mode_t>(args.a[3]));
}
void openat2_(TickInterval when, long result, const Arguments& args) noexcept {
  const auto* how = args.pointer<open_how>(2);
  if (result < 0) return failed_at(args.number(0), args.path(1));
  note_open(when, static_cast<int>(result), args.number(0), args.path(1), static_cast<int>(how->flags),
            static_cast<mode_t>(how->mode));
}
void close_(TickInterval when, long /*result*/, const Arguments& args) noexcept {
  Descriptor* found = session.descriptors.find(args.number(0));
  if (found == nullptr) return;
  const Closing what = closing(*found);
  session.descriptors.clear(args.number(0));
  note_close(when, what);
}
void close_range_(TickInterval /*when*/, long result, const Arguments& args) noexcept {
  constexpr int kCloseOnExec = 4;  // only marks them
  if (result == 0 && (args.number(2) & kCloseOnExec) == 0)
    session.descriptors.clear_range(static_cast<unsigned>(args.a[0]), static_cast<unsigned>(args.a[1]));
}
void lseek_(TickInterval when, long result, const Arguments& args) noexcept { note_seek(when, args.number(0), result); }
void dup_(TickInterval when, long result, const Arguments& args) noexcept {
  note_duplicate(when, args.number(0), static_cast<int>(result));
}
void fcntl_(TickInterval when, long result, const Arguments& args) noexcept {
  if (args.number(1) == F_DUPFD || args.number(1) == F_DUPFD_CLOEXEC) dup_(when, result, args);
}
template <bool DataOnly>
void sync_(TickInterval when, long result, const Arguments& args) noexcept {
  note_sync(when, args.number(0), static_cast<int>(result), DataOnly);
}
void copy_(TickInterval when, long result, const Arguments& args) noexcept {
  note_copy(when, result, args.number(0), args.pointer<off64_t>(1), args.number(2), args.pointer<off64_t>(3));
}
void sendfile_(TickInterval when, long result, const Arguments& args) noexcept {
  note_copy(when, result, args.number(1), args.pointer<off64_t>(2), args.number(0), nullptr);
}
void renameat_(TickInterval when, long result, const Arguments& args) noexcept {
  note_rename(when, static_cast<int>(result), args.number(0), args.path(1), args.number(2), args.path(3));
}
void unlinkat_(TickInterval when, long result, const Arguments& args) noexcept {
  const bool directory = (args.number(2) & AT_REMOVEDIR) != 0;
  note_on_path(when, static_cast<int>(result), args.number(0), args.path(1),
               directory ? extra("POSIX_RMDIRS") : extra("POSIX_UNLINKS"));
}
template <std::size_t Slot>
void at_path(TickInterval when, long result, const Arguments& args) noexcept {
  note_on_path(when, static_cast<int>(result), args.number(0), args.path(1), Slot);
}
template <std::size_t Slot>
void on_open(TickInterval when, long result, const Arguments& args) noexcept {
  note_on_descriptor(when, static_cast<int>(result), args.number(0), Slot);
}
void newfstatat_(TickInterval when, long result, const Arguments& args) noexcept {
  const mode_t mode = result == 0 ? args.pointer<struct stat>(2)->st_mode : 0;
  note_stat(when, static_cast<int>(result), args.number(0), args.path(1), mode);
}
void fstat_(TickInterval when, long result, const Arguments& args) noexcept {
  note_descriptor_stat(when, static_cast<int>(result), args.number(0),
                       result == 0 ? args.pointer<struct stat>(1)->st_mode : 0);
}
void statx_(TickInterval when, long result, const Arguments& args) noexcept {
  const mode_t mode = result == 0 ? args.pointer<struct statx>(4)->stx_mode : 0;
  note_stat(when, static_cast<int>(result), args.number(0), args.path(1), mode);
}

#if defined(__x86_64__)
// The calls that arm64 never had: as the newer ones, with the working directory understood.
template <Handler Newer>
void from_here(TickInterval when, long result, const Arguments& args) noexcept {
  Newer(when, result, {{AT_FDCWD, args.a[0], args.a[1], args.a[2], 0, 0}});
}
void creat_(TickInterval when, long result, const Arguments& args) noexcept {
  note_open(when, static_cast<int>(result), AT_FDCWD, args.path(0), O_CREAT | O_WRONLY | O_TRUNC,
            static_cast<mode_t>(args.a[1]));
}
void rename_(TickInterval when, long result, const Arguments& args) noexcept {
  note_rename(when, static_cast<int>(result), AT_FDCWD, args.path(0), AT_FDCWD, args.path(1));
}
void rmdir_(TickInterval when, long result, const Arguments& args) noexcept {
  note_on_path(when, static_cast<int>(result), AT_FDCWD, args.path(0), extra("POSIX_RMDIRS"));
}

Handler older_handler_of(long number) noexcept {
  switch (number) {
    case SYS_open: return from_here<openat_>;
    case SYS_creat: return creat_;
    case SYS_stat:
    case SYS_lstat: return from_here<newfstatat_>;
    case SYS_dup2: return dup_;
    case SYS_rename: return rename_;
    case SYS_unlink: return from_here<unlinkat_>;
    case SYS_mkdir: return from_here<at_path<extra("POSIX_MKDIRS")>>;
    case SYS_rmdir: return rmdir_;
    default: return nullptr;
  }
}
#else
Handler older_handler_of(long /*number*/) noexcept { return nullptr; }
#endif

[[gnu::noinline]] Handler handler_of(long number) noexcept {
  switch (number) {
    case SYS_read: return plain<has_read>;
    case SYS_write: return plain<has_written>;
    case SYS_pread64: return positioned<has_read>;
    case SYS_pwrite64: return positioned<has_written>;
    case SYS_readv: return vectored<has_read>;
    case SYS_writev: return vectored<has_written>;
    case SYS_preadv:
    case SYS_preadv2: return vectored_at<has_read>;
    case SYS_pwritev:
    case SYS_pwritev2: return vectored_at<has_written>;
    case SYS_openat: return openat_;
    case SYS_openat2: return openat2_;
    case SYS_close: return close_;
    case SYS_close_range: return close_range_;
    case SYS_lseek: return lseek_;
    case SYS_dup:
    case SYS_dup3: return dup_;
    case SYS_fcntl: return fcntl_;
    case SYS_fsync: return sync_<false>;
    case SYS_fdatasync: return sync_<true>;
    case SYS_copy_file_range:
    case SYS_splice: return copy_;
    case SYS_sendfile: return sendfile_;
    case SYS_renameat:
    case SYS_renameat2: return renameat_;
    case SYS_unlinkat: return unlinkat_;
    case SYS_mkdirat: return at_path<extra("POSIX_MKDIRS")>;
    case SYS_ftruncate: return on_open<extra("POSIX_TRUNCATES")>;
    case SYS_getdents64: return on_open<extra("POSIX_READDIRS")>;
    case SYS_newfstatat: return newfstatat_;
    case SYS_fstat: return fstat_;
    case SYS_statx: return statx_;
    default: return older_handler_of(number);
  }
}

}  // namespace

// Not variadic: all six arguments are passed on where they lie, so that the real function is jumped to and calls
// that return twice (vfork, clone) find the stack as they expect it.
TRIKAL_DOOR long raw_system_call(long n, long a, long b, long c, long d, long e, long f) __asm__("syscall");
TRIKAL_DOOR long raw_system_call(long n, long a, long b, long c, long d, long e, long f) {
  using Wrapper = Interposed<"syscall", long(long, long, long, long, long, long, long)>;
  const Handler handler = handler_of(n);
  if (handler == nullptr) return Wrapper::real()(n, a, b, c, d, e, f);
  return Wrapper::call([handler](TickInterval when, long result, long, long a1, long a2, long a3, long a4, long a5,
                                 long a6) noexcept { handler(when, result, {{a1, a2, a3, a4, a5, a6}}); },
                       n, a, b, c, d, e, f);
}

// syscall(): I/O that goes round libc's own functions.

#include <linux/openat2.h>
#include <sys/syscall.h>

#include "capture/session/unseen.hpp"
#include "modules/posix/wrappers_data.hpp"
#include "modules/posix/wrappers_notes.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::posix;  // NOLINT

struct Arguments {
  long a[6];
  Held held[2];  // what the descriptors among them stood for before the call
  [[nodiscard]] int number(int i) const noexcept { return static_cast<int>(a[i]); }
  [[nodiscard]] const char* path(int i) const noexcept { return reinterpret_cast<const char*>(a[i]); }
  template <class T>
  [[nodiscard]] const T* pointer(int i) const noexcept {
    return reinterpret_cast<const T*>(a[i]);
  }
};
// Which arguments are descriptors that calls work on; -1: none. A path's directory is not.
enum class Closes : std::uint8_t { kNothing, kOne, kRange };
struct Handler {
  void (*note)(TickInterval when, long result, const Arguments& args) noexcept;
  int first, second;
  Closes closes;
};
template <decltype(Handler::note) Note, int First = -1, int Second = -1, Closes Close = Closes::kNothing>
constexpr Handler kHandler = {Note, First, Second, Close};

template <Noted note>
void plain(TickInterval when, long result, const Arguments& args) noexcept {
  if (const Watched on = watched(args.held[0]))
    at_position<note>(on, when, {result, static_cast<std::size_t>(args.a[2]), misaligned(args.path(1))});
}
template <Noted note>
void positioned(TickInterval when, long result, const Arguments& args) noexcept {
  if (const Watched on = watched(args.held[0]))
    at_offset<note>(on, when, {result, static_cast<std::size_t>(args.a[2]), misaligned(args.path(1))}, args.a[3]);
}
template <Noted note>
void vectored(TickInterval when, long result, const Arguments& args) noexcept {
  if (const Watched on = watched(args.held[0]))
    at_position<note>(on, when, outcome_of(result, args.pointer<iovec>(1), args.number(2)));
}
// preadv and preadv2: an offset of -1 is the descriptor's position. The high half of the offset is empty on 64 bits.
template <Noted note>
void vectored_at(TickInterval when, long result, const Arguments& args) noexcept {
  const Watched on = watched(args.held[0]);
  if (!on) return;
  const Outcome outcome = outcome_of(result, args.pointer<iovec>(1), args.number(2));
  args.a[3] == -1 ? at_position<note>(on, when, outcome) : at_offset<note>(on, when, outcome, args.a[3]);
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
  session.descriptors.end_close(args.held[0]);
  note_close(when, args.held[0]);
}
void close_range_(TickInterval /*when*/, long result, const Arguments& args) noexcept {
  session.descriptors.end_close_range(static_cast<unsigned>(args.a[0]), static_cast<unsigned>(args.a[1]), result == 0);
}
void lseek_(TickInterval when, long result, const Arguments& args) noexcept { note_seek(when, args.held[0], result); }
void dup_(TickInterval when, long result, const Arguments& args) noexcept {
  note_duplicate(when, args.held[0], args.number(0), static_cast<int>(result));
}
void fcntl_(TickInterval when, long result, const Arguments& args) noexcept {
  if (args.number(1) == F_DUPFD || args.number(1) == F_DUPFD_CLOEXEC) dup_(when, result, args);
}
template <bool DataOnly>
void sync_(TickInterval when, long result, const Arguments& args) noexcept {
  note_sync(when, args.held[0], static_cast<int>(result), DataOnly);
}
void copy_(TickInterval when, long result, const Arguments& args) noexcept {
  note_copy(when, result, {args.held[0], args.pointer<off64_t>(1)}, {args.held[1], args.pointer<off64_t>(3)});
}
void sendfile_(TickInterval when, long result, const Arguments& args) noexcept {
  note_copy(when, result, {args.held[0], args.pointer<off64_t>(2)}, {args.held[1], nullptr});
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
  note_on_descriptor(when, static_cast<int>(result), args.held[0], Slot);
}
void ftruncate_(TickInterval when, long result, const Arguments& args) noexcept {
  note_cut(when, static_cast<int>(result), args.held[0], args.a[1]);
}
void newfstatat_(TickInterval when, long result, const Arguments& args) noexcept {
  const mode_t mode = result == 0 ? args.pointer<struct stat>(2)->st_mode : 0;
  note_stat(when, static_cast<int>(result), args.number(0), args.path(1), mode);
}
void fstat_(TickInterval when, long result, const Arguments& args) noexcept {
  note_descriptor_stat(when, static_cast<int>(result), args.held[0],
                       result == 0 ? args.pointer<struct stat>(1)->st_mode : 0);
}
void statx_(TickInterval when, long result, const Arguments& args) noexcept {
  const mode_t mode = result == 0 ? args.pointer<struct statx>(4)->stx_mode : 0;
  note_stat(when, static_cast<int>(result), args.number(0), args.path(1), mode);
}

void io_uring_setup_(TickInterval /*when*/, long result, const Arguments& /*args*/) noexcept {
  if (result >= 0) note_ring();
}

#if defined(__x86_64__)
// The calls that arm64 never had: as the newer ones, with the working directory understood.
template <decltype(Handler::note) Newer>
void from_here(TickInterval when, long result, const Arguments& args) noexcept {
  Newer(when, result, {{AT_FDCWD, args.a[0], args.a[1], args.a[2], 0, 0}, {}});
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

const Handler* older_handler_of(long number) noexcept {
  switch (number) {
    case SYS_open: return &kHandler<from_here<openat_>>;
    case SYS_creat: return &kHandler<creat_>;
    case SYS_stat:
    case SYS_lstat: return &kHandler<from_here<newfstatat_>>;
    case SYS_dup2: return &kHandler<dup_, 0>;
    case SYS_rename: return &kHandler<rename_>;
    case SYS_unlink: return &kHandler<from_here<unlinkat_>>;
    case SYS_mkdir: return &kHandler<from_here<at_path<extra("POSIX_MKDIRS")>>>;
    case SYS_rmdir: return &kHandler<rmdir_>;
    default: return nullptr;
  }
}
#else
const Handler* older_handler_of(long /*number*/) noexcept { return nullptr; }
#endif

[[gnu::noinline]] const Handler* handler_of(long number) noexcept {
  switch (number) {
    case SYS_read: return &kHandler<plain<has_read>, 0>;
    case SYS_write: return &kHandler<plain<has_written>, 0>;
    case SYS_pread64: return &kHandler<positioned<has_read>, 0>;
    case SYS_pwrite64: return &kHandler<positioned<has_written>, 0>;
    case SYS_readv: return &kHandler<vectored<has_read>, 0>;
    case SYS_writev: return &kHandler<vectored<has_written>, 0>;
    case SYS_preadv:
    case SYS_preadv2: return &kHandler<vectored_at<has_read>, 0>;
    case SYS_pwritev:
    case SYS_pwritev2: return &kHandler<vectored_at<has_written>, 0>;
    case SYS_openat: return &kHandler<openat_>;
    case SYS_openat2: return &kHandler<openat2_>;
    case SYS_close: return &kHandler<close_, 0, -1, Closes::kOne>;
    case SYS_close_range: return &kHandler<close_range_, -1, -1, Closes::kRange>;
    case SYS_lseek: return &kHandler<lseek_, 0>;
    case SYS_dup:
    case SYS_dup3: return &kHandler<dup_, 0>;
    case SYS_fcntl: return &kHandler<fcntl_, 0>;
    case SYS_fsync: return &kHandler<sync_<false>, 0>;
    case SYS_fdatasync: return &kHandler<sync_<true>, 0>;
    case SYS_copy_file_range:
    case SYS_splice: return &kHandler<copy_, 0, 2>;
    case SYS_sendfile: return &kHandler<sendfile_, 1, 0>;
    case SYS_renameat:
    case SYS_renameat2: return &kHandler<renameat_>;
    case SYS_unlinkat: return &kHandler<unlinkat_>;
    case SYS_mkdirat: return &kHandler<at_path<extra("POSIX_MKDIRS")>>;
    case SYS_ftruncate: return &kHandler<ftruncate_, 0>;
    case SYS_getdents64: return &kHandler<on_open<extra("POSIX_READDIRS")>, 0>;
    case SYS_newfstatat: return &kHandler<newfstatat_>;
    case SYS_fstat: return &kHandler<fstat_, 0>;
    case SYS_statx: return &kHandler<statx_>;
    case SYS_io_uring_setup: return &kHandler<io_uring_setup_>;
    default: return older_handler_of(number);
  }
}

// Before the call, which may make the numbers other threads'.
void hold(const Handler& handler, Arguments& args) noexcept {
  if (handler.closes != Closes::kNothing) {
    if (is_inside() || !session.running()) return;
    const Inside inside;
    if (handler.closes == Closes::kOne) args.held[0] = {session.descriptors.begin_close(args.number(0)), {}};
    else session.descriptors.begin_close_range(static_cast<unsigned>(args.a[0]), static_cast<unsigned>(args.a[1]));
    return;
  }
  if (handler.first >= 0) args.held[0] = session.descriptors.hold(args.number(handler.first));
  if (handler.second >= 0) args.held[1] = session.descriptors.hold(args.number(handler.second));
}

}  // namespace

// Not variadic: all six arguments are passed on where they lie, so that the real function is jumped to and calls
// that return twice (vfork, clone) find the stack as they expect it.
TRIKAL_WRAPPER long raw_system_call(long n, long a, long b, long c, long d, long e, long f) __asm__("syscall");
TRIKAL_WRAPPER long raw_system_call(long n, long a, long b, long c, long d, long e, long f) {
  using Wrapper = Interposed<"syscall", long(long, long, long, long, long, long, long)>;
  constexpr long kCloseOnExec = 4;  // only marks them
  const Handler* handler = n == SYS_close_range && (c & kCloseOnExec) != 0 ? nullptr : handler_of(n);
  if (handler == nullptr) return Wrapper::real()(n, a, b, c, d, e, f);
  Arguments args{{a, b, c, d, e, f}, {}};
  hold(*handler, args);
  return Wrapper::call([&](TickInterval when, long result, long, long, long, long, long, long,
                           long) noexcept { handler->note(when, result, args); },
                       n, a, b, c, d, e, f);
}

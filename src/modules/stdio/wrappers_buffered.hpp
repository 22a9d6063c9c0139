#pragma once
// Calls that stay in a stream's buffer (fputc, fgetc, small reads and writes) take less time than reading the counter
// before and after them. Of those one in some is timed and stands for the rest, which are only counted. Calls and bytes are
// exact; the extra counters STDIO_READS_NOT_TIMED and STDIO_WRITES_NOT_TIMED tell how many times are estimates. A call that
// fills or empties the buffer is always timed, and with TRIKAL_TIME_ALL every call.

#include <type_traits>

#include "capture/events/event.hpp"
#include "capture/loader/symbols.hpp"
#include "modules/stdio/direction.hpp"
#include "modules/stdio/wrappers.hpp"

namespace trikal::modules::stdio {

// A timed one.
void has_read_buffered(Stream& stream, Span when, std::int64_t bytes) noexcept;
void has_written_buffered(Stream& stream, Span when, std::int64_t bytes) noexcept;
// With other threads, or when this thread has timed none yet.
[[gnu::noinline]] void count_untimed_slowly(bool read, Stream& stream, std::int64_t bytes) noexcept;

// Whether the call moves all its bytes between the program's memory and the buffer. Streams that are written line by
// line, or not buffered, never have space in this sense.
template <const DirectionSlots& S>
[[gnu::always_inline]] inline bool stays_in_buffer(const FILE* stream, std::size_t bytes) noexcept {
  const char* at = S.read ? stream->_IO_read_ptr : stream->_IO_write_ptr;
  const char* end = S.read ? stream->_IO_read_end : stream->_IO_write_end;
  return at < end && bytes - 1 < static_cast<std::size_t>(end - at);
}

// Some are left. With the record's lock held, where there are other threads.
template <const DirectionSlots& S>
[[gnu::always_inline]] inline void add_untimed(StdioFile& file, Stream& stream, std::int64_t bytes) noexcept {
  auto& record = file.record;
  const std::int64_t end = stream.offset + bytes;
  stream.offset = end;
  if (end - 1 > record.slot(S.max_byte)) [[likely]]
    record.slot(S.max_byte) = end - 1;
  record.slot(S.bytes) += bytes;
  record.slot(S.calls) += 1;
  stream.left[S.read].store(stream.left[S.read].load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
}

// Bytes go to the slice of time in which this thread's last timed call was.
template <const DirectionSlots& S>
[[gnu::always_inline]] inline void count_untimed(Stream& stream, std::int64_t bytes) noexcept {
  std::int64_t* sum = capture::tallies[capture::kStdioFlow].sums[S.read];
  if (sum == nullptr || !capture::Spin::is_needless()) [[unlikely]]
    return count_untimed_slowly(S.read, stream, bytes);
  add_untimed<S>(*stream.file, stream, bytes);  // it has one since the call that was timed
  *sum += bytes;
}

// A call that moves its bytes in the wrapper itself. None: the real function does.
struct ByCall {};

// Moves are made as the C library's own header makes them in programs (getc_unlocked, putc_unlocked). Only while there is one
// thread, so that nobody needs the stream's lock, and where no other library is behind us that waits for the call.
template <class Wrapper>
struct MovesHere {
  static void ask() noexcept {
    if (state_.load(std::memory_order_relaxed) != State::kNotAsked) return;
    Wrapper::find();
    const bool is_libc = capture::is_of_libc(reinterpret_cast<const void*>(Wrapper::real()));
    state_.store(is_libc ? State::kYes : State::kNo, std::memory_order_relaxed);
  }
  [[nodiscard]] static bool now() noexcept {
    return state_.load(std::memory_order_relaxed) == State::kYes && capture::Spin::is_needless();
  }

 private:
  enum class State : std::uint8_t { kNotAsked, kNo, kYes };
  static inline constinit std::atomic<State> state_{State::kNotAsked};
};

// The call between two readings of the counter. Apart from `observed_buffered`, which then has less to save on its way.
// `from`: who called the wrapper.
template <class Wrapper, const DirectionSlots& S, class Move, class BytesOf, class... A>
[[gnu::noinline]] auto observed_timed(const void* from, Stream* found, bool in_buffer, BytesOf bytes_of,
                                      A... args) noexcept {
  if constexpr (!std::is_same_v<Move, ByCall>) MovesHere<Wrapper>::ask();
  return Wrapper::call_running(
      [=](Span when, auto result, A...) noexcept {
        if (capture::keeps_callers) capture::caller = from;
        const std::int64_t bytes = bytes_of(result);
        if (bytes < 0) return not_moved(*found);
        if (in_buffer)
          return S.read ? has_read_buffered(*found, when, bytes) : has_written_buffered(*found, when, bytes);
        return S.read ? has_read(*found, when, bytes) : has_written(*found, when, bytes);
      },
      args...);
}

// As `observed`, for a call that moves `bytes` if all goes well.
template <class Wrapper, const DirectionSlots& S, class Move = ByCall, class BytesOf, class... A>
TRIKAL_INTO_WRAPPER auto observed_buffered(FILE* stream, std::size_t bytes, BytesOf bytes_of, A... args) noexcept {
  Stream* found = streams.find_direct(stream);
  if (found == nullptr) [[unlikely]]
    return observed_first<Wrapper, S.read ? has_read : has_written>(__builtin_return_address(0), stream, bytes_of,
                                                                    args...);
  const bool in_buffer = stays_in_buffer<S>(stream, bytes);
  if (!in_buffer || found->left[S.read].load(std::memory_order_relaxed) == 0 || capture::this_thread.inside != 0)
    return observed_timed<Wrapper, S, Move>(__builtin_return_address(0), found, in_buffer, bytes_of, args...);
  if constexpr (!std::is_same_v<Move, ByCall>) {
    if (MovesHere<Wrapper>::now()) [[likely]] {
      const auto result = Move{}(args...);
      const capture::Entered inside;
      count_untimed<S>(*found, static_cast<std::int64_t>(bytes));
      return result;
    }
  }
  const auto result = Wrapper::real()(args...);
  const capture::Entered inside;
  const std::int64_t moved = bytes_of(result);
  if (moved >= 0) [[likely]]
    count_untimed<S>(*found, moved);
  else not_moved(*found);
  return result;
}

}  // namespace trikal::modules::stdio

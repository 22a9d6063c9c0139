#pragma once
// A value, or why there is none.
//
// How to use it:
//   Result<Header> read_header(Source&);          // return a value or an Error
//   auto header = read_header(source);
//   if (!header) return header.error();           // pass it on
//   use(*header);
// Result<void> is Status. An Error is trivially copyable and owns nothing: `what` must be a string
// literal, `offset` is the byte of the log it is about. Only cli/ and compat/ make a sentence of it.

#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

namespace trikal {

enum class ErrorCode : std::uint8_t {
  kNone,
  kSystem,       // a system call failed; sys_errno says how
  kNotALog,      // not a Darshan log at all
  kUnsupported,  // a log, but of a kind nobody can read with this tool
  kDamaged,      // the log contradicts itself or its checksum
  kTruncated,    // the file ends before the log does
  kLimit,        // a bound the user set (or its default) was reached
  kUsage,        // the caller asked for something that makes no sense
  kMissing,      // what was asked for is not in the log
};

struct Error {
  static constexpr std::uint64_t kNoOffset = ~std::uint64_t{0};

  ErrorCode code = ErrorCode::kNone;
  int sys_errno = 0;
  std::uint64_t offset = kNoOffset;  // byte in the file
  const char* what = "";             // a literal, one clause, no full stop
};
static_assert(std::is_trivially_copyable_v<Error>);

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit on purpose
  Result(Error error) : held_(std::in_place_index<1>, error) {}         // NOLINT: implicit on purpose

  [[nodiscard]] bool ok() const noexcept { return held_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }
  [[nodiscard]] const Error& error() const noexcept { return *std::get_if<1>(&held_); }

  T& operator*() & noexcept { return *std::get_if<0>(&held_); }
  const T& operator*() const& noexcept { return *std::get_if<0>(&held_); }
  T&& operator*() && noexcept { return std::move(*std::get_if<0>(&held_)); }
  T* operator->() noexcept { return std::get_if<0>(&held_); }
  const T* operator->() const noexcept { return std::get_if<0>(&held_); }

 private:
  std::variant<T, Error> held_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  constexpr Result() = default;
  constexpr Result(Error error) : error_(error) {}  // NOLINT: implicit on purpose

  [[nodiscard]] constexpr bool ok() const noexcept { return error_.code == ErrorCode::kNone; }
  constexpr explicit operator bool() const noexcept { return ok(); }
  [[nodiscard]] constexpr const Error& error() const noexcept { return error_; }

 private:
  Error error_;
};
using Status = Result<void>;

}  // namespace trikal

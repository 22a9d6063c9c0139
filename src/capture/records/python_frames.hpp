#pragma once
// Which line of Python this thread is in, read from the interpreter's own structures without asking it: its frames are this
// thread's, and nothing moves them while the thread is in a call. Python 3.11 to 3.13, each by the layout of its headers
// (Include/cpython, Include/internal/pycore_frame.h); of other versions nothing is read.

#include <cstddef>
#include <cstdint>
#include <span>

#include "capture/loader/elf_object.hpp"

namespace trikal::capture {

struct PythonLayout;

// The interpreter that an object of the process holds.
class Python {
 public:
  Python() = default;
  explicit Python(const dl_phdr_info& info) noexcept;

  // One frame: its code, and the instruction in it.
  struct Frame {
    std::uintptr_t code = 0, instruction = 0;
  };
  // The innermost frame that is not of a library, and the library function that it has called.
  struct Spot {
    Frame program, library;
  };

  [[nodiscard]] bool is_there() const noexcept { return state_ != nullptr; }
  // False: this thread runs no Python.
  [[nodiscard]] bool find(Spot& spot) const noexcept;

  // Bytes, cut where there is no more space.
  [[nodiscard]] std::size_t file_of(const Frame& frame, std::span<char> out) const noexcept;
  [[nodiscard]] std::size_t function_of(const Frame& frame, std::span<char> out) const noexcept;
  [[nodiscard]] std::uint32_t line_of(const Frame& frame) const noexcept;

 private:
  using State = void* (*)();

  [[nodiscard]] bool is_library(std::uintptr_t code) const noexcept;

  State state_ = nullptr;  // PyGILState_GetThisThreadState: this thread's, without any lock
  const PythonLayout* layout_ = nullptr;
};

}  // namespace trikal::capture

#pragma once
// The MPI of this process, known without its header: handles are machine words, constants are looked up by the
// flavour that is found at run time. docs/decisions/0016-one-library-for-every-mpi.md has the values.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace trikal::capture {

// A handle: a pointer, or an integer of 32 bits, whose upper half in a register means nothing.
using MpiHandle = std::uintptr_t;

enum class MpiFlavour : std::uint8_t { kNone, kUnknown, kOpenMpi, kMpich, kStandard };

class MpiLibrary {
 public:
  // Once, when a library that defines MPI_Init is in the process.
  void look() noexcept;

  [[nodiscard]] bool known() const noexcept { return flavour_ > MpiFlavour::kUnknown; }
  [[nodiscard]] MpiFlavour flavour() const noexcept { return flavour_; }

  // What handles of the program's are compared with.
  [[nodiscard]] bool same(MpiHandle a, MpiHandle b) const noexcept {
    return flavour_ == MpiFlavour::kMpich ? static_cast<std::uint32_t>(a) == static_cast<std::uint32_t>(b) : a == b;
  }
  [[nodiscard]] bool is_null_info(MpiHandle info) const noexcept { return same(info, info_null_); }
  [[nodiscard]] bool is_null_request(MpiHandle request) const noexcept { return same(request, request_null_); }
  [[nodiscard]] MpiHandle world() const noexcept { return world_; }
  [[nodiscard]] MpiHandle byte() const noexcept { return byte_; }
  [[nodiscard]] MpiHandle errors_return() const noexcept { return errors_return_; }  // 0: not known of this flavour
  // From an array of requests, which are as wide as the flavour has them.
  [[nodiscard]] MpiHandle request_at(const void* requests, std::size_t index) const noexcept;
  [[nodiscard]] bool ignores(const void* status) const noexcept { return status == status_ignore_; }

  // Bytes of one element; 0 if the library does not say.
  [[nodiscard]] std::int64_t size_of(MpiHandle type) const noexcept;
  // Bytes that were moved, from a status that the library has filled; -1 if it does not say.
  [[nodiscard]] std::int64_t bytes_moved(const void* status) const noexcept;
  // Bytes from the file's beginning to where a transfer goes: at that offset of the view, or where the file's own pointer is.
  // -1 if the library does not say.
  [[nodiscard]] std::int64_t byte_at(MpiHandle file, std::int64_t offset) const noexcept;
  [[nodiscard]] std::int64_t byte_at_pointer(MpiHandle file) const noexcept;
  [[nodiscard]] int ranks_of(MpiHandle communicator) const noexcept;

  struct RankInJob {
    int rank = -1, ranks = 0;
  };
  // Of this process in MPI_COMM_WORLD; rank -1 before MPI is initialised and after it was finalised.
  [[nodiscard]] RankInJob rank_in_job() const noexcept;
  // The same of a program that uses sessions, and may never have a MPI_COMM_WORLD.
  [[nodiscard]] RankInJob rank_in_session(MpiHandle opened) const noexcept;
  // Whether MPI_Comm_spawn started this process. Only while MPI is initialised.
  [[nodiscard]] bool is_spawned() const noexcept;
  // MPI_MODE_x of an open as Open MPI, MPICH and all logs have them.
  [[nodiscard]] int common_mode(int mode) const noexcept;
  // A handle behind a pointer, which is as wide as the flavour has it.
  [[nodiscard]] MpiHandle handle_at(const void* at) const noexcept { return request_at(at, 0); }

 private:
  void look_at_open_mpi() noexcept;
  void look_at_integers() noexcept;
  void look_at_standard() noexcept;
  void find_functions() noexcept;

  MpiFlavour flavour_ = MpiFlavour::kNone;
  MpiHandle world_ = 0, byte_ = 0, info_null_ = 0, request_null_ = 0, errors_return_ = 0;
  const void* status_ignore_ = nullptr;
  // The library's own functions, under the names that profilers leave alone.
  int (*initialized_)(int*) = nullptr;
  int (*finalized_)(int*) = nullptr;
  int (*rank_)(MpiHandle, int*) = nullptr;
  int (*size_)(MpiHandle, int*) = nullptr;
  int (*type_size_)(MpiHandle, std::int64_t*) = nullptr;
  int (*elements_)(const void*, MpiHandle, std::int64_t*) = nullptr;
  int (*position_)(MpiHandle, std::int64_t*) = nullptr;
  int (*byte_offset_)(MpiHandle, std::int64_t, std::int64_t*) = nullptr;
};

extern constinit MpiLibrary mpi;

// Memory for a status of any flavour, given to the library where the program does not want one: what was really moved
// is nowhere else.
class OwnStatus {
 public:
  explicit OwnStatus(void* programs) noexcept : used_(mpi.known() && mpi.ignores(programs) ? own_ : programs) {}
  [[nodiscard]] void* get() noexcept { return used_; }

 private:
  alignas(16) std::byte own_[64];
  void* used_;
};

}  // namespace trikal::capture

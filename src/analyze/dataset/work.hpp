#pragma once
// What a program does besides I/O, in kinds whose costs differ: what a prediction counts and a calibration prices.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trikal::analyze {

enum class Work : std::uint8_t {
  kArithmetic,  // instructions on integers and addresses, jumps
  kReal,        // on floating-point numbers
  kDivide,      // divisions and roots
  kMemory,      // loads and stores whose addresses are known early
  kIndirect,    // those whose address was loaded itself: caches and prefetchers do not help
  kChoice,      // jumps that depend on data, in such as take both ways equally often
  kTight,       // instructions of any kind in short innermost loops without calls: compilers vectorise them
  kCall,        // calls of the program's own functions
  kLibrary,     // of others
  kMath,        // exp, sin, pow ...
  kText,        // numbers into text and back, without a file
  kAllocate,    // from the heap, and back
  kHeapBytes,   // taken from the heap: pages are made when they are touched
  kMovedBytes,  // by memcpy, memset ...
  kSorted,      // comparisons of a library's sort: n log n
  kMessage,     // calls of MPI that are not about files
  kStart,       // MPI_Init and MPI_Finalize
  kFar,         // accesses to memory that is larger than caches are
  kStreamCall,  // calls of C++ streams: most of them only reach a buffer. I/O, as is the next
  kStreamText,  // calls of streams that convert numbers to text or back
  kChain,       // steps of a sum of floating-point numbers: each waits for the one before, and none may be reordered
  kFarIndirect,  // those of kIndirect that go to memory that is larger than the nearer caches are
  kFilePages,    // that writes make in the page cache. I/O, as are the next
  kSyncedBytes,  // that a sync has to bring to the device
  kReplacedBytes,  // of files that were there and are made empty when they are opened
  kFortranText,    // items of formatted statements of Fortran, whose library takes longer for them than C's
};
inline constexpr std::size_t kWorkKinds = static_cast<std::size_t>(Work::kFortranText) + 1;
using WorkCounts = std::array<double, kWorkKinds>;

[[nodiscard]] std::string_view name_of(Work work);
// Whether its time is I/O time, though no operation on a file is counted for it.
[[nodiscard]] constexpr bool is_io(Work work) {
  return work == Work::kStreamCall || work == Work::kStreamText || work == Work::kFilePages ||
         work == Work::kSyncedBytes || work == Work::kReplacedBytes || work == Work::kFortranText;
}

}  // namespace trikal::analyze

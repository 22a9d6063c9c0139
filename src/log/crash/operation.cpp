#include "log/crash/operation.hpp"

#include <algorithm>
#include <iterator>

#include "base/short_text.hpp"
#include "log/crash/notes.hpp"

namespace trikal::log::crash {
namespace {

struct Words {
  ShortText<6> interface;
  ShortText<21> word;
};
constexpr Words kWords[] = {
    {"POSIX", "open"},
    {"POSIX", "close"},
    {"POSIX", "read"},
    {"POSIX", "write"},
    {"POSIX", "seek"},
    {"POSIX", "stat"},
    {"POSIX", "fsync"},
    {"POSIX", "fdatasync"},
    {"POSIX", "truncate"},
    {"POSIX", "mmap"},
    {"POSIX", "remove"},
    {"POSIX", "rename"},
    {"POSIX", "dup"},
    {"POSIX", "other"},
    {"STDIO", "fopen"},
    {"STDIO", "fclose"},
    {"STDIO", "stream read"},
    {"STDIO", "stream write"},
    {"STDIO", "stream seek"},
    {"STDIO", "flush"},
    {"MPI-IO", "MPI open"},
    {"MPI-IO", "MPI collective open"},
    {"MPI-IO", "MPI close"},
    {"MPI-IO", "MPI read"},
    {"MPI-IO", "MPI write"},
    {"MPI-IO", "MPI collective read"},
    {"MPI-IO", "MPI collective write"},
    {"MPI-IO", "MPI split read"},
    {"MPI-IO", "MPI split write"},
    {"MPI-IO", "MPI nonblocking read"},
    {"MPI-IO", "MPI nonblocking write"},
    {"MPI-IO", "MPI sync"},
    {"MPI-IO", "MPI set view"},
    {"HDF5", "HDF5 open"},
    {"HDF5", "HDF5 close"},
    {"HDF5", "HDF5 flush"},
    {"HDF5", "HDF5 dataset open"},
    {"HDF5", "HDF5 dataset close"},
    {"HDF5", "HDF5 read"},
    {"HDF5", "HDF5 write"},
    {"HDF5", "HDF5 dataset flush"},
};
static_assert(std::size(kWords) == kOperations);

OperationName row_of(Operation operation) noexcept {
  const Words& words = kWords[static_cast<std::size_t>(operation)];
  return {words.interface, words.word};
}

}  // namespace

std::string_view word_of(Operation operation) noexcept { return row_of(operation).word; }
std::string_view interface_of(Operation operation) noexcept { return row_of(operation).interface; }

OperationName operation_name(const MapView& map, Operation operation) noexcept {
  if (static_cast<std::size_t>(operation) < kOperations) return row_of(operation);
  OperationName found{"unknown", "unknown"};
  for_each_note<OperationSlot>(map, ChunkKind::kOperations, [&](const OperationSlot& slot) {
    if (slot.operation != static_cast<std::uint32_t>(operation)) return;
    found = {{slot.interface, std::min<std::size_t>(slot.interface_bytes, OperationSlot::kInterfaceBytes)},
             {slot.word, std::min<std::size_t>(slot.word_bytes, OperationSlot::kWordBytes)}};
  });
  return found;
}

}  // namespace trikal::log::crash

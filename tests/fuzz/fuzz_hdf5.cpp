// What lies in an HDF5 file, of files that are none or damaged ones.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "predict/world/hdf5_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int file = memfd_create("damaged", MFD_CLOEXEC);
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  std::map<std::string, trikal::predict::Hdf5Node> found;
  const bool is_hdf5 = trikal::predict::read_hdf5_file("/proc/self/fd/" + std::to_string(file), found);
  close(file);
  if (!is_hdf5 && !found.empty()) std::abort();
  return 0;
}

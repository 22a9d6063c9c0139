// A file of event rings, whole, read as `trikal run` does: twice, and once more after it was cut. Whatever the file says, no more
// events come out than its rings have slots, and what is counted adds up. The mutator answers an input that is no such file with one
// of three sound rings, and mends the parts that nothing gets past without.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "gather/rings/ring_file.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using namespace trikal;  // NOLINT: this file is the program
using stream::EventRecord;
using stream::Ring;
using stream::RingFileHeader;

void must(bool holds) {
  if (!holds) __builtin_trap();
}

constexpr std::uint32_t kSlots = 256;
constexpr std::size_t kRingBytes = (sizeof(Ring) + kSlots * sizeof(EventRecord) + 4095) / 4096 * 4096;
constexpr std::size_t kWhole = stream::kRingFileHeaderBytes + 3 * kRingBytes;

std::size_t make_file(std::uint8_t* data, std::size_t max_size) {
  if (max_size < kWhole) return LLVMFuzzerMutate(data, 0, max_size);
  std::memset(data, 0, kWhole);
  std::vector<std::uint64_t> words(kWhole / 8);
  auto* bytes = reinterpret_cast<std::byte*>(words.data());
  auto* header = new (bytes) RingFileHeader;
  header->magic = stream::kRingMagic, header->layout = stream::kRingLayout;
  header->header_bytes = stream::kRingFileHeaderBytes;
  header->used = kWhole, header->stride = sizeof(EventRecord);
  for (std::uint32_t i = 0; i < 3; ++i) {
    auto* ring = new (bytes + stream::kRingFileHeaderBytes + i * kRingBytes) Ring;
    ring->mark = stream::kRingMark, ring->slots = kSlots, ring->stride = sizeof(EventRecord);
    ring->bytes = kRingBytes, ring->head = 10 * i, ring->thread = i / 2;
  }
  std::memcpy(data, bytes, kWhole);
  return kWhole;
}

// A file in memory, gone with the process.
class File {
 public:
  File() {
    const int file = ::mkstemp(name_);
    if (file < 0) std::abort();
    ::close(file);
  }
  ~File() { ::unlink(name_); }
  void write(const std::uint8_t* data, std::size_t size) const {
    const int file = ::open(name_, O_WRONLY | O_TRUNC | O_CLOEXEC);
    must(file >= 0 && ::write(file, data, size) == static_cast<ssize_t>(size));
    ::close(file);
  }
  [[nodiscard]] const char* name() const { return name_; }

 private:
  char name_[32] = "/dev/shm/trikal-rings-XXXXXX";
};

std::uint64_t drained(gather::RingFile& rings, std::size_t size) {
  std::uint64_t events = 0;
  (void)rings.drain([&](const gather::EventBatch& batch) {
    events += batch.events.size();
    must(batch.details.empty() || batch.details.size() == batch.events.size());
  });
  must(events <= size / sizeof(EventRecord));
  return events;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  if (size < kWhole) return make_file(data, max_size);
  size = LLVMFuzzerMutate(data, size, max_size);
  if (size < stream::kRingFileHeaderBytes || seed % 8 == 0) return size;
  const std::uint64_t magic = stream::kRingMagic;
  const std::uint32_t layout = stream::kRingLayout;
  std::memcpy(data, &magic, sizeof magic);
  std::memcpy(data + offsetof(RingFileHeader, layout), &layout, sizeof layout);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const File file;
  file.write(data, size);
  auto rings = gather::RingFile::open(file.name());
  if (!rings) return 0;
  const std::uint64_t first = drained(*rings, size);
  const std::uint64_t second = drained(*rings, size);
  must(rings->counts().stored == first + second);
  must(::truncate(file.name(), static_cast<off_t>(size / 2)) == 0);
  (void)drained(*rings, size);
  return 0;
}

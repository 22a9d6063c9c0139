// A whole file through everything the tools do, strictly and with salvage. The mutator changes the inside of
// regions half of the time and packs them again, since no random byte gets past a checksum.

#include <cstring>
#include <random>

#include "fuzz/consume.hpp"
#include "fuzz/relog.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using namespace trikal;        // NOLINT: this file is the program
using namespace trikal::fuzz;  // NOLINT

constexpr std::size_t kMostInside = 64 * 1024;

// A file that every reading opens anew: the paths for files and for pipes are part of the reader.
std::unique_ptr<log::Source> open(Bytes file, std::size_t way) {
  static MemoryFile on_disk;
  if (way == 0) return log::from_memory({file.begin(), file.end()});
  on_disk.set(file);
  auto source = way == 1 ? log::open_file(on_disk.path()) : log::read_all(on_disk.descriptor(), 1 << 20);
  return source ? std::move(*source) : log::from_memory({});
}

Buffer mutated(Bytes plain, std::size_t more) {
  Buffer inside(plain.begin(), plain.end());
  inside.resize(std::min(plain.size() + more, kMostInside));
  const std::size_t size = LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(inside.data()),
                                            std::min(plain.size(), inside.size()), inside.size());
  inside.resize(size);
  return inside;
}

// One region changed inside, cut into two streams, or packed by another method; empty if it cannot be done.
Buffer mutate_inside(Bytes file, std::minstd_rand& random) {
  const auto log = take_apart(file);
  if (log == nullptr || log->regions.empty()) return {};
  Buffer& region = *log->regions[random() % log->regions.size()];
  const Buffer plain = mutated(expand(region, log->parts.codec, kMostInside), 256);
  const std::size_t cut = plain.empty() ? 0 : random() % plain.size();
  if (random() % 4 == 0) region = trikal::testing::pack_cut(plain, log->parts.codec, std::span(&cut, 1));
  else region = trikal::testing::pack(plain, log->parts.codec);
  if (log->parts.modules.empty()) return put_together(*log);
  if (random() % 8 == 0) {
    auto module =
        std::next(log->parts.modules.begin(), static_cast<std::ptrdiff_t>(random() % log->parts.modules.size()));
    module->second.version = 1 + static_cast<std::uint32_t>(random() % 4);
  }
  return put_together(*log);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  std::minstd_rand random(seed);
  if (random() % 2 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const Buffer file = mutate_inside(std::as_bytes(std::span(data, size)), random);
  if (file.empty() || file.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, file.data(), file.size());
  return file.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes file = std::as_bytes(std::span(data, size));
  const std::size_t way = size % 3;
  log::ReadOptions options{.limits = {.memory = 2 << 20, .expanded = 2 << 20}};
  if (size % 2 == 0) options.ahead_bytes = 0;
  const Tools tools{.choice = size / 6 % Tools::kChoices};  // all at once would leave time for few inputs
  const Consumed strict = consume(open(file, way), options, tools);
  if (strict.clean()) return 0;  // salvage would do the same again
  options.salvage = true;
  const Consumed salvaged = consume(open(file, way), options, tools);
  if (strict.opened && (!salvaged.opened || salvaged.clean())) __builtin_trap();
  if (strict.opened && salvaged.records != strict.records) __builtin_trap();
  return 0;
}

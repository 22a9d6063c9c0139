#include "capture/reduce/tree.hpp"

namespace trikal::capture {

std::array<Part, kBlock> make_parts(std::span<const Member> block, std::uint64_t most_bytes) noexcept {
  std::array<Part, kBlock> parts{};
  for (std::size_t i = 0; i < block.size() && i < parts.size(); ++i) {
    Part together = 0;
    std::uint64_t bytes = 0;
    for (std::size_t j = 0; j < block.size() && j < parts.size(); ++j) {
      if (block[j].node != block[i].node) continue;
      together |= Part{1} << j;
      bytes = bytes > ~block[j].bytes ? ~std::uint64_t{0} : bytes + block[j].bytes;  // never around
    }
    parts[i] = bytes <= most_bytes ? together : Part{1} << i;
  }
  return parts;
}

}  // namespace trikal::capture

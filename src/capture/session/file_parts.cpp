#include "capture/session/file_parts.hpp"

#include <algorithm>
#include <cstring>

#include "base/hash.hpp"
#include "capture/rare.hpp"

namespace trikal::capture {
namespace {

// Names are put together where any path fits: stacks of threads may be small.
struct NameScratch {
  Spin in_use;
  char text[kPathBytes] = {};
};
TRIKAL_RARE constinit NameScratch scratch;

}  // namespace

File* part_of(const File& file, std::string_view name) noexcept {
  const Locked locked(scratch.in_use);
  if (!locked) return nullptr;
  const std::size_t capacity = sizeof scratch.text;
  std::size_t length = std::min<std::size_t>(file.name_bytes, capacity / 2);
  std::memcpy(scratch.text, file.name, length);
  scratch.text[length++] = ':';
  const std::size_t rest = std::min(name.size(), capacity - length);
  std::memcpy(scratch.text + length, name.data(), rest);
  const std::string_view whole(scratch.text, length + rest);
  const std::uint64_t id = record_id(whole);
  if (File* known = session.files.find_or_add(id, whole)) return known;
  session.count_folded(id);
  return session.folded_file(whole);
}

void free_part_names() noexcept { scratch.in_use.reset(); }

}  // namespace trikal::capture

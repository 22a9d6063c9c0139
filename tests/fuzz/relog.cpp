#include "fuzz/relog.hpp"

#include <algorithm>

#include "log/read/block_stream.hpp"

namespace trikal::fuzz {
namespace {

Buffer cut(Bytes file, const log::Extent& extent) {
  if (extent.offset > file.size() || extent.length > file.size() - extent.offset) return {};
  const Bytes part = file.subspan(static_cast<std::size_t>(extent.offset), static_cast<std::size_t>(extent.length));
  return {part.begin(), part.end()};
}

// Today's number of a module back to that of the file; -1 where the file has no slot for it.
int index_in_file(std::size_t module, int minor) {
  int index = static_cast<int>(module);
  for (auto late = log::kLateModules.rbegin(); late != log::kLateModules.rend(); ++late) {
    if (minor >= late->since_minor) continue;
    const int slot = static_cast<int>(late->index);
    if (index == slot) return -1;
    if (index > slot) --index;
  }
  return index < (minor < 41 ? 16 : 64) ? index : -1;
}

}  // namespace

std::unique_ptr<OpenLog> take_apart(Bytes file) {
  const auto source = log::from_memory({file.begin(), file.end()});
  auto header = log::read_header(*source);
  if (!header) return nullptr;
  log::clip_extents(*header, file.size());
  auto open = std::make_unique<OpenLog>();
  testing::LogParts& parts = open->parts;
  parts.minor = header->minor, parts.foreign = header->foreign, parts.codec = header->codec;
  parts.job = cut(file, header->job);
  parts.names = cut(file, header->names);
  open->regions = {&parts.job, &parts.names};
  std::uint64_t end = header->bytes;
  const auto reach = [&](const log::Extent& extent) { end = std::max(end, extent.offset + extent.length); };
  reach(header->job), reach(header->names);
  for (std::size_t i = 0; i < header->modules.size(); ++i) {
    const int index = index_in_file(i, header->minor);
    if (index < 0) continue;
    if (header->is_partial(i)) parts.partial |= std::uint64_t{1} << index;
    if (header->modules[i].length == 0 && header->module_versions[i] == 0) continue;
    auto& module = parts.modules[static_cast<std::size_t>(index)];
    module = {header->module_versions[i], cut(file, header->modules[i])};
    open->regions.push_back(&module.packed);
    reach(header->modules[i]);
  }
  if (end < file.size()) open->behind = cut(file, {end, file.size() - end});
  return open;
}

Buffer put_together(const OpenLog& log) {
  Buffer file = log.parts.build();
  testing::append(file, log.behind);
  return file;
}

Buffer expand(Bytes packed, log::Codec codec, std::size_t most) {
  const auto source = log::from_memory({packed.begin(), packed.end()});
  const auto stream = log::open_region(*source, {0, packed.size()}, codec, {.expanded = most});
  Buffer plain;
  log::Block block;
  for (;;) {
    auto more = stream->next(block);
    if (!more || !*more) break;
    testing::append(plain, {block.data(), block.size});
  }
  plain.resize(std::min(plain.size(), most));
  return plain;
}

}  // namespace trikal::fuzz

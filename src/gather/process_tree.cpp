#include "gather/process_tree.hpp"

#include "base/keyed_hash.hpp"

namespace trikal::gather {
namespace {

// A parent is known by its process id alone.
ProcessKey any_start(ProcessKey key, std::int64_t pid) {
  key.pid = pid, key.start = 0;
  return key;
}

}  // namespace

std::size_t ProcessKey::Hash::operator()(const ProcessKey& key) const {
  const KeyedHash hash;
  std::size_t sum = 0;
  for (const std::uint64_t word :
       {key.boot[0], key.boot[1], key.pid_namespace, static_cast<std::uint64_t>(key.pid), key.start})
    sum = hash(sum ^ word);
  return sum;
}

ProcessKey key_of(const MapFile* file) {
  const log::crash::Identity& identity = file->facts().identity;
  return {{identity.boot[0], identity.boot[1]}, identity.pid_namespace, identity.pid, identity.start_ticks};
}

ProcessTree::ProcessTree(std::span<const MapFile* const> files) {
  // Any program that a process was has the same parent.
  for (const MapFile* file : files) by_pid_.emplace(any_start(key_of(file), key_of(file).pid), file);
}

const MapFile* ProcessTree::parent_of(const MapFile* file) const {
  const auto found = by_pid_.find(any_start(key_of(file), file->facts().job.parent_pid));
  return found == by_pid_.end() ? nullptr : found->second;
}

}  // namespace trikal::gather

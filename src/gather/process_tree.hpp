#pragma once
// Processes by who they are: process ids are the same on many nodes, and come again on each.

#include <cstdint>
#include <span>
#include <unordered_map>

#include "gather/maps.hpp"

namespace trikal::gather {

struct ProcessKey {
  std::uint64_t boot[2] = {};
  std::uint64_t pid_namespace = 0;
  std::int64_t pid = 0;
  std::uint64_t start = 0;
  bool operator==(const ProcessKey&) const = default;

  struct Hash {
    std::size_t operator()(const ProcessKey& key) const;
  };
};
// The same for all programs that one process was.
[[nodiscard]] ProcessKey key_of(const MapFile* file);

class ProcessTree {
 public:
  explicit ProcessTree(std::span<const MapFile* const> files);

  // use(map) with a map of its parent, then of that one's, as far as they are known.
  template <class Use>
  void for_each_ancestor(const MapFile* file, const Use& use) const {
    constexpr int kMostAncestors = 64;  // maps are not trusted to be a tree
    for (int i = 0; i < kMostAncestors; ++i) {
      file = parent_of(file);
      if (file == nullptr) return;
      use(file);
    }
  }

 private:
  [[nodiscard]] const MapFile* parent_of(const MapFile* file) const;

  std::unordered_map<ProcessKey, const MapFile*, ProcessKey::Hash> by_pid_;  // without their start
};

}  // namespace trikal::gather

#pragma once
// What one process has done with each file so far, put together from the slots of its map, and how much of that has been told.

#include <functional>
#include <unordered_map>
#include <vector>

#include "base/keyed_hash.hpp"
#include "stream/sample/sampled_module.hpp"

namespace trikal::stream {

// What was told of a file before, by whoever sampled this process earlier.
using ToldBefore = std::function<FileAmounts(std::uint64_t file, ModuleId module)>;
// Hears what has come since it was told last.
using TellMore = std::function<void(std::uint64_t file, ModuleId module, const FileAmounts& more)>;

class FileSums {
 public:
  using Index = std::uint32_t;

  // Before it hears of a file.
  void set_told_before(ToldBefore before) { before_ = std::move(before); }

  // The file's, made when it is new.
  [[nodiscard]] Index of(std::uint64_t file, ModuleId module);
  enum class Slot : bool { kBrief, kWhole };
  void add_slot(Index index, Slot slot) { files_[index].whole_slots += slot == Slot::kWhole ? 1U : 0U; }
  void remove_slot(Index index, Slot slot) { files_[index].whole_slots -= slot == Slot::kWhole ? 1U : 0U; }
  [[nodiscard]] std::uint64_t id_of(Index index) const { return files_[index].id; }
  // A slot of the file had `was` and has `now`.
  void change(Index index, Slot slot, const FileAmounts& was, const FileAmounts& now);
  // Its sum is this, whatever slots it has.
  void set(Index index, const FileAmounts& now);

  // Whether anything that was changed is less than what was told: then something was read while it was being written.
  [[nodiscard]] bool has_gone_back() const;
  // Tells everything that was changed; returns how many files had numbers that went back and are kept as they were.
  std::size_t tell(const TellMore& tell_more);

  [[nodiscard]] std::size_t size() const { return files_.size(); }

 private:
  struct File {
    std::uint64_t id = 0;
    ModuleId module = 0;
    bool changed = false;
    std::uint32_t whole_slots = 0;
    FileAmounts whole{}, brief{}, told{};
    // A brief record and the whole one that follows it may be there both for a moment.
    [[nodiscard]] const FileAmounts& now() const { return whole_slots > 0 ? whole : brief; }
  };
  struct Key {
    std::uint64_t file = 0;
    ModuleId module = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const { return KeyedHash()(key.file) + key.module; }
  };
  void note(Index index);

  ToldBefore before_;
  std::vector<File> files_;
  std::vector<Index> changed_;
  std::unordered_map<Key, Index, KeyHash> index_;
};

}  // namespace trikal::stream

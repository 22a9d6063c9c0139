#pragma once
// The file in a run's directory that has the maps of its finished processes. Entries are only ever appended, each with one
// write; whoever is killed in the middle of one leaves the map it was made of. Format: docs/formats/run-directory.md.

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "log/crash/map_ref.hpp"

namespace trikal::gather {

class FinishedWriter {
 public:
  // Nothing is made before the first map comes. `most`: bytes the file may have.
  FinishedWriter(std::string path, std::uint64_t most) : path_(std::move(path)), most_(most) {}
  ~FinishedWriter();
  FinishedWriter(const FinishedWriter&) = delete;
  FinishedWriter& operator=(const FinishedWriter&) = delete;

  // False: there is no space for it, and the file is as it was.
  bool append(const log::crash::MapView& map);

 private:
  struct Base {
    std::uint64_t at = 0;
    std::vector<std::byte> map;
  };
  static constexpr std::size_t kMostBases = 64;  // programs whose maps others are compared with
  static constexpr std::size_t kLargestBase = 64 * 1024;  // so they take 4 MiB of memory at most

  bool open();
  bool write(const std::vector<std::byte>& entry);

  std::string path_;
  std::uint64_t most_, size_ = 0;
  int descriptor_ = -1;
  bool full_ = false;  // from the first map on that found no space
  std::map<std::string, Base, std::less<>> bases_;  // by program
};

class FinishedFile {
 public:
  // Null: there is none of this user's. Ends at the first entry that is not sound.
  [[nodiscard]] static std::unique_ptr<FinishedFile> open(const std::string& path);
  ~FinishedFile();
  FinishedFile(const FinishedFile&) = delete;
  FinishedFile& operator=(const FinishedFile&) = delete;

  [[nodiscard]] std::size_t count() const { return entries_.size(); }
  [[nodiscard]] const std::string& path() const { return path_; }
  // Of what cannot be read any more, a map without anything.
  [[nodiscard]] log::crash::MapPin fetch(std::size_t entry);

 private:
  struct Entry {
    std::uint64_t at = 0, bytes = 0, base = 0;
  };
  struct Cached {
    std::size_t entry = SIZE_MAX;
    std::vector<std::byte> bytes;
    std::optional<log::crash::MapView> view;
    std::uint32_t pins = 0;
  };
  static constexpr std::size_t kCached = 4;  // more only while more are in use

  FinishedFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  void read_entries();
  bool read_map(const Entry& entry, std::vector<std::byte>& map);
  Cached& free_slot();

  std::string path_;
  int descriptor_;
  std::vector<Entry> entries_;
  std::map<std::uint64_t, std::vector<std::byte>> bases_;  // by offset
  std::list<Cached> cache_;  // in the order they were fetched
};

}  // namespace trikal::gather

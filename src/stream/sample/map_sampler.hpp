#pragma once
// Follows one process by its crash map: what it has done with which files since it was looked at last. Reads only what may have
// changed: of each record the words that are sampled, of everything else the length.

#include <string_view>

#include "log/crash/layout.hpp"
#include "stream/sample/file_sums.hpp"
#include "stream/sample/mapped_file.hpp"

namespace trikal::stream {

class MapSampler {
 public:
  using TellName = std::function<void(std::uint64_t file, std::string_view name)>;
  using TellPhase = std::function<void(std::uint64_t number, const log::crash::PhaseSlot& phase)>;
  struct Listener {
    TellMore more;
    TellName name;
    TellPhase phase = {};  // empty: nobody wants to know
  };

  // Refuses what is no map of this version. kTruncated: a process that has not begun yet.
  static Result<MapSampler> open(const std::string& path);

  // As it was at the last look.
  [[nodiscard]] const log::crash::Identity& identity() const { return identity_; }
  [[nodiscard]] const log::crash::JobFacts& job() const { return job_; }
  [[nodiscard]] log::crash::State state() const { return state_; }
  // The front of the map: command line and host.
  [[nodiscard]] std::vector<std::byte> header() const;
  // Whether its path still leads to it.
  [[nodiscard]] bool is_there() { return file_.is_there(); }

  // Of many files that were not used for a while, an eighth is looked at each time; all of them with kAll, for the last look.
  enum class Depth : bool { kUsual, kAll };
  void sample(const Listener& listener, Depth depth = Depth::kUsual);
  // Of numbers that went back although they cannot, which were kept as they were.
  [[nodiscard]] std::uint64_t kept() const { return kept_; }
  // Whether all of the map that is in use was read.
  [[nodiscard]] bool is_complete() const { return complete_; }
  // For what is known otherwise: what was told before, what a map has that was put away.
  [[nodiscard]] FileSums& sums() { return sums_; }

 private:
  struct RecordChunk {
    const SampledModule* module = nullptr;
    FileSums::Slot slot = FileSums::Slot::kWhole;
    std::size_t at = 0;  // of its head
    std::uint32_t stride = 0, capacity = 0;
    std::size_t width = 0, marks = 0;  // words that are sampled of each; those that are looked at of idle ones
    std::vector<std::uint64_t> words;
    std::vector<std::uint64_t> seen;  // of each, what its marks amount to
    std::vector<FileSums::Index> files;
    std::vector<FileAmounts> amounts;
    std::vector<std::uint32_t> active;  // until which round each is looked at every time
  };
  struct NameChunk {
    std::size_t at = 0, read = 0;
    std::uint32_t capacity = 0;
  };
  struct PhaseChunk {
    std::size_t at = 0;
    std::uint32_t capacity = 0, read = 0;
    std::uint64_t first = 0;  // number of its first phase
    std::vector<std::uint32_t> open = {};  // phases that went on when they were told
  };
  struct RunChunk {
    const SampledModule* module = nullptr;
    std::size_t at = 0;
    std::uint32_t stride = 0, capacity = 0;
    std::vector<std::byte> slots;  // as they were last
  };
  struct Location {
    std::uint32_t chunk = 0, slot = 0;
  };

  explicit MapSampler(MappedFile file) : file_(std::move(file)) {}
  [[nodiscard]] bool read_front();
  void find_chunks();
  void take_chunk(const log::crash::Chunk& chunk);
  [[nodiscard]] std::uint32_t count_of(std::size_t chunk, std::uint32_t capacity) const;
  void look(const TellName& tell_name);
  void read_names(NameChunk& chunk, const TellName& tell_name);
  void read_phases(PhaseChunk& chunk, const TellPhase& tell) const;
  void scan(std::uint32_t index);
  void add_slots(RecordChunk& chunk, std::uint32_t index, std::uint32_t count);
  void name_slot(std::uint32_t index, std::uint32_t slot, std::uint64_t id);
  void take_slot(std::uint32_t index, std::uint32_t slot);
  void set_amounts(Location location, const FileAmounts& now);
  void read_runs(RunChunk& chunk);
  void settle(const RunChunk& runs, std::uint64_t file);
  [[nodiscard]] bool settled_amounts(const RunChunk& runs, std::uint64_t file, Location location,
                                     FileAmounts& amounts) const;

  MappedFile file_;
  log::crash::Identity identity_;
  log::crash::JobFacts job_;
  log::crash::State state_ = log::crash::State::kRunning;
  std::size_t used_ = 0, next_chunk_ = log::crash::kHeaderBytes;
  bool complete_ = false;
  std::uint32_t round_ = 0;
  Depth depth_ = Depth::kUsual;
  std::uint64_t kept_ = 0;
  std::vector<RecordChunk> records_;
  std::vector<NameChunk> names_;
  std::vector<PhaseChunk> phases_;
  std::vector<RunChunk> runs_;
  std::unordered_map<FileSums::Index, Location> locations_;  // of whole records of modules that have runs
  std::vector<std::uint32_t> changed_;  // slots of the chunk that is looked at
  std::vector<FileSums::Index> touched_;  // files of these modules whose record changed in this look
  FileSums sums_;
};

}  // namespace trikal::stream

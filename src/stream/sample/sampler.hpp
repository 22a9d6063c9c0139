#pragma once
// All processes of a run, or of a user, a few times a second: what each has done since the last round. No process is
// disturbed: their maps are read, and those of processes that end are read to their last value before they are put away
// (docs/formats/run-directory.md). What was missed all the same comes with finish(), so that in the end the sum of
// everything that was told is what the log has.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "gather/map_readers.hpp"
#include "gather/run_maps.hpp"
#include "stream/sample/map_sampler.hpp"

namespace trikal::stream {

// The same for a process whoever looks at it: of one program that it was.
[[nodiscard]] std::uint64_t process_id(const log::crash::Identity& identity, const log::crash::JobFacts& job);

// When it began to be observed, whatever its map says.
[[nodiscard]] Nanoseconds start_of(const log::crash::JobFacts& job);

// The same for the directory of a `trikal run`.
[[nodiscard]] std::uint64_t run_id(const std::string& run_directory);

struct SamplerOptions {
  // What was told of a process by another that is gone; empty: nothing.
  std::function<FileAmounts(std::uint64_t process, std::uint64_t file, ModuleId module)> told_before = {};
  std::int64_t pid = 0;  // only this process and what it starts; 0: all
};

class Sampler {
 public:
  explicit Sampler(SamplerOptions options) : options_(std::move(options)) {}

  // Where maps are. `run`: the directory of a `trikal run`, whose processes are one run; else each process is one.
  enum class Kind : bool { kRun, kUser };
  void add_directory(const std::string& path, Kind kind);

  // One round, which ends now. Rows, new names and changed processes are added to the batch.
  void sample(Nanoseconds now, Batch& into);
  // What was not told yet of processes that are over, or go on: after this the sum is what `maps` have.
  void finish(const std::vector<gather::MapFile>& maps, Nanoseconds now, Batch& into);

  [[nodiscard]] std::size_t processes() const { return maps_.size(); }  // that are being followed
  // Maps that could not be read: each once, with the reason.
  [[nodiscard]] const std::map<std::string, Error>& refused() const { return refused_; }
  [[nodiscard]] std::uint64_t kept() const { return kept_; }  // MapSampler::kept() of all

 private:
  struct Directory {
    std::string path;
    Kind kind = Kind::kRun;
    std::uint64_t run = 0;
    std::unique_ptr<gather::MapReader> reader;
    // Of the files of finished processes, here and in the other directory of the run: what was looked at.
    struct Finished {
      std::uintmax_t bytes = 0;
      std::size_t entries = 0;
    } finished[2];
  };
  struct Followed {
    MapSampler map;
    std::uint64_t process = 0;
    ProcessEntry entry;  // as it was told
    std::uint64_t kept = 0;
    std::uint32_t rounds = 0;
    bool looked_at = false;
  };

  void find_maps(Directory& directory, Batch& into);
  void begin(const std::string& path, Directory& directory, Batch& into);
  [[nodiscard]] bool is_wanted(const log::crash::Identity& identity, const log::crash::JobFacts& job);
  [[nodiscard]] std::uint64_t run_of(const Directory& directory, const log::crash::Identity& identity,
                                     const log::crash::JobFacts& job) const;
  [[nodiscard]] static bool has_ended(Followed& followed);
  void give_up(Followed& followed);
  [[nodiscard]] FileSums& sums_of(std::uint64_t process);
  void follow(Followed& followed, bool ended, Batch& into);
  void tell_process(Followed& followed, bool ended, Batch& into);
  void read_finished(Directory& directory, Batch& into);
  void take_whole(const gather::MapFile& map, std::uint64_t run, Batch& into);
  [[nodiscard]] ToldBefore told_before(std::uint64_t process) const;
  void tell_run(const Directory& directory, std::uint64_t run, const log::crash::JobFacts& job,
                const std::string& command, const std::string& host, Batch& into);
  // `start` is that of the process.
  [[nodiscard]] MapSampler::Listener listener(std::uint64_t process, Nanoseconds start, Batch& into);

  SamplerOptions options_;
  std::vector<Directory> directories_;
  std::unordered_map<std::string, Followed> maps_;  // by path
  std::unordered_set<std::uint64_t> complete_;  // processes that were told to the end
  std::unordered_set<std::uint64_t> named_, runs_;  // files and runs that were told
  std::unordered_map<std::uint64_t, FileSums> rest_;  // of processes whose map went away too early
  std::set<std::int64_t> wanted_;  // process ids below options_.pid
  std::map<std::string, Error> refused_;
  std::uint64_t kept_ = 0;
  Nanoseconds last_ = 0;
};

}  // namespace trikal::stream

#pragma once
// The event rings of all processes of a run: found, read while they run, read to the last event when they are gone, and then
// removed.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gather/file_lock.hpp"
#include "gather/rings/ring_file.hpp"

namespace trikal::gather {

struct RingProcess {
  std::size_t number = 0;  // counted from 1, in the order they were found
  log::crash::Identity identity;
  std::uint32_t sample = 1;
  std::int64_t start_sec = 0, start_nsec = 0;  // as its map has them
  std::string map;  // the path of its crash map, which may be put away already
};

class RingReader {
 public:
  using Use = std::function<void(const RingProcess& process, const EventBatch& batch)>;
  // Asked when everything that is there was used: whether that is safe now. If not, it will come again.
  using Accept = std::function<bool()>;
  // How far the rings of a process were read by one who is gone.
  using Resume = std::function<std::vector<stream::RingEntry>(const RingProcess& process)>;

  // Of a run (gather/run_directory.hpp).
  explicit RingReader(std::string directory, Resume resume = {});

  // False: another `trikal run` of the same MPI job reads them.
  [[nodiscard]] bool is_elected();
  // Whether there are any files of rings, read or not.
  [[nodiscard]] bool has_rings() const;
  // Everything that is there now; true if there was so much that more will be there soon.
  bool drain(const Use& use, const Accept& accept = {});
  // At the end: what is left, also of processes that go on.
  void finish(const Use& use, const Accept& accept = {});

  struct ProcessCounts {
    RingProcess process;
    std::map<std::uint32_t, EventCounts> threads;
    EventCounts all;
  };
  [[nodiscard]] std::vector<ProcessCounts> counts() const;
  // Files that were not read, or not to their end, and why.
  [[nodiscard]] const std::vector<std::pair<std::string, Error>>& refused() const { return refused_; }

 private:
  struct Entry {
    RingFile file;
    RingProcess process;
    Status status = {};  // of the last reading
    bool is_over = false;
  };
  void look();
  void add(const std::string& path);
  void refuse(const std::string& path, const Error& why);
  void read(Entry& entry, const Use& use) const;
  // What was read is done with; those that are over or damaged end. False: it was not accepted.
  bool settle(const Accept& accept);
  [[nodiscard]] bool is_over(Entry& entry) const;
  bool end_finished(const Use& use, const Accept& accept);
  void end(Entry& entry);

  std::string directory_;
  Resume resume_;
  FileLock elected_;
  std::size_t numbers_ = 0;
  std::map<std::string, Entry> open_;  // by path
  std::vector<ProcessCounts> ended_;
  std::vector<std::pair<std::string, Error>> refused_;
  std::uint64_t last_look_ = 0, last_end_ = 0;  // nanoseconds
};

}  // namespace trikal::gather

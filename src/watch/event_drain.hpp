#pragma once
// Reads the event rings of runs while they go on and puts the events into the store, in a thread of its own. A ring's slots are used
// again only after what was in them is stored: a `trikal watch` that is killed loses nothing, and the next one repeats nothing.

#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "gather/maps.hpp"
#include "gather/rings/ring_reader.hpp"
#include "watch/shared_store.hpp"

namespace trikal::watch {

// Since this `trikal watch` began.
struct EventTotals {
  std::uint64_t stored = 0;
  std::uint64_t ring_full = 0, without_ring = 0, without_file = 0, without_store = 0;  // dropped
  std::uint64_t sampled_out = 0, filtered = 0;

  [[nodiscard]] std::uint64_t dropped() const { return ring_full + without_ring + without_file + without_store; }
  [[nodiscard]] std::uint64_t emitted() const { return stored + dropped(); }
};

class EventDrain {
 public:
  // `source`: as batches have it; no other sender has the same.
  EventDrain(SharedStore& store, std::uint64_t source, std::string host);
  ~EventDrain();
  EventDrain(const EventDrain&) = delete;
  EventDrain& operator=(const EventDrain&) = delete;

  // From any thread. A run that is ours is read from now on; of another, rings that nobody reads, and with `pid` only if that
  // process has one.
  enum class Whose : bool { kOurs, kAnother };
  void add_run(const std::string& directory, Whose whose, std::int64_t pid = 0);

  void start();
  // What is left, with the names of files and operations that maps have. `maps`: of the first run; without any, of all runs as they
  // are now.
  void finish(const std::vector<gather::MapFile>& maps);

  [[nodiscard]] EventTotals totals();
  // Whether there were any rings.
  [[nodiscard]] bool has_begun();
  // Files of rings that could not be read, and why; each once.
  [[nodiscard]] std::vector<std::pair<std::string, Error>> take_refused();

 private:
  struct Run {
    std::string directory;
    std::uint64_t id = 0;
    std::int64_t pid = 0;
    bool ours = false, elected = false;
    gather::RingReader reader;
  };
  using Clock = std::chrono::steady_clock;

  void work();
  bool round();
  [[nodiscard]] bool is_ours(Run& run, bool look) const;
  [[nodiscard]] std::vector<stream::RingEntry> rings_of(const gather::RingProcess& process);
  void take(const Run& run, const gather::RingProcess& process, const gather::EventBatch& events);
  bool store();
  void add_names(const std::vector<gather::MapFile>& maps);

  SharedStore& store_;
  std::mutex mutex_;  // of what other threads ask for
  std::condition_variable wake_;
  bool stopping_ = false, begun_ = false;
  EventTotals totals_;
  std::vector<std::pair<std::string, Error>> refused_;
  std::vector<std::unique_ptr<Run>> new_runs_;

  // Of the thread that drains.
  std::vector<std::unique_ptr<Run>> runs_;
  stream::Batch batch_;
  EventTotals fresh_;  // of what is in the batch
  std::unordered_set<std::uint64_t> files_;  // that events speak of
  Clock::time_point next_look_;
  std::thread thread_;
};

}  // namespace trikal::watch

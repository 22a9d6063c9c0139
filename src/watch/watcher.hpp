#pragma once
// Watches a run while it goes on: samples its processes and the machine, puts that into the store, shows it, and looks for
// what is wrong from time to time. Whatever happens to the store or the screen, the program is not concerned.

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "store/store.hpp"
#include "stream/sample/sampler.hpp"
#include "stream/sample/time_axis.hpp"
#include "stream/system/system_sampler.hpp"
#include "watch/event_drain.hpp"
#include "watch/live_state.hpp"
#include "watch/machine_summary.hpp"
#include "watch/shared_store.hpp"
#include "watch/snapshot.hpp"

namespace trikal::watch {

// Who hears of it. Called by the thread that watches.
class Audience {
 public:
  virtual ~Audience() = default;
  virtual void show(const report::LiveScreen& screen) = 0;
  virtual void alert(const SnapshotFinding& finding, double elapsed) = 0;
  // Nothing is stored from now on.
  virtual void store_failed(const Error& error, const std::string& message) = 0;
  virtual void refused(const std::string& map, const Error& error) = 0;
};

struct WatcherOptions {
  std::unique_ptr<storage::Store> store;  // null: nothing is stored
  std::string store_name;
  std::int64_t pid = 0;  // only this process and what it starts; 0: all
  double rounds_per_second = 4;
  bool events = false;  // read the event rings of runs into the store
  std::vector<std::string> alerts;  // codes, or "any"
  analyze::Policy policy;
  storage::Retention retention;  // `oldest` counts back from now
};

class Watcher {
 public:
  Watcher(WatcherOptions options, Audience& audience);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Before it starts. Maps of a run also serve for findings.
  void add_run(const std::string& directory);
  // Instead: every observed process of this user, whenever it comes.
  void watch_all();
  // What became of events so far; none: nobody asked for them, or there were none. From any thread.
  [[nodiscard]] std::optional<EventTotals> events();

  // In a thread of its own, until stop().
  void start();
  void stop();
  // How many processes are followed; from any thread.
  [[nodiscard]] std::size_t processes();

  // After stop(): what all processes have done in the end.
  void finish(const std::vector<gather::MapFile>& maps);
  // Then: nothing more is stored. Who still reads the store should have ended, so that it becomes one file.
  void close() { store_.close(); }
  // Then, too: what the machine did meanwhile.
  [[nodiscard]] std::vector<gather::MachineRow> machine() const { return machine_.rows(batch_.host); }

 private:
  void loop();
  void round();
  void second();
  void look_for_runs();
  void find();
  void find(const std::string& directory, const std::vector<gather::MapFile>& maps);
  void store();
  [[nodiscard]] stream::FileAmounts stored(std::uint64_t process, std::uint64_t file, ModuleId module);

  void show();

  WatcherOptions options_;
  Audience& audience_;
  SharedStore store_;
  stream::TimeAxis axis_;
  stream::Sampler sampler_;
  stream::SystemSampler system_;
  stream::Batch batch_;
  LiveState state_;
  MachineSummary machine_;
  std::optional<EventDrain> events_;
  std::vector<std::string> runs_;
  bool all_ = false;
  std::vector<std::string> findings_;
  std::set<std::string> alerted_;
  std::map<std::string, std::map<std::string, SnapshotFinding>> told_;  // by directory of the run, and code
  stream::Nanoseconds next_second_ = 0, next_findings_ = 0, next_cleaning_ = 0;
  std::set<std::string> named_refusals_;
  // What was stored of the process that was asked for last.
  std::uint64_t stored_process_ = 0;
  std::map<std::pair<std::uint64_t, ModuleId>, stream::FileAmounts> stored_;

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::size_t processes_ = 0;
  std::thread thread_;
};

}  // namespace trikal::watch

#pragma once
// `trikal run --events`: reads the event rings of the command's processes while it runs, and writes them to a file.

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "cli/publisher.hpp"
#include "gather/rings/ring_reader.hpp"
#include "report/json/events.hpp"
#include "report/output.hpp"

namespace trikal::cli {

// What is wrong with what was asked for, in words; empty if nothing is. Times become those of the clock on the wall: all processes
// mean the same by them.
[[nodiscard]] std::string complete_event_spec(std::string& spec);

class EventsFile {
 public:
  struct Options {
    std::string path, directory;  // of the file, and of the run
    std::vector<std::string> command;  // for its first line, as the next
    std::string spec;
    bool force = false;  // replace a file of that name
    Publisher* publisher = nullptr;  // who hears of the events as well
  };
  static Result<std::unique_ptr<EventsFile>> create(const Options& options);
  ~EventsFile();
  EventsFile(const EventsFile&) = delete;
  EventsFile& operator=(const EventsFile&) = delete;

  // When the command has ended and its maps are all put away, but still there.
  [[nodiscard]] Status finish();
  // Whether this was the one that read them; what it wrote then.
  [[nodiscard]] bool is_elected() const { return out_ != nullptr; }
  [[nodiscard]] const report::EventTotals& totals() const { return totals_; }
  [[nodiscard]] const std::vector<std::pair<std::string, Error>>& refused() const { return reader_.refused(); }

 private:
  // What is written to, by whoever is elected.
  struct Output {
    explicit Output(std::unique_ptr<report::OutputFile> to)
        : file(std::move(to)), sink(file->descriptor()), lines(sink) {}
    std::unique_ptr<report::OutputFile> file;
    report::DescriptorSink sink;
    report::EventLines lines;
  };

  explicit EventsFile(const Options& options) : options_(options), reader_(options.directory) {}
  Status open();
  bool take_over();
  void work();
  void put(const gather::RingProcess& process, const gather::EventBatch& batch);
  std::uint64_t put_names(const std::vector<gather::RingReader::ProcessCounts>& processes);
  void put_rest();

  Options options_;
  gather::RingReader reader_;
  std::unique_ptr<Output> out_;  // null: another rank's `trikal run` reads the events
  report::EventTotals totals_;
  std::unordered_set<std::uint64_t> processes_;  // that have their line
  std::unordered_map<std::uint64_t, bool> files_;  // whether their name was written
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace trikal::cli

#pragma once
// `trikal run --publish`: events as messages of the LDMS Darshan connector while the program runs. A thread of its own makes and
// writes them; what it has no time for, or nobody takes, is dropped and counted. Nobody ever waits for it but its own end.

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cli/publish_target.hpp"
#include "gather/rings/live_names.hpp"
#include "report/ldms/messages.hpp"
#include "report/sink.hpp"

namespace trikal::cli {

class Publisher {
 public:
  struct Options {
    PublishTarget::Options target;
    std::string directory;  // of the run
    report::ldms::Dialect dialect = report::ldms::Dialect::kCurrent;
    bool verbose = false;  // each message to standard error as well
  };
  static Result<std::unique_ptr<Publisher>> create(const Options& options);
  ~Publisher();
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;

  // From the thread that reads the rings. Returns at once.
  void put(const gather::RingProcess& process, const gather::EventBatch& batch);

  struct Outcome {
    std::uint64_t written = 0, dropped = 0;  // messages; all that were to be published
    std::string ending;  // of the command; empty: there is nothing to say
  };
  // After the last event. Waits for those who read, but not without end.
  [[nodiscard]] Outcome finish();

 private:
  static constexpr std::size_t kMostWaiting = 65536;  // events: 9 MB
  static constexpr std::size_t kMostText = 64 * 1024;

  // Why no more is written: it cannot be, nobody reads, or those who read are not done long after the program's end.
  enum class Stop { kNone, kRefused, kUnread, kLate };

  struct Waiting {
    std::size_t process = 0;
    stream::EventRecord event;
    stream::EventDetails details;
  };

  Publisher(const Options& options, std::unique_ptr<PublishTarget> target);
  void work();
  bool fetch(std::vector<Waiting>& events);
  void use(const Waiting& waiting);
  [[nodiscard]] const gather::RingProcess& sender_of(const Waiting& waiting);
  [[nodiscard]] report::ldms::Event event_of(const Waiting& waiting);
  void name(const Waiting& waiting, report::ldms::Event& event);
  [[nodiscard]] const report::ldms::Process& process_of(const Waiting& waiting);
  [[nodiscard]] Stop time_is_up();
  void write_out();

  Options options_;
  std::unique_ptr<PublishTarget> target_;
  const report::ldms::Messages which_;  // asked by put(): which operations there are messages of

  std::mutex lock_;
  std::condition_variable news_;
  std::vector<Waiting> waiting_;
  std::map<std::size_t, gather::RingProcess> processes_;  // that sent events, by number
  std::uint64_t overflowed_ = 0;
  bool ending_ = false;

  // The thread's own.
  gather::LiveNames names_;
  report::ldms::Messages messages_;
  std::map<std::size_t, report::ldms::Process> facts_;
  report::StringSink text_;  // messages that are not written yet
  std::uint64_t written_ = 0, dropped_ = 0;
  bool started_ = false;
  Stop stop_ = Stop::kNone;
  std::uint64_t stopped_at_ = 0, ending_at_ = 0;  // nanoseconds: nothing was taken since; nobody sends any more since
  std::thread thread_;
};

}  // namespace trikal::cli

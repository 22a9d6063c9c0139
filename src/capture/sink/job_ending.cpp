#include "capture/sink/job_ending.hpp"

#include "base/text.hpp"
#include "capture/rare.hpp"
#include "capture/raw.hpp"
#include "capture/session/ending.hpp"
#include "capture/session/hooks.hpp"
#include "capture/sink/size_signal.hpp"
#include "capture/tables/placed.hpp"

namespace trikal::capture {
namespace {

constexpr double kMeeting = 0.75;  // of the deadline, for everybody to come; the rest is for the log

// While the ranks talk the process counts as ended: times are taken until here. If they do not agree it goes on.
class EndedForNow {
 public:
  explicit EndedForNow(log::crash::Header& header) noexcept : job_(header.job) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    job_.end_sec = now.tv_sec, job_.end_nsec = now.tv_nsec;
  }
  ~EndedForNow() { job_.end_sec = job_.end_nsec = 0; }
  EndedForNow(const EndedForNow&) = delete;
  EndedForNow& operator=(const EndedForNow&) = delete;

 private:
  log::crash::JobFacts& job_;
};

// As Darshan words it.
void tell(std::string_view what, std::int64_t ranks, double seconds) noexcept {
  char text[128];
  FixedText line(text, sizeof text);
  const auto nanoseconds = static_cast<std::uint64_t>(seconds * 1e9);
  line.put("#trikal:").put(what).put("\t").put(static_cast<std::uint64_t>(ranks)).put("\t");
  line.put(nanoseconds / 1'000'000'000).put(".");
  for (std::uint64_t digit = 100'000'000; digit > 0; digit /= 10) line.put(nanoseconds / digit % 10);
  line.put("\n");
  (void)raw_syscall(__NR_write, 2, raw_pointer(text), static_cast<long>(line.text().size()));
}

}  // namespace

JobEnding::JobEnding(Session& owner, const MpiLibrary::RankInJob& known, const log::crash::MapView& map) noexcept
    : owner_(owner), rank_(known.rank), ranks_(known.ranks), me_{&map, known.rank, 0}, observers_(module_hooks()) {}

bool JobEnding::sent() noexcept {
  if (messages_.flush(until_)) return true;
  out_.forget();
  return false;
}

bool JobEnding::send_up(Step step, bool well) noexcept {
  const bool posted = messages_.post(parent_of(rank_), {step, !well, out_.bytes()});
  return sent() && posted && well;
}

bool JobEnding::run() noexcept {
  const double began = steady_seconds();
  const double deadline = owner_.config.mpi_deadline;
  if (module_hooks().size() > kMostModules || !messages_.begin()) return false;
  if (ranks_ > 1 && !messages_.meet(began + kMeeting * deadline)) return false;
  const double met = steady_seconds();
  until_ = began + deadline;
  const bool agreed = agree();
  const double knew = steady_seconds();
  const bool collected = agreed && collect();
  const double had = steady_seconds();
  const bool written = agreed && write(collected);
  if (is_root() && owner_.config.internal_timing) {
    const double over = steady_seconds();
    tell("meeting", ranks_, met - began);
    tell("agree", ranks_, knew - met);
    tell("collect", ranks_, had - knew);
    tell("write", ranks_, over - had);
    tell("shutdown", ranks_, over - met);
  }
  return written;
}

bool finish_job(Session& owner) noexcept {
  if (!(owner.config.mpi_deadline > 0) || owner.config.leaves_out_ranks) return false;
  const MpiLibrary::RankInJob known = mpi.rank_in_job();
  if (known.rank < 0 || known.ranks <= 0 || known.rank >= known.ranks) return false;
  const auto map = log::crash::MapView::open(owner.arena.bytes());
  if (!map) return false;
  const WithoutSizeSignal held_back;
  const EndedForNow ended(*owner.arena.header());
  TRIKAL_RARE static constinit Storage<JobEnding> ending_storage;  // MPI_Finalize is called once
  const Placed<JobEnding> ending(ending_storage, owner, known, *map);
  return ending->run();
}

}  // namespace trikal::capture

#pragma once
// The ranks of an MPI job write one log, in MPI_Finalize. docs/decisions/0018-mpi-shutdown.md says why it goes so:
//
//   meet      everybody is here, or nobody says a word
//   agree     up: what each has; down: which files all share, when the job began, who packs with whom
//   collect   up: shared records folded, other records as packed streams, what the trailer says
//   write     the root writes; where streams are large, down: offsets, and their owners write them; up: done
//   part      down: the log is there, or it is not, and each process keeps what it has for a log of its own
//
// Whoever fails says so instead of what was expected of it, so that nobody waits; nobody leaves before the last step.

#include "capture/mpi/messages.hpp"
#include "capture/reduce/part.hpp"
#include "capture/reduce/rank_survey.hpp"
#include "capture/reduce/rest.hpp"
#include "capture/reduce/shared_records.hpp"
#include "capture/session/session.hpp"

namespace trikal::capture {

class JobEnding {
 public:
  JobEnding(Session& owner, const MpiLibrary::RankInJob& known, const log::crash::MapView& map) noexcept;

  // True: the job has its log, and what this process saw is in it.
  [[nodiscard]] bool run() noexcept;

 private:
  enum class Outcome : std::uint64_t { kFailed, kWritten, kWriteYours };
  struct OrdersHead {
    Outcome outcome = Outcome::kFailed;
    std::uint64_t path_bytes = 0;
  };
  struct CollectHead {
    std::uint64_t shared = 0, parts = 0;  // bytes of each
    RestHead rest;
  };

  [[nodiscard]] log::crash::Schemas schemas() const noexcept { return observers_.all(); }
  [[nodiscard]] bool is_root() const noexcept { return rank_ == 0; }
  [[nodiscard]] std::int64_t block() const noexcept { return rank_ / kBlock * kBlock; }
  // The rank that writes the names of shared files: the first one that has all of them.
  [[nodiscard]] std::int64_t names_of() const noexcept { return ranks_ > 1 ? 1 : 0; }
  // What is posted lies in out_, which stays for MPI if it does not take it in time.
  [[nodiscard]] bool sent() noexcept;
  [[nodiscard]] bool send_up(Step step, bool well) noexcept;

  // job_agree.cpp
  [[nodiscard]] bool agree() noexcept;
  [[nodiscard]] bool survey_ranks(double until) noexcept;
  [[nodiscard]] bool decide() noexcept;
  [[nodiscard]] bool hear_plan(double until) noexcept;
  [[nodiscard]] bool pass_plan_on(bool agreed) noexcept;

  // job_collect.cpp
  [[nodiscard]] bool collect() noexcept;
  [[nodiscard]] bool pack_own_part() noexcept;
  [[nodiscard]] bool send_map(std::int64_t to) noexcept;
  [[nodiscard]] bool receive_collected() noexcept;
  [[nodiscard]] bool add_collected(Bytes message) noexcept;

  // job_write.cpp
  [[nodiscard]] bool write(bool collected) noexcept;
  [[nodiscard]] bool write_as_root(bool collected) noexcept;
  [[nodiscard]] bool write_as_told() noexcept;
  [[nodiscard]] bool pass_orders_on(Outcome outcome, std::string_view path, Bytes orders) noexcept;
  [[nodiscard]] bool write_streams(const char* path, Bytes orders) noexcept;
  [[nodiscard]] bool all_done(bool mine) noexcept;

  Session& owner_;
  std::int64_t rank_, ranks_;
  log::crash::Process me_;
  Observers observers_;

  Messages messages_;
  double until_ = 0;
  Survey survey_;
  PlanHead plan_;
  IdLists shared_ids_;
  SharedRecords shared_;
  PartHead part_;
  Buffer streams_;  // of our part, where they are not sent
  Buffer parts_;  // of all ranks below, as is the rest
  Rest rest_;
  Buffer out_, in_;
};

}  // namespace trikal::capture

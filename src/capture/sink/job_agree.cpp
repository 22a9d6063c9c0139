// What the ranks have to know of each other before the first record moves.

#include <sys/utsname.h>

#include <algorithm>

#include "base/hash.hpp"
#include "capture/raw.hpp"
#include "capture/sink/job_ending.hpp"

namespace trikal::capture {
namespace {

constexpr double kAnswer = 0.25;  // of the deadline: who is here answers at once, or has left after all
constexpr double kRoot = 0.8;     // of the time that is left: the others must still be there when the log is written

std::uint64_t node_hash() noexcept {
  utsname name{};
  if (raw_syscall(__NR_uname, raw_pointer(&name)) != 0) return 0;
  return record_id(std::as_bytes(std::span(name.nodename)), 0);
}

}  // namespace

bool JobEnding::survey_ranks(double until) noexcept {
  bool well = survey_.count(me_, observers_);
  survey_.head.wait_limit = until_ - steady_seconds();
  survey_.head.members[static_cast<std::size_t>(rank_ - block())].node = node_hash();
  Survey::Rule rule{.first = true, .share_own = !is_root() || ranks_ < 3};
  for_each_child(rank_, ranks_, [&](std::int64_t child) {
    rule.same_block = child < block() + kBlock;
    const bool came = messages_.receive(child, Step::kSurvey, in_, until);
    well = came && well && survey_.merge(in_.bytes(), rule);
    rule.first = false;
  });
  return well;
}

bool JobEnding::decide() noexcept {
  const SurveyHead& all = survey_.head;
  if (all.ranks != ranks_) return false;
  plan_.start = all.start, plan_.end = all.end;
  plan_.wait_limit = all.wait_limit;
  plan_.grid = all.grid;
  plan_.modules = all.modules;
  if (!owner_.config.shared_reduction) return true;
  return shared_ids_.set(survey_.ids.counts(), survey_.ids.bytes());
}

bool JobEnding::hear_plan(double until) noexcept {
  if (!messages_.receive(parent_of(rank_), Step::kPlan, in_, until) || in_.size() < sizeof(PlanHead)) return false;
  plan_ = load<PlanHead>(in_.bytes().data());
  return is_plausible(plan_.grid) && shared_ids_.set(plan_.ids, in_.bytes().subspan(sizeof(PlanHead)));
}

bool JobEnding::pass_plan_on(bool agreed) noexcept {
  const auto here = static_cast<std::size_t>(std::min(kBlock, ranks_ - block()));
  if (leads_block(rank_)) {
    const std::span members = std::span(survey_.head.members).first(here);
    const std::uint64_t shared = shared_ids_.bytes().size() / 8;
    for (Member& member : members) member.bytes = member.without(shared);
    plan_.parts = make_parts(members, kSmallPart);
  }
  std::ranges::copy(shared_ids_.counts(), plan_.ids.begin());
  out_.clear();
  const bool well = agreed && out_.put(plan_) && out_.append(shared_ids_.bytes());
  bool posted = true;
  for_each_child(rank_, ranks_, [&](std::int64_t child) {
    posted = messages_.post(child, {Step::kPlan, !well, out_.bytes()}) && posted;
  });
  shared_ids_.index();  // only now: whoever waits for the plan comes first
  return sent() && posted && well;
}

bool JobEnding::agree() noexcept {
  const double answer = kAnswer * owner_.config.mpi_deadline;
  const double soon = std::min(until_, steady_seconds() + answer);
  bool well = survey_ranks(soon);
  if (is_root()) {
    well = well && decide();
  } else {
    out_.clear();
    well = survey_.write(out_) && well;
    (void)send_up(Step::kSurvey, well);
    well = hear_plan(std::min(until_, soon + answer));
  }
  well = pass_plan_on(well);
  const double wait_limit = std::clamp(plan_.wait_limit, 0.0, owner_.config.mpi_deadline);
  if (well) until_ = std::min(until_, steady_seconds() + (is_root() ? kRoot : 1.0) * wait_limit);
  me_.shift = seconds({me_.map->header().job.start_sec, me_.map->header().job.start_nsec}) - seconds(plan_.start);
  return well;
}

}  // namespace trikal::capture

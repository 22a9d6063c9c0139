#include "shutdown/schedule.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <queue>
#include <random>
#include <unordered_map>

namespace trikal::bench {
namespace {

// When messages of one rank to another came, in order.
class Mail {
 public:
  void put(std::int64_t from, std::int64_t to, double when) { boxes_[key(from, to)].push_back(when); }
  // When the next one came, or never yet.
  [[nodiscard]] const double* front(std::int64_t from, std::int64_t to) const {
    const auto box = boxes_.find(key(from, to));
    return box == boxes_.end() || box->second.empty() ? nullptr : &box->second.front();
  }
  void take(std::int64_t from, std::int64_t to) { boxes_[key(from, to)].pop_front(); }

 private:
  static std::uint64_t key(std::int64_t from, std::int64_t to) {
    return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint64_t>(to);
  }
  std::unordered_map<std::uint64_t, std::deque<double>> boxes_;
};

double cost_of(const Op& op, const Machine& machine) {
  if (op.kind == Op::Kind::kWork) return op.seconds / machine.share;
  if (op.kind == Op::Kind::kSend) return 0;
  const double first = op.first ? machine.first : 0;
  const double messages = op.bytes > machine.packet ? 2 : 1;
  return (first + messages * machine.message + static_cast<double>(op.bytes) / machine.bandwidth) / machine.share;
}

// A processor for each: nobody waits for a turn.
double run_alone(const std::vector<Script>& scripts, const Machine& machine) {
  std::vector<double> now(scripts.size());
  std::vector<std::size_t> next(scripts.size());
  Mail mail;
  std::vector<std::size_t> ready(scripts.size());
  std::iota(ready.begin(), ready.end(), 0);
  while (!ready.empty()) {
    const std::size_t rank = ready.back();
    ready.pop_back();
    for (; next[rank] < scripts[rank].size(); ++next[rank]) {
      const Op& op = scripts[rank][next[rank]];
      const auto self = static_cast<std::int64_t>(rank);
      if (op.kind == Op::Kind::kReceive) {
        const double* came = mail.front(op.peer, self);
        if (came == nullptr) break;
        now[rank] = std::max(now[rank], *came);
        mail.take(op.peer, self);
      }
      now[rank] += cost_of(op, machine);
      if (op.kind != Op::Kind::kSend) continue;
      mail.put(self, op.peer, now[rank]);
      const auto peer = static_cast<std::size_t>(op.peer);
      const Op* waits = next[peer] < scripts[peer].size() ? &scripts[peer][next[peer]] : nullptr;
      if (waits != nullptr && waits->kind == Op::Kind::kReceive && waits->peer == self) ready.push_back(peer);
    }
  }
  return now[0];
}

class Crowd {
 public:
  Crowd(const std::vector<Script>& scripts, const Machine& machine, std::uint64_t seed)
      : scripts_(scripts), machine_(machine), ranks_(scripts.size()), line_{0} {
    // The others leave the barrier when they next look.
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> begin(0, 2 * machine.late);
    for (std::size_t rank = 1; rank < scripts.size(); ++rank) asleep_.emplace(begin(random), rank);
    for (std::int64_t i = 0; i < machine.processors; ++i) free_.push(0);
  }

  double run() {
    for (;;) {
      double now = free_.top();
      free_.pop();
      wake(now);
      if (line_.empty()) {  // everybody sleeps
        now = std::max(now, asleep_.top().first);
        wake(now);
      }
      const std::size_t rank = line_.front();
      line_.pop_front();
      if (rank == 0 && began_ < 0) began_ = now;
      const double end = turn(rank, now);
      ranks_[rank].used += end - now;
      used_ += end - now;
      if (rank == 0 && is_over(0)) return end - began_;
      free_.push(end);
    }
  }

 private:
  struct Rank {
    std::size_t next = 0;
    double done = 0;           // seconds of the next op
    double waits_since = -1;
    double used = 0;  // seconds of a processor
  };
  using Later = std::pair<double, std::size_t>;

  [[nodiscard]] bool is_over(std::size_t rank) const { return ranks_[rank].next == scripts_[rank].size(); }
  // Who wakes up goes first, as long as it has not had more than the others: the scheduler is fair.
  void wake(double now) {
    for (; !asleep_.empty() && asleep_.top().first <= now; asleep_.pop()) {
      const std::size_t rank = asleep_.top().second;
      if (ranks_[rank].used * static_cast<double>(ranks_.size()) <= used_) line_.push_front(rank);
      else line_.push_back(rank);
    }
  }

  // What a rank does with the processor, until it gives it away or has to. Answers with when that was.
  double turn(std::size_t rank, double now) {
    Rank& self = ranks_[rank];
    const double until = now + machine_.slice;
    while (!is_over(rank)) {
      const Op& op = scripts_[rank][self.next];
      if (op.kind == Op::Kind::kReceive && self.done == 0) {
        const double* came = mail_.front(op.peer, static_cast<std::int64_t>(rank));
        if (came == nullptr || *came > now) return wait(rank, now);
        self.waits_since = -1;
      }
      const double left = cost_of(op, machine_) - self.done;
      if (now + left > until && !line_.empty()) {
        self.done += until - now;
        line_.push_back(rank);
        return until;
      }
      now += left;
      finish(rank, op, now);
    }
    return now;
  }

  void finish(std::size_t rank, const Op& op, double now) {
    const auto self = static_cast<std::int64_t>(rank);
    if (op.kind == Op::Kind::kReceive) mail_.take(op.peer, self);
    if (op.kind == Op::Kind::kSend) mail_.put(self, op.peer, now);
    ranks_[rank].next += 1;
    ranks_[rank].done = 0;
  }

  double wait(std::size_t rank, double now) {
    Rank& self = ranks_[rank];
    now += machine_.turn;
    if (self.waits_since < 0) self.waits_since = now;
    if (now - self.waits_since < machine_.patience) line_.push_back(rank);
    else asleep_.emplace(now + machine_.nap, rank);
    return now;
  }

  const std::vector<Script>& scripts_;
  const Machine& machine_;
  std::vector<Rank> ranks_;
  std::deque<std::size_t> line_;
  std::priority_queue<Later, std::vector<Later>, std::greater<>> asleep_;
  std::priority_queue<double, std::vector<double>, std::greater<>> free_;
  Mail mail_;
  double began_ = -1;
  double used_ = 0;  // by all of them
};

}  // namespace

double run_scripts(const std::vector<Script>& scripts, const Machine& machine, std::uint64_t seed) {
  return machine.processors > 0 ? Crowd(scripts, machine, seed).run() : run_alone(scripts, machine);
}

}  // namespace trikal::bench

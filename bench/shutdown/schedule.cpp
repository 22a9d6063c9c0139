#include "shutdown/schedule.hpp"

#include <algorithm>
#include <cmath>
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

// A processor for each: nobody waits for a time slice.
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
    for (std::size_t rank = 1; rank < scripts.size(); ++rank) coming_.push({begin(random), rank, true});
    for (std::int64_t i = 0; i < machine.processors; ++i) processors_.push({});
  }

  // One step of whichever processor is behind the others: so nothing that a rank sees comes from a later time than its own.
  double run() {
    for (;;) {
      Processor one = processors_.top();
      processors_.pop();
      if (one.rank == kNobody && !take_next(one)) {
        one.now = std::nextafter(processors_.top().now, 1e9);  // all others are at work on other processors
        processors_.push(one);
        continue;
      }
      const std::size_t rank = one.rank;
      const double before = one.now;
      step(one);
      ranks_[rank].used += one.now - before;
      used_ += one.now - before;
      if (rank == 0 && is_over(0)) return one.now - began_;
      processors_.push(one);
    }
  }

 private:
  static constexpr std::size_t kNobody = ~std::size_t{0};
  struct Rank {
    std::size_t next = 0;
    double done = 0;  // seconds of the next op
    double waits_since = -1;
    double used = 0;  // seconds of a processor
  };
  struct Processor {
    double now = 0;
    std::size_t rank = kNobody;  // whom it works for
    double until = 0;  // when that one's slice is over
    bool operator>(const Processor& other) const { return now > other.now; }
  };
  struct Coming {  // to the line
    double when;
    std::size_t rank;
    bool woke;  // from a nap
    bool operator>(const Coming& other) const { return when > other.when; }
  };
  template <class T>
  using Earliest = std::priority_queue<T, std::vector<T>, std::greater<>>;

  [[nodiscard]] bool is_over(std::size_t rank) const { return ranks_[rank].next == scripts_[rank].size(); }

  // Who wakes up goes first, as long as it has not had more than the others: the scheduler is fair.
  void line_up(double now) {
    for (; !coming_.empty() && coming_.top().when <= now; coming_.pop()) {
      const auto [when, rank, woke] = coming_.top();
      const bool first = woke && ranks_[rank].used * static_cast<double>(ranks_.size()) <= used_;
      if (first) line_.push_front(rank);
      else line_.push_back(rank);
    }
  }

  bool take_next(Processor& one) {
    line_up(one.now);
    if (line_.empty() && coming_.empty()) return false;
    if (line_.empty()) {
      one.now = coming_.top().when;
      line_up(one.now);
    }
    one.rank = line_.front();
    one.until = one.now + machine_.slice;
    line_.pop_front();
    if (one.rank == 0 && began_ < 0) began_ = one.now;
    return true;
  }

  void give_away(Processor& one, double when, bool woke) {
    coming_.push({when, one.rank, woke});
    one.rank = kNobody;
  }

  // What its rank does next, or as much of it as the slice allows.
  void step(Processor& one) {
    Rank& self = ranks_[one.rank];
    if (is_over(one.rank)) {
      one.rank = kNobody;
      return;
    }
    const Op& op = scripts_[one.rank][self.next];
    if (op.kind == Op::Kind::kReceive && self.done == 0) {
      const double* came = mail_.front(op.peer, static_cast<std::int64_t>(one.rank));
      if (came == nullptr || *came > one.now) return wait(one);
      self.waits_since = -1;
    }
    line_up(one.now);
    const double left = cost_of(op, machine_) - self.done;
    if (one.now + left > one.until && !line_.empty()) {
      const double part = std::max(0.0, one.until - one.now);
      self.done += part;
      one.now += part;
      return give_away(one, one.now, false);
    }
    one.now += left;
    finish(one.rank, op, one.now);
  }

  void finish(std::size_t rank, const Op& op, double now) {
    const auto self = static_cast<std::int64_t>(rank);
    if (op.kind == Op::Kind::kReceive) mail_.take(op.peer, self);
    if (op.kind == Op::Kind::kSend) mail_.put(self, op.peer, now);
    ranks_[rank].next += 1;
    ranks_[rank].done = 0;
  }

  void wait(Processor& one) {
    Rank& self = ranks_[one.rank];
    one.now += machine_.poll;
    if (self.waits_since < 0) self.waits_since = one.now;
    const bool naps = one.now - self.waits_since >= machine_.wait_limit;
    give_away(one, one.now + (naps ? machine_.nap : 0), naps);
  }

  const std::vector<Script>& scripts_;
  const Machine& machine_;
  std::vector<Rank> ranks_;
  std::deque<std::size_t> line_;
  Earliest<Coming> coming_;
  Earliest<Processor> processors_;
  Mail mail_;
  double began_ = -1;
  double used_ = 0;  // by all of them
};

}  // namespace

double run_scripts(const std::vector<Script>& scripts, const Machine& machine, std::uint64_t seed) {
  return machine.processors > 0 ? Crowd(scripts, machine, seed).run() : run_alone(scripts, machine);
}

}  // namespace trikal::bench

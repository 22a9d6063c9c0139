#include "predict/machine/meeting.hpp"

#include <thread>

namespace trikal::predict {

Meeting::Meeting(int ranks) : states_(static_cast<std::size_t>(ranks)) {}

// Those who wait will wait for ever.
void Meeting::give_up() {
  if (failed_) return;
  failed_ = true;
  for (std::size_t rank = 0; rank < states_.size(); ++rank)
    if (states_[rank].state == State::kWaiting)
      deadlock_.push_back("rank " + std::to_string(rank) + " waits in " + states_[rank].where);
}

// The first rank that can go on does.
void Meeting::hand_over(std::unique_lock<std::mutex>& lock, int from) {
  const auto can_go_on = [&](const Rank& one) {
    return one.state == State::kReady || (one.state == State::kWaiting && (failed_ || (*one.ready)()));
  };
  int next = -1;
  bool waiting = false;
  for (std::size_t rank = 0; rank < states_.size() && next < 0; ++rank) {
    waiting = waiting || states_[rank].state == State::kWaiting;
    if (can_go_on(states_[rank])) next = static_cast<int>(rank);
  }
  if (next < 0 && waiting) {
    give_up();
    return hand_over(lock, from);
  }
  running_ = next;
  if (next >= 0 && next != from) states_[static_cast<std::size_t>(next)].woken.notify_one();
}

bool Meeting::wait(int rank, const std::function<bool()>& ready, const std::string& where) {
  std::unique_lock lock(mutex_);
  Rank& self = states_[static_cast<std::size_t>(rank)];
  self.state = State::kWaiting, self.ready = &ready, self.where = where;
  hand_over(lock, rank);
  self.woken.wait(lock, [&] { return running_ == rank; });
  self.state = State::kReady, self.ready = nullptr;
  return !failed_ || ready();
}

void Meeting::run(const std::function<void(int)>& work) {
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < ranks(); ++rank) {
    threads.emplace_back([this, rank, &work] {
      {
        std::unique_lock lock(mutex_);
        states_[static_cast<std::size_t>(rank)].woken.wait(lock, [&] { return running_ == rank; });
      }
      work(rank);
      std::unique_lock lock(mutex_);
      states_[static_cast<std::size_t>(rank)].state = State::kDone;
      hand_over(lock, rank);
    });
  }
  {
    std::unique_lock lock(mutex_);
    hand_over(lock, -1);
  }
}

}  // namespace trikal::predict

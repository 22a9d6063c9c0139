#pragma once
// Where the ranks of a program meet. Each runs on a thread of its own, but only one at a time, from one call of MPI that has to
// wait for others to the next: what they send each other is there, whoever comes first, and the order is the same each time.
// Where nobody can go on, that is a deadlock of the program, and said with the lines they wait at.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "predict/machine/setting.hpp"

namespace trikal::predict {

// Bytes on their way from one rank's memory to another's.
struct Parcel {
  std::vector<std::uint8_t> data;
  Word bytes = 0;
  std::string unknown;  // why the data is not known; empty: it is
  std::string doubt;  // what it rests on
};

struct Message {
  int source = 0, tag = 0;  // the source by its number in the communicator
  Parcel parcel;
};

// What one rank brings to a call that all ranks of a communicator make together.
struct Contribution {
  std::string call;
  Parcel parcel;
  std::vector<Parcel> parts;  // one for each rank
  std::vector<std::int64_t> numbers;
};

// What a rank knows of a file, for the others to see behind a barrier.
struct SharedFile {
  Word size = 0;
  bool exists = false;
  std::shared_ptr<const std::string> content;
};

class Meeting {
 public:
  explicit Meeting(int ranks);
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  // Every rank does it, the first one first.
  void run(const std::function<void(int)>& work);
  // The rank that is running waits until that holds. False: it never will.
  [[nodiscard]] bool wait(int rank, const std::function<bool()>& ready, const std::string& where);
  // One of them ends the program for all.
  void abort() { failed_ = true; }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] const std::vector<std::string>& deadlock() const { return deadlock_; }
  [[nodiscard]] int ranks() const { return static_cast<int>(states_.size()); }

  // Messages that nobody has taken yet, by communicator and receiver (its number in the whole program).
  std::map<std::pair<Word, int>, std::deque<Message>> messages;
  // Calls of all ranks of a communicator, by it and how many there were before: what each has brought, by its number there.
  struct Together {
    std::map<int, Contribution> all;
    std::size_t taken = 0;  // by how many
  };
  std::map<std::pair<Word, Word>, std::shared_ptr<Together>> together;
  // A rank guessed what a loop does, or tries two ways: what does not match may be our fault, not the program's.
  bool inexact = false;
  // Numbers of communicators, by what they were made of.
  std::map<std::vector<std::int64_t>, Word> communicators;
  std::map<std::string, SharedFile> files;
  std::map<std::string, std::map<std::string, Hdf5Node>> left;
  std::map<std::string, NetCdfContent> left_netcdf;

 private:
  enum class State : std::uint8_t { kReady, kWaiting, kDone };
  struct Rank {
    State state = State::kReady;
    const std::function<bool()>* ready = nullptr;
    std::string where;
    std::condition_variable woken;
  };
  void hand_over(std::unique_lock<std::mutex>& lock, int from);
  void give_up();

  std::deque<Rank> states_;
  std::mutex mutex_;
  int running_ = -1;
  bool failed_ = false;
  std::vector<std::string> deadlock_;
};

}  // namespace trikal::predict

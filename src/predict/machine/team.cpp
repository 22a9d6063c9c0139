#include "predict/machine/team.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace trikal::predict {
namespace {

// Stacks of threads lie apart; those of teams within teams closer.
Word stack_apart(unsigned level) { return Word{1} << (level == 1 ? 36 : level == 2 ? 28 : 22); }

}  // namespace

// Pages of it are there when they are touched.
class Team::Stack {
 public:
  static constexpr std::size_t kBytes = std::size_t{8} << 20;
  Stack()
      : memory_(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Stack() {
    if (there()) ::munmap(memory_, kBytes);
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  [[nodiscard]] bool there() const { return memory_ != MAP_FAILED; }
  [[nodiscard]] void* begin() const { return memory_; }

 private:
  void* memory_;
};

Team::~Team() = default;

Team::Team(Machine& machine, std::uint32_t size)
    : machine_(machine),
      around_(machine.threads.team),
      level_(around_ != nullptr ? around_->level_ + 1 : 1),
      active_level_((around_ != nullptr ? around_->active_level_ : 0) + (size > 1 ? 1 : 0)),
      members_(std::max<std::uint32_t>(1, size)) {}

void Team::run(const std::function<void()>& work) {
  work_ = &work;
  fork_depth_ = machine_.forks.depth();
  start_ = machine_.threads.strand();
  machine_.threads.team = this;
  host(true);
  machine_.threads.team = around_;
  machine_.threads.go_on_as(start_);
  if (failure_) std::rethrow_exception(failure_);
}

// The first one that can run. Where all wait, nobody does any more.
std::uint32_t Team::next() {
  const auto runs = [](const Member& one) { return one.state == State::kNew || one.state == State::kReady; };
  auto found = std::ranges::find_if(members_, runs);
  if (found == members_.end())
    for (Member& one : members_)
      if (one.state == State::kWaiting) one.state = State::kReady;
  found = std::ranges::find_if(members_, runs);
  return static_cast<std::uint32_t>(found - members_.begin());
}

// What one stack does: members one behind the other, until one that has waited elsewhere is to go on.
void Team::host(bool caller) {
  for (std::uint32_t number = next(); number < size(); number = next()) {
    if (members_[number].state == State::kNew) {
      begin(number);
      continue;
    }
    if (!caller) ::setcontext(&members_[number].context);
    ::swapcontext(&caller_, &members_[number].context);
    return;
  }
  if (!caller) ::setcontext(&caller_);
}

// A context begins with whole numbers.
void Team::enter_host(unsigned high, unsigned low) {
  reinterpret_cast<Team*>(std::uintptr_t{high} << 32 | low)->host(false);  // NOLINT(performance-no-int-to-ptr)
}

void Team::begin(std::uint32_t number) {
  members_[number].state = State::kRunning;
  running_ = number;
  Threads::Strand strand = start_;
  strand.stack.top += number * stack_apart(level_);
  strand.stack.frames.clear(), strand.handlers.clear();
  machine_.threads.go_on_as(std::move(strand));
  machine_.threads.team = this;
  try {
    if (!failure_) (*work_)();
  } catch (const Cancelled&) {
    // what made it end is kept already
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
  members_[number].state = State::kDone;
}

// Comes back when this one is to go on. False: there is no stack to be had for the other.
bool Team::hand_over(std::uint32_t number) {
  ucontext_t& other = members_[number].context;
  if (members_[number].state == State::kNew) {
    auto stack = std::make_unique<Stack>();
    if (!stack->there()) return false;
    ::getcontext(&other);
    other.uc_stack.ss_sp = stack->begin(), other.uc_stack.ss_size = Stack::kBytes, other.uc_link = nullptr;
    const auto self = reinterpret_cast<std::uintptr_t>(this);
    ::makecontext(&other, reinterpret_cast<void (*)()>(&enter_host), 2, static_cast<unsigned>(self >> 32),
                  static_cast<unsigned>(self));
    stacks_.push_back(std::move(stack));
  }
  ::swapcontext(&members_[running_].context, &other);
  return true;
}

void Team::wait() {
  if (size() == 1 || failure_) return;
  if (machine_.forks.depth() != fork_depth_)
    return machine_.note("threads wait for each other where it is not known whether they do: each goes on alone");
  const std::uint32_t self = running_;
  members_[self].state = State::kWaiting;
  const std::uint32_t other = next();
  if (other == self) {
    members_[self].state = State::kRunning;
    return;
  }
  Loops::keep_in_step(machine_.stack);
  Threads::Strand strand = machine_.threads.strand();
  if (!hand_over(other)) {
    members_[self].state = State::kRunning;
    return machine_.note("too many threads to follow what they exchange");
  }
  members_[self].state = State::kRunning;
  running_ = self;
  machine_.threads.go_on_as(std::move(strand));
  machine_.threads.team = this;
  if (failure_) throw Cancelled{};
}

}  // namespace trikal::predict

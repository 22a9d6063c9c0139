#include "gather/held_signals.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

namespace trikal::gather {
namespace {

constexpr std::array kHeld = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT, SIGWINCH, SIGCHLD};

sigset_t set_of_held() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : kHeld) ::sigaddset(&set, signal);
  return set;
}

// Sent to us, they are meant for the program. What a terminal sends reaches the program by itself.
bool is_for_command(const signalfd_siginfo& info) {
  const auto signal = static_cast<int>(info.ssi_signo);
  const bool of_terminal = info.ssi_code == SI_KERNEL && (signal == SIGINT || signal == SIGQUIT);
  return signal != SIGCHLD && !of_terminal;
}

}  // namespace

HeldSignals::HeldSignals() {
  const sigset_t held = set_of_held();
  ::sigprocmask(SIG_BLOCK, &held, &before_);
  descriptor_ = ::signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
  struct sigaction action{};
  action.sa_handler = SIG_DFL;  // a parent that ignores it would leave us without the command's status
  ::sigaction(SIGCHLD, &action, &child_before_);
  action.sa_handler = SIG_IGN;
  for (std::size_t i = 0; i < kIgnored.size(); ++i) ::sigaction(kIgnored[i], &action, &ignored_before_[i]);
}

HeldSignals::~HeldSignals() {
  signalfd_siginfo info{};
  while (descriptor_ >= 0 && ::read(descriptor_, &info, sizeof info) == sizeof info) {
  }
  if (descriptor_ >= 0) ::close(descriptor_);
  restore();
}

void HeldSignals::restore() const {
  ::sigaction(SIGCHLD, &child_before_, nullptr);
  for (std::size_t i = 0; i < kIgnored.size(); ++i) ::sigaction(kIgnored[i], &ignored_before_[i], nullptr);
  ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool HeldSignals::pass_on(pid_t child) const {
  bool ended = false;
  signalfd_siginfo info{};
  while (::read(descriptor_, &info, sizeof info) == sizeof info) {
    ended = ended || info.ssi_signo == SIGCHLD;
    if (is_for_command(info)) ::kill(child, static_cast<int>(info.ssi_signo));
  }
  return ended;
}

void HeldSignals::end_by(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, signal);
  ::kill(::getpid(), signal);
  ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
}

}  // namespace trikal::gather

// How a session starts, and how it begins again in a forked child: what the session itself need not know of is told here.

#include <errno.h>
#include <stdlib.h>

#include "capture/events/event.hpp"
#include "capture/interpose/imports.hpp"
#include "capture/loader/each_object.hpp"
#include "capture/loader/symbols.hpp"
#include "capture/process/phases.hpp"
#include "capture/process/rehearsal.hpp"
#include "capture/records/call_sites.hpp"
#include "capture/records/trace.hpp"
#include "capture/session/ending.hpp"
#include "capture/session/hooks.hpp"
#include "capture/session/identity.hpp"
#include "capture/session/inherited.hpp"
#include "capture/session/own_stack.hpp"
#include "capture/session/session.hpp"
#include "capture/session/unseen.hpp"
#include "capture/stream/event_rings.hpp"

// Weak: musl has neither, and a library that asks for them would keep a program linked with it from starting. What
// pthread_atfork calls, because that itself is linked into every library and asks for it without being weak.
extern "C" int __register_atfork(void (*before)(), void (*parent)(), void (*child)(), void* library)
    __attribute__((weak));
#pragma weak on_exit

namespace trikal::capture {
namespace {

// Children are many, and would look up what they end with or become another program by, each again.
void before_fork() {
  before_fork_of_loader();
  find_endings();
  note_fork();
}
void on_fork_in_child() { session.after_fork_in_child(); }
void on_exit_status(int status, void* /*unused*/) { session.note_exit_status(status); }
void on_fork_in_parent() { session.after_fork_in_parent(); }

void rehearse_later() noexcept {
  const std::int64_t began = Session::nanoseconds();
  rehearse_calls(session);
  keep_costs(session);
  session.add_own_time(began);
}

}  // namespace

bool is_glibc() noexcept { return __register_atfork != nullptr && on_exit != nullptr; }

bool Session::start() noexcept {
  Phase cold = Phase::kCold;
  if (!phase_.compare_exchange_strong(cold, Phase::kStarting)) return false;
  if (!is_glibc()) return phase_.store(Phase::kOff, std::memory_order_release), false;
  const std::int64_t began = nanoseconds();
  const Inside inside;
  const int saved = errno;
  bool started = false;
  on_own_stack([&] { started = begin(); });
  if (started) {
    __register_atfork(before_fork, on_fork_in_parent, on_fork_in_child, nullptr);
    on_exit(on_exit_status, nullptr);
    if (const void* word = find_data("__libc_single_threaded")) alone = static_cast<const volatile char*>(word);
    find_dlopen();
    redirect_imports();
    keeps_callers = config.call_sites;
    every_event_is_heard = is_every_event_wanted(config);
    add_own_time(began);
  }
  if (started) phase_.store(Phase::kRunning, std::memory_order_release);
  else if (config.disabled) phase_.store(Phase::kOff, std::memory_order_release);
  else give_up("there is no memory for what is seen");
  errno = saved;
  return started;
}

// What needs no library but the kernel: settings, memory, and what is open already.
bool Session::begin() noexcept {
  config.read();
  remember_stderr();
  if (config.disabled) return false;
  clock.begin();
  clock.do_later(rehearse_later);
  if (!begin_map(nullptr) || !descriptors.begin(arena)) return false;
  files.begin(arena);
  adopt_inherited_descriptors(*this);
  return true;
}

void Session::after_fork_in_child() noexcept {
  if (phase_.load(std::memory_order_acquire) != Phase::kRunning) return;
  const std::int64_t began = nanoseconds();
  const Inside inside;
  const int saved = errno;
  Spin::after_fork();
  free_own_stack();
  arena.forget_parents();
  after_fork_of_loader();
  paths.after_fork();
  mounts.after_fork();
  clock.begin_again();
  log::crash::Header* parents = arena.header();
  bool begun = false;
  on_own_stack([&] { begun = begin_map(parents); });
  if (!begun) {
    parents->self.unobserved.fetch_add(1, std::memory_order_relaxed);
    give_up("there is no memory for what a new process does");
  } else {
    files.begin_again(arena);
    recent_files.forget();
    forget_folded();
    descriptors.after_fork_in_child(arena);
    forget_unseen();
    forget_phases();
    call_sites.after_fork();
    trace.after_fork();
    forget_named_operations();
    event_rings.after_fork();
    free_imports();
    for (const ModuleHooks& module : module_hooks()) module.after_fork();
    keep_costs(*this);
    add_own_time(began);
  }
  errno = saved;
}

}  // namespace trikal::capture

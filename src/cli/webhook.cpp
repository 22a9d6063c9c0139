#include "cli/webhook.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace trikal::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostWaiting = 100;  // alerts; there are hardly as many codes
constexpr std::chrono::milliseconds kAtEnd = 6s, kAMoment = 50ms;

// "http://host:80" of "http://host:80/path".
std::string server_of(const std::string& url) {
  const std::size_t host = url.find("://");
  return host == std::string::npos ? url : url.substr(0, url.find_first_of("/?#", host + 3));
}

}  // namespace

std::string webhook_problem(const std::string& url) {
  const auto is_plain = [](char c) { return c > ' ' && c < '\x7f'; };
  if (!std::ranges::all_of(url, is_plain)) return "the address has characters that addresses do not have";
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!url.starts_with(scheme)) continue;
    const std::string server = server_of(url);
    if (server.size() == scheme.size() || server[scheme.size()] == ':') return "the address names no host";
    return server.find('@') == std::string::npos ? "" : "a user's name in the address is not supported";
  }
  return "must be http://HOST/PATH or https://HOST/PATH";
}

struct Webhook::State {
  std::string url;
  serve::HttpPost send = nullptr;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::string> waiting;
  bool stopping = false, is_done = false;
  std::string problem, told;

  void fail(const std::string& what) {
    if (what != told) problem = told = what;
  }
  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return stopping || !waiting.empty(); });
      if (waiting.empty()) break;
      const std::string json = std::move(waiting.front());
      waiting.pop_front();
      lock.unlock();
      std::string failed;
      const bool ok = send(url, json, failed);
      lock.lock();
      if (!ok) fail(failed);
    }
    is_done = true;
    changed.notify_all();
  }
  bool end(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex);
    stopping = true;
    changed.notify_all();
    return changed.wait_for(lock, most, [this] { return is_done; });
  }
};

Webhook::Webhook(std::string url, serve::HttpPost send) : state_(std::make_shared<State>()), server_(server_of(url)) {
  state_->url = std::move(url), state_->send = send;
  // Signals are for whoever runs the command.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([state = state_] { state->work(); }).detach();
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Webhook::~Webhook() { (void)state_->end(kAMoment); }

void Webhook::post(std::string json) {
  const std::lock_guard lock(state_->mutex);
  if (state_->waiting.size() >= kMostWaiting) return state_->fail("it does not answer: alerts were not posted");
  state_->waiting.push_back(std::move(json));
  state_->changed.notify_all();
}

void Webhook::finish() {
  if (state_->end(kAtEnd)) return;
  const std::lock_guard lock(state_->mutex);
  state_->fail(fmt::format("it does not answer: {} or more alerts were not posted", state_->waiting.size() + 1));
}

std::string Webhook::take_problem() {
  const std::lock_guard lock(state_->mutex);
  return std::exchange(state_->problem, {});
}

}  // namespace trikal::cli

#pragma once
// Posts alerts to an address that a person named, in a thread of its own: whoever watches never waits for that server.

#include <memory>
#include <string>

#include "serve/http/http.hpp"

namespace trikal::cli {

// Empty: it can be posted to. Else what is wrong with it, in a sentence.
[[nodiscard]] std::string webhook_problem(const std::string& url);

class Webhook {
 public:
  Webhook(std::string url, serve::HttpPost send);
  ~Webhook();  // as finish(), with no more than a moment
  Webhook(const Webhook&) = delete;
  Webhook& operator=(const Webhook&) = delete;

  void post(std::string json);
  // Waits some seconds until all have been posted.
  void finish();
  // What went wrong, each problem once; empty: nothing new.
  [[nodiscard]] std::string take_problem();
  // Scheme and host: the rest of an address may be secret.
  [[nodiscard]] const std::string& server() const { return server_; }

 private:
  struct State;
  std::shared_ptr<State> state_;  // the thread's, too: it may wait for the name of a host when we end
  std::string server_;
};

}  // namespace trikal::cli

#pragma once
// Answers the requests of the page: a store's tables as JSON or CSV, and word of what is new. Whoever asks must know the token.

#include <mutex>
#include <string>

#include "serve/changes.hpp"
#include "serve/http/http.hpp"
#include "serve/user_panels.hpp"
#include "store/store.hpp"

namespace trikal::serve {

// What a log is recognized by.
struct LoggedRun {
  double start = 0;  // seconds since 1970
  std::string command;
};

struct ApiOptions {
  std::string token, store_name, version;
  bool is_live = false;  // somebody is writing to the store
  // A log of the run so far, as bytes; empty: none can be made. Null: there is no run to make it of.
  std::function<std::string()> snapshot;
  // The document of `trikal report` for a run, from its log or a snapshot; empty: there is no log of it here.
  std::function<std::string(const LoggedRun&)> report;
  std::shared_ptr<UserPanels> panels;  // null: none
};

class Api {
 public:
  Api(std::unique_ptr<storage::Store> store, ApiOptions options);

  // From any thread.
  void answer(const HttpRequest& request, HttpResponse& response);
  // The run is over: pages that listen are told so, and ask no more.
  void end() { changes_.end(); }
  // Of the cookie that stands for the token; servers on one machine share a host, not a port.
  void set_port(int port) { cookie_ = "trikal-" + std::to_string(port); }

 private:
  using Route = void (Api::*)(const HttpRequest&, HttpResponse&);
  static Route route_of(const std::string& path);
  [[nodiscard]] bool is_allowed(const HttpRequest& request) const;

  void page(const HttpRequest& request, HttpResponse& response);
  void script(const HttpRequest& request, HttpResponse& response);
  void style(const HttpRequest& request, HttpResponse& response);
  [[nodiscard]] std::optional<double> newest_value();
  void about(const HttpRequest& request, HttpResponse& response);
  void runs(const HttpRequest& request, HttpResponse& response);
  void sums(const HttpRequest& request, HttpResponse& response);
  void processes(const HttpRequest& request, HttpResponse& response);
  void system(const HttpRequest& request, HttpResponse& response);
  void findings(const HttpRequest& request, HttpResponse& response);
  void drops(const HttpRequest& request, HttpResponse& response);
  void phases(const HttpRequest& request, HttpResponse& response);
  void compare(const HttpRequest& request, HttpResponse& response);
  void event_counts(const HttpRequest& request, HttpResponse& response);
  void events(const HttpRequest& request, HttpResponse& response);
  void event_sums(const HttpRequest& request, HttpResponse& response);
  void distribution(const HttpRequest& request, HttpResponse& response);
  void live(const HttpRequest& request, HttpResponse& response);
  void snapshot(const HttpRequest& request, HttpResponse& response);
  void report(const HttpRequest& request, HttpResponse& response);
  void panels(const HttpRequest& request, HttpResponse& response);
  void panel(const HttpRequest& request, HttpResponse& response);

  template <class Ask>
  void list_of_run(const HttpRequest& request, HttpResponse& response, const Ask& ask);

  std::mutex mutex_;  // a connection to the store is for one thread at a time
  std::unique_ptr<storage::Store> store_;
  ApiOptions options_;
  std::string cookie_ = "trikal";
  Changes changes_;
};

}  // namespace trikal::serve

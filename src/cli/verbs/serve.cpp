// trikal serve: the page of a store.

#include <fmt/format.h>
#include <signal.h>

#include <filesystem>

#include "cli/complain.hpp"
#include "cli/page_server.hpp"
#include "cli/run_reports.hpp"
#include "cli/verbs.hpp"

namespace trikal::cli {
namespace {

struct Options {
  std::string store;
  std::vector<std::string> logs;
  PageOptions page;
  double seconds = 0;
};

// Until a signal comes or the time is over.
void wait(double seconds) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  constexpr double kNano = 1e9;
  timespec pause{static_cast<time_t>(seconds),
                 static_cast<long>((seconds - static_cast<double>(static_cast<time_t>(seconds))) * kNano)};
  while (::sigtimedwait(&signals, nullptr, seconds > 0 ? &pause : nullptr) < 0 && errno == EINTR) {
  }
}

int run(const Options& options) {
  if (const int code = options.page.check(); code != kOk) return code;
  const std::string url = storage::Store::url_of(options.store);
  if (const auto store = storage::Store::open(url, storage::Store::Mode::kRead); !store)
    return complain(options.store, store.error());
  // Before there is a thread, which must not hear of signals either.
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  RunReports reports;
  for (const std::string& log : options.logs) {
    if (const Status added = reports.add(log); !added) return complain(log, added.error());
  }
  // The log that trikal watch wrote with this store, if it is still there.
  if (options.logs.empty())
    (void)reports.add(std::filesystem::path(url.substr(url.find(':') + 1)).replace_extension(".darshan").string());
  serve::ApiOptions api;
  api.report = [&reports](const serve::LoggedRun& run) { return reports.of(run); };
  PageServer server;
  if (const std::string problem = server.start(options.page, url, std::move(api)); !problem.empty())
    return warn("trikal serve", problem), kSystem;
  fmt::print("{}\n", server.url());
  if (std::fflush(stdout) != 0) return warn("standard output", "cannot be written"), kSystem;
  wait(options.seconds);
  server.stop();
  return kOk;
}

void attach(CommandLine& app, Action& action) {
  auto options = std::make_shared<Options>();
  app.add_option("STORE", options->store, "a database of trikal watch: sqlite:FILE, or only the file")
      ->required()
      ->type_name("");
  options->page.declare(app, "Page");
  app.add_option(
         "--log", options->logs,
         "log of a run in the store, for call sites, phases and sizes (default: the name of the store with .darshan)")
      ->type_name("LOG")
      ->group("Page");
  app.add_option("--seconds", options->seconds, "stop after N seconds (default: Ctrl-C)")
      ->type_name("N")
      ->group("Page");
  action = [options] { return run(*options); };
}

constexpr Example kExamples[] = {
    {"trikal serve job.sqlite", "print the address of a page with the runs in the store, until Ctrl-C"},
    {"trikal serve --port 8080 job.sqlite", "the same on a fixed port, for a tunnel of ssh"},
    {"trikal serve --panel mine.py job.sqlite", "with panels of one's own: Python functions, rows in, frame out"},
};

}  // namespace

const Verb kServe = {
    "serve",
    "show the runs of a store as a web page",
    "Serves a page with the runs in a store of trikal watch: throughput, ranks over time, timelines, the "
    "busiest files and processes, the machine, stragglers, and runs of one program compared. It prints the "
    "address, which contains a token; without it no request is answered. The page is served to this "
    "machine only, unless --address names another address; then TLS is required. The store is opened for "
    "reading; while trikal watch writes to it, the page follows.",
    kExamples,
    attach,
    kWatchingSection,
    kAnswers | 1U << kSystem | 1U << kDamaged};

}  // namespace trikal::cli

// trikal watch: what a program's I/O does while it runs.

#include <fmt/format.h>
#include <signal.h>

#include <charconv>
#include <chrono>
#include <filesystem>

#include "base/utf8.hpp"
#include "cli/complain.hpp"
#include "cli/http_library.hpp"
#include "cli/page_server.hpp"
#include "cli/run_program.hpp"
#include "cli/run_reports.hpp"
#include "cli/verbs.hpp"
#include "cli/watch_screen.hpp"
#include "gather/rank_group.hpp"
#include "gather/run_maps.hpp"

namespace trikal::cli {
namespace {

struct Options {
  RunOptions run;
  std::string store;
  PageOptions page;
  bool all = false, text = false, no_page = false;
  double rate = 4, seconds = 0, keep_days = 0, keep_megabytes = 0;
  std::vector<std::string> alerts;
  std::string webhook;
};

constexpr double kSlowest = 0.1, kFastest = 100;

// A number alone is a process; programs are not called so.
std::int64_t process_of(const std::vector<std::string>& command) {
  if (command.size() != 1) return 0;
  const std::string& word = command.front();
  std::int64_t pid = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), pid);
  return error == std::errc() && end == word.data() + word.size() && pid > 0 ? pid : 0;
}

std::string store_url(const Options& options, const std::string& beside) {
  return storage::Store::url_of(options.store.empty() ? beside : options.store);
}

watch::WatcherOptions watcher_options(const Options& options, const std::string& url,
                                      std::unique_ptr<storage::Store> store) {
  constexpr double kDay = 86400e9, kMegabyte = 1e6;
  return {.store = std::move(store),
          .store_name = url,
          .pid = process_of(options.run.command),
          .rounds_per_second = options.rate,
          .events = !options.run.events.empty() || options.all || process_of(options.run.command) != 0,
          .alerts = options.alerts,
          .policy = options.run.policy.policy,
          .retention = {static_cast<stream::Nanoseconds>(options.keep_days * kDay),
                        static_cast<std::uint64_t>(options.keep_megabytes * kMegabyte)}};
}

// Where alerts are posted; nothing if nowhere, or if it cannot be done.
std::unique_ptr<Webhook> make_webhook(const Options& options) {
  if (options.webhook.empty()) return nullptr;
  std::string problem;
  const auto post = reinterpret_cast<serve::HttpPost>(http_function(serve::kHttpPostEntry, problem));
  if (post != nullptr) return std::make_unique<Webhook>(options.webhook, post);
  warn("--webhook", problem);
  return nullptr;
}

WatchScreen make_screen(const Options& options, const std::string& url) {
  std::string command;
  for (const std::string& word : options.run.command) command += (command.empty() ? "" : " ") + word;
  return {options.text ? WatchScreen::Show::kScreen : WatchScreen::Show::kNothing, url, command, make_webhook(options)};
}

// The page, unless nobody wants it. That there is none hurts nobody.
void start_page(PageServer& server, const Options& options, const std::string& url, const std::string& run_directory) {
  if (options.no_page) return;
  serve::ApiOptions api{.is_live = true};
  if (!run_directory.empty()) {
    api.snapshot = [run_directory] { return watch::log_of(gather::load_run(run_directory).maps); };
    const auto reports = std::make_shared<RunReports>();
    reports->set_snapshot(api.snapshot);
    api.report = [reports](const serve::LoggedRun& run) { return reports->of(run); };
  }
  const std::string problem = server.start(options.page, url, std::move(api));
  if (!problem.empty()) warn("page", problem);
  else if (!options.run.quiet) fmt::print(stderr, "trikal   page: {}\n", server.url());
}

void say_events(const Options& options, watch::Watcher& watcher, const std::string& url) {
  const auto events = watcher.events();
  if (!events || options.run.quiet) return;
  fmt::print(stderr, "         events: {} ({} emitted = {} stored + {} dropped)\n", printable(url), events->emitted(),
             events->stored, events->dropped());
}

// Looks on while the command runs. Without a store it still shows what there is.
class CommandWatcher final : public Onlooker {
 public:
  CommandWatcher(const Options& options, std::string url)
      : options_(options), url_(std::move(url)), screen_(make_screen(options, url_)) {}

  // A command that could not be started leaves nothing behind.
  ~CommandWatcher() override {
    server_.stop();
    if (ended_ || !watcher_) return;
    watcher_.reset();
    std::error_code ignored;
    if (made_) std::filesystem::remove(file(), ignored);
  }

  [[nodiscard]] bool takes_events() const override { return true; }
  void begin(const std::string& run_directory) override {
    made_ = !std::filesystem::exists(file());
    auto store = storage::Store::open(url_, storage::Store::Mode::kWrite);
    if (!store) screen_.store_failed(store.error(), "");
    else start_page(server_, options_, url_, run_directory);
    watcher_.emplace(watcher_options(options_, url_, store ? std::move(*store) : nullptr), screen_);
    watcher_->add_run(run_directory);
    watcher_->start();
  }
  void end(const std::vector<gather::MapFile>& maps) override {
    ended_ = true;
    watcher_->stop();
    watcher_->finish(maps);
    screen_.finish();
    say_events(options_, *watcher_, url_);
    server_.stop();
    watcher_->close();
  }

  [[nodiscard]] std::vector<gather::MachineRow> machine() const override { return watcher_->machine(); }

 private:
  [[nodiscard]] std::string file() const { return url_.substr(url_.find(':') + 1); }

  const Options& options_;
  std::string url_;
  bool made_ = false, ended_ = false;
  WatchScreen screen_;
  std::optional<watch::Watcher> watcher_;
  PageServer server_;
};

int watch_command(Options& options) {
  if (gather::is_launched_rank())
    return warn("trikal watch", "watches a whole job: trikal watch -- mpirun ..., not one rank of it"), kUsage;
  options.run.default_log = default_log_name(options.run.command.front());
  const std::filesystem::path log = options.run.log.empty() ? options.run.default_log : options.run.log;
  CommandWatcher watcher(options, store_url(options, std::filesystem::path(log).replace_extension(".sqlite").string()));
  const int code = run_program(options.run, &watcher);
  return code;
}

// Until a signal comes, the time is over, or nobody is left.
class Ending {
 public:
  explicit Ending(double seconds) : seconds_(seconds), began_(Clock::now()) {
    sigemptyset(&signals_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals_, signal);
    ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }
  [[nodiscard]] bool has_come() const {
    constexpr timespec kPause = {0, 100'000'000};
    if (::sigtimedwait(&signals_, nullptr, &kPause) > 0) return true;
    return seconds_ > 0 && std::chrono::duration<double>(Clock::now() - began_).count() >= seconds_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  sigset_t signals_{};
  double seconds_;
  Clock::time_point began_;
};

int watch_others(const Options& options) {
  const std::int64_t pid = process_of(options.run.command);
  const std::string name = pid == 0 ? "trikal watch" : fmt::format("process {}", pid);
  if (pid != 0 && ::kill(static_cast<pid_t>(pid), 0) != 0) return warn(name, "there is no such process"), kUsage;
  const std::string url = store_url(options, pid == 0 ? "watch.sqlite" : fmt::format("watch-{}.sqlite", pid));
  auto store = storage::Store::open(url, storage::Store::Mode::kWrite);
  if (!store) return complain(url, store.error());
  const Ending ending(options.seconds);  // before there is a thread, which must not hear of signals either
  WatchScreen screen = make_screen(options, url);
  watch::Watcher watcher(watcher_options(options, url, std::move(*store)), screen);
  PageServer server;
  start_page(server, options, url, "");
  watcher.watch_all();
  watcher.start();
  bool seen = false;
  for (int rounds = 0;; ++rounds) {
    if (ending.has_come()) break;
    const std::size_t processes = watcher.processes();
    seen = seen || processes > 0;
    if (pid == 0 || processes > 0) continue;
    if (seen) break;
    constexpr int kMostRounds = 30;  // rounds
    if (rounds > kMostRounds)
      return watcher.stop(), warn(name, "is not observed by trikal, or is another user's"), kUsage;
  }
  watcher.stop();
  watcher.finish({});
  screen.finish();
  server.stop();
  watcher.close();
  if (!options.run.quiet) fmt::print(stderr, "trikal   {}\n", url);
  say_events(options, watcher, url);
  return kOk;
}

int run(Options& options) {
  if (!(options.rate >= kSlowest && options.rate <= kFastest))
    return warn("--rate", fmt::format("must be from {} to {} times a second", kSlowest, kFastest)), kUsage;
  const bool pid = process_of(options.run.command) != 0;
  if (options.all && !options.run.command.empty())
    return warn("--all", "watches what is there; it starts nothing"), kUsage;
  if (!options.all && options.run.command.empty())
    return warn("trikal watch", "a command, a process id or --all is required"), kUsage;
  for (const std::string& code : options.alerts) {
    if (code != "any" && analyze::find_rule(code) == nullptr)
      return warn("--alert", code + " is no finding: trikal insights --list"), kUsage;
  }
  if (!options.webhook.empty()) {
    if (options.alerts.empty()) return warn("--webhook", "needs --alert CODE or --alert any"), kUsage;
    if (const std::string problem = webhook_problem(options.webhook); !problem.empty())
      return warn("--webhook", problem), kUsage;
  }
  if (const int code = options.page.check(); code != kOk) return code;
  if (const int code = options.run.policy.load(); code != kOk && options.run.policy.is_explicit()) return code;
  return options.all || pid ? watch_others(options) : watch_command(options);
}

void attach(CommandLine& app, Action& action) {
  constexpr const char* kLive = "While it runs";
  constexpr const char* kPage = "Page";
  auto options = std::make_shared<Options>();
  app.add_option("COMMAND", options->run.command,
                 "the program and its arguments, or the id of a process that is already observed")
      ->type_name("");
  app.add_flag("--all", options->all, "watch every observed process of this user, until Ctrl-C")->group(kLive);
  app.add_option("--store", options->store,
                 "database for the samples, sqlite:FILE (default: the name of the log with .sqlite)")
      ->type_name("URL")
      ->group(kLive);
  app.add_flag("--text", options->text, "show a live screen on standard error; plain lines if that is not a terminal")
      ->group(kLive);
  app.add_option("--rate", options->rate, "samples per second (default: 4)")->type_name("N")->group(kLive);
  app.add_option("--alert", options->alerts,
                 "print a line as soon as this finding occurs: a code of trikal insights --list, or any")
      ->type_name("CODE")
      ->group(kLive);
  app.add_option("--webhook", options->webhook, "also post each alert as JSON to this address (http or https)")
      ->type_name("URL")
      ->group(kLive);
  app.add_option("--seconds", options->seconds, "with a process id or --all: stop after N seconds")
      ->type_name("N")
      ->group(kLive);
  app.add_option("--keep-days", options->keep_days,
                 "delete samples that are older than N days from the store; totals of runs are kept")
      ->type_name("N")
      ->group(kLive);
  app.add_option("--keep-megabytes", options->keep_megabytes,
                 "delete the oldest samples when the store is larger than N megabytes")
      ->type_name("N")
      ->group(kLive);
  app.add_flag("--no-page", options->no_page, "serve no page")->group(kPage);
  options->page.declare(app, kPage);
  options->run.declare(app, RunOptions::EventsTo::kStore);
  app.positionals_at_end();
  app.prefix_command(false);
  action = [options] { return run(*options); };
}

constexpr Example kExamples[] = {
    {"trikal watch -- ./simulate input.nml", "observe a program and store what it does over time"},
    {"trikal watch --text -- mpirun -np 4 ./simulate", "a live screen of throughput, files, ranks and the machine"},
    {"trikal watch --events -- ./simulate", "also store every call with its time: the view events of trikal sql"},
    {"trikal watch --alert any -- ./simulate", "report a finding as soon as it occurs"},
    {"trikal watch --alert any --webhook http://localhost:9000/alerts -- ./simulate", "also post it as JSON"},
    {"trikal watch --all --text --seconds 10", "watch all programs that already run under trikal"},
};

}  // namespace

const Verb kWatch = {
    "watch",
    "see what a program's I/O does while it runs",
    "Runs the command as trikal run does. While it runs, watch samples the counters of all its processes and of "
    "the machine a few times a second and stores them in a database that trikal sql queries. The "
    "calls of the program execute no additional instructions for this. It also serves a page of them and prints its "
    "address; trikal serve shows the same page after the run. With a process id or --all, "
    "it watches programs that already run under trikal. At the end it writes the same log and summary "
    "as trikal run; the stored samples add up to the numbers of the log. With --events every call is stored with its "
    "time as well. If watch is killed, the program continues; trikal watch --all or trikal watch PID with the same "
    "--store resumes where it stopped, events included.",
    kExamples,
    attach,
    kWatchingSection,
    kAnswers};

}  // namespace trikal::cli

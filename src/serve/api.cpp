#include "serve/api.hpp"

#include <fmt/format.h>

#include <chrono>

#include "report/html/assets.hpp"
#include "report/json/writer.hpp"
#include "serve/answers.hpp"
#include "serve/compare_runs.hpp"
#include "serve/event_panels.hpp"
#include "serve/event_sums.hpp"
#include "serve/parameters.hpp"

namespace trikal::serve {
namespace {

// As long for a wrong one as for the right one.
bool is_same(std::string_view a, std::string_view b) {
  unsigned char differs = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    differs =
        static_cast<unsigned char>(differs | (static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i])));
  return differs == 0;
}

// The value of one cookie among those of a header: "a=1; b=2".
std::string_view cookie_value(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::size_t end = std::min(header.find(';'), header.size());
    std::string_view one = header.substr(0, end);
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (one.starts_with(name) && one.substr(name.size()).starts_with('=')) return one.substr(name.size() + 1);
    header.remove_prefix(std::min(end + 1, header.size()));
  }
  return {};
}

std::string joined(std::span<const std::string_view> pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return text;
}

std::optional<LoggedRun> logged_run(storage::Panels& panels, std::int64_t number) {
  const auto runs = panels.runs();
  if (!runs) return {};
  enum { kRun, kStart, kCommand = 3 };
  for (const storage::Row& row : runs->rows) {
    const auto* run = std::get_if<std::int64_t>(&row[kRun]);
    const auto* start = std::get_if<double>(&row[kStart]);
    const auto* command = std::get_if<std::string>(&row[kCommand]);
    if (run != nullptr && *run == number && start != nullptr)
      return LoggedRun{*start, command == nullptr ? "" : *command};
  }
  return {};
}

constexpr std::string_view kPage =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n"
    "<link rel=\"stylesheet\" href=\"/live.css\">\n<title>trikal</title>\n</head>\n<body>\n"
    "<main id=\"trikal\"><noscript>This page is drawn by a script, which is switched off here. The same numbers: "
    "trikal sql "
    "STORE 'SELECT * FROM rollups'.</noscript></main>\n<script src=\"/live.js\"></script>\n</body>\n</html>\n";

}  // namespace

Api::Api(std::unique_ptr<storage::Store> store, ApiOptions options)
    : store_(std::move(store)), options_(std::move(options)), changes_([this] {
        const std::lock_guard lock(mutex_);
        return store_->panels().version();
      }) {}

Api::Route Api::route_of(const std::string& path) {
  static constexpr std::pair<std::string_view, Route> kRoutes[] = {
      {"/", &Api::page},
      {"/live.js", &Api::script},
      {"/live.css", &Api::style},
      {"/api/about", &Api::about},
      {"/api/runs", &Api::runs},
      {"/api/sums", &Api::sums},
      {"/api/processes", &Api::processes},
      {"/api/system", &Api::system},
      {"/api/findings", &Api::findings},
      {"/api/drops", &Api::drops},
      {"/api/phases", &Api::phases},
      {"/api/compare", &Api::compare},
      {"/api/event_counts", &Api::event_counts},
      {"/api/events", &Api::events},
      {"/api/event_sums", &Api::event_sums},
      {"/api/distribution", &Api::distribution},
      {"/api/report", &Api::report},
      {"/api/panels", &Api::panels},
      {"/api/panel", &Api::panel},
      {"/api/live", &Api::live},
      {"/api/snapshot", &Api::snapshot},
  };
  for (const auto& [known, route] : kRoutes) {
    if (known == path) return route;
  }
  return nullptr;
}

bool Api::is_allowed(const HttpRequest& request) const {
  constexpr std::string_view kBearer = "Bearer ";
  if (is_same(cookie_value(request.cookie, cookie_), options_.token)) return true;
  const std::string_view header = request.authorization;
  if (header.starts_with(kBearer) && is_same(header.substr(kBearer.size()), options_.token)) return true;
  const auto given = request.parameters.find("token");
  return given != request.parameters.end() && is_same(given->second, options_.token);
}

void Api::answer(const HttpRequest& request, HttpResponse& response) {
  // The browser itself refuses what is not ours, whatever is in a name of a file.
  response.headers = {{"Content-Security-Policy",
                       "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
                       "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cache-Control", "no-store"}};
  if (!is_allowed(request)) return refuse(response, kNotAllowed, "the token is missing or wrong");
  if (request.method != "GET" && request.method != "HEAD")
    return refuse(response, kWrongMethod, "only GET is answered here");
  const Route route = route_of(request.path);
  if (route == nullptr) return refuse(response, kNotFound, "there is nothing at this address");
  (this->*route)(request, response);
}

void Api::page(const HttpRequest& request, HttpResponse& response) {
  // From now on the browser knows the token, so that the address need not show it.
  if (request.parameters.contains("token"))
    response.headers.emplace_back("Set-Cookie",
                                  fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", cookie_, options_.token));
  response.type = "text/html; charset=utf-8", response.body = kPage;
}

void Api::script(const HttpRequest& /*request*/, HttpResponse& response) {
  response.type = "text/javascript; charset=utf-8", response.body = joined(report::live_script());
}

void Api::style(const HttpRequest& /*request*/, HttpResponse& response) {
  response.type = "text/css; charset=utf-8", response.body = joined(report::live_style());
}

std::optional<double> Api::newest_value() {
  const std::lock_guard lock(mutex_);
  return store_->panels().newest();
}

void Api::about(const HttpRequest& /*request*/, HttpResponse& response) {
  report::StringSink out;
  report::JsonWriter json(out);
  json.open_object();
  json.field("version", std::string_view(options_.version));
  json.field("store", std::string_view(options_.store_name));
  json.field("live", options_.is_live);
  const double time = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  json.field("time", time);
  if (const auto newest = newest_value(); newest && options_.is_live) json.field("lag", std::max(0.0, time - *newest));
  json.field("snapshot", options_.snapshot != nullptr);
  json.field("logs", options_.report != nullptr);
  json.field("panels", options_.panels != nullptr && !options_.panels->empty());
  json.close();
  response.body = out.text();
}

void Api::runs(const HttpRequest& request, HttpResponse& response) {
  Parameters parameters(request);
  const Form form = form_of(parameters);
  parameters.end();
  if (!parameters.problem().empty()) return refuse(response, kBadRequest, parameters.problem());
  const std::lock_guard lock(mutex_);
  put_answer(response, store_->panels().runs(), form, "runs");
}

void Api::sums(const HttpRequest& request, HttpResponse& response) {
  Parameters parameters(request);
  const storage::PanelQuery query = parameters.panel();
  const Form form = form_of(parameters);
  parameters.end();
  if (!parameters.problem().empty()) return refuse(response, kBadRequest, parameters.problem());
  std::int64_t width = 0;
  const std::lock_guard lock(mutex_);
  const auto table = store_->panels().sums(query, &width);
  put_answer(response, table, form, "sums", width);
}

template <class Ask>
void Api::list_of_run(const HttpRequest& request, HttpResponse& response, const Ask& ask) {
  Parameters parameters(request);
  const std::int64_t run = parameters.number("run", 1, INT64_MAX).value_or(0);
  const Form form = form_of(parameters);
  parameters.end();
  if (!parameters.problem().empty()) return refuse(response, kBadRequest, parameters.problem());
  const std::lock_guard lock(mutex_);
  put_answer(response, ask(store_->panels(), run), form, request.path.substr(request.path.rfind('/') + 1));
}

void Api::processes(const HttpRequest& request, HttpResponse& response) {
  list_of_run(request, response, [](storage::Panels& panels, std::int64_t run) { return panels.processes(run); });
}

void Api::findings(const HttpRequest& request, HttpResponse& response) {
  list_of_run(request, response, [](storage::Panels& panels, std::int64_t run) { return panels.findings(run); });
}

void Api::drops(const HttpRequest& request, HttpResponse& response) {
  list_of_run(request, response, [](storage::Panels& panels, std::int64_t run) { return panels.drops(run); });
}

void Api::phases(const HttpRequest& request, HttpResponse& response) {
  list_of_run(request, response, [](storage::Panels& panels, std::int64_t run) { return panels.phases(run); });
}

void Api::compare(const HttpRequest& request, HttpResponse& response) {
  list_of_run(request, response, [](storage::Panels& panels, std::int64_t run) { return compare_runs(panels, run); });
}

void Api::system(const HttpRequest& request, HttpResponse& response) {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 40;
  Parameters parameters(request);
  storage::SystemQuery query;
  query.host = parameters.text("host").value_or("");
  query.from = parameters.number("from", 0, kFarthest).value_or(0);
  query.to = parameters.number("to", 0, kFarthest).value_or(0);
  query.slices = static_cast<std::size_t>(parameters.number("slices", 1, 2000).value_or(300));
  const Form form = form_of(parameters);
  parameters.end();
  if (!parameters.problem().empty()) return refuse(response, kBadRequest, parameters.problem());
  std::int64_t width = 0;
  const std::lock_guard lock(mutex_);
  const auto table = store_->panels().system(query, &width);
  put_answer(response, table, form, "system", width);
}

void Api::event_counts(const HttpRequest& request, HttpResponse& response) {
  list_of_run(request, response, [](storage::Panels& panels, std::int64_t run) { return panels.event_counts(run); });
}

void Api::events(const HttpRequest& request, HttpResponse& response) {
  constexpr std::int64_t kMostRows = 100'000;
  Parameters parameters(request);
  const EventRequest asked = parameters.events();
  const auto most = static_cast<std::size_t>(parameters.number("most", 1, kMostRows).value_or(1000));
  const EventOrder order =
      parameters.word("order", {"time", "duration"}) == "time" ? EventOrder::kTime : EventOrder::kDuration;
  const Form form = form_of(parameters);
  parameters.end();
  if (!parameters.problem().empty()) return refuse(response, kBadRequest, parameters.problem());
  const std::lock_guard lock(mutex_);
  const auto query = event_query(store_->panels(), asked);
  if (!query) return refuse(response, kNotFound, query.error().what);
  auto table = event_rows(*store_, *query, most, order);
  // A browser's numbers have 53 bits: not enough for nanoseconds since 1970.
  if (table && form == Form::kJson) count_from(*table, asked.since);
  put_answer(response, table, form, "events");
}

void Api::event_sums(const HttpRequest& request, HttpResponse& response) {
  Parameters parameters(request);
  const EventSumRequest asked = parameters.event_sums();
  const Form form = form_of(parameters);
  parameters.end();
  if (!parameters.problem().empty()) return refuse(response, kBadRequest, parameters.problem());
  const std::lock_guard lock(mutex_);
  const auto query = event_query(store_->panels(), asked.events);
  if (!query) return refuse(response, kNotFound, query.error().what);
  std::int64_t width = 0;
  auto table = serve::event_sums(*store_, *query, asked.by, asked.slices, &width);
  if (table && asked.slices > 0 && form == Form::kJson) count_from(*table, asked.events.since);
  put_answer(response, table, form, "event_sums", width);
}

void Api::distribution(const HttpRequest& request, HttpResponse& response) {
  Parameters parameters(request);
  const EventRequest asked = parameters.events();
  const Form form = form_of(parameters);
  parameters.end();
  if (!parameters.problem().empty()) return refuse(response, kBadRequest, parameters.problem());
  const std::lock_guard lock(mutex_);
  const auto query = event_query(store_->panels(), asked);
  if (!query) return refuse(response, kNotFound, query.error().what);
  put_answer(response, event_distribution(*store_, *query), form, "distribution");
}

void Api::live(const HttpRequest& /*request*/, HttpResponse& response) {
  response.stream = changes_.listen();
  if (!response.stream) return refuse(response, kBusy, "too many pages listen already");
  response.type = "text/event-stream";
}

void Api::snapshot(const HttpRequest& /*request*/, HttpResponse& response) {
  if (!options_.snapshot)
    return refuse(response, kNotFound, "no run is being watched here: trikal snapshot makes a log of it");
  response.body = options_.snapshot();
  if (response.body.empty()) return refuse(response, kBusy, "there is nothing yet that a log could be made of");
  response.type = "application/octet-stream";
  response.headers.emplace_back("Content-Disposition", "attachment; filename=\"snapshot.darshan\"");
}

void Api::report(const HttpRequest& request, HttpResponse& response) {
  Parameters parameters(request);
  const std::int64_t number = parameters.number("run", 1, INT64_MAX).value_or(0);
  parameters.end();
  if (!parameters.problem().empty()) return refuse(response, kBadRequest, parameters.problem());
  std::optional<LoggedRun> run;
  {
    const std::lock_guard lock(mutex_);
    run = logged_run(store_->panels(), number);
  }
  if (run && options_.report) response.body = options_.report(*run);
  if (response.body.empty()) response.body = "null";  // no error: most stores have no log beside them
}

void Api::panels(const HttpRequest& request, HttpResponse& response) {
  Parameters parameters(request);
  parameters.end();
  if (!parameters.problem().empty()) return refuse(response, kBadRequest, parameters.problem());
  if (!options_.panels) return refuse(response, kNotFound, "no panels were given: --panel FILE.py");
  response.body = options_.panels->list();
}

void Api::panel(const HttpRequest& request, HttpResponse& response) {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 40;
  Parameters parameters(request);
  PanelQuestion question;
  question.name = parameters.text("name").value_or("");
  question.run = parameters.number("run", 1, INT64_MAX).value_or(0);
  question.from = parameters.number("from", 0, kFarthest).value_or(0);
  question.to = parameters.number("to", 0, kFarthest).value_or(0);
  parameters.end();
  if (!parameters.problem().empty()) return refuse(response, kBadRequest, parameters.problem());
  if (question.name.empty() || question.run == 0) return refuse(response, kBadRequest, "name and run are required");
  if (!options_.panels) return refuse(response, kNotFound, "no panels were given: --panel FILE.py");
  response.body = options_.panels->draw(question);
}

}  // namespace trikal::serve

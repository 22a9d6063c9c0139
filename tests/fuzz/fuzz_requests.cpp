// Requests to the page's server, behind the HTTP library: any path and parameters, from a client that knows the token. Every answer is one
// that the page can read, and none is an error of the server.

#include <unistd.h>

#include <string>
#include <string_view>

#include "serve/api.hpp"

namespace {

using namespace trikal;  // NOLINT: this file is the program

constexpr const char* kPaths[] = {"/",           "/api/sums",     "/api/runs",    "/api/processes",
                                  "/api/system", "/api/findings", "/api/drops",   "/api/compare",
                                  "/api/about",  "/live.js",      "/api/snapshot"};

void must(bool holds) {
  if (!holds) __builtin_trap();
}

std::unique_ptr<storage::Store> make_store() {
  const std::string path = "/tmp/fuzz-requests-" + std::to_string(::getpid()) + ".sqlite";
  {
    auto store = storage::Store::open("sqlite:" + path, storage::Store::Mode::kWrite);
    must(store.ok());
    stream::Batch batch{.source = 1, .sequence = 1, .host = "node"};
    for (std::uint64_t run = 1; run <= 4; ++run) {
      const auto second = static_cast<std::int64_t>(run) * 1000;
      batch.runs.push_back({run, second * stream::kSecond, "./app", "node"});
      batch.processes.push_back(
          {.process = run, .run = run, .pid = 12, .rank = 3, .start = 1, .host = "node", .command = "./app"});
      batch.files.push_back({run, "/data"});
      batch.intervals.push_back({second * stream::kSecond,
                                 (second + 1) * stream::kSecond,
                                 {{run, run, 1, Operation::kWrite, {2, 100, 1 << 20}}}});
    }
    must((*store)->ingest(batch).ok());
  }
  auto store = storage::Store::open("sqlite:" + path, storage::Store::Mode::kRead);
  must(store.ok());
  ::unlink(path.c_str());
  return std::move(*store);
}

// A byte for the path, then name=value lines.
serve::HttpRequest request_of(std::string_view text) {
  serve::HttpRequest request{"GET", "", {}, "", "Bearer token"};
  if (text.empty()) return request;
  const auto number = static_cast<unsigned char>(text.front());
  text.remove_prefix(1);
  if (number < std::size(kPaths)) request.path = kPaths[number];
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t equals = std::min(line.find('='), line.size());
    if (request.path.empty()) request.path = line;
    else request.parameters.emplace(line.substr(0, equals), line.substr(std::min(equals + 1, line.size())));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return request;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static serve::Api& api = *new serve::Api(make_store(), {.token = "token", .store_name = "s", .version = "v"});
  const serve::HttpRequest request = request_of({reinterpret_cast<const char*>(data), size});
  serve::HttpResponse response;
  api.answer(request, response);
  must(response.status == 200 || response.status == 400 || response.status == 404);
  must(response.type != "application/json" || (response.body.starts_with('{') && response.body.ends_with('}')));
  return 0;
}

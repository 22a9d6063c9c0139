#include "serve/api.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "serve/parameters.hpp"

namespace trikal::serve {
namespace {

constexpr const char* kToken = "secret-token";

class ApiTest : public ::testing::Test {
 protected:
  ApiTest() {
    auto store = std::move(*storage::Store::open("sqlite:" + path_, storage::Store::Mode::kWrite));
    stream::Batch batch{.source = 1, .sequence = 1, .host = "node"};
    batch.runs.push_back({5, 1000 * stream::kSecond, "./app <b>", "node"});
    batch.processes.push_back(
        {.process = 9, .run = 5, .pid = 12, .rank = 3, .start = 1, .host = "node", .command = "./app"});
    batch.files.push_back({7, "/data/<script>alert(1)</script>,\"x\""});
    batch.intervals.push_back(
        {1000 * stream::kSecond, 1001 * stream::kSecond, {{9, 7, 1, Operation::kWrite, {2, 100, 1 << 20}}}});
    EXPECT_TRUE(store->ingest(batch).ok());
    store.reset();
    api_ = std::make_unique<Api>(std::move(*storage::Store::open("sqlite:" + path_, storage::Store::Mode::kRead)),
                                 ApiOptions{.token = kToken, .store_name = "s", .version = "v"});
    api_->set_port(80);
  }
  ~ApiTest() override {
    api_.reset();
    for (const char* end : {"", "-shm", "-wal"}) ::unlink((path_ + end).c_str());
  }

  HttpResponse get(const std::string& path, std::multimap<std::string, std::string> parameters = {}) {
    HttpResponse response;
    api_->answer({"GET", path, std::move(parameters), "a=1; trikal-80=secret-token", ""}, response);
    return response;
  }

  std::string path_ = ::testing::TempDir() + "api-" + std::to_string(::getpid()) + ".sqlite";
  std::unique_ptr<Api> api_;
};

TEST_F(ApiTest, LetsInWhoKnowsTheToken) {
  const auto status = [&](const HttpRequest& request) {
    HttpResponse response;
    api_->answer(request, response);
    return response.status;
  };
  EXPECT_EQ(status({"GET", "/", {}, "", ""}), 401);
  EXPECT_EQ(status({"GET", "/live.js", {}, "trikal-80=secret-toke", ""}), 401);
  EXPECT_EQ(status({"GET", "/api/runs", {}, "trikal-81=secret-token", ""}), 401);
  EXPECT_EQ(status({"GET", "/api/runs", {{"token", "secret-tokenx"}}, "", ""}), 401);
  EXPECT_EQ(status({"GET", "/api/runs", {}, "", "Bearer secret-token"}), 200);
  EXPECT_EQ(status({"GET", "/api/runs", {{"token", kToken}}, "", ""}), 200);
  EXPECT_EQ(status({"POST", "/api/runs", {{"token", kToken}}, "", ""}), 405);
  HttpResponse page;
  api_->answer({"GET", "/", {{"token", kToken}}, "", ""}, page);
  EXPECT_EQ(page.headers.back().first, "Set-Cookie");
  EXPECT_NE(page.headers.back().second.find("HttpOnly; SameSite=Strict"), std::string::npos);
}

TEST_F(ApiTest, AnswersTablesAsJsonAndCsv) {
  EXPECT_EQ(get("/api/sums", {{"run", "1"}, {"by", "rank"}}).body,
            R"({"width":1,"columns":["rank","calls","bytes","seconds"],"rows":[[3,2,100,1]]})");
  EXPECT_EQ(get("/api/sums", {{"by", "file"}, {"format", "csv"}}).body,
            "file,calls,bytes,seconds\n\"/data/<script>alert(1)</script>,\"\"x\"\"\",2,100,1\n");
  EXPECT_NE(get("/api/runs").body.find("./app <b>"), std::string::npos);
  EXPECT_EQ(get("/api/findings", {{"run", "1"}}).body,
            R"({"columns":["code","severity","seconds","title","first","last"],"rows":[]})");
}

TEST_F(ApiTest, RefusesWhatMakesNoSense) {
  const auto refused = [&](const std::string& path, std::multimap<std::string, std::string> parameters) {
    const HttpResponse response = get(path, std::move(parameters));
    return std::to_string(response.status) + " " + response.body;
  };
  EXPECT_EQ(refused("/api/sums", {{"run", "x"}}).substr(0, 3), "400");
  EXPECT_EQ(refused("/api/sums", {{"run", "99999999999999999999"}}).substr(0, 3), "400");
  EXPECT_EQ(refused("/api/sums", {{"by", "rank;DROP TABLE run"}}).substr(0, 3), "400");
  EXPECT_EQ(refused("/api/sums", {{"by", "rank,rank"}}).substr(0, 3), "400");
  EXPECT_EQ(refused("/api/sums", {{"slices", "0"}}).substr(0, 3), "400");
  EXPECT_EQ(refused("/api/sums", {{"run", "1"}, {"run", "2"}}), R"(400 {"error":"run is there twice"})");
  EXPECT_EQ(refused("/api/sums", {{"rnak", "1"}}), R"(400 {"error":"rnak is no parameter of this address"})");
  EXPECT_EQ(refused("/api/sums", {{"format", "xml"}}), R"(400 {"error":"format cannot be xml"})");
  EXPECT_EQ(refused("/../etc/passwd", {}).substr(0, 3), "404");
  EXPECT_EQ(refused("/api/snapshot", {}).substr(0, 3), "404");
  EXPECT_EQ(refused("/api", {}).substr(0, 3), "404");
}

TEST_F(ApiTest, TellsWhenSomethingIsStored) {
  HttpResponse response = get("/api/live");
  ASSERT_TRUE(response.stream);
  EXPECT_EQ(response.type, "text/event-stream");
  std::string piece;
  ASSERT_TRUE(response.stream(piece));
  EXPECT_EQ(piece, "id: 1\nevent: change\ndata: 1\n\n");
  auto writer = std::move(*storage::Store::open("sqlite:" + path_, storage::Store::Mode::kWrite));
  stream::Batch batch{.source = 1, .sequence = 2, .host = "node"};
  batch.findings.push_back({5, 1, "code", "title", "low", 1});
  ASSERT_TRUE(writer->ingest(batch).ok());
  piece.clear();
  for (int i = 0; i < 20 && piece.empty(); ++i) ASSERT_TRUE(response.stream(piece));
  EXPECT_EQ(piece.substr(0, 6), "id: 2\n");
}

TEST_F(ApiTest, TellsThatTheRunIsOver) {
  HttpResponse response = get("/api/live");
  std::string piece;
  ASSERT_TRUE(response.stream(piece));
  api_->end();
  piece.clear();
  ASSERT_TRUE(response.stream(piece));
  EXPECT_EQ(piece, "event: end\ndata:\n\n");
  // It stays until the page has drawn the end and closes it.
  piece.clear();
  EXPECT_TRUE(response.stream(piece));
  EXPECT_EQ(piece, "");
}

TEST_F(ApiTest, LimitsHowManyListen) {
  std::vector<HttpResponse> listeners;
  while (listeners.size() < 100) {
    listeners.push_back(get("/api/live"));
    if (!listeners.back().stream) break;
  }
  EXPECT_EQ(listeners.back().status, 503);
  EXPECT_EQ(listeners.size(), 17U);
  listeners.clear();
  EXPECT_TRUE(get("/api/live").stream);
}

}  // namespace
}  // namespace trikal::serve

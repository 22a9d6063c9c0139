#pragma once
// HTTP as the rest of trikal sees it. The library that speaks it is known to http/server.cpp alone, which lives in a shared library
// of its own: only `trikal serve` and `trikal watch` load it.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace trikal::serve {

struct HttpRequest {
  std::string method, path;
  std::multimap<std::string, std::string> parameters;  // of the address, decoded
  std::string cookie, authorization;  // headers
};

struct HttpResponse {
  int status = 200;
  std::string type = "application/json", body;
  std::vector<std::pair<std::string, std::string>> headers;
  // Instead of a body: called until it answers false, or the client is gone. It may wait for up to a second and leave the piece
  // empty.
  std::function<bool(std::string& piece)> stream;
};

using HttpHandler = std::function<void(const HttpRequest&, HttpResponse&)>;  // called by several threads

struct HttpOptions {
  std::string address = "127.0.0.1";
  int port = 0;  // 0: any that is free
  std::string certificate, key;  // PEM files; both or none
};

class HttpServer {
 public:
  virtual ~HttpServer() = default;  // stops
  // In threads of its own, until stop(). False: error() says why.
  virtual bool start() = 0;
  virtual void stop() = 0;
  [[nodiscard]] virtual int port() const = 0;
  [[nodiscard]] virtual std::string error() const = 0;
};

// Posts JSON to http(s)://HOST[:PORT]/...; takes some seconds at most once the name of the host is found. False: `problem` says what
// went wrong.
using HttpPost = bool (*)(const std::string& url, const std::string& json, std::string& problem);
inline constexpr const char* kHttpPostEntry = "trikal_http_post";

inline constexpr const char* kHttpLibrary = "libtrikal-http.so";
inline constexpr const char* kHttpEntry = "trikal_http_server";
using HttpEntry = HttpServer* (*)(const HttpOptions&, const HttpHandler&);  // the caller deletes it

}  // namespace trikal::serve

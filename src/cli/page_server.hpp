#pragma once
// The page of `trikal serve` and `trikal watch`: a web server on a store, and the address that lets a person in.

#include <memory>
#include <string>

#include "serve/api.hpp"

namespace trikal::cli {

struct PageOptions {
  std::string address = "127.0.0.1", token, certificate, key;
  int port = 0;
  std::vector<std::string> panels;  // Python files

  void declare(class CommandLine& app, const char* group);
  // The exit code that says what makes no sense; kOk: nothing.
  [[nodiscard]] int check() const;
};

class PageServer {
 public:
  // The problem in a sentence; empty: it serves.
  std::string start(const PageOptions& options, const std::string& store_url, serve::ApiOptions api);
  // Of the page, with the token in it.
  [[nodiscard]] const std::string& url() const { return url_; }
  void stop();

 private:
  std::string url_;
  bool is_live_ = false;
  std::unique_ptr<serve::Api> api_;
  std::unique_ptr<serve::HttpServer> server_;  // before the API goes
};

}  // namespace trikal::cli

#include "cli/page_server.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "cli/complain.hpp"
#include "cli/http_library.hpp"
#include "cli/verbs.hpp"
#include "cli/version.hpp"

namespace trikal::cli {
namespace {

// 128 bits nobody can guess.
std::string make_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return "";
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

bool is_local(const std::string& address) {
  return address == "localhost" || address == "::1" || address.starts_with("127.");
}

// What runs panels: TRIKAL_PYTHON, else python3. The package asks this trikal, not another one on the PATH.
std::shared_ptr<serve::UserPanels> panels_of(const std::vector<std::string>& files, const std::string& store_url) {
  if (files.empty()) return nullptr;
  const char* python = std::getenv("TRIKAL_PYTHON");
  std::error_code ignored;
  return std::make_shared<serve::UserPanels>(
      serve::UserPanelOptions{.files = files,
                              .store_url = store_url,
                              .python = python != nullptr && python[0] != '\0' ? python : "python3",
                              .tool = std::filesystem::read_symlink("/proc/self/exe", ignored).string()});
}

}  // namespace

void PageOptions::declare(CommandLine& app, const char* group) {
  app.add_option("--address", address, "address that the page is served on (default: 127.0.0.1); others require TLS")
      ->type_name("HOST")
      ->group(group);
  app.add_option("--port", port, "port of the page (default: one that is free)")->type_name("N")->group(group);
  app.add_option("--token", token, "word that the address of the page must contain (default: a random one)")
      ->type_name("WORD")
      ->group(group);
  app.add_option("--certificate", certificate, "serve by TLS with this certificate (PEM file)")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--panel", panels, "show what Python functions of this file make of the store as panels of the page")
      ->type_name("FILE.py")
      ->group(group);
  app.add_option("--key", key, "private key of the certificate (PEM file)")->type_name("FILE")->group(group);
}

int PageOptions::check() const {
  constexpr int kPorts = 65535;
  constexpr std::size_t kShortest = 8;
  if (port < 0 || port > kPorts) return warn("--port", fmt::format("must be from 0 to {}", kPorts)), kUsage;
  if (certificate.empty() != key.empty())
    return warn("--certificate", "needs --key, and --key needs --certificate"), kUsage;
  if (!is_local(address) && certificate.empty())
    return warn("--address", address + " can be reached from other machines: --certificate and --key are required"),
           kUsage;
  for (const std::string& file : panels) {
    if (!std::filesystem::is_regular_file(file)) return warn("--panel", file + " is no file"), kUsage;
  }
  const bool plain =
      token.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == std::string::npos;
  if (!token.empty() && (!plain || token.size() < kShortest))
    return warn("--token", fmt::format("must be {} or more characters of a-z, A-Z, 0-9, - and _", kShortest)), kUsage;
  return kOk;
}

std::string PageServer::start(const PageOptions& options, const std::string& store_url, serve::ApiOptions api) {
  std::string problem;
  const auto entry = reinterpret_cast<serve::HttpEntry>(http_function(serve::kHttpEntry, problem));
  if (entry == nullptr) return problem;
  auto store = storage::Store::open(store_url, storage::Store::Mode::kRead);
  if (!store) return store.error().what;
  api.token = options.token.empty() ? make_token() : options.token;
  if (api.token.empty()) return "the system has no random numbers";
  api.store_name = store_url, api.version = kVersion;
  api.panels = panels_of(options.panels, store_url);
  const std::string token = api.token;
  is_live_ = api.is_live;
  api_ = std::make_unique<serve::Api>(std::move(*store), std::move(api));
  serve::Api* answers = api_.get();
  server_.reset(entry({options.address, options.port, options.certificate, options.key},
                      [answers](const serve::HttpRequest& request, serve::HttpResponse& response) {
                        answers->answer(request, response);
                      }));
  if (!server_->start()) return fmt::format("{} port {}: {}", options.address, options.port, server_->error());
  api_->set_port(server_->port());
  const bool is_v6 = options.address.find(':') != std::string::npos;
  url_ = fmt::format("{}://{}{}{}:{}/?token={}", options.certificate.empty() ? "http" : "https", is_v6 ? "[" : "",
                     options.address, is_v6 ? "]" : "", server_->port(), token);
  return "";
}

void PageServer::stop() {
  if (api_ && is_live_) api_->end();
  if (server_) server_->stop();
  server_.reset();
  api_.reset();
}

}  // namespace trikal::cli

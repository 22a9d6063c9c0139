// The web server, by cpp-httplib.

#include <httplib.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "serve/http/http.hpp"

namespace trikal::serve {
namespace {

constexpr std::size_t kThreads = 24;  // pages that listen hold one each: serve/changes.hpp bounds those
constexpr std::size_t kLargestRequest = 64 * 1024;
constexpr int kBacklog = 128;  // connections that wait to be taken: of the library's five, a burst waits for seconds
constexpr int kSeconds = 2;  // that a client may take to send or to read
constexpr int kIdleSeconds = 1;  // that a connection is kept for the next request: stopping has to wait for it

HttpRequest request_of(const httplib::Request& from) {
  return {from.method,
          from.path,
          {from.params.begin(), from.params.end()},
          from.get_header_value("Cookie"),
          from.get_header_value("Authorization")};
}

void answer(httplib::Response& to, HttpResponse&& from) {
  to.status = from.status;
  for (const auto& [name, value] : from.headers) to.set_header(name, value);
  if (!from.stream) return to.set_content(std::move(from.body), from.type);
  to.set_chunked_content_provider(from.type,
                                  [stream = std::move(from.stream)](std::size_t /*offset*/, httplib::DataSink& sink) {
                                    std::string piece;
                                    if (!stream(piece)) return sink.done(), true;
                                    return piece.empty() ? sink.is_writable() : sink.write(piece.data(), piece.size());
                                  });
}

class Server final : public HttpServer {
 public:
  Server(const HttpOptions& options, const HttpHandler& handler) : options_(options) {
    if (options.certificate.empty()) server_ = std::make_unique<httplib::Server>();
    else server_ = std::make_unique<httplib::SSLServer>(options.certificate.c_str(), options.key.c_str());
    server_->new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server_->set_payload_max_length(kLargestRequest);
    server_->set_read_timeout(kSeconds);
    server_->set_write_timeout(kSeconds);
    server_->set_keep_alive_timeout(kIdleSeconds);
    server_->set_tcp_nodelay(true);
    // Two servers must not share a port, which the library's own option allows.
    server_->set_socket_options([this](socket_t socket) {
      const int yes = 1;
      socket_ = socket;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    // Before any of its own handling: one function answers every request.
    server_->set_pre_routing_handler([handler](const httplib::Request& request, httplib::Response& response) {
      HttpResponse made;
      handler(request_of(request), made);
      answer(response, std::move(made));
      return httplib::Server::HandlerResponse::Handled;
    });
  }
  ~Server() override { stop(); }

  bool start() override {
    if (!server_->is_valid()) return error_ = "the certificate or its key cannot be used", false;
    errno = 0;
    port_ = options_.port;
    if (port_ == 0) port_ = server_->bind_to_any_port(options_.address);
    else if (!server_->bind_to_port(options_.address, port_)) port_ = -1;
    if (port_ > 0) (void)::listen(socket_, kBacklog);  // again: it listens already
    if (port_ <= 0) return error_ = errno == 0 ? "the address cannot be used" : std::strerror(errno), false;
    thread_ = std::thread([this] { server_->listen_after_bind(); });
    while (!server_->is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return true;
  }
  void stop() override {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
  }
  [[nodiscard]] int port() const override { return port_; }
  [[nodiscard]] std::string error() const override { return error_; }

 private:
  HttpOptions options_;
  std::unique_ptr<httplib::Server> server_;
  int port_ = 0, socket_ = -1;
  std::string error_;
  std::thread thread_;
};

}  // namespace
}  // namespace trikal::serve

extern "C" __attribute__((visibility("default"))) trikal::serve::HttpServer* trikal_http_server(
    const trikal::serve::HttpOptions& options, const trikal::serve::HttpHandler& handler) {
  return new trikal::serve::Server(options, handler);
}

// Posts to a server that a person named, by cpp-httplib.

#include <httplib.h>

#include "serve/http/http.hpp"

namespace trikal::serve {
namespace {

constexpr int kSeconds = 5;  // to connect, to send and to answer, each

std::string post(const std::string& url, const std::string& json) {
  const std::size_t host = url.find("://");
  if (host == std::string::npos) return "it is no address";
  const std::size_t path = std::min(url.find('/', host + 3), url.size());
  httplib::Client client(url.substr(0, path));
  if (!client.is_valid()) return "it is no address";
  client.set_connection_timeout(kSeconds);
  client.set_read_timeout(kSeconds);
  client.set_write_timeout(kSeconds);
  const auto answer = client.Post(path == url.size() ? "/" : url.c_str() + path, json, "application/json");
  if (!answer) return httplib::to_string(answer.error());
  constexpr int kSuccess = 200, kNoSuccess = 300;
  return answer->status >= kSuccess && answer->status < kNoSuccess ? ""
                                                                   : "it answered " + std::to_string(answer->status);
}

}  // namespace
}  // namespace trikal::serve

// What the library throws becomes a sentence: the caller is another program.
extern "C" __attribute__((visibility("default"))) bool trikal_http_post(const std::string& url, const std::string& json,
                                                                        std::string& problem) {
  try {
    problem = trikal::serve::post(url, json);
  } catch (const std::exception& thrown) {
    problem = thrown.what();
  }
  return problem.empty();
}

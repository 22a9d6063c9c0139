#pragma once
// Words of an address as questions to the store. What makes no sense is refused with a sentence.

#include <initializer_list>
#include <string>

#include "serve/http/http.hpp"
#include "store/panels.hpp"

namespace trikal::serve {

// Which events. Times are nanoseconds since the second `since`.
struct EventRequest {
  std::int64_t run = 0, since = 0, begin = 0;
  std::optional<std::int64_t> rank, process, thread, end;
  std::string file, interface, call;
};

struct EventSumRequest {
  EventRequest events;
  std::string by;
  std::size_t slices = 0;  // 0: of the whole time
};

class Parameters {
 public:
  explicit Parameters(const HttpRequest& request);

  // The sentence; empty: all is well.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  [[nodiscard]] storage::PanelQuery panel();
  [[nodiscard]] EventRequest events();
  [[nodiscard]] EventSumRequest event_sums();
  [[nodiscard]] std::optional<std::int64_t> number(const std::string& name, std::int64_t least, std::int64_t most);
  [[nodiscard]] std::optional<std::string> text(const std::string& name);
  // One of these; the first where none is given.
  [[nodiscard]] std::string word(const std::string& name, std::initializer_list<std::string_view> allowed);
  // Refuses what nobody has asked for by name: a misspelt filter would show other numbers than were asked for.
  void end();

 private:
  void refuse(std::string problem);
  void read_groups(storage::PanelQuery& query);

  std::multimap<std::string, std::string> left_;
  std::string problem_;
};

}  // namespace trikal::serve

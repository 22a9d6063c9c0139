#include "report/csv/csv_text.hpp"

namespace trikal::report {

void put_csv_text(Sink& out, std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of("\",\r\n") == std::string_view::npos;
  if (plain) return out.put(text);
  out.put("\"");
  for (;;) {
    const std::size_t quote = text.find('"');
    out.put(text.substr(0, quote));
    if (quote == std::string_view::npos) break;
    out.put("\"\"");
    text.remove_prefix(quote + 1);
  }
  out.put("\"");
}

}  // namespace trikal::report

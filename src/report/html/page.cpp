#include "report/html/page.hpp"

#include <algorithm>
#include <span>

#include "report/html/assets.hpp"

namespace trikal::report {
namespace {

// The browser itself is told to refuse every request, whatever is in the page.
constexpr std::string_view kBegin =
    "<!doctype html>\n"
    "<html lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<meta name=\"referrer\" content=\"no-referrer\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n"
    "<title>";
constexpr std::string_view kData =
    "</head>\n"
    "<body>\n"
    "<main id=\"trikal\"><noscript>This page is drawn by a script inside it, which is switched off here. "
    "The same findings: trikal insights LOG.</noscript></main>\n"
    "<script type=\"application/json\" id=\"trikal-data\">";
// A name like "<!--<script>" puts the browser's parser into a state in which "</script>" ends nothing; "-->" leaves
// that state. The script cuts it off the data.
constexpr std::string_view kEndOfData = "\n--></script>\n";

void put_all(Sink& out, std::span<const std::string_view> pieces) {
  for (const std::string_view piece : pieces) out.put(piece);
}

void put_style(Sink& out, std::string_view title) {
  out.put(kBegin);
  put_escaped(out, title);
  out.put("</title>\n<style>");
  put_all(out, page_style());
  out.put("</style>\n");
}

}  // namespace

bool has_page() { return !page_script().empty(); }

void put_escaped(Sink& out, std::string_view text) {
  for (const char character : text) {
    switch (character) {
      case '&': out.put("&amp;"); break;
      case '<': out.put("&lt;"); break;
      case '>': out.put("&gt;"); break;
      case '"': out.put("&quot;"); break;
      default: out.put({&character, 1});
    }
  }
}

void write_page_head(Sink& out, std::string_view title) {
  put_style(out, title);
  out.put(kData);
}

// In JSON a "<" stands in strings only; written as an escape it means nothing to a browser.
void put_page_data(Sink& out, std::string_view json) {
  for (std::size_t at = 0; at < json.size();) {
    const std::size_t found = std::min(json.find('<', at), json.size());
    out.put(json.substr(at, found - at));
    if (found < json.size()) out.put("\\u003c");
    at = found + 1;
  }
}

void write_plain_head(Sink& out, std::string_view title) {
  put_style(out, title);
  out.put("</head>\n<body>\n<main>\n");
}

void write_plain_tail(Sink& out) { out.put("</main>\n</body>\n</html>\n"); }

void write_page_tail(Sink& out) {
  out.put(kEndOfData);
  out.put("<script>");
  put_all(out, page_script());
  out.put("</script>\n</body>\n</html>\n");
}

}  // namespace trikal::report

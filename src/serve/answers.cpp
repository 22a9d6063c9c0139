#include "serve/answers.hpp"

#include <fmt/format.h>

#include "serve/table_text.hpp"

namespace trikal::serve {

void refuse(HttpResponse& response, int status, std::string_view why) {
  report::StringSink out;
  report::JsonWriter json(out);
  json.open_object();
  json.field("error", why);
  json.close();
  response.status = status, response.type = "application/json", response.body = out.text(), response.stream = nullptr;
}

Form form_of(Parameters& parameters) {
  return parameters.word("format", {"json", "csv"}) == "csv" ? Form::kCsv : Form::kJson;
}

void put_answer(HttpResponse& response, const Result<storage::Table>& table, Form form, std::string_view name,
                std::int64_t width) {
  if (!table) return refuse(response, kFailed, table.error().what);
  if (form == Form::kCsv) {
    response.type = "text/csv; charset=utf-8", response.body = csv_of(*table);
    response.headers.emplace_back("Content-Disposition", fmt::format("attachment; filename=\"{}.csv\"", name));
    return;
  }
  report::StringSink out;
  report::JsonWriter json(out);
  json.open_object();
  if (width > 0) json.field("width", width);
  put_table(json, *table);
  json.close();
  response.body = out.text();
}

}  // namespace trikal::serve

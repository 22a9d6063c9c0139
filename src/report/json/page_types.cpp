#include "report/json/page_types.hpp"

#include <fmt/format.h>

#include "report/json/prediction_shapes.hpp"
#include "report/json/report_shapes.hpp"
#include "report/json/typescript.hpp"

namespace trikal::report {
namespace {

// The types of a document, behind its schema as a constant of that name.
template <class Document>
std::string types_of(std::string_view tables, std::string_view constant, std::string_view schema) {
  TypeScript types;
  types.type<Document>();
  return fmt::format(
      "// The document in the element #trikal-data. Made by `trikal generate page-types -o web/src` of the tables in\n"
      "// src/report/json/{}, which also write it: change those, not this file.\n"
      "// Any list may be empty and any number 0. A number that was none is null in the file; readData makes it 0.\n\n"
      "export const {} = \"{}\";\n{}",
      tables, constant, schema, types.declarations());
}

}  // namespace

std::string report_page_types() { return types_of<Report>("report_shapes.hpp", "kSchema", kReportSchema); }

std::string prediction_page_types() {
  return types_of<PredictionPage>("prediction_shapes.hpp", "kPredictionSchema", kPredictionPageSchema);
}

}  // namespace trikal::report

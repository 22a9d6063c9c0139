#include "report/json/page_types.hpp"

#include <fmt/format.h>

#include "report/json/report_shapes.hpp"
#include "report/json/typescript.hpp"

namespace trikal::report {

std::string report_page_types() {
  TypeScript types;
  types.type<Report>();
  return fmt::format(
      "// The document in the element #trikal-data. Made by `trikal generate page-types -o web/src` of the tables in\n"
      "// src/report/json/report_shapes.hpp, which also write it: change those, not this file.\n"
      "// Any list may be empty and any number 0. A number that was none is null in the file; readData makes it 0.\n\n"
      "export const kSchema = \"{}\";\n{}",
      kReportSchema, types.declarations());
}

}  // namespace trikal::report

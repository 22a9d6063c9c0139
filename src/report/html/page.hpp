#pragma once
// The frame of the report page: one file that loads nothing. The caller writes the data between head and tail,
//
//   if (!has_page()) return <error: built without the report page>;
//   write_page_head(out, title);  <JSON, "trikal-report 1" as report/json/report_shapes.hpp has it>  write_page_tail(out);
//
// with every "<" in the JSON written as an escape (put_page_data), so that no name in it can end the element.

#include <string_view>

#include "report/sink.hpp"

namespace trikal::report {

// False in a build without the tools that bundle web/ (TRIKAL_WEB).
[[nodiscard]] bool has_page();
void write_page_head(Sink& out, std::string_view title);
void write_page_tail(Sink& out);
void put_page_data(Sink& out, std::string_view json);

// The same frame around HTML that needs no script. Text goes through put_escaped, also in attributes with ".
void write_plain_head(Sink& out, std::string_view title);
void write_plain_tail(Sink& out);
void put_escaped(Sink& out, std::string_view text);

}  // namespace trikal::report

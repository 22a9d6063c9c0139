#pragma once
// Sentences on lines that fit the screen.

#include <cstddef>
#include <string_view>

#include "report/sink.hpp"

namespace trikal::report {

// Breaks at spaces; every line begins with `indent` blanks. What is longer than a line stays whole.
void put_wrapped(Sink& out, std::string_view text, std::size_t indent, Style style = Style::kPlain);

}  // namespace trikal::report

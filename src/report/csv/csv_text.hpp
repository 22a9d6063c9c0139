#pragma once
// A cell of text as RFC 4180 says: quoted where it needs it, and where it is empty. Bytes are unchanged.

#include "report/sink.hpp"

namespace trikal::report {

void put_csv_text(Sink& out, std::string_view text);

}  // namespace trikal::report

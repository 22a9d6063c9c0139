#pragma once
// What is said in front of a listing of a log whose trace is not whole.

#include "log/read/reader.hpp"
#include "report/text/notices.hpp"

namespace trikal::report {

// Nothing where it is.
void note_thinned(Sink& out, log::Reader& reader, Notices& notices);

}  // namespace trikal::report

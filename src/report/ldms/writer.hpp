#pragma once
// Messages of the connector as text: a line of JSON, or a row of CSV. docs/formats/ldms.md.

#include "report/ldms/messages.hpp"
#include "report/sink.hpp"

namespace trikal::report::ldms {

// An object and a line feed. Names are escaped, so that there is no other line feed in it.
void put_json(Sink& out, Dialect dialect, const Message& message);

// The line of column names.
void put_csv_header(Sink& out, Dialect dialect);
void put_csv(Sink& out, Dialect dialect, const Message& message);

}  // namespace trikal::report::ldms

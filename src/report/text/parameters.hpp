#pragma once
// P1 to P15 and X1 to X16 of every block with I/O, as a table.

#include "analyze/dataset/prediction.hpp"
#include "report/sink.hpp"

namespace trikal::report {

void write_parameters(Sink& out, const analyze::Prediction& prediction);

}  // namespace trikal::report

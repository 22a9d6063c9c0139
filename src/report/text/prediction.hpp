#pragma once
// A prediction for people: the tree of code blocks with their scores, then what each line does, then what is not known.

#include "analyze/dataset/prediction.hpp"
#include "report/sink.hpp"

namespace trikal::report {

void write_prediction(Sink& out, const analyze::Prediction& prediction);

// The blocks with I/O as a graph for dot: what is inside what, the redder the more of its time is I/O.
void write_block_graph(Sink& out, const analyze::Prediction& prediction);

}  // namespace trikal::report

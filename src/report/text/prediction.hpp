#pragma once
// A prediction for people: the tree of code blocks with their scores, then what each line does, then what is not known.

#include "analyze/dataset/prediction.hpp"
#include "report/sink.hpp"

namespace trikal::report {

void write_prediction(Sink& out, const analyze::Prediction& prediction);

}  // namespace trikal::report

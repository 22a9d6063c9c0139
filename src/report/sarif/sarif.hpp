#pragma once
// Findings of a prediction in the Static Analysis Results Interchange Format 2.1.0 (OASIS), which editors and code hosts
// show beside the source.

#include <span>
#include <string_view>

#include "analyze/dataset/prediction.hpp"
#include "report/sink.hpp"

namespace trikal::report {

// `folder`: sources below it are named from there on, so that the file means the same on another machine.
void write_sarif(Sink& out, std::span<const analyze::Prediction> predictions, std::string_view version,
                 std::string_view folder);

// A path as a URI reference: what may not stand in one is written in hexadecimal digits.
[[nodiscard]] std::string uri_of(std::string_view path);

}  // namespace trikal::report

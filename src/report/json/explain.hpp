#pragma once
// What counters and modules mean, for programs. The form is documented in docs/formats/explain-json.md.

#include <span>

#include "analyze/dataset/vocabulary.hpp"
#include "report/sink.hpp"

namespace trikal::report {

inline constexpr int kExplainSchemaVersion = 1;

// The modules with what is asked of them: all their terms, or the given ones.
void write_terms_json(Sink& out, std::span<const analyze::Term> terms);
void write_modules_json(Sink& out, std::span<const ModuleFormat* const> modules);

}  // namespace trikal::report

#pragma once
// What counters and modules mean, for people. Everything is taken from the modules' tables.

#include "analyze/dataset/vocabulary.hpp"
#include "report/sink.hpp"

namespace trikal::report {

void explain_term(Sink& out, const analyze::Term& term);
void explain_module(Sink& out, const ModuleFormat& module);
// A line a module, or a line a counter of one.
void list_modules(Sink& out);
void list_terms(Sink& out, const ModuleFormat& module);

}  // namespace trikal::report

#pragma once
// The long lists of a run as JSON, each cut to what a page can show.

#include <span>

#include "analyze/dataset/run.hpp"
#include "report/json/writer.hpp"

namespace trikal::report {

// The fields of a use, inside an object that is open.
void write_use_fields(JsonWriter& json, const analyze::Use& use);

// "sites": [...] into the open object; nothing where there are none.
void write_sites(JsonWriter& json, std::span<const analyze::SiteUse> sites);

// Each writes "name": [...] into the open object.
void write_file_list(JsonWriter& json, const analyze::Run& run);  // the slowest, and how many there are
void write_rank_list(JsonWriter& json, const analyze::Run& run);
void write_heat(JsonWriter& json, const analyze::Run& run);
void write_process_lists(JsonWriter& json, const analyze::Run& run);  // processes, phases, unseen, errors, mounts

}  // namespace trikal::report

#pragma once
// Records as text on standard output, through C's buffer: callers print there too, and the order must hold.

#include "schema/module.hpp"

namespace trikal::compat {

void print_record(ModuleId module, const void* record, const char* name, const char* mount, const char* type);
void print_description(ModuleId module, int version);
// Lines that differ, "- " before those of the first record and "+ " before those of the second. Either may be null.
void print_diff(ModuleId module, const void* first, const char* first_name, const void* second,
                const char* second_name);

}  // namespace trikal::compat

#pragma once
// Modules that Darshan has no id for. Their regions lie behind Darshan's and are not in the header's map, so Darshan's readers
// read the log as if they were not there. These two sections say where they are and what their records mean.

#include <array>

#include "log/trailer/format.hpp"

namespace trikal::log {

inline constexpr std::array<Column, 5> kExtensionModuleColumns = {{
    {"module", ColumnType::kText, "", "its name"},
    {"id", ColumnType::kU64, "", "its number where the log was written"},
    {"version", ColumnType::kU64, "", "version of its records in this log"},
    {"offset", ColumnType::kU64, kUnitBytes, "where its region begins in the file"},
    {"length", ColumnType::kU64, kUnitBytes, "compressed length of its region"},
}};
inline constexpr SectionSchema kExtensionModulesSection = {
    "extension_modules", "modules that Darshan does not know, and where their records are", kExtensionModuleColumns};

inline constexpr std::array<Column, 7> kExtensionColumnColumns = {{
    {"module", ColumnType::kText, "", "its name"},
    {"column", ColumnType::kText, "", "a counter or field of its records; # stands for the class"},
    {"class", ColumnType::kText, "", "which of a row of counters; empty where there is one"},
    {"type", ColumnType::kText, "", "i64, u64, f64, text or uuid"},
    {"offset", ColumnType::kU64, kUnitBytes, "where it is in the record"},
    {"unit", ColumnType::kText, "", "what is counted"},
    {"help", ColumnType::kText, "", "what it means"},
}};
inline constexpr SectionSchema kExtensionColumnsSection = {
    "extension_columns", "records of modules that Darshan does not know", kExtensionColumnColumns};

}  // namespace trikal::log

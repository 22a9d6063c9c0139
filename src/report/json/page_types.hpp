#pragma once
// The page's types, made of the tables that its data is written by.

#include <string>

namespace trikal::report {

[[nodiscard]] std::string report_page_types();      // web/src/data.ts
[[nodiscard]] std::string prediction_page_types();  // web/src/prediction_data.ts

}  // namespace trikal::report

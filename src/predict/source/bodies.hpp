#pragma once
// Libraries that programs use as classes: their functions have bodies in src/predict/bodies, which end at functions with models.

#include <string>
#include <vector>

#include "predict/source/compile.hpp"
#include "predict/source/link.hpp"

namespace trikal::predict {

struct BodySource {
  std::string_view header;  // programs that include it need them
  std::string_view name;  // of the source in the cache
  std::string text;
};
// Written by cmake/TrikalEmbedText.cmake.
[[nodiscard]] std::vector<BodySource> body_sources();

// Bitcode of the bodies that these files need goes before them: so do the constructors of its variables. A problem: what the
// compiler said of a library that is unlike the one they were written for.
void add_bodies(const std::vector<SourceFile>& sources, std::vector<Bitcode>& bitcode, const std::string& cache,
                std::vector<std::string>& problems);

}  // namespace trikal::predict

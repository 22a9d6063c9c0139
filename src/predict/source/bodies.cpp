#include "predict/source/bodies.hpp"

#include <algorithm>

namespace trikal::predict {

void add_bodies(const std::vector<SourceFile>& sources, std::vector<Bitcode>& bitcode, const std::string& cache,
                std::vector<std::string>& problems) {
  for (const BodySource& body : body_sources()) {
    const auto user =
        std::ranges::find_if(bitcode, [&](const Bitcode& one) { return includes(one.file, body.header); });
    if (user == bitcode.end()) continue;
    // Which source it was made of is not known; one with options that lead to the header is as good.
    Compiled made;
    for (const SourceFile& source : sources) {
      if (language_of(source.path) != Language::kCpp) continue;
      made = compile({kept_text(cache, std::string(body.name), body.text), source.options, source.directory}, cache);
      if (!made.bitcode.empty()) break;
    }
    if (!made.bitcode.empty()) bitcode.insert(bitcode.begin(), {made.bitcode, std::string(body.name)});
    else problems.push_back("classes of " + std::string(body.header) + " are not followed: " + made.problem);
  }
}

}  // namespace trikal::predict

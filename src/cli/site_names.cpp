#include "cli/site_names.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>

#include "cli/complain.hpp"
#include "gather/runtime_library.hpp"
#include "predict/predict.hpp"

namespace trikal::cli {

log::crash::SiteName NamedSites::ask(void* self, std::string_view object, std::string_view build,
                                     std::uint64_t offset) {
  const predict::CodeName& name = static_cast<NamedSites*>(self)->find(object, build, offset);
  return {name.function, name.source, name.line};
}

const predict::CodeName& NamedSites::find(std::string_view object, std::string_view build, std::uint64_t offset) {
  if (!loaded_) {
    loaded_ = true;
    const auto beside = std::filesystem::path(gather::find_runtime()).parent_path() / predict::kLibrary;
    if (void* library = ::dlopen(beside.c_str(), RTLD_NOW | RTLD_LOCAL))
      symbolize_ = reinterpret_cast<predict::SymbolizeFunction>(::dlsym(library, predict::kSymbolizeEntry));
    if (symbolize_ == nullptr)
      warn("call sites",
           "have addresses, no names: libtrikal-predict.so, which reads debugging information, is missing");
  }
  const auto [known, is_new] = known_.try_emplace({std::string(object), offset});
  if (is_new && symbolize_ != nullptr) symbolize_({std::string(object), std::string(build), offset}, known->second);
  return known->second;
}

void name_nameless_sites(analyze::Run& run) {
  // Lines of scripts are known when they are noted; only machine code has a build id.
  const auto is_named = [](const analyze::SiteUse& site) { return !site.function.empty() && !site.build.empty(); };
  if (std::ranges::any_of(run.sites, is_named)) return;
  NamedSites sites;
  for (analyze::SiteUse& site : run.sites) {
    if (site.object.starts_with('<') || site.line > 0) continue;
    const log::crash::SiteNames names = sites.names();
    const auto name = names.find(names.context, site.object, site.build, static_cast<std::uint64_t>(site.offset));
    site.function = name.function, site.source = name.source, site.line = static_cast<std::int64_t>(name.line);
  }
}

}  // namespace trikal::cli

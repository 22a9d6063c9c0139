#pragma once
// Names of call sites, for whoever makes a log of maps: the library that knows debugging information is loaded when
// the first is asked for, and only a run that noted call sites asks.

#include <map>
#include <string>

#include "analyze/dataset/run.hpp"
#include "gather/job_log.hpp"
#include "predict/symbols/symbolize.hpp"

namespace trikal::cli {

class NamedSites {
 public:
  // Valid as long as this is.
  [[nodiscard]] log::crash::SiteNames names() { return {ask, this}; }

 private:
  static log::crash::SiteName ask(void* self, std::string_view object, std::string_view build, std::uint64_t offset);
  const predict::CodeName& find(std::string_view object, std::string_view build, std::uint64_t offset);

  bool loaded_ = false;
  predict::SymbolizeFunction symbolize_ = nullptr;  // null: there is no such library
  std::map<std::pair<std::string, std::uint64_t>, predict::CodeName> known_;
};

// A process that wrote its own log had nobody to ask: its sites are named here, if the programs are still there.
void name_nameless_sites(analyze::Run& run);

}  // namespace trikal::cli

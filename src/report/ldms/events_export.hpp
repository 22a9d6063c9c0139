#pragma once
// A file of events as messages of the connector. It is read twice: names of files and facts of processes follow the events. What is
// held is these names, and a few numbers for each file of each process; nothing for an event.

#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/keyed_hash.hpp"
#include "report/json/event_lines.hpp"
#include "report/ldms/messages.hpp"
#include "report/output.hpp"
#include "report/tables.hpp"

namespace trikal::report::ldms {

enum class Format : std::uint8_t { kJson, kCsv };

class EventsExport {
 public:
  struct Options {
    Dialect dialect = Dialect::kCurrent;
    Format format = Format::kJson;
    ModuleSet modules = ModuleSet::all();
    EventLinesReader::Damage damage = EventLinesReader::Damage::kEnds;
  };
  explicit EventsExport(const Options& options) : options_(options), messages_(options.dialect, options.modules) {}

  // With Damage::kSkipped everything that can be read is written, whatever `read` says.
  [[nodiscard]] ExportStatus write(EventLinesReader& reader, TableOutput& output);

  // Calls that have no event in the file, by what it says of them.
  struct Missing {
    std::uint64_t dropped = 0, sampled_out = 0, filtered = 0;
  };
  [[nodiscard]] const Missing& missing() const { return missing_; }

 private:
  struct File {
    std::string name;
    std::size_t data_set_bytes = 0;
  };

  Status learn(const FlatObject& line);
  Status learn_file(const FlatObject& line);
  Status learn_process(const FlatObject& line);
  void find_data_sets();
  Status put(const FlatObject& line, Sink& out);
  Status read_event(const FlatObject& line, Event& event) const;
  void name_event(Event& event) const;

  Options options_;
  Messages messages_;
  std::unordered_map<std::uint64_t, File, KeyedHash> files_;
  std::unordered_map<std::uint64_t, Process, KeyedHash> processes_;
  Missing missing_;
};

}  // namespace trikal::report::ldms

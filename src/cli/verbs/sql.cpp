// trikal sql: a question to a store.

#include <fmt/format.h>
#include <unistd.h>

#include "base/utf8.hpp"
#include "cli/complain.hpp"
#include "cli/verbs.hpp"
#include "report/json/writer.hpp"
#include "report/sink.hpp"
#include "report/text/value_table.hpp"
#include "serve/table_text.hpp"
#include "store/store.hpp"

namespace trikal::cli {
namespace {

struct Options {
  std::string store, query;
  bool json = false, csv = false;
};

std::vector<std::string> cells_of(const storage::Row& row) {
  std::vector<std::string> cells;
  for (const storage::Value& value : row) cells.push_back(serve::text_of(value));
  return cells;
}

Status ask(storage::Store& store, const Options& options, report::Sink& out) {
  std::vector<std::string> names;
  std::vector<bool> numbers;
  std::vector<std::vector<std::string>> lines;
  report::JsonWriter json(out);
  if (options.json) json.open_array();
  const Status status =
      store.query(options.query, {.columns =
                                      [&](const std::vector<std::string>& columns) {
                                        names = columns, numbers.assign(columns.size(), true);
                                        if (options.csv) out.put(serve::csv_line(columns));
                                      },
                                  .row =
                                      [&](const storage::Row& row) {
                                        if (options.csv) out.put(serve::csv_line(row));
                                        else if (options.json) {
                                          json.open_object();
                                          for (std::size_t i = 0; i < row.size(); ++i)
                                            json.key(names[i]), serve::put_json(json, row[i]);
                                          json.close();
                                        } else {
                                          lines.push_back(cells_of(row));
                                          for (std::size_t i = 0; i < row.size(); ++i)
                                            numbers[i] = numbers[i] && !std::holds_alternative<std::string>(row[i]);
                                        }
                                        return out.wanted();
                                      }});
  if (!status) return status;
  if (options.json) json.close(), out.put("\n");
  else if (!options.csv) report::write_value_table(out, names, numbers, lines);
  return {};
}

int run(const Options& options) {
  const std::string url = storage::Store::url_of(options.store);
  auto store = storage::Store::open(url, storage::Store::Mode::kRead);
  if (!store) return complain(options.store, store.error());
  report::DescriptorSink out(STDOUT_FILENO,
                             options.json || options.csv ? report::Audience::kProgram : report::Audience::kPerson);
  if (const Status asked = ask(**store, options, out); !asked) {
    const ErrorCode code = asked.error().code;
    if (code != ErrorCode::kUsage && code != ErrorCode::kDamaged) return complain(options.store, asked.error());
    warn(options.store, fmt::format("{}: {}", asked.error().what, printable((*store)->message())));
    return code == ErrorCode::kUsage ? kUsage : kDamaged;
  }
  const Status written = out.flush();
  return written ? kOk : complain("standard output", written.error());
}

constexpr const char* kPrint = "What to print";

void attach(CommandLine& app, Action& action) {
  auto options = std::make_shared<Options>();
  app.add_option("STORE", options->store, "a database of trikal watch: sqlite:FILE, or only the file")
      ->required()
      ->type_name("");
  app.add_option("QUERY", options->query,
                 "one SELECT statement; the views are runs, processes, rollups, totals, system, findings, drops, "
                 "phases, events, event_details, event_counts")
      ->required()
      ->type_name("");
  auto json = app.add_flag("--json", options->json, "print a JSON list with one object per row");
  json->group(kPrint);
  app.add_flag("--csv", options->csv, "print comma-separated values with a header line")->excludes(json)->group(kPrint);
  action = [options] { return run(*options); };
}

constexpr Example kExamples[] = {
    {"trikal sql job.sqlite 'SELECT * FROM runs'", "list the runs in the store"},
    {"trikal sql job.sqlite 'SELECT file, sum(bytes), sum(seconds) FROM totals GROUP BY file ORDER BY 3 DESC LIMIT 10'",
     "the ten files that took the most time"},
    {"trikal sql job.sqlite 'SELECT file, operation, count(*), max(duration) FROM events GROUP BY 1, 2'",
     "number and longest duration of each operation on each file, if events were stored"},
    {"trikal sql --csv job.sqlite 'SELECT time, rank, sum(bytes) FROM rollups GROUP BY 1, 2'",
     "bytes per second and rank, for a spreadsheet"},
};

}  // namespace

const Verb kSql = {"sql",
                   "query what trikal watch has stored",
                   "Runs one SQL query on a store of trikal watch and prints the rows. The store is opened for reading "
                   "only; trikal watch "
                   "may still be writing to it. docs/formats/store.md describes the views.",
                   kExamples,
                   attach,
                   kReadingSection,
                   kAnswers | 1U << kDamaged};

}  // namespace trikal::cli

#include "log/crash/process_table.hpp"

#include <algorithm>
#include <cstring>

#include "base/text.hpp"
#include "log/crash/log_clock.hpp"

namespace trikal::log::crash {
namespace {

constexpr double kNanosecond = 1e-9;

constexpr Column kColumns[] = {
    {"pid", ColumnType::kI64, "", "process id"},
    {"parent", ColumnType::kI64, "", "its parent's"},
    {"generation", ColumnType::kU64, "", "how often it had replaced itself by exec before"},
    {"rank", ColumnType::kI64, kUnitRank, "its rank in this log; -1 if it did no I/O"},
    {"mpi_ranks", ColumnType::kI64, "", "how many ranks its MPI job has; 0 if it did not initialize MPI"},
    {"start", ColumnType::kF64, kUnitTimestamp, "seconds after the job's start"},
    {"end", ColumnType::kF64, kUnitTimestamp, "seconds after the job's start; 0 if it did not come to an end"},
    {"ended", ColumnType::kText, "", "exited, exec, killed or running"},
    {"status", ColumnType::kI64, "", "exit status, where it exited"},
    {"missed", ColumnType::kU64, "calls", "calls that could not be noted"},
    {"folded", ColumnType::kU64, "", "files without a record of their own because memory was full, about"},
    {"unobserved", ColumnType::kU64, "", "its children that found no memory to be observed with"},
    {"calls", ColumnType::kU64, "calls", "calls that were noted, failed ones included"},
    {"call_cost", ColumnType::kF64, "seconds", "what noting them took, estimated"},
    {"session_cost", ColumnType::kF64, "seconds", "what starting and stopping to observe took, measured"},
    {"host", ColumnType::kText, "", "the node it ran on"},
    {"exe", ColumnType::kText, "", "the program's file"},
    {"argv", ColumnType::kText, "", "command line, quoted as a shell wants it"},
};
constexpr SectionSchema kSection = {"processes", "every process of the job", kColumns};

constexpr Column kLeftOutColumns[] = {{"count", ColumnType::kU64, "", "processes that the table does not have"}};
constexpr SectionSchema kLeftOutSection = {"processes_left_out",
                                           "the job has more processes than the table has rows for", kLeftOutColumns};

bool is_plain(char c) noexcept {
  const bool alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return alphanumeric || std::string_view("_-./=:,+@%^").find(c) != std::string_view::npos;
}

}  // namespace

Status put_left_out(TrailerWriter& trailer, std::uint64_t processes) noexcept {
  if (processes == 0) return {};
  Status status = trailer.begin_section(kLeftOutSection);
  if (status.ok()) status = trailer.put_u64(processes);
  return status.ok() ? trailer.end_section() : status;
}

double start_time(const JobFacts& job) noexcept {
  return static_cast<double>(job.start_sec) + static_cast<double>(job.start_nsec) * kNanosecond;
}

double end_time(const JobFacts& job) noexcept {
  return static_cast<double>(job.end_sec) + static_cast<double>(job.end_nsec) * kNanosecond;
}

CommandText::CommandText(std::string_view arguments, Form form) noexcept {
  for (bool first = true; !arguments.empty(); first = false) {
    const std::string_view word = text_until(arguments, arguments.find('\0'));
    if (!first) put(' ');
    put_word(word, form);
    arguments.remove_prefix(std::min(word.size() + 1, arguments.size()));
  }
}

void CommandText::put_word(std::string_view word, Form form) noexcept {
  if (form == Form::kSpaced || (!word.empty() && std::ranges::all_of(word, is_plain))) {
    for (const char c : word) put(c);
    return;
  }
  put('\'');
  for (const char c : word) {
    if (c != '\'') put(c);
    else
      for (const char part : std::string_view("'\\''")) put(part);
  }
  put('\'');
}

Status begin_process_table(TrailerWriter& trailer) noexcept { return trailer.begin_section(kSection); }

Status put_process(TrailerWriter& trailer, const ProcessRow& row) noexcept {
  const MapPin map = *row.map;
  const Header& header = map->header();
  const CommandText command(map->arguments(), CommandText::Form::kQuoted);
  Status status = trailer.put_i64(header.identity.pid);
  const auto next = [&](Status put) {
    if (status.ok()) status = put;
  };
  next(trailer.put_i64(header.job.parent_pid));
  next(trailer.put_u64(header.identity.generation));
  next(trailer.put_i64(row.rank));
  next(trailer.put_i64(header.job.ranks));
  next(trailer.put_f64(rounded_either_way(start_time(header) - row.job_start)));
  next(trailer.put_f64(header.job.end_sec != 0 ? rounded_either_way(end_time(header) - row.job_start) : 0));
  next(trailer.put_text(row.ended));
  next(trailer.put_i64(header.exit_status));
  next(trailer.put_u64(header.self.missed.load()));
  next(trailer.put_u64(header.self.folded.load()));
  next(trailer.put_u64(header.self.unobserved.load()));
  next(trailer.put_u64(row.cost.calls));
  next(trailer.put_f64(rounded_to_a_percent(row.cost.noting)));
  next(trailer.put_f64(rounded_to_a_percent(row.cost.session)));
  next(trailer.put_text({header.host, strnlen(header.host, kHostBytes)}));
  next(trailer.put_text(map->program()));
  next(trailer.put_text(command.text()));
  return status;
}

}  // namespace trikal::log::crash

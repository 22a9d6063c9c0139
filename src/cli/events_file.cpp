#include "cli/events_file.hpp"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <tuple>

#include "gather/rings/run_names.hpp"
#include "stream/wire/event_spec.hpp"

namespace trikal::cli {
namespace {

constexpr std::chrono::milliseconds kShortest{1}, kLongest{16};

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// A time that counts from now on, as one of the clock on the wall.
void make_absolute(std::string& spec, std::string_view name, double seconds) {
  const std::size_t at = spec.find(fmt::format(",{}=", name)) + name.size() + 2;
  const std::size_t end = std::min(spec.find(',', at), spec.size());
  spec.replace(at, end - at, fmt::format("@{:.6f}", seconds_since_1970() + seconds));
}

using ProcessKey = std::tuple<std::uint64_t, std::int64_t, std::uint64_t, std::uint32_t>;
template <class Identity>
ProcessKey key_of(const Identity& identity) {
  return {identity.pid_namespace, identity.pid, identity.start_ticks, identity.generation};
}

report::EventTotals totals_of(const gather::EventCounts& counts) {
  return {.stored = counts.stored,
          .ring_full = counts.full,
          .without_ring = counts.without_ring,
          .sampled_out = counts.sampled_out,
          .filtered = counts.filtered};
}

}  // namespace

std::string complete_event_spec(std::string& spec) {
  stream::EventSpec parsed;
  if (const char* problem = stream::parse_event_spec(spec, parsed)) return problem;
  if (parsed.from > 0 && !parsed.from_is_absolute) make_absolute(spec, "from", parsed.from);
  if (parsed.until > 0 && !parsed.until_is_absolute) make_absolute(spec, "until", parsed.until);
  return {};
}

Result<std::unique_ptr<EventsFile>> EventsFile::create(const Options& options) {
  std::unique_ptr<EventsFile> events(new EventsFile(options));
  if (events->reader_.is_elected()) {
    if (Status opened = events->open(); !opened) return opened.error();
  }
  events->thread_ = std::thread([self = events.get()] { self->work(); });
  return events;
}

Status EventsFile::open() {
  auto file = report::OutputFile::create(options_.path, options_.force ? report::Replace::kYes : report::Replace::kNo);
  if (!file) return file.error();
  out_ = std::make_unique<Output>(std::move(*file));
  out_->lines.put_head(options_.command, options_.spec);
  return {};
}

// Several `trikal run` of one MPI job: one reads the events of all. When that ends first, another goes on in a file of its own.
bool EventsFile::take_over() {
  if (out_ != nullptr || !reader_.is_elected()) return out_ != nullptr;
  constexpr int kMost = 1000;
  const std::string path = options_.path;
  options_.force = false;  // what is there is the first one's
  for (int number = 2; number < kMost && !open().ok(); ++number) options_.path = fmt::format("{}.{}", path, number);
  return out_ != nullptr;
}

EventsFile::~EventsFile() {
  ending_.store(true);
  if (thread_.joinable()) thread_.join();
}

// More often while much comes; a program that does little is not disturbed.
void EventsFile::work() {
  auto pause = kShortest;
  std::uint64_t before = 0;
  while (!ending_.load()) {
    if (out_ != nullptr || (reader_.has_rings() && take_over())) {
      const bool more = reader_.drain([this](const auto& process, const auto& batch) { put(process, batch); });
      pause = more || totals_.stored > before ? kShortest : std::min(2 * pause, kLongest);
      before = totals_.stored;
    } else {
      pause = kLongest;
    }
    std::this_thread::sleep_for(pause);
  }
}

void EventsFile::put(const gather::RingProcess& process, const gather::EventBatch& batch) {
  if (batch.events.empty()) return;
  if (processes_.insert(process.number).second)
    out_->lines.put_process({process.number, &process.identity, process.sample});
  for (std::size_t i = 0; i < batch.events.size(); ++i) {
    files_.try_emplace(batch.events[i].file, false);
    out_->lines.put_event(process.number, batch.events[i], batch.details.empty() ? nullptr : &batch.details[i]);
  }
  totals_.stored += batch.events.size();
  if (options_.publisher != nullptr) options_.publisher->put(process, batch);
}

Status EventsFile::finish() {
  ending_.store(true);
  thread_.join();
  // Where another rank's has read them all there is nothing to write.
  if ((out_ == nullptr && !reader_.has_rings()) || !take_over()) return {};
  reader_.finish([this](const auto& process, const auto& batch) { put(process, batch); });
  put_rest();
  if (Status written = out_->sink.flush(); !written) return written;
  return out_->file->keep();
}

// Names are those of the maps: of all processes, the ones that are put away as well.
std::uint64_t EventsFile::put_names(const std::vector<gather::RingReader::ProcessCounts>& processes) {
  std::map<ProcessKey, std::uint64_t> numbers;
  for (const auto& process : processes) numbers[key_of(process.process.identity)] = process.process.number;
  const auto number_of = [&](const auto& identity) {
    const auto found = numbers.find(key_of(identity));
    return found == numbers.end() ? 0 : found->second;
  };
  return gather::for_each_name_of_run(
      options_.directory,
      {.program =
           [&](const auto& identity, const gather::ProgramFacts& facts) {
             if (const std::uint64_t process = number_of(identity))
               out_->lines.put_program(process, {facts.uid, facts.job_id, facts.start, facts.node, facts.program});
           },
       .file =
           [&](std::uint64_t id, std::string_view name) {
             const auto wanted = files_.find(id);
             if (wanted != files_.end() && !std::exchange(wanted->second, true)) out_->lines.put_file(id, name);
           },
       .operation =
           [&](const auto& identity, std::uint32_t number, std::string_view interface, std::string_view word) {
             if (const std::uint64_t process = number_of(identity))
               out_->lines.put_operation(process, number, interface, word);
           },
       .object =
           [&](const auto& identity, std::uint64_t number, std::string_view path) {
             if (const std::uint64_t process = number_of(identity)) out_->lines.put_object(process, number, path);
           }});
}

void EventsFile::put_rest() {
  const auto processes = reader_.counts();
  totals_ = {.without_file = put_names(processes)};
  for (const auto& process : processes) {
    for (const auto& [thread, counts] : process.threads)
      out_->lines.put_thread(process.process.number, thread, totals_of(counts));
    const report::EventTotals all = totals_of(process.all);
    totals_.stored += all.stored, totals_.ring_full += all.ring_full, totals_.without_ring += all.without_ring;
    totals_.sampled_out += all.sampled_out, totals_.filtered += all.filtered;
  }
  out_->lines.put_totals(totals_, processes.size(), reader_.refused().size());
}

}  // namespace trikal::cli

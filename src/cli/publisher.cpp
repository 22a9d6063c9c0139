#include "cli/publisher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/hash.hpp"
#include "report/ldms/writer.hpp"

namespace trikal::cli {
namespace {

namespace ldms = report::ldms;
using log::crash::Operation;

// At the end of the run: without a byte taken, and in all.
constexpr std::uint64_t kMillisecond = 1'000'000, kSilenceLimit = 2000 * kMillisecond, kEndLimit = 10000 * kMillisecond;
constexpr int kPause = 20;  // milliseconds

std::uint64_t now() { return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()); }

std::uint64_t lines_in(std::string_view text) { return static_cast<std::uint64_t>(std::ranges::count(text, '\n')); }

}  // namespace

Result<std::unique_ptr<Publisher>> Publisher::create(const Options& options) {
  auto target = PublishTarget::open(options.target);
  if (!target) return target.error();
  std::unique_ptr<Publisher> publisher(new Publisher(options, std::move(*target)));
  publisher->thread_ = std::thread([self = publisher.get()] { self->work(); });
  return publisher;
}

Publisher::Publisher(const Options& options, std::unique_ptr<PublishTarget> target)
    : options_(options),
      target_(std::move(target)),
      which_(options.dialect, ldms::ModuleSet::of_environment()),
      names_(options.directory),
      messages_(options.dialect, ldms::ModuleSet::of_environment()) {}

Publisher::~Publisher() {
  if (thread_.joinable()) (void)finish();
}

void Publisher::put(const gather::RingProcess& process, const gather::EventBatch& batch) {
  const std::lock_guard hold(lock_);
  processes_.try_emplace(process.number, process);
  for (std::size_t i = 0; i < batch.events.size(); ++i) {
    const Operation operation{batch.events[i].operation};
    if (!which_.needs(operation)) continue;
    if (waiting_.size() < kMostWaiting)
      waiting_.push_back(
          {process.number, batch.events[i], batch.details.empty() ? stream::EventDetails() : batch.details[i]});
    else if (which_.publishes(operation)) ++overflowed_;
  }
  news_.notify_one();
}

// False: no more will come.
bool Publisher::fetch(std::vector<Waiting>& events) {
  events.clear();
  std::unique_lock hold(lock_);
  news_.wait(hold, [this] { return ending_ || !waiting_.empty(); });
  std::swap(events, waiting_);
  return !events.empty();
}

void Publisher::work() {
  std::vector<Waiting> events;
  while (fetch(events)) {
    for (const Waiting& one : events) {
      use(one);
      if (text_.text().size() >= kMostText) write_out();
    }
    write_out();
  }
}

// Entries stay where they are, and as they are.
const gather::RingProcess& Publisher::sender_of(const Waiting& waiting) {
  const std::lock_guard hold(lock_);
  return processes_.at(waiting.process);
}

const ldms::Process& Publisher::process_of(const Waiting& waiting) {
  const auto [known, added] = facts_.try_emplace(waiting.process);
  if (added) {
    const gather::ProgramFacts& facts = names_.program(sender_of(waiting));
    known->second = {facts.uid, facts.job_id, facts.start, facts.node, facts.program};
  }
  return known->second;
}

ldms::Event Publisher::event_of(const Waiting& waiting) {
  const stream::EventRecord& event = waiting.event;
  const stream::EventDetails& details = waiting.details;
  return {.process_number = waiting.process,
          .process = &process_of(waiting),
          .rank = event.rank,
          .operation = Operation{event.operation},
          .file = event.file,
          .begin = event.begin,
          .duration = event.duration,
          .offset = event.offset,
          .length = event.length,
          .highest_read = details.highest_read,
          .highest_written = details.highest_written,
          .switches = details.switches,
          .flushes = details.flushes,
          .point_selects = details.point_selects,
          .regular_selects = details.regular_selects,
          .irregular_selects = details.irregular_selects,
          .dimensions = details.dimensions,
          .dataset_elements = details.dataset_elements};
}

// Only messages that have it in them need a name: finding one may take a look at the maps.
void Publisher::name(const Waiting& waiting, ldms::Event& event) {
  const auto role = ldms::role_of(event.operation);
  const bool is_dataset = role->module == ldms::Module::kH5d;
  if (!is_dataset && role->action != ldms::Action::kOpen) return;
  event.name = names_.file(sender_of(waiting), event.file);
  const auto is_file = [this](std::string_view name) { return names_.knows_file(record_id(name)); };
  if (is_dataset) event.data_set = ldms::data_set_of(event.name, is_file);
}

void Publisher::use(const Waiting& waiting) {
  if (stop_ != Stop::kNone) return void(dropped_ += messages_.publishes(Operation{waiting.event.operation}) ? 1U : 0U);
  ldms::Event event = event_of(waiting);
  name(waiting, event);
  ldms::Message message;
  if (!messages_.make(event, message)) return;
  const std::size_t before = text_.text().size();
  ldms::put_json(text_, options_.dialect, message);
  if (options_.verbose) fmt::print(stderr, "JSON Message: {}", text_.text().substr(before));
}

// While the program runs there is all the time in the world: others' events are dropped meanwhile. At its end there is not.
Publisher::Stop Publisher::time_is_up() {
  {
    const std::lock_guard hold(lock_);
    if (!ending_) return Stop::kNone;
  }
  const std::uint64_t time = now();
  if (ending_at_ == 0) ending_at_ = time;
  if (time - std::max(stopped_at_, ending_at_) > kSilenceLimit) return Stop::kUnread;
  return time - ending_at_ > kEndLimit ? Stop::kLate : Stop::kNone;
}

void Publisher::write_out() {
  std::string_view rest = text_.text();
  if (rest.empty()) return;
  if (!std::exchange(started_, true) && !target_->start().ok()) stop_ = Stop::kRefused;
  stopped_at_ = now();
  while (!rest.empty() && stop_ == Stop::kNone) {
    const ssize_t taken = target_->write(rest);
    if (taken > 0) {
      written_ += lines_in(rest.substr(0, static_cast<std::size_t>(taken)));
      rest.remove_prefix(static_cast<std::size_t>(taken));
      stopped_at_ = now();
    } else if (taken < 0) {
      stop_ = Stop::kRefused;
    } else if (stop_ = time_is_up(); stop_ == Stop::kNone) {
      target_->wait(kPause);
    }
  }
  dropped_ += lines_in(rest);
  text_.clear();
}

// A command that reads slowly still gets to read what counts as written; one that does not read is not waited for.
Publisher::Outcome Publisher::finish() {
  {
    const std::lock_guard hold(lock_);
    ending_ = true;
  }
  news_.notify_one();
  thread_.join();
  Outcome outcome{written_, dropped_ + overflowed_, target_->finish(stop_ == Stop::kUnread)};
  if (stop_ == Stop::kLate)
    outcome.ending =
        fmt::format("not all was read {} s after the end of the program", kEndLimit / (1000 * kMillisecond));
  if (stop_ != Stop::kNone && outcome.ending.empty()) outcome.ending = "nothing more could be written";
  return outcome;
}

}  // namespace trikal::cli

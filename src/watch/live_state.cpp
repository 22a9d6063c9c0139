#include "watch/live_state.hpp"

#include <algorithm>

#include "modules/list.hpp"

namespace trikal::watch {
namespace {

void add(stream::Amount& to, const stream::Amount& more) {
  to.calls += more.calls, to.bytes += more.bytes, to.steps += more.steps;
}
void take(stream::Amount& from, const stream::Amount& less) {
  from.calls -= less.calls, from.bytes -= less.bytes, from.steps -= less.steps;
}

report::LiveAmount shown(const stream::Amount& amount, double over) {
  return {static_cast<double>(amount.calls) / over, static_cast<double>(amount.bytes) / over,
          static_cast<double>(amount.steps) / stream::kStepsPerSecond / over};
}

// What went through MPI-IO or HDF5 is counted by POSIX as well.
bool is_counted(ModuleId id) {
  const ModuleFormat* module = find_module(id);
  return module == nullptr || is_lowest_interface(module->schema->name);
}

// Those with the most time, and the bytes of now where that is the same.
template <class Map>
std::vector<typename Map::const_iterator> longest(const Map& map, std::size_t most) {
  std::vector<typename Map::const_iterator> rows;
  for (auto next = map.begin(); next != map.end(); ++next) {
    if (next->second.total.calls > 0) rows.push_back(next);
  }
  const auto before = [](const auto& a, const auto& b) {
    return std::tuple(a->second.total.steps, a->second.bytes_now) >
           std::tuple(b->second.total.steps, b->second.bytes_now);
  };
  const std::size_t count = std::min(most, rows.size());
  std::ranges::partial_sort(rows, rows.begin() + static_cast<std::ptrdiff_t>(count), before);
  rows.resize(count);
  return rows;
}

}  // namespace

void LiveState::add(const stream::Batch& batch) {
  if (command_.empty() && !batch.runs.empty()) command_ = batch.runs.front().command;
  for (const stream::FileEntry& file : batch.files) names_[file.file] = file.name;
  for (const stream::ProcessEntry& process : batch.processes) processes_[process.process].entry = process;
  for (const stream::Interval& interval : batch.intervals) add_rows(interval);
  for (const stream::SystemValue& value : batch.system) add_system(value);
  forget();
}

void LiveState::add_rows(const stream::Interval& interval) {
  const bool recent = !interval.is_history();
  if (begin_ == 0) begin_ = interval.begin;
  now_ = std::max(now_, interval.end);
  std::vector<stream::Rollup> rows = interval.rows;
  std::erase_if(rows, [](const stream::Rollup& row) { return !is_counted(row.module); });
  for (const stream::Rollup& row : rows) {
    const auto operation = static_cast<std::size_t>(row.operation);
    watch::add(total_[operation], row.amount);
    if (recent) watch::add(recent_total_[operation], row.amount);
    for (Sum* sum : {&files_[row.file], static_cast<Sum*>(&processes_[row.process])})
      watch::add(sum->total, row.amount), sum->bytes_now += recent ? row.amount.bytes : 0;
  }
  if (recent) recent_.push_back({interval.begin, interval.end, std::move(rows)});
}

void LiveState::forget() {
  while (!recent_.empty() && recent_.front().end <= now_ - kWindow) {
    for (const stream::Rollup& row : recent_.front().rows) {
      take(recent_total_[static_cast<std::size_t>(row.operation)], row.amount);
      files_[row.file].bytes_now -= row.amount.bytes, processes_[row.process].bytes_now -= row.amount.bytes;
    }
    recent_.pop_front();
  }
}

// The values of one moment; of disks the sum.
void LiveState::add_system(const stream::SystemValue& value) {
  if (value.time != system_time_) machine_ = {}, system_time_ = value.time;
  const auto sum = [&](std::optional<double>& to) { to = to.value_or(0) + value.value; };
  for (const char* busy : {"cpu.user", "cpu.nice", "cpu.system", "cpu.irq", "cpu.softirq"}) {
    if (value.metric == busy) sum(machine_.cpu_busy);
  }
  if (value.metric == "cpu.iowait") sum(machine_.cpu_waits);
  if (value.metric == "memory.available") sum(machine_.memory_available);
  if (value.metric == "disk.read_bytes") sum(machine_.disk_read);
  if (value.metric == "disk.write_bytes") sum(machine_.disk_written);
  if (value.metric == "pressure.io.some") sum(machine_.io_pressure);
}

report::LiveScreen LiveState::screen(std::size_t most_files, std::size_t most_processes) const {
  report::LiveScreen screen;
  const double window =
      recent_.empty() ? 1 : std::max(0.001, static_cast<double>(now_ - recent_.front().begin) / stream::kSecond);
  screen.command = command_, screen.elapsed = static_cast<double>(now_ - begin_) / stream::kSecond;
  screen.machine = machine_;
  for (std::size_t i = 0; i < kOperations; ++i)
    screen.now[i] = shown(recent_total_[i], window), screen.total[i] = shown(total_[i], 1);
  for (const auto& [id, process] : processes_)
    screen.processes += process.entry.state == stream::ProcessState::kRunning ? 1U : 0U;
  screen.files = files_.size();
  for (const auto& file : longest(files_, most_files)) {
    const auto name = names_.find(file->first);
    screen.busiest_files.push_back({name == names_.end() ? "(no name yet)" : name->second,
                                    static_cast<double>(file->second.bytes_now) / window,
                                    shown(file->second.total, 1)});
  }
  for (const auto& process : longest(processes_, most_processes)) {
    const stream::ProcessEntry& entry = process->second.entry;
    screen.busiest_processes.push_back({entry.rank, entry.pid, entry.command,
                                        static_cast<double>(process->second.bytes_now) / window,
                                        shown(process->second.total, 1)});
  }
  return screen;
}

}  // namespace trikal::watch

#include "compat/print.hpp"

#include <cstdio>
#include <string_view>
#include <vector>

#include "compat/handle.hpp"
#include "compat/record_memory.hpp"
#include "compat/records.hpp"
#include "modules/list.hpp"
#include "report/text/lines.hpp"
#include "report/text/log_header.hpp"
#include "report/text/totals.hpp"

namespace trikal::compat {
namespace {

using report::RecordLines;
using report::StringSink;

void to_stdout(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

std::string_view text_or_none(const char* text) {
  return text != nullptr ? std::string_view(text) : std::string_view();
}

// The lines of a record, in a sink of its own.
void list(ModuleId module, const void* record, const RecordLines::FileLabels& file, StringSink& out) {
  static const log::NameTable kNoNames;
  static const log::Job kNoJob;
  // A module may remember things from record to record; so do its lines. One log is listed at a time.
  thread_local std::vector<std::unique_ptr<RecordLines>> lines(kModuleSlots);
  if (!lines[module]) lines[module] = std::make_unique<RecordLines>(*find_module(module), kNoNames, kNoJob);
  lines[module]->write(out, from_memory(module, record, segment_bytes_for(module)), file);
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> found;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    found.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return found;
}

// What a line says, without what stands before and behind it: the counter's name, or its name and value.
std::string_view columns(std::string_view line, std::size_t first, std::size_t count) {
  for (; first > 0; --first) line.remove_prefix(line.find('\t') + 1);
  std::size_t end = 0;
  for (; count > 0; --count) end = line.find('\t', end) + 1;
  return line.substr(0, end);
}

void mark(std::string_view sign, std::string_view line) { to_stdout(sign), to_stdout(line); }

}  // namespace

void print_record(ModuleId module, const void* record, const char* name, const char* mount, const char* type) {
  shielded("log_print_record", 0, [&] {
    StringSink out;
    list(module, record, {text_or_none(name), text_or_none(mount), text_or_none(type)}, out);
    to_stdout(out.text());
    return 0;
  });
}

void print_description(ModuleId module, int version) {
  shielded("log_print_description", 0, [&] {
    StringSink out;
    report::write_counter_help(out, *find_module(module)->schema);
    report::write_version_note(out, *find_module(module)->schema, static_cast<std::uint32_t>(version));
    to_stdout(out.text());
    return 0;
  });
}

void print_diff(ModuleId module, const void* first, const char* first_name, const void* second,
                const char* second_name) {
  shielded("log_print_diff", 0, [&] {
    StringSink old_text;
    StringSink new_text;
    if (first != nullptr) list(module, first, {text_or_none(first_name), "", ""}, old_text);
    if (second != nullptr) list(module, second, {text_or_none(second_name), "", ""}, new_text);
    const auto before = split(old_text.text());
    const auto after = split(new_text.text());
    const auto name = [](std::string_view line) { return columns(line, 3, 1); };
    const auto value = [](std::string_view line) { return columns(line, 3, 2); };
    // Records of one kind have the same lines in the same order, until one is longer than the other.
    std::size_t i = 0;
    for (; i < before.size() && i < after.size() && name(before[i]) == name(after[i]); ++i) {
      if (value(before[i]) != value(after[i])) mark("- ", before[i]), mark("+ ", after[i]);
    }
    for (std::size_t k = i; k < before.size(); ++k) mark("- ", before[k]);
    for (std::size_t k = i; k < after.size(); ++k) mark("+ ", after[k]);
    return 0;
  });
}

}  // namespace trikal::compat

extern "C" void darshan_log_print_version_warnings(const char* version_string) {
  using namespace trikal;  // NOLINT(google-build-using-namespace)
  compat::shielded(__func__, 0, [&] {
    report::StringSink out;
    if (version_string != nullptr) report::write_release_warning(out, version_string);
    std::fwrite(out.text().data(), 1, out.text().size(), stdout);
    return 0;
  });
}

#include "predict/world/netcdf.hpp"

#include <algorithm>

namespace trikal::predict {
namespace {

constexpr Word kWord = 4;
Word padded(Word bytes, Word to = kWord) { return (bytes + to - 1) / to * to; }

// Sizes of what the header is made of: numbers are of 4 bytes, in CDF-5 of 8; offsets in the file are of 4, from CDF-2 on of 8.
struct Widths {
  Word number, offset;
};
Widths widths(int format) { return {format == 5 ? Word{8} : Word{4}, format == 1 ? Word{4} : Word{8}}; }

void add_name(std::vector<NetCdfPart>& parts, const std::string& name, const Widths& wide) {
  parts.push_back({wide.number}), parts.push_back({padded(name.size())});
}

void add_list(std::vector<NetCdfPart>& parts, const Widths& wide) {  // tag, and how many
  parts.push_back({kWord}), parts.push_back({wide.number});
}

void add_attributes(std::vector<NetCdfPart>& parts, const NetCdfAttributes& attributes, const Widths& wide) {
  add_list(parts, wide);
  for (const auto& [name, one] : attributes) {
    add_name(parts, name, wide);
    parts.push_back({kWord}), parts.push_back({wide.number});
    parts.push_back({padded(one.count * netcdf_bytes(one.type)), true});
  }
}

}  // namespace

Word netcdf_bytes(int type) {
  constexpr Word kBytes[] = {0, 1, 1, 2, 4, 4,
                             8, 1, 2, 4, 8, 8};  // byte, char, short, int, float, double, then unsigned
  return type > 0 && type < 12 ? kBytes[type] : 0;
}

bool NetCdfContent::has_records(const NetCdfVariable& variable) const {
  return !variable.dimensions.empty() && dimensions[static_cast<std::size_t>(variable.dimensions.front())].length == 0;
}

Word NetCdfContent::elements(const NetCdfVariable& variable) const {
  Word all = 1;
  for (std::size_t i = has_records(variable) ? 1 : 0; i < variable.dimensions.size(); ++i)
    all *= dimensions[static_cast<std::size_t>(variable.dimensions[i])].length;
  return all;
}

std::size_t NetCdfContent::record_variables() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(variables, [&](const NetCdfVariable& one) { return has_records(one); }));
}

std::vector<NetCdfPart> NetCdfContent::header_parts() const {
  const Widths wide = widths(format);
  std::vector<NetCdfPart> parts = {{kWord + wide.number}};  // magic, records
  add_list(parts, wide);
  for (const NetCdfDimension& one : dimensions) add_name(parts, one.name, wide), parts.push_back({wide.number});
  add_attributes(parts, attributes, wide);
  add_list(parts, wide);
  for (const NetCdfVariable& one : variables) {
    add_name(parts, one.name, wide);
    parts.push_back({wide.number}), parts.push_back({wide.number * one.dimensions.size()});
    add_attributes(parts, one.attributes, wide);
    parts.push_back({kWord}), parts.push_back({wide.number}), parts.push_back({wide.offset});
  }
  return parts;
}

Word NetCdfContent::header() const {
  Word bytes = 0;
  for (const NetCdfPart& part : header_parts()) bytes += part.bytes;
  return bytes;
}

void NetCdfContent::lay_out(const NetCdfSpacing& spacing) {
  header_bytes = header();
  if (data_begin < header_bytes + spacing.header_free || data_begin % spacing.align != 0)
    data_begin = std::max(data_begin, padded(header_bytes + spacing.header_free, spacing.align));
  Word at = data_begin;
  for (NetCdfVariable& one : variables) {
    one.bytes = padded(elements(one) * netcdf_bytes(one.type));
    if (has_records(one)) continue;
    one.begin = std::max(one.begin, at);
    at = one.begin + one.bytes;
  }
  if (record_begin < at + spacing.data_free || record_begin % spacing.record_align != 0)
    record_begin = std::max(record_begin, padded(at + spacing.data_free, spacing.record_align));
  at = record_begin;
  record_bytes = 0;
  for (NetCdfVariable& one : variables) {
    if (!has_records(one)) continue;
    one.begin = std::max(one.begin, at);
    at += one.bytes;
    record_bytes += one.bytes;
  }
  if (record_variables() == variables.size() && !variables.empty()) data_begin = record_begin;
  pack_records();
}

void NetCdfContent::pack_records() {
  if (record_variables() != 1) return;
  for (const NetCdfVariable& one : variables)
    if (has_records(one)) record_bytes = elements(one) * netcdf_bytes(one.type);
}

Word NetCdfContent::size() const {
  Word end = header_bytes;
  for (const NetCdfVariable& one : variables)
    if (!has_records(one)) end = std::max(end, one.begin + one.bytes);
    else if (records > 0) end = std::max(end, one.begin + (records - 1) * record_bytes + one.bytes);
  return end;
}

Word NetCdfContent::least_size() const {
  if (variables.empty()) return header_bytes;
  if (record_variables() > 0) return record_begin + records * record_bytes;
  return variables.back().begin + variables.back().bytes;
}

NetCdfAttribute* NetCdfAttributes::find(std::string_view name) {
  const auto found = std::ranges::find(all_, name, &Named::first);
  return found == all_.end() ? nullptr : &found->second;
}

NetCdfAttribute& NetCdfAttributes::operator[](std::string_view name) {
  if (NetCdfAttribute* there = find(name)) return *there;
  return all_.emplace_back(std::string(name), NetCdfAttribute{}).second;
}

Word NetCdf::add(NetCdfFile file) {
  file.open = true;
  for (std::size_t i = 0; i < files.size(); ++i)
    if (!files[i].open) return files[i] = std::move(file), i;
  files.push_back(std::move(file));
  return files.size() - 1;
}

NetCdfFile* NetCdf::at(Word id) { return id < files.size() && files[id].open ? &files[id] : nullptr; }

void NetCdf::close(Word id) {
  if (NetCdfFile* file = at(id)) {
    left[file->file] = file->content;
    *file = NetCdfFile{};
  }
}

void NetCdf::numbers(std::vector<Word>& out) const {
  for (const NetCdfFile& file : files) {
    out.insert(out.end(), {file.content.records, file.next_request, file.puts.count, file.puts.bytes, file.puts.records,
                           file.gets.count, file.gets.bytes});
    file.posix.buffer.numbers(out);
  }
}

std::size_t NetCdf::step(const std::vector<Word>& steps, std::size_t at, Word iterations) {
  for (NetCdfFile& file : files) {
    for (Word* one : {&file.content.records, &file.next_request, &file.puts.count, &file.puts.bytes, &file.puts.records,
                      &file.gets.count, &file.gets.bytes})
      *one += steps[at++] * iterations;
    at = file.posix.buffer.step(steps, at, iterations);
  }
  return at;
}

}  // namespace trikal::predict

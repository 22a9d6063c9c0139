#include "predict/world/netcdf.hpp"

#include <algorithm>

namespace trikal::predict {
namespace {

constexpr Word kWord = 4;
Word padded(Word bytes, Word to = kWord) { return (bytes + to - 1) / to * to; }

// Sizes of what the header is made of: numbers are of 4 bytes, in CDF-5 of 8; places in the file are of 4, from CDF-2 on of 8.
struct Widths {
  Word number, place;
};
Widths widths(int format) { return {format == 5 ? Word{8} : Word{4}, format == 1 ? Word{4} : Word{8}}; }

Word name_bytes(const std::string& name, const Widths& wide) { return wide.number + padded(name.size()); }

Word attribute_bytes(const NetCdfAttributes& attributes, const Widths& wide) {
  Word bytes = kWord + wide.number;  // tag, and how many
  for (const auto& [name, one] : attributes)
    bytes += name_bytes(name, wide) + kWord + wide.number + padded(one.count * netcdf_bytes(one.type));
  return bytes;
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

Word NetCdfContent::header() const {
  const Widths wide = widths(format);
  Word bytes = kWord + wide.number;  // magic, records
  bytes += kWord + wide.number;  // dimensions: tag, how many
  for (const NetCdfDimension& one : dimensions) bytes += name_bytes(one.name, wide) + wide.number;
  bytes += attribute_bytes(attributes, wide);
  bytes += kWord + wide.number;  // variables
  for (const NetCdfVariable& one : variables)
    bytes += name_bytes(one.name, wide) + wide.number * (1 + one.dimensions.size()) +
             attribute_bytes(one.attributes, wide) + kWord + wide.number + wide.place;
  return bytes;
}

void NetCdfContent::lay_out(Word align) {
  header_bytes = header();
  Word at = std::max(data_begin, padded(header_bytes, align));
  data_begin = at;
  for (NetCdfVariable& one : variables) {
    one.bytes = padded(elements(one) * netcdf_bytes(one.type));
    if (has_records(one)) continue;
    one.begin = at;
    at += one.bytes;
  }
  record_bytes = 0;
  std::size_t with_records = 0;
  for (NetCdfVariable& one : variables) {
    if (!has_records(one)) continue;
    one.begin = at;
    at += one.bytes;
    record_bytes += one.bytes;
    ++with_records;
  }
  if (with_records != 1) return;  // records of one variable alone lie together without gaps
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
  for (const NetCdfFile& file : files)
    out.insert(out.end(), {file.content.records, file.next_request, file.puts.count, file.puts.bytes, file.puts.records,
                           file.gets.count, file.gets.bytes});
}

std::size_t NetCdf::step(const std::vector<Word>& steps, std::size_t at, Word turns) {
  for (NetCdfFile& file : files)
    for (Word* one : {&file.content.records, &file.next_request, &file.puts.count, &file.puts.bytes, &file.puts.records,
                      &file.gets.count, &file.gets.bytes})
      *one += steps[at++] * turns;
  return at;
}

}  // namespace trikal::predict

// The name region in its two forms, plain, against a simple model of what it means.

#include <map>
#include <string>

#include "log/read/name_region.hpp"

namespace {

using namespace trikal;  // NOLINT: this file is the program

struct Model {
  std::vector<std::uint64_t> order;
  std::map<std::uint64_t, std::string> names;

  void add(std::uint64_t id, std::string name) {
    const auto [at, fresh] = names.try_emplace(id, name);
    if (fresh) order.push_back(id);
    else if (at->second.empty()) at->second = std::move(name);
  }
};

// What a careful person would read; true if it ends where a name does.
bool read_by_hand(Bytes bytes, const log::Header& header, Model& model) {
  constexpr std::size_t kLongest = 65536;
  while (!bytes.empty()) {
    if (bytes.size() < 8) return false;
    auto id = load<std::uint64_t>(bytes.data());
    if (header.foreign) id = byteswap(id);
    bytes = bytes.subspan(8);
    std::size_t length = 0;
    if (header.minor < 10) {
      if (bytes.size() < 4) return false;
      auto raw = load<std::uint32_t>(bytes.data());
      length = header.foreign ? byteswap(raw) : raw;
      bytes = bytes.subspan(4);
      if (length > bytes.size()) return false;
    } else {
      while (length < bytes.size() && bytes[length] != std::byte{0}) ++length;
      if (length == bytes.size()) return false;
    }
    if (length > kLongest) return false;
    model.add(id, std::string(reinterpret_cast<const char*>(bytes.data()), length));
    bytes = bytes.subspan(length + (header.minor < 10 ? 0 : 1));
  }
  return true;
}

void must(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return -1;
  const log::Header header{.minor = (data[0] & 1) != 0 ? 0 : 41, .foreign = (data[0] & 2) != 0};
  const Bytes region = std::as_bytes(std::span(data + 1, size - 1));
  const auto source = log::from_memory({region.begin(), region.end()});
  const std::size_t stage = 1 + data[0] / 4;
  log::ByteReader bytes(log::open_region(*source, {0, region.size()}, log::Codec::kNone, {}, stage));
  log::NameTable table;
  const Status read = log::read_names(bytes, header, {}, table);
  Model model;
  must(read_by_hand(region, header, model) == read.ok());
  must(table.entries().size() == model.order.size());
  for (std::size_t i = 0; i < model.order.size(); ++i) {
    const auto& entry = table.entries()[i];
    must(entry.id == model.order[i] && table.text(entry) == model.names[entry.id]);
    must(table.find(entry.id) == &entry);
  }
  // The same under a limit: an error or the same, and never more than allowed.
  log::ByteReader again(log::open_region(*source, {0, region.size()}, log::Codec::kNone, {}, stage));
  log::NameTable small;
  constexpr std::uint64_t kLimit = 6000;
  const Status limited = log::read_names(again, header, {.memory = kLimit}, small);
  must(small.bytes() <= kLimit && small.entries().size() <= table.entries().size());
  must(limited.ok() ? small.entries().size() == table.entries().size() : limited.error().what[0] != '\0');
  return 0;
}

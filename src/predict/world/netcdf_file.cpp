// Reads the header of a file in one of NetCDF's classic formats: big-endian numbers, names padded to four bytes.

#include <fstream>

#include "predict/world/netcdf.hpp"

namespace trikal::predict {
namespace {

constexpr std::size_t kMost = 1 << 20;  // of a header that is looked at
constexpr Word kMany = 1 << 16;         // dimensions, variables, attributes

struct Damaged {};

class Reader {
 public:
  Reader(const std::string& bytes, int format) : bytes_(bytes), format_(format) {}

  Word big(std::size_t width) {
    if (width > bytes_.size() - at_) throw Damaged{};
    Word out = 0;
    for (std::size_t i = 0; i < width; ++i) out = out << 8 | static_cast<unsigned char>(bytes_[at_++]);
    return out;
  }
  Word number() { return big(format_ == 5 ? 8 : 4); }
  Word offset() { return big(format_ == 1 ? 4 : 8); }
  std::string name() { return text(number()); }
  std::string text(Word length) {
    if (length > bytes_.size() - at_) throw Damaged{};
    std::string out = bytes_.substr(at_, length);
    at_ += (length + 3) / 4 * 4;
    if (at_ > bytes_.size()) throw Damaged{};
    return out;
  }
  Word list() {  // its tag, and how many follow
    (void)big(4);
    const Word many = number();
    if (many > kMany) throw Damaged{};
    return many;
  }
  NetCdfAttributes attributes() {
    NetCdfAttributes out;
    for (Word left = list(); left > 0; --left) {
      const std::string called = name();
      NetCdfAttribute& one = out[called];
      one.type = static_cast<int>(big(4));
      one.count = number();
      if (one.count > kMost) throw Damaged{};
      const std::string raw = text(one.count * netcdf_bytes(one.type));
      const std::size_t width = netcdf_bytes(one.type);
      for (std::size_t i = 0; width > 0 && i + width <= raw.size(); i += width)
        one.value.append(raw.rend() - static_cast<std::ptrdiff_t>(i + width),
                         raw.rend() - static_cast<std::ptrdiff_t>(i));
    }
    return out;
  }
  [[nodiscard]] std::size_t at() const { return at_; }

 private:
  const std::string& bytes_;
  int format_;
  std::size_t at_ = 4;
};

NetCdfContent parse(const std::string& bytes) {
  NetCdfContent out;
  out.format = bytes[3];
  Reader in(bytes, out.format);
  out.records = in.number();
  if (out.records == (out.format == 5 ? ~Word{0} : 0xffffffff)) out.records = 0;  // still being written
  for (Word left = in.list(); left > 0; --left) {
    NetCdfDimension one;
    one.name = in.name();
    one.length = in.number();
    out.dimensions.push_back(std::move(one));
  }
  out.attributes = in.attributes();
  for (Word left = in.list(); left > 0; --left) {
    NetCdfVariable one;
    one.name = in.name();
    Word rank = in.number();
    if (rank > 1024) throw Damaged{};
    for (; rank > 0; --rank) {
      const Word dimension = in.number();
      if (dimension >= out.dimensions.size()) throw Damaged{};
      one.dimensions.push_back(static_cast<int>(dimension));
    }
    one.attributes = in.attributes();
    one.type = static_cast<int>(in.big(4));
    one.bytes = in.number();
    one.begin = in.offset();
    if (out.data_begin == 0 || one.begin < out.data_begin) out.data_begin = one.begin;
    out.variables.push_back(std::move(one));
  }
  out.header_bytes = in.at();
  return out;
}

// Where variables and records begin, by what each variable says.
void find_offsets(NetCdfContent& content) {
  for (NetCdfVariable& one : content.variables) {
    one.bytes = (content.elements(one) * netcdf_bytes(one.type) + 3) / 4 * 4;  // what the file says may be cut off
    if (content.has_records(one)) {
      if (content.record_bytes == 0) content.record_begin = one.begin;
      content.record_bytes += one.bytes;
    } else if (content.record_variables() == 0) {
      content.record_begin = one.begin + one.bytes;
    }
  }
  content.pack_records();
}

}  // namespace

bool netcdf_is_hdf5(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(8, '\0');
  for (std::streamoff at = 0; at <= 8192; at = at == 0 ? 512 : 2 * at) {  // something of the user's may lie before it
    if (!file.seekg(at) || !file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return false;
    if (bytes == "\x89HDF\r\n\x1a\n") return true;
  }
  return false;
}

std::optional<NetCdfContent> read_netcdf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(kMost, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  if (bytes.size() < 8 || bytes.substr(0, 3) != "CDF" || (bytes[3] != 1 && bytes[3] != 2 && bytes[3] != 5))
    return std::nullopt;
  try {
    NetCdfContent out = parse(bytes);
    find_offsets(out);
    return out;
  } catch (const Damaged&) {
    return std::nullopt;
  }
}

}  // namespace trikal::predict

#include "predict/world/hdf5_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace trikal::predict {
namespace {

constexpr Word kNowhere = ~Word{0};
constexpr std::size_t kMostNodes = 100'000, kMostMessages = 10'000, kDeepest = 64;
constexpr Word kMostBytes = Word{1} << 20;  // of one piece
constexpr Word kMostRead = Word{1} << 28;  // of all: a damaged file may lead in circles

class Disk {
 public:
  explicit Disk(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Disk() {
    if (file_ >= 0) ::close(file_);
  }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  // As much of it as there is.
  [[nodiscard]] std::string read(Word at, Word bytes) {
    std::string out(std::min({bytes, kMostBytes, left_}), '\0');
    left_ -= out.size();
    const ssize_t got =
        file_ < 0 || at > (Word{1} << 62) ? 0 : ::pread(file_, out.data(), out.size(), static_cast<off_t>(at));
    out.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return out;
  }

 private:
  int file_;
  Word left_ = kMostRead;
};

// Bytes one after the other. Behind the end everything is 0, and `good` says so.
class Bytes {
 public:
  explicit Bytes(std::string text) : text_(std::move(text)) {}
  Word number(std::size_t bytes) {
    Word value = 0;
    const std::string_view rest = std::string_view(text_).substr(std::min(at_, text_.size()));
    for (std::size_t i = 0; i < std::min(bytes, rest.size()); ++i)
      value |= static_cast<Word>(static_cast<std::uint8_t>(rest[i])) << (8 * i);
    skip(bytes);
    if (bytes > 0 && bytes < 8 && value == (Word{1} << (8 * bytes)) - 1 && bytes >= 4) return kNowhere;
    return value;
  }
  std::string take(Word bytes) {
    const std::string out =
        good() ? text_.substr(std::min(at_, text_.size()), std::min<Word>(bytes, text_.size())) : "";
    skip(bytes);
    return out;
  }
  void skip(Word bytes) { at_ += std::min<Word>(bytes, text_.size() + 1); }
  void align(std::size_t to) { at_ = (at_ + to - 1) / to * to; }
  [[nodiscard]] bool good() const { return at_ <= text_.size(); }
  [[nodiscard]] Word left() const { return good() ? text_.size() - at_ : 0; }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

Hdf5Type read_type(Bytes bytes) {
  const Word first = bytes.number(1), bits = bytes.number(3);
  Hdf5Type type;
  type.kind = static_cast<Hdf5Class>(first & 0xf);
  type.bytes = bytes.number(4);
  if (type.kind == Hdf5Class::kInteger) type.has_sign = (bits & 8) != 0;
  if (type.kind != Hdf5Class::kVariable) return type;
  type.variable = (bits & 0xf) == 1;  // text
  type.bytes = type.variable ? 8 : 16;  // as memory has them
  if (type.variable) type.kind = Hdf5Class::kString;
  return type;
}

class Reader {
 public:
  Reader(Disk& disk, std::map<std::string, Hdf5Node>& out) : disk_(disk), out_(out) {}

  bool read() {
    Bytes head(disk_.read(0, 256));
    if (head.take(8) != "\x89HDF\r\n\x1a\n") return false;
    const Word version = head.number(1);
    if (version < 2) {
      head.skip(4);
      offset_ = head.number(1), length_ = head.number(1);
      head.skip(version == 0 ? 9 : 13);
    } else {
      offset_ = head.number(1), length_ = head.number(1);
      head.skip(1);
    }
    understood_ = version <= 3 && good_width(offset_) && good_width(length_);
    if (!understood_) return true;
    base_ = head.number(offset_);
    head.skip(version < 2 ? 4 * offset_ : 2 * offset_);  // of a table's entry the name is skipped as well
    const Word root = head.number(offset_);
    object(root, "/", 0);
    if (!understood_) out_.clear();
    return true;
  }

 private:
  static bool good_width(Word bytes) { return bytes == 4 || bytes == 8; }

  void object(Word at, const std::string& path, std::size_t deep) {
    if (deep > kDeepest || out_.size() >= kMostNodes || at == kNowhere) {
      understood_ = false;
      return;
    }
    if (deep > 0 && !above_.insert(at).second) return;  // a link to a group that it lies in
    Hdf5Node node;
    Links links;
    messages(at, node, links);
    if (node.kind == Hdf5Kind::kDataset && node.space.most.empty()) node.space.most = node.space.extent;
    out_[path] = std::move(node);
    for (const auto& [name, target] : links.hard) object(target, hdf5_path(path, name), deep + 1);
    for (const auto& [name, target] : links.soft) out_[hdf5_path(path, name)].link = hdf5_path(path, target);
    above_.erase(at);
  }

  struct Links {
    std::vector<std::pair<std::string, Word>> hard;
    std::vector<std::pair<std::string, std::string>> soft;
  };
  struct Block {
    Word at, bytes;
  };

  void messages(Word at, Hdf5Node& node, Links& links) {
    Bytes head(disk_.read(base_ + at, 64));
    const bool newer = disk_.read(base_ + at, 4) == "OHDR";
    std::vector<Block> blocks;
    bool ordered = false;
    if (newer) {
      head.skip(5);
      const Word flags = head.number(1);
      const Word before = ((flags & 0x20) != 0 ? 16U : 0U) + ((flags & 0x10) != 0 ? 4U : 0U);
      head.skip(before);
      const std::size_t width = std::size_t{1} << (flags & 3);
      ordered = (flags & 4) != 0;
      blocks.push_back({at + 6 + before + width, head.number(width)});
    } else {
      head.skip(8);
      blocks.push_back({at + 16, head.number(4)});
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < blocks.size() && i < kMostMessages; ++i) {
      const bool more = newer && i > 0;  // begins with OCHK and ends with a checksum
      Bytes block(disk_.read(base_ + blocks[i].at + (more ? 4 : 0),
                             blocks[i].bytes - std::min<Word>(more ? 8 : 0, blocks[i].bytes)));
      while (block.left() >= (!newer ? 8U : ordered ? 6U : 4U) && ++count < kMostMessages) {
        const Word kind = block.number(newer ? 1 : 2), bytes = block.number(2), flags = block.number(1);
        block.skip(newer ? (ordered ? 2 : 0) : 3);
        Bytes message(block.take(bytes));
        if (kind == 0x10) blocks.push_back({message.number(offset_), message.number(length_)});
        else if ((flags & 2) == 0) one(kind, std::move(message), node, links);
        else if (kind == 3) node.kind = Hdf5Kind::kDataset, understood_ = false;  // its type lies elsewhere
      }
    }
  }

  void one(Word kind, Bytes message, Hdf5Node& node, Links& links) {
    switch (kind) {
      case 0x01: node.space = space(std::move(message)); break;
      case 0x02: link_info(std::move(message)); break;
      case 0x03: node.type = read_type(std::move(message)), types(node); break;
      case 0x06: link(std::move(message), links); break;
      case 0x08: layout(std::move(message), node); break;
      case 0x0c: attribute(std::move(message), node); break;
      case 0x11: {
        const Word tree = message.number(offset_), heap = message.number(offset_);
        table(tree, heap_data(heap), links, 0);
        break;
      }
      default: break;
    }
  }
  static void types(Hdf5Node& node) {
    if (node.kind == Hdf5Kind::kGroup) node.kind = Hdf5Kind::kType;  // a dataset says so by its layout
  }

  Hdf5Space space(Bytes message) const {
    Hdf5Space out;
    const Word version = message.number(1), rank = message.number(1), flags = message.number(1);
    const Word kind = message.number(1);
    if (version == 1) message.skip(4);
    else out.empty = kind == 2;
    for (Word i = 0; i < rank && i < kHdf5MostDimensions; ++i) out.extent.push_back(message.number(length_));
    for (Word i = 0; (flags & 1) != 0 && i < rank && i < kHdf5MostDimensions; ++i)
      out.most.push_back(message.number(length_));
    if (out.most.empty()) out.most = out.extent;
    return out;
  }

  void layout(Bytes message, Hdf5Node& node) const {
    node.kind = Hdf5Kind::kDataset;
    const Word version = message.number(1);
    Word rank = 0, width = 4;
    if (version < 3) {
      rank = message.number(1), node.list.layout = static_cast<int>(message.number(1) & 3);
      message.skip(5 + (node.list.layout != 0 ? offset_ : 0));
    } else {
      node.list.layout = static_cast<int>(message.number(1) & 3);
      if (version > 3) message.skip(1);
      rank = message.number(1);
      if (version > 3) width = message.number(1);
      else message.skip(offset_);
    }
    for (Word i = 0; node.list.layout == 2 && i + 1 < rank && i < kHdf5MostDimensions; ++i)  // the last is an element
      node.list.chunk.push_back(message.number(std::min<Word>(width, 8)));
  }

  // Many links lie in a heap of another kind, which is not read.
  void link_info(Bytes message) {
    message.skip(1);
    message.skip((message.number(1) & 1) != 0 ? 8 : 0);
    if (message.number(offset_) != kNowhere) understood_ = false;
  }

  void link(Bytes message, Links& links) const {
    message.skip(1);
    const Word flags = message.number(1);
    const Word kind = (flags & 8) != 0 ? message.number(1) : 0;
    message.skip(((flags & 4) != 0 ? 8U : 0U) + ((flags & 0x10) != 0 ? 1U : 0U));
    const std::string name = message.take(message.number(std::size_t{1} << (flags & 3)));
    if (kind == 0) links.hard.emplace_back(name, message.number(offset_));
    if (kind == 1) links.soft.emplace_back(name, message.take(message.number(2)));
  }

  void attribute(Bytes message, Hdf5Node& node) const {
    const Word version = message.number(1), flags = message.number(1);
    const Word name_bytes = message.number(2), type_bytes = message.number(2), space_bytes = message.number(2);
    if (version == 3) message.skip(1);
    const auto part = [&](Word bytes) {
      std::string out = message.take(bytes);
      if (version == 1) message.skip((8 - bytes % 8) % 8);
      return out;
    };
    const std::string name = part(name_bytes);
    Hdf5Node made;
    made.kind = Hdf5Kind::kAttribute;
    made.type = read_type(Bytes(part(type_bytes)));
    made.space = space(Bytes(part(space_bytes)));
    const Word bytes = made.space.elements() * made.type.bytes;
    const bool told = (version == 1 || flags == 0) && !made.type.variable && bytes <= message.left();
    if (told) made.value = std::make_shared<const std::string>(message.take(bytes));
    node.attributes[name.c_str()] = std::move(made);
  }

  // Names of an older group.
  [[nodiscard]] std::string heap_data(Word at) const {
    Bytes head(disk_.read(base_ + at, 64));
    if (head.take(4) != "HEAP") return {};
    head.skip(4);
    const Word bytes = head.number(length_);
    head.skip(length_);
    return disk_.read(base_ + head.number(offset_), bytes);
  }
  static std::string text_in(const std::string& heap, Word at) { return at < heap.size() ? heap.c_str() + at : ""; }

  void table(Word at, const std::string& heap, Links& links, std::size_t deep) {
    Bytes node(disk_.read(base_ + at, Word{1} << 16));
    const std::string magic = node.take(4);
    if (deep > kDeepest || links.hard.size() > kMostNodes || (magic != "TREE" && magic != "SNOD")) {
      understood_ = false;
      return;
    }
    node.skip(2);
    const Word entries = node.number(2);
    if (magic == "TREE") node.skip(2 * offset_);
    for (Word i = 0; i < entries && node.left() > 0; ++i) {
      if (magic == "TREE") {
        node.skip(length_);
        table(node.number(offset_), heap, links, deep + 1);
        continue;
      }
      const std::string name = text_in(heap, node.number(offset_));
      const Word target = node.number(offset_), cached = node.number(4);
      node.skip(4);
      Bytes scratch(node.take(16));
      if (cached == 2) links.soft.emplace_back(name, text_in(heap, scratch.number(4)));
      else links.hard.emplace_back(name, target);
    }
  }

  Disk& disk_;
  std::map<std::string, Hdf5Node>& out_;
  Word offset_ = 8, length_ = 8, base_ = 0;
  bool understood_ = true;
  std::set<Word> above_;
};

}  // namespace

bool read_hdf5_file(const std::string& path, std::map<std::string, Hdf5Node>& out) {
  Disk disk(path);
  return Reader(disk, out).read();
}

}  // namespace trikal::predict

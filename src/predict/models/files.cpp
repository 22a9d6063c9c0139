// Bytes of files, and their names.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_map>

#include "predict/models/libc.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kReadForReal = Word{1} << 20;  // configuration is; data is not

// What is kept is how the file begins: all of a small one, the head of a large one.
void keep_content(File& file, const Transfer& transfer) {
  if (transfer.bytes == 0) return;
  const Word end = transfer.offset + transfer.bytes;
  if (!file.content && file.size > 0) return;
  const Word kept = file.content ? file.content->size() : 0;
  Word known = transfer.data != nullptr ? std::min<Word>(transfer.data->size(), transfer.bytes) : 0;
  if (end > kKeptContent) known = std::min(known, kKeptContent - std::min(kKeptContent, transfer.offset));
  if (transfer.offset > kept && (known < transfer.bytes || kept < file.size)) return;  // behind what is known
  auto content = std::make_shared<std::string>(file.content ? *file.content : "");
  if (known < transfer.bytes) content->resize(std::min<std::size_t>(content->size(), transfer.offset));
  if (content->size() < transfer.offset + known) content->resize(transfer.offset + known);
  if (known > 0) content->replace(transfer.offset, known, *transfer.data, 0, known);
  file.content = std::move(content);
}

// A few files as they lie on the disk: characters are taken from them one by one. Null: it cannot be read.
const std::string* bytes_on_disk(const std::string& name) {
  constexpr std::size_t kMost = 32;
  static std::unordered_map<std::string, std::optional<std::string>> all;
  if (const auto found = all.find(name); found != all.end()) return found->second ? &*found->second : nullptr;
  if (all.size() >= kMost) all.clear();
  std::optional<std::string>& content = all[name];
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return nullptr;
  std::string bytes(kReadForReal, '\0');
  const ssize_t got = ::pread(descriptor, bytes.data(), bytes.size(), 0);
  ::close(descriptor);
  if (got < 0) return nullptr;
  bytes.resize(static_cast<std::size_t>(got));
  bytes.shrink_to_fit();
  content = std::move(bytes);
  return &*content;
}

}  // namespace

void fail(Machine& machine, Call& call, int number, unsigned width) {
  machine.memory.store(kErrno, 4, Value::of(static_cast<Word>(number)));
  call.returns(Value::of(lowest(~Word{0}, width)));
}

bool text_argument(Machine& machine, const Call& call, std::size_t index, std::string& out) {
  const Value pointer = call.argument(index);
  return pointer.known() && pointer.bits != 0 && machine.memory.text(pointer.bits, out);
}

std::string name_argument(Machine& machine, const Call& call, std::size_t index) {
  const Value pointer = call.argument(index);
  Cause cause = pointer.cause;
  std::string name;
  if (pointer.known() && machine.memory.text(pointer.bits, name, &cause)) return machine.world.full_name(name);
  return "<unknown: " + machine.causes[cause].what + ">";
}

void move_bytes(Machine& machine, const Call& call, const Transfer& transfer) {
  File& file = machine.world.files[transfer.file];
  const bool writes = analyze::writes(transfer.operation);
  Word& last = writes ? file.last_written : file.last_read;
  Machine::Moved moved{transfer.operation, transfer.file, transfer.offset, transfer.bytes, transfer.bytes_known};
  moved.extrapolated = transfer.extrapolated;
  moved.selection = transfer.selection;
  moved.sequential = transfer.offset > last;
  moved.consecutive = transfer.offset == last + 1;
  const int direction = writes ? 2 : 1;
  moved.switched = file.last_direction != 0 && file.last_direction != direction;
  file.last_direction = direction;
  last = transfer.offset + transfer.bytes - 1;
  if (writes) {
    keep_content(file, transfer);
    file.size = std::max(file.size, transfer.offset + transfer.bytes);
    file.original = false;
  }
  machine.access(call, moved);
}

Word readable(Machine& machine, const Call& call, const File& file, Word offset, Word asked) {
  if (!file.size_known) return asked;
  machine.compare(call, offset + asked, file.size);
  return offset >= file.size ? 0 : std::min(asked, file.size - offset);
}

bool bytes_of_file(const File& file, Word offset, Word bytes, std::string& out) {
  if (file.content && offset + bytes <= file.content->size()) return out = file.content->substr(offset, bytes), true;
  if (!file.original || file.size > kReadForReal || bytes > kReadForReal) return false;
  const std::string* content = bytes_on_disk(path_on_disk(file));
  if (content == nullptr || offset + bytes > content->size()) return false;
  out = content->substr(offset, bytes);
  return true;
}

void reads_on(Machine& machine, const Call& call, const File& file, Word offset) {
  const bool whole = file.content ? file.content->size() >= file.size : file.original && file.size <= kReadForReal;
  if (whole) without_pattern(machine, call, offset);
}

void not_read(Machine& machine, const Call& call, const File& file) {
  machine.assume(call, "bytes of " + file.name + " that were not read");
}

void make_empty(File& file) {
  if (!file.exists) file.directory = file.times_set = false, file.mode = 0;
  file.lies.clear();
  file.size = 0;
  file.original = false;
  file.size_known = true;
  file.guessed = false;
  file.content = std::make_shared<const std::string>();
}

void replace(Machine& machine, const Call& call, File& file) {
  if (file.exists) machine.count(call, analyze::Work::kReplacedBytes, static_cast<double>(file.size));
  make_empty(file);
}

bool folder_exists(Machine& machine, const std::string& name) {
  if (name.starts_with("<")) return true;
  const std::string folder = std::filesystem::path(machine.world.real_name(name)).parent_path().string();
  if (folder.empty()) return true;
  const File& file = machine.world.files[machine.world.file_named(folder)];
  return file.exists && file.directory;
}

bool written_data(Machine& machine, Value buffer, Word bytes, std::string& out) {
  if (!buffer.known() || bytes > kKeptContent) return false;
  out.resize(bytes);
  const Memory::Untold untold(machine.memory);  // what is written decides nothing until somebody reads it
  return machine.memory.read(buffer.bits, out.data(), bytes);
}

void fill_from_file(Machine& machine, const Call& call, const File& file, Word offset, Value buffer, Word bytes) {
  if (!buffer.known() || bytes == 0) return;
  std::string real;
  if (bytes_of_file(file, offset, bytes, real)) {
    reads_on(machine, call, file, offset);
    return machine.memory.write(buffer.bits, real.data(), real.size());
  }
  machine.memory.forget(buffer.bits, bytes, machine.unknown(call.at, "bytes read from " + file.name).cause);
}

}  // namespace trikal::predict

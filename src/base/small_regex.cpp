#include "base/small_regex.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/short_text.hpp"
#include "base/text.hpp"

namespace trikal {
namespace {

constexpr std::size_t kMostInstructions = 96, kNoJump = SIZE_MAX;
constexpr unsigned kMostDepth = 4, kMostCount = 90;
constexpr std::string_view kTooLong = "is too long", kTooDeep = "has too many groups within groups",
                           kBadCount = "has a count that cannot be";

enum class Op : std::uint8_t { kChar, kAny, kSet, kSplit, kJump, kBegin, kEnd, kFound };

// Targets are distances from the instruction itself, so that a block can be moved and copied as it is.
struct Instruction {
  Op op;
  char character = 0;
  std::int16_t a = 0, b = 0;  // targets; of a set where it begins in the expression and its length
};

bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_alpha(char c) noexcept { return is_upper(c) || is_lower(c); }
bool is_alnum(char c) noexcept { return is_alpha(c) || is_digit(c); }
bool is_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
bool is_graph(char c) noexcept { return c > ' ' && c < '\x7f'; }
bool is_print(char c) noexcept { return is_graph(c) || c == ' '; }
bool is_punct(char c) noexcept { return is_graph(c) && !is_alnum(c); }
bool is_cntrl(char c) noexcept { return (c >= 0 && c < ' ') || c == '\x7f'; }
bool is_xdigit(char c) noexcept { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

enum class Class : std::uint8_t {
  kAlpha,
  kDigit,
  kAlnum,
  kUpper,
  kLower,
  kSpace,
  kBlank,
  kPunct,
  kPrint,
  kGraph,
  kControl,
  kHex
};
constexpr ShortText<10> kClasses[] = {"[:alpha:]", "[:digit:]", "[:alnum:]", "[:upper:]", "[:lower:]", "[:space:]",
                                      "[:blank:]", "[:punct:]", "[:print:]", "[:graph:]", "[:cntrl:]", "[:xdigit:]"};

bool holds(Class set, char c) noexcept {
  switch (set) {
    case Class::kAlpha: return is_alpha(c);
    case Class::kDigit: return is_digit(c);
    case Class::kAlnum: return is_alnum(c);
    case Class::kUpper: return is_upper(c);
    case Class::kLower: return is_lower(c);
    case Class::kSpace: return is_space(c);
    case Class::kBlank: return is_blank(c);
    case Class::kPunct: return is_punct(c);
    case Class::kPrint: return is_print(c);
    case Class::kGraph: return is_graph(c);
    case Class::kControl: return is_cntrl(c);
    case Class::kHex: return is_xdigit(c);
  }
  return false;
}
// Null: no class is named at the beginning of `text`.
const ShortText<10>* class_at(std::string_view text) noexcept {
  const auto* const found =
      std::ranges::find_if(kClasses, [text](std::string_view name) { return text.starts_with(name); });
  return found == std::end(kClasses) ? nullptr : found;
}

// `set` is what stands between the brackets.
bool in_set(std::string_view set, char c) noexcept {
  const auto byte = [](char character) { return static_cast<unsigned char>(character); };
  const bool inverted = set.starts_with('^');
  if (inverted) set.remove_prefix(1);
  bool found = false;
  while (!set.empty()) {
    if (const ShortText<10>* name = class_at(set)) {
      found = found || holds(static_cast<Class>(name - kClasses), c);
      set.remove_prefix(name->length);
      continue;
    }
    const bool range = set.size() > 2 && set[1] == '-';
    found = found || (range ? byte(set[0]) <= byte(c) && byte(c) <= byte(set[2]) : set[0] == c);
    set.remove_prefix(range ? 3 : 1);
  }
  return found != inverted;
}

struct Program {
  Instruction code[kMostInstructions];
  std::size_t size = 0;
};

class Compiler {
 public:
  Compiler(std::string_view expression, Program& program) noexcept : text_(expression), program_(program) {}

  // Empty: the program is made.
  std::string_view compile() noexcept {
    alternatives(0);
    emit({Op::kFound});
    return problem_;
  }

 private:
  [[nodiscard]] bool more() const noexcept { return problem_.empty() && at_ < text_.size(); }
  [[nodiscard]] char next() const noexcept { return text_[at_]; }
  [[nodiscard]] std::string_view rest() const noexcept { return text_after(text_, at_); }
  void refuse(std::string_view problem) noexcept {
    if (problem_.empty()) problem_ = problem;
  }
  static std::int16_t distance(std::size_t from, std::size_t to) noexcept {
    return static_cast<std::int16_t>(static_cast<std::ptrdiff_t>(to) - static_cast<std::ptrdiff_t>(from));
  }

  bool emit(Instruction one) noexcept {
    if (program_.size == kMostInstructions) return refuse(kTooLong), false;
    program_.code[program_.size++] = one;
    return true;
  }
  // In front of the block that begins at `begin`, which moves on by one.
  bool insert(std::size_t begin, Instruction one) noexcept {
    if (!emit({Op::kFound})) return false;
    Instruction* code = program_.code;
    std::copy_backward(code + begin, code + program_.size - 1, code + program_.size);
    code[begin] = one;
    return true;
  }
  // One more of the block [begin, begin + size).
  void repeat(std::size_t begin, std::size_t size) noexcept {
    for (std::size_t i = 0; i < size; ++i) {
      if (!emit(program_.code[begin + i])) return;
    }
  }

  void alternatives(unsigned depth) noexcept {
    if (depth > kMostDepth) return refuse(kTooDeep);
    std::size_t begin = program_.size;
    std::size_t last_jump = kNoJump;  // each holds the distance to the one before it, until all are known
    for (;;) {
      branch(depth);
      if (!more() || next() != '|') break;
      ++at_;
      // The other one begins behind this branch and the jump that leaves it.
      if (!insert(begin, {Op::kSplit, 0, 1, distance(begin, program_.size + 2)})) return;
      const std::size_t jump = program_.size;
      if (!emit({Op::kJump, 0, last_jump == kNoJump ? std::int16_t{0} : distance(last_jump, jump)})) return;
      last_jump = jump;
      begin = program_.size;
    }
    while (last_jump != kNoJump) {
      Instruction& jump = program_.code[last_jump];
      const std::size_t before = jump.a == 0 ? kNoJump : last_jump - static_cast<std::size_t>(jump.a);
      jump.a = distance(last_jump, program_.size);
      last_jump = before;
    }
  }

  void branch(unsigned depth) noexcept {
    while (more() && next() != '|' && !(next() == ')' && depth > 0)) {
      const std::size_t begin = program_.size;
      atom(depth);
      while (more() && repetition(begin)) {
      }
    }
  }

  void atom(unsigned depth) noexcept {
    const char c = next();
    switch (c) {
      case '(': return group(depth);
      case '[': return set();
      case '\\': return escape();
      case '*':
      case '+':
      case '?':
      case '{': return refuse("repeats nothing");
      case '.': emit({Op::kAny}); break;
      case '^': emit({Op::kBegin}); break;
      case '$': emit({Op::kEnd}); break;
      default: emit({Op::kChar, c}); break;
    }
    ++at_;
  }

  void group(unsigned depth) noexcept {
    ++at_;
    alternatives(depth + 1);
    if (!more()) return refuse("has a group without its end");
    ++at_;
  }

  void set() noexcept {
    const std::size_t begin = at_ + 1;
    std::size_t end = begin + (text_after(text_, begin).starts_with('^') ? 1 : 0);
    if (end < text_.size() && text_[end] == ']') ++end;  // in front it belongs to the set
    while (end < text_.size() && text_[end] != ']') {
      const std::string_view here = text_after(text_, end);
      const ShortText<10>* one = class_at(here);
      if (one == nullptr && (here.starts_with("[:") || here.starts_with("[.") || here.starts_with("[=")))
        return refuse("has a class of characters nobody knows");
      end += one != nullptr ? one->length : 1;
    }
    if (end >= text_.size()) return refuse("has a set without its end");
    if (end > INT16_MAX) return refuse(kTooLong);
    emit({Op::kSet, 0, static_cast<std::int16_t>(begin), distance(begin, end)});
    at_ = end + 1;
  }

  void escape() noexcept {
    if (at_ + 1 >= text_.size()) return refuse("ends with a backslash");
    const char c = text_[at_ + 1];
    if (is_digit(c)) return refuse("has a back reference");
    if (std::string_view("wWsSbB<>`'").find(c) != std::string_view::npos)
      return refuse("has a GNU extension (\\w, \\s, \\b, \\< ...)");
    emit({Op::kChar, c});
    at_ += 2;
  }

  // Whether one stood here, behind the block at `begin`.
  bool repetition(std::size_t begin) noexcept {
    switch (next()) {
      case '*': ++at_; return any_number(begin), true;
      case '+': ++at_; return emit({Op::kSplit, 0, distance(program_.size, begin), 1}), true;
      case '?': ++at_; return optional(begin), true;
      case '{': return counted(begin), true;
      default: return false;
    }
  }
  void any_number(std::size_t begin) noexcept {
    if (insert(begin, {Op::kSplit, 0, 1, distance(begin, program_.size + 2)}))
      emit({Op::kJump, 0, distance(program_.size, begin)});
  }
  void optional(std::size_t begin) noexcept { insert(begin, {Op::kSplit, 0, 1, distance(begin, program_.size + 1)}); }

  bool number(std::size_t& at, unsigned& value) const noexcept {
    const std::size_t begin = at;
    for (value = 0; at < text_.size() && is_digit(text_[at]); ++at)
      value = std::min(kMostCount + 1, value * 10 + static_cast<unsigned>(text_[at] - '0'));
    return at > begin;
  }
  // {3}, {3,}, {3,5}
  void counted(std::size_t begin) noexcept {
    std::size_t at = at_ + 1;
    unsigned least = 0, most = 0;
    bool endless = false;
    if (!number(at, least)) return refuse(kBadCount);
    most = least;
    if (at < text_.size() && text_[at] == ',') {
      ++at;
      endless = !number(at, most);
    }
    if (at >= text_.size() || text_[at] != '}') return refuse(kBadCount);
    at_ = at + 1;
    if (endless) most = std::max(least, 1U);
    if (least > most || most > kMostCount) return refuse(kBadCount);
    expand(begin, least, most, endless);
  }
  void expand(std::size_t begin, unsigned least, unsigned most, bool endless) noexcept {
    const std::size_t size = program_.size - begin;
    if (most == 0) return void(program_.size = begin);
    std::size_t last = begin;
    for (unsigned i = 1; i < most && problem_.empty(); ++i) {
      last = program_.size;
      if (i >= least) emit({Op::kSplit, 0, 1, static_cast<std::int16_t>(size + 1)});
      repeat(begin, size);
    }
    if (endless) emit({Op::kSplit, 0, distance(program_.size, last), 1});
    if (least == 0) optional(begin, size);
  }
  // Of several copies only the first: the others are optional already.
  void optional(std::size_t begin, std::size_t size) noexcept {
    const bool alone = program_.size <= begin + size + 1;
    insert(begin, {Op::kSplit, 0, 1, alone ? distance(begin, program_.size + 1) : static_cast<std::int16_t>(size + 1)});
  }

  std::string_view text_;
  Program& program_;
  std::size_t at_ = 0;
  std::string_view problem_;
};

static_assert(kMostInstructions <= UINT8_MAX + 1);

// Where in the program a match may be.
class States {
 public:
  States(const Program& program, std::string_view expression) noexcept : program_(program), expression_(expression) {}

  // `first`, `last`: whether nothing stands before or behind this point of the text.
  void enter(std::size_t state, bool first, bool last) noexcept {
    std::uint8_t waiting[kMostInstructions];  // each enters once
    std::size_t count = 0;
    const auto push = [&](std::size_t one) {
      if (!seen_[one]) seen_[one] = true, waiting[count++] = static_cast<std::uint8_t>(one);
    };
    push(state);
    while (count > 0) {
      const std::size_t at = waiting[--count];
      const Instruction& one = program_.code[at];
      const auto target = [at](std::int16_t by) {
        return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + by);
      };
      switch (one.op) {
        case Op::kSplit: push(target(one.a)), push(target(one.b)); break;
        case Op::kJump: push(target(one.a)); break;
        case Op::kBegin:
          if (first) push(at + 1);
          break;
        case Op::kEnd:
          if (last) push(at + 1);
          break;
        case Op::kFound: found_ = true; break;
        default: break;
      }
    }
  }
  [[nodiscard]] bool found() const noexcept { return found_; }

  void clear() noexcept { std::ranges::fill(seen_, false); }

  // Those that `c` leads to.
  void advance(States& to, char c, bool last) const noexcept {
    for (std::size_t i = 0; i < program_.size; ++i) {
      if (seen_[i] && takes(program_.code[i], c)) to.enter(i + 1, false, last);
    }
  }

 private:
  [[nodiscard]] bool takes(const Instruction& one, char c) const noexcept {
    if (one.op == Op::kChar) return one.character == c;
    if (one.op == Op::kAny) return true;
    if (one.op != Op::kSet) return false;
    const std::string_view rest = text_after(expression_, static_cast<std::size_t>(one.a));
    return in_set(text_until(rest, static_cast<std::size_t>(one.b)), c);
  }

  const Program& program_;
  std::string_view expression_;
  bool seen_[kMostInstructions] = {};
  bool found_ = false;
};

}  // namespace

std::string_view regex_problem(std::string_view expression) noexcept {
  Program program;
  return Compiler(expression, program).compile();
}

bool regex_finds(std::string_view expression, std::string_view text) noexcept {
  Program program;
  if (!Compiler(expression, program).compile().empty()) return false;
  States one(program, expression), two(program, expression);
  States* now = &one;
  States* later = &two;
  for (std::size_t i = 0;; ++i) {
    const bool last = i == text.size();
    now->enter(0, i == 0, last);
    if (now->found() || last) return now->found();
    now->advance(*later, text[i], i + 1 == text.size());
    now->clear();
    std::swap(now, later);
  }
}

}  // namespace trikal

// Tables, trees and lists of libc's that are searched by a function of the program's. They lie in the program's memory.

#include <llvm/IR/Function.h>

#include <search.h>

#include <cerrno>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

// What the program's function says of two; false: that is not known.
bool compare_with(Machine& machine, const Call& call, Value by, Value a, Value b, std::int64_t& order) {
  const Value pair[] = {a, b};
  const std::vector<Value> result = machine.invoke(by.bits, pair, call);
  if (result.empty() || !result[0].known()) return false;
  order = with_sign(result[0].bits, 32);
  return true;
}

// --- lfind and lsearch: one element behind the other

void linear_model(Machine& machine, Call& call) {
  const Value key = call.argument(0), base = call.argument(1), size = call.argument(3), by = call.argument(4);
  const Value count = call.argument(2).known() ? machine.memory.load(call.argument(2).bits, 8) : call.argument(2);
  for (const Value& one : {key, base, count, size, by})
    if (!one.known()) return call.returns(one);
  for (Word i = 0; i < count.bits; ++i) {
    std::int64_t order = 1;
    const Value at = Value::of(base.bits + i * size.bits);
    if (!compare_with(machine, call, by, key, at, order))
      return call.returns(machine.unknown(call.at, "where it is found"));
    if (order == 0) return follows(machine, call, at.bits);
  }
  if (call.name == "lfind") return call.returns(Value::of(Word{0}));
  const Word end = base.bits + count.bits * size.bits;
  machine.memory.copy(end, key.bits, size.bits);
  machine.memory.store(call.argument(2).bits, 8, Value::of(count.bits + 1));
  follows(machine, call, end);
}

// --- tsearch: a tree of nodes with a key, what is before it, and what is behind it

constexpr Word kBefore = 8, kBehind = 16, kNodeBytes = 24;

struct Found {
  Word link = 0;  // where the pointer to the node is
  Word node = 0;  // 0: there is none
  Word parent = 0;
  bool known = false;
};

Found find_node(Machine& machine, const Call& call, Value key, Value root, Value by) {
  Found found;
  if (!key.known() || !root.known() || !by.known()) return found;
  found.link = root.bits;
  while (true) {
    const Value node = machine.memory.load(found.link, 8);
    if (!node.known()) return found;
    found.node = node.bits;
    found.known = true;
    if (node.bits == 0) return found;
    std::int64_t order = 0;
    const Value there = machine.memory.load(node.bits, 8);
    found.known = there.known() && compare_with(machine, call, by, key, there, order);
    if (!found.known || order == 0) return found;
    found.parent = node.bits;
    found.link = node.bits + (order < 0 ? kBefore : kBehind);
  }
}

void tree_not_known(Machine& machine, Call& call) { call.returns(machine.unknown(call.at, "where it is in a tree")); }

void tsearch_model(Machine& machine, Call& call) {
  const Found found = find_node(machine, call, call.argument(0), call.argument(1), call.argument(2));
  if (!found.known) return tree_not_known(machine, call);
  without_pattern(machine, call, found.link);
  if (found.node != 0) return follows(machine, call, found.node);
  const Word node = machine.world.take(kNodeBytes);
  machine.memory.fill(node, kNodeBytes, 0);
  machine.memory.store(node, 8, call.argument(0));
  machine.memory.store(found.link, 8, Value::of(node));
  follows(machine, call, node);
}
void tfind_model(Machine& machine, Call& call) {
  const Found found = find_node(machine, call, call.argument(0), call.argument(1), call.argument(2));
  if (!found.known) return tree_not_known(machine, call);
  without_pattern(machine, call, found.node);
  follows(machine, call, found.node);
}
void tdelete_model(Machine& machine, Call& call) {
  const Found found = find_node(machine, call, call.argument(0), call.argument(1), call.argument(2));
  if (!found.known) return tree_not_known(machine, call);
  without_pattern(machine, call, found.link);
  if (found.node == 0) return call.returns(Value::of(Word{0}));
  const Word before = machine.memory.load(found.node + kBefore, 8).bits;
  const Word behind = machine.memory.load(found.node + kBehind, 8).bits;
  Word instead = before != 0 ? before : behind;
  if (before != 0 && behind != 0) {  // all that is behind goes behind the last one before
    Word last = before;
    while (const Word next = machine.memory.load(last + kBehind, 8).bits) last = next;
    machine.memory.store(last + kBehind, 8, Value::of(behind));
    instead = before;
  }
  machine.memory.store(found.link, 8, Value::of(instead));
  machine.world.give_back(found.node);
  follows(machine, call, found.parent != 0 ? found.parent : call.argument(1).bits);
}

// In order; how deep a node lies depends on how libc balances its tree, and is not known.
void walk(Machine& machine, const Call& call, Word node, Word depth) {
  constexpr Word kDeepest = 100'000;
  if (node == 0 || depth > kDeepest) return;
  const Word before = machine.memory.load(node + kBefore, 8).bits, behind = machine.memory.load(node + kBehind, 8).bits;
  const bool with_depth = call.name == "twalk", leaf = before == 0 && behind == 0;
  const auto visit = [&](Word kind) {
    const Value told[] = {Value::of(node), Value::of(kind),
                          with_depth ? machine.unknown(call.at, "how deep it lies in a tree") : call.argument(2)};
    machine.invoke(call.argument(1).bits, told, call);
  };
  if (leaf) return visit(::leaf);
  visit(::preorder);
  walk(machine, call, before, depth + 1);
  visit(::postorder);
  walk(machine, call, behind, depth + 1);
  visit(::endorder);
}
void twalk_model(Machine& machine, Call& call) {
  if (const Value none = first_unknown(call, 2); !none.known()) return;
  walk(machine, call, call.argument(0).bits, 0);
}
void destroy(Machine& machine, const Call& call, Word node) {
  if (node == 0) return;
  destroy(machine, call, machine.memory.load(node + kBefore, 8).bits);
  destroy(machine, call, machine.memory.load(node + kBehind, 8).bits);
  const Value key[] = {machine.memory.load(node, 8)};
  if (const llvm::Function* free = machine.decoder.function_at(call.argument(1).bits);
      free != nullptr && !free->isDeclaration())
    machine.invoke(call.argument(1).bits, key, call);
  else if (key[0].known()) machine.world.give_back(key[0].bits);
  machine.world.give_back(node);
}
void tdestroy_model(Machine& machine, Call& call) {
  if (const Value none = first_unknown(call, 2); none.known()) destroy(machine, call, call.argument(0).bits);
}

// --- hsearch: entries of a key and its data, in a list

constexpr Word kKey = 0, kData = 8, kNext = 16;

void hcreate_model(Machine& machine, Call& call) {
  const bool own = call.name == "hcreate_r";
  if (own && call.argument(1).known()) machine.memory.store(call.argument(1).bits, 8, Value::of(Word{0}));
  if (!own) machine.memory.store(kHashTable, 8, Value::of(Word{0}));
  call.returns(Value::of(Word{1}));
}
// The entry comes in two words; the function with a table of its own has two pointers behind the action.
void hsearch_model(Machine& machine, Call& call) {
  const bool own = call.name == "hsearch_r";
  const Word head = own ? call.argument(4).bits : kHashTable;
  std::string wanted, key;
  if (!text_argument(machine, call, 0, wanted) || !call.argument(2).known())
    return call.returns(machine.unknown(call.at, "an entry of a table"));
  without_pattern(machine, call, digest(wanted));
  const auto tell = [&](Word entry) {
    if (own && call.argument(3).known()) machine.memory.store(call.argument(3).bits, 8, Value::of(entry));
    if (entry == 0) machine.memory.store(kErrno, 4, Value::of(Word{ESRCH}));
    follows(machine, call, own ? Word{entry != 0} : entry);
  };
  Word entry = machine.memory.load(head, 8).bits;
  for (; entry != 0; entry = machine.memory.load(entry + kNext, 8).bits) {
    const Value at = machine.memory.load(entry + kKey, 8);
    if (at.known() && machine.memory.text(at.bits, key) && key == wanted) return tell(entry);
  }
  if (lowest(call.argument(2).bits, 32) == FIND) return tell(0);
  entry = machine.world.take(kNodeBytes);
  machine.memory.store(entry + kKey, 8, call.argument(0));
  machine.memory.store(entry + kData, 8, call.argument(1));
  machine.memory.copy(entry + kNext, head, 8);
  machine.memory.store(head, 8, Value::of(entry));
  tell(entry);
}

constexpr NamedModel kSearchingModels[] = {
    {"lfind", linear_model},    {"lsearch", linear_model},    {"tsearch", tsearch_model}, {"tfind", tfind_model},
    {"tdelete", tdelete_model}, {"twalk", twalk_model},       {"twalk_r", twalk_model},   {"tdestroy", tdestroy_model},
    {"hcreate", hcreate_model}, {"hcreate_r", hcreate_model}, {"hdestroy", succeeds},     {"hdestroy_r", succeeds},
    {"hsearch", hsearch_model}, {"hsearch_r", hsearch_model},
};

}  // namespace

std::span<const NamedModel> searching_models() { return kSearchingModels; }

}  // namespace trikal::predict

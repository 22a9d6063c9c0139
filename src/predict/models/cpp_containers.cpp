// What containers of the C++ library do inside of it: trees, lists, the sizes of hash tables.

#include <array>
#include <functional>
#include <unordered_map>

#include "predict/models/cpp.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

// A node of a tree. In the header, the parent is the root, and left and right are the first and the last node. How a tree
// is balanced nobody sees: nodes are hung where they belong, and stay there.
constexpr Word kColor = 0, kParent = 8, kLeft = 16, kRight = 24;

struct Tree {
  Machine& machine;
  [[nodiscard]] Word get(Word node, Word location) const { return machine.memory.load(node + location, 8).bits; }
  void set(Word node, Word location, Word value) const { machine.memory.store(node + location, 8, Value::of(value)); }
  [[nodiscard]] Word outermost(Word node, Word side) const {
    while (get(node, side) != 0) node = get(node, side);
    return node;
  }
  // The neighbour on `side`; of the last node the header.
  [[nodiscard]] Word next(Word node, Word side) const {
    const Word other = side == kLeft ? kRight : kLeft;
    const bool header = machine.memory.load(node + kColor, 4).bits == 0 && get(get(node, kParent), kParent) == node;
    if (header && side == kLeft) return get(node, kRight);
    if (get(node, side) != 0) return outermost(get(node, side), other);
    Word above = get(node, kParent);
    while (node == get(above, side)) node = above, above = get(above, kParent);
    return get(node, side) != above ? above : node;
  }
  void replace(Word header, Word node, Word by) const {
    const Word above = get(node, kParent);
    if (get(header, kParent) == node) set(header, kParent, by);
    else set(above, get(above, kLeft) == node ? kLeft : kRight, by);
    if (by != 0) set(by, kParent, above);
  }
};

bool all_known(const Call& call, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (!call.argument(i).known()) return false;
  return true;
}

void tree_insert_model(Machine& machine, Call& call) {  // whether left, node, parent, header
  if (!all_known(call, 4)) return machine.note("a tree whose order is not known");
  constexpr Word kBlack = 1;
  const Tree tree{machine};
  const Word node = call.argument(1).bits, parent = call.argument(2).bits, header = call.argument(3).bits;
  const bool left = (call.argument(0).bits & 1) != 0;
  tree.set(node, kParent, parent), tree.set(node, kLeft, 0), tree.set(node, kRight, 0);
  machine.memory.store(node + kColor, 4, Value::of(kBlack));
  if (parent == header) {
    tree.set(header, kParent, node), tree.set(header, kLeft, node), tree.set(header, kRight, node);
    return;
  }
  tree.set(parent, left ? kLeft : kRight, node);
  if (left && parent == tree.get(header, kLeft)) tree.set(header, kLeft, node);
  if (!left && parent == tree.get(header, kRight)) tree.set(header, kRight, node);
}

template <Word Side>
void tree_step_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return call.returns(call.argument(0));
  call.returns(Value::of(Tree{machine}.next(call.argument(0).bits, Side)));
}

void tree_erase_model(Machine& machine, Call& call) {  // node, header; the node comes back
  if (!all_known(call, 2)) return machine.note("a tree whose order is not known");
  const Tree tree{machine};
  const Word node = call.argument(0).bits, header = call.argument(1).bits;
  const bool first = tree.get(header, kLeft) == node, last = tree.get(header, kRight) == node;
  const Word before = last ? tree.next(node, kLeft) : 0, after = first ? tree.next(node, kRight) : 0;
  const Word left = tree.get(node, kLeft), right = tree.get(node, kRight);
  if (left == 0 || right == 0) {
    tree.replace(header, node, left != 0 ? left : right);
  } else {  // the next one replaces it
    const Word heir = tree.outermost(right, kLeft);
    if (heir != right) {
      tree.replace(header, heir, tree.get(heir, kRight));
      tree.set(heir, kRight, right), tree.set(right, kParent, heir);
    }
    tree.replace(header, node, heir);
    tree.set(heir, kLeft, left), tree.set(left, kParent, heir);
  }
  const bool empty = tree.get(header, kParent) == 0;
  if (first) tree.set(header, kLeft, empty ? header : after);
  if (last) tree.set(header, kRight, empty ? header : before);
  call.returns(call.argument(0));
}

// A node of a list: the next one, the one before.
void list_hook_model(Machine& machine, Call& call) {  // node, the one it comes to lie before
  if (!all_known(call, 2)) return;
  const Word node = call.argument(0).bits, address = call.argument(1).bits;
  const Word before = machine.memory.load(address + 8, 8).bits;
  machine.memory.store(node, 8, Value::of(address));
  machine.memory.store(node + 8, 8, Value::of(before));
  machine.memory.store(before, 8, Value::of(node));
  machine.memory.store(address + 8, 8, Value::of(node));
}
void list_unhook_model(Machine& machine, Call& call) {
  if (!all_known(call, 1)) return;
  const Value next = machine.memory.load(call.argument(0).bits, 8),
              before = machine.memory.load(call.argument(0).bits + 8, 8);
  machine.memory.store(before.bits, 8, next);
  machine.memory.store(next.bits + 8, 8, before);
}

// How many buckets a table gets decides the order of what is in it: the library itself is asked.
template <class Ask>
void with_policy(Machine& machine, const Call& call, Ask ask) {
  std::__detail::_Prime_rehash_policy policy;
  static_assert(sizeof policy == 16);
  std::array<char, sizeof policy> bytes{};
  if (!call.argument(0).known() || !machine.memory.read(call.argument(0).bits, bytes.data(), bytes.size())) return;
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(&policy));
  ask(policy);
  machine.memory.write(call.argument(0).bits, &policy, sizeof policy);
}
void next_buckets_model(Machine& machine, Call& call) {
  if (!all_known(call, 2)) return call.returns(machine.unknown(call.at, "the size of a table"));
  with_policy(machine, call,
              [&](auto& policy) { call.returns(Value::of(Word{policy._M_next_bkt(call.argument(1).bits)})); });
}
void need_rehash_model(Machine& machine, Call& call) {
  if (!all_known(call, 4)) return call.returns(machine.unknown(call.at, "the size of a table"));
  with_policy(machine, call, [&](auto& policy) {
    const auto [needed, buckets] =
        policy._M_need_rehash(call.argument(1).bits, call.argument(2).bits, call.argument(3).bits);
    call.returns(Value::of(Word{needed}));
    if (call.result.size() > 1) call.result[1] = Value::of(Word{buckets});
  });
}
void hash_model(Machine& machine, Call& call) {
  std::string text;
  const Value size = call.argument(1);
  if (!all_known(call, 3) || size.bits > 1 << 20) return call.returns(machine.unknown(call.at, "the hash of a text"));
  text.resize(size.bits);
  if (!machine.memory.read(call.argument(0).bits, text.data(), size.bits))
    return call.returns(machine.unknown(call.at, "the hash of a text"));
  call.returns(Value::of(Word{std::_Hash_bytes(text.data(), text.size(), call.argument(2).bits)}));
}

// A thread does all of its work where it is started: (this, pointer to the state, ...), and the state's third virtual
// function is the work.
void thread_model(Machine& machine, Call& call) {
  constexpr Word kRun = 16;
  const Value state = call.argument(1).known() ? machine.memory.load(call.argument(1).bits, 8) : call.argument(1);
  const Value table = state.known() ? machine.memory.load(state.bits, 8) : state;
  const Value work = table.known() ? machine.memory.load(table.bits + kRun, 8) : table;
  if (call.argument(0).known()) machine.memory.store(call.argument(0).bits, 8, Value::of(Word{1}));
  if (!work.known()) return machine.note("a thread whose function is not known");
  const Value argument[] = {state};
  machine.invoke(work.bits, argument, call);
}
void join_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) machine.memory.store(call.argument(0).bits, 8, Value::of(Word{0}));
}
void cores_model(Machine& machine, Call& call) { call.returns(machine.unknown(call.at, "the number of processors")); }
void clock_model(Machine& machine, Call& call) {
  machine.assume(call, "the clock");
  call.returns(Value::of(machine.world.ticks += 1000));
}

// Objects in functions that are made once.
void guard_model(Machine& machine, Call& call) {
  const Value done = call.argument(0).known() ? machine.memory.load(call.argument(0).bits, 1) : call.argument(0);
  call.returns(done.known() ? Value::of(Word{done.bits == 0}) : done);
}
void guarded_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) machine.memory.store(call.argument(0).bits, 1, Value::of(Word{1}));
}

constexpr NamedModel kCppContainersModels[] = {
    {"_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_", tree_insert_model},
    {"_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_", tree_erase_model},
    {"_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", tree_step_model<kRight>},
    {"_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", tree_step_model<kRight>},
    {"_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", tree_step_model<kLeft>},
    {"_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", tree_step_model<kLeft>},
    {"_ZNSt8__detail15_List_node_base7_M_hookEPS0_", list_hook_model},
    {"_ZNSt8__detail15_List_node_base9_M_unhookEv", list_unhook_model},
    {"_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm", next_buckets_model},
    {"_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm", need_rehash_model},
    {"_ZSt11_Hash_bytesPKvmm", hash_model},
    {"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE", thread_model},
    {"_ZNSt6thread6_StateD2Ev", succeeds},
    {"_ZNSt6thread4joinEv", join_model},
    {"_ZNSt6thread6detachEv", join_model},
    {"_ZNSt6thread20hardware_concurrencyEv", cores_model},
    {"_ZNSt18condition_variableC1Ev", succeeds},
    {"_ZNSt18condition_variableD1Ev", succeeds},
    {"_ZNSt18condition_variable10notify_oneEv", succeeds},
    {"_ZNSt18condition_variable10notify_allEv", succeeds},
    {"_ZNSt6chrono3_V212system_clock3nowEv", clock_model},
    {"_ZNSt6chrono3_V212steady_clock3nowEv", clock_model},
    {"__cxa_guard_acquire", guard_model},
    {"__cxa_guard_release", guarded_model},
    {"__cxa_guard_abort", succeeds},
};

}  // namespace

std::span<const NamedModel> cpp_container_models() { return kCppContainersModels; }

}  // namespace trikal::predict

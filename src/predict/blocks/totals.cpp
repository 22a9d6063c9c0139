#include "predict/blocks/totals.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "predict/blocks/calls.hpp"
#include "predict/blocks/parameters.hpp"
#include "predict/blocks/work.hpp"

namespace trikal::predict {
namespace {

using analyze::CodeBlock;
using analyze::Prediction;

class Totals {
 public:
  Totals(Machine& machine, Prediction& out)
      : machine_(machine), out_(out), tree_(out.blocks), parameters_(machine, out) {}

  void add_rows() {
    const std::unordered_map<std::uint32_t, double> dirty = bytes_for_each_sync();
    for (const LedgerRow& row : machine_.ledger.rows()) {
      if (row.use.count <= 0 || machine_.world.files[row.key.file].unwatched) continue;
      const llvm::Instruction* call = instruction(row.key.instruction);
      if (call == nullptr) continue;
      LedgerRow told = row;
      if (!machine_.complete) told.use.certainty = analyze::Certainty::kAssumed;  // more of it may come
      told.use.describe(machine_.ledger.selection(row.key.selection));
      told.use.flags |= flags_of_call(*call);
      if (ends_line(row, *call)) told.use.flags |= analyze::kUseLineEnd;
      const llvm::Instruction* own = own_call(row, call);
      add_access(told, *own, *call);
      add_edges(row, *own, *call);
      const std::set<std::uint32_t> all = above(row, *own);
      for (const std::uint32_t block : all) {
        add_to_block(out_.blocks[block], told);
        add_work_on_file(out_.blocks[block], told, dirty);
      }
      parameters_.add(row, *call, tree_.line(*own), all);
    }
  }

  // Calls that would do I/O, had the arguments led there: the graph shows them, too.
  void add_idle() {
    std::map<std::uint32_t, const llvm::Function*> functions;  // in an order that does not change from run to run
    for (const auto& [function, number] : tree_.functions()) functions.emplace(number, function);
    for (const auto& [number, function] : functions) {
      if (is_system(*function)) continue;
      for (const llvm::BasicBlock& block : *function)
        for (const llvm::Instruction& instruction : block)
          if (does_io(instruction) && source_location_of(instruction).line != 0) mark_idle(tree_.line(instruction));
    }
    for (CodeBlock& block : out_.blocks) block.idle = block.idle && block.io.empty();
  }

  void add_runs() {
    std::unordered_map<const llvm::BasicBlock*, double> runs;
    for (const Tallies::Blocks& one : machine_.tallies.blocks)
      for (std::size_t i = 0; i < one.code->blocks.size(); ++i)
        runs[one.code->blocks[i].ir] += machine_.tallies.counts[one.first + i];
    for (const Tallies::Blocks& one : machine_.tallies.blocks)  // in their order: the tree may grow
      for (const Block& block : one.code->blocks) {
        CodeBlock& region = out_.blocks[tree_.region(*block.ir)];
        if (region.kind == analyze::BlockKind::kBranch) region.runs = std::max(region.runs, runs[block.ir]);
      }
    for (const BlockTree::LoopLocation& loop : tree_.loops()) {
      out_.blocks[loop.block].runs += runs[loop.before];
      out_.blocks[loop.block].iterations += runs[loop.body];
    }
    for (auto& [edge, call] : calls_) out_.edges[edge].count = runs[call->getParent()];
  }

  // Every function that ran, by each way that led there: what it did counts for the blocks of that way as well.
  void add_work() {
    WorkOfBlocks work;
    const auto most = static_cast<double>(machine_.world.most_live);
    const double far = most / (most + kCaches), past_near = most / (most + kNearCaches);
    for (const Tallies::Blocks& one : machine_.tallies.blocks) {
      std::set<std::uint32_t> callers = blocks_of_way(one.context);
      for (std::size_t i = 0; i < one.code->blocks.size(); ++i) {
        const double runs = machine_.tallies.counts[one.first + i];
        if (runs <= 0) continue;
        const Block& block = one.code->blocks[i];
        std::set<std::uint32_t> all = callers;
        climb(tree_.region(*block.ir), all);
        if (i == 0) out_.blocks[tree_.function(*one.code->ir)].runs += runs;
        if (i == 0) parameters_.add_frame(*one.code, depth_of(one.context), all);
        const analyze::WorkCounts& each = work[*block.ir];
        const double foreseen = each[static_cast<std::size_t>(analyze::Work::kChoice)] * share_foreseen(one, i);
        for (const std::uint32_t number : all) {
          out_.blocks[number].instructions += runs * static_cast<double>(block.instructions.size());
          for (std::size_t kind = 0; kind < each.size(); ++kind) out_.blocks[number].work[kind] += runs * each[kind];
          out_.blocks[number].work[static_cast<std::size_t>(analyze::Work::kChoice)] -= runs * foreseen;
          out_.blocks[number].work[static_cast<std::size_t>(analyze::Work::kFar)] +=
              runs * far * work.accesses(*block.ir);
          out_.blocks[number].work[static_cast<std::size_t>(analyze::Work::kFarIndirect)] +=
              runs * past_near * each[static_cast<std::size_t>(analyze::Work::kIndirect)];
        }
      }
    }
    for (const Tallies::Amount& one : machine_.tallies.amounts) {
      std::set<std::uint32_t> all = blocks_of_way(one.context);
      climb(tree_.around(*one.call), all);
      const double amount = machine_.tallies.counts[one.number];
      for (const std::uint32_t number : all) out_.blocks[number].work[static_cast<std::size_t>(one.work)] += amount;
      if (one.work == analyze::Work::kHeapBytes) parameters_.add_heap(amount, all);
    }
    parameters_.finish();
  }

 private:
  const llvm::Instruction* instruction(std::uint32_t id) {
    if (instructions_.empty())
      machine_.decoder.for_each([&](std::uint32_t number, const llvm::Instruction* ir) { instructions_[number] = ir; });
    const auto found = instructions_.find(id);
    return found == instructions_.end() ? nullptr : found->second;
  }

  // What a header of the system does counts for who called it.
  const llvm::Instruction* own_call(const LedgerRow& row, const llvm::Instruction* call) {
    for (std::uint32_t context = row.key.context; context != 0 && source_location_of(*call).source.starts_with("/usr/");
         context = machine_.contexts[context].parent)
      if (machine_.contexts[context].call != nullptr) call = machine_.contexts[context].call;
    return call;
  }

  [[nodiscard]] bool ends_line(const LedgerRow& row, const llvm::Instruction& call) const {
    bool found = is_in(call, "endl");
    for (std::uint32_t context = row.key.context; context != 0 && !found; context = machine_.contexts[context].parent) {
      const llvm::Instruction* outer = machine_.contexts[context].call;
      if (outer == nullptr || !is_system(*call.getFunction())) break;
      found = is_in(*outer, "endl");
    }
    return found;
  }

  // Which line calls which function, and which line touches a file after which: rows are in the order of their first time.
  void add_edges(const LedgerRow& row, const llvm::Instruction& own, const llvm::Instruction& call) {
    const llvm::Instruction* inner = &call;
    for (std::uint32_t context = row.key.context; context != 0; context = machine_.contexts[context].parent) {
      const llvm::Instruction* outer = machine_.contexts[context].call;
      if (outer == nullptr) break;
      const std::size_t edge =
          add_edge({analyze::EdgeKind::kCall, tree_.line(*outer), tree_.function(*inner->getFunction()), 0, {}});
      if (edge != kNoEdge) calls_.emplace_back(edge, outer);
      inner = outer;
    }
    const std::uint32_t line = tree_.line(own);
    const auto [last, first] = last_line_.try_emplace(row.key.file, line);
    if (!first && last->second != line)
      add_edge({analyze::EdgeKind::kOrder, last->second, line, 0, machine_.world.files[row.key.file].name});
    last->second = line;
  }
  std::size_t add_edge(analyze::BlockEdge edge) {
    if (!edges_.emplace(edge.kind, edge.from, edge.to).second) return kNoEdge;
    out_.edges.push_back(std::move(edge));
    return out_.edges.size() - 1;
  }

  // A cause, and the line where it came from.
  [[nodiscard]] std::string cause_text(Cause cause) const {
    const CauseText& text = machine_.causes[cause];
    const SourceLocation at = text.at != nullptr ? source_location_of(*text.at) : SourceLocation{};
    if (at.line == 0) return text.what;
    return text.what + " (" + at.source.substr(at.source.rfind('/') + 1) + ":" + std::to_string(at.line) + ")";
  }

  void mark_idle(std::uint32_t block) {
    for (; !out_.blocks[block].idle; block = out_.blocks[block].parent) out_.blocks[block].idle = true;
  }

  void add_access(const LedgerRow& row, const llvm::Instruction& call, const llvm::Instruction& raw) {
    const SourceLocation at = source_location_of(call);
    const std::uint32_t line = tree_.line(call);
    const std::string function = out_.blocks[tree_.function(*call.getFunction())].name;
    const auto [site, fresh] =
        sites_.try_emplace({at.source, at.line, at.column, function}, static_cast<std::uint32_t>(out_.sites.size()));
    if (fresh) out_.sites.push_back({at.source, at.line, at.column, function, line, name_of_call(raw)});
    const auto [access, first] =
        accesses_.try_emplace({site->second, row.key.file, row.key.operation}, out_.accesses.size());
    if (first) out_.accesses.push_back({site->second, row.key.file, row.key.operation, {}});
    analyze::PredictedAccess& told = out_.accesses[access->second];
    told.use.merge(row.use);
    if (told.because.empty() && row.why != kKnown) told.because = cause_text(row.why);
    else if (told.because.empty() && row.use.certainty == analyze::Certainty::kAssumed)
      told.because =
          machine_.complete ? "a loop without a pattern" : "the prediction did not come to the end of the program";
  }

  // Every block that the call stands in, and those of the calls that led there, each once.
  std::set<std::uint32_t> above(const LedgerRow& row, const llvm::Instruction& call) {
    std::set<std::uint32_t> all;
    climb(tree_.line(call), all);
    for (std::uint32_t context = row.key.context; context != 0; context = machine_.contexts[context].parent)
      if (machine_.contexts[context].call != nullptr) climb(tree_.line(*machine_.contexts[context].call), all);
    return all;
  }

  void climb(std::uint32_t block, std::set<std::uint32_t>& all) const {
    for (; all.insert(block).second && out_.blocks[block].parent != block; block = out_.blocks[block].parent) continue;
  }

  // Of accesses to memory caches serve the less, the more memory the program has: all of them what it goes through in
  // order, the nearer ones what it jumps about in.
  static constexpr double kCaches = 32 << 20, kNearCaches = 4 << 20;

  // Of a jump with two targets processors guess the one it mostly takes, so a choice costs only as far as its sides are alike:
  // 0 where both are taken as often, 1 where one never is. Sides that other ways lead to as well do not tell.
  [[nodiscard]] double share_foreseen(const Tallies::Blocks& one, std::size_t block) const {
    const Block& from = one.code->blocks[block];
    const double runs = machine_.tallies.counts[one.first + block];
    if (from.instructions.empty() || from.instructions.back().targets.size() != 2) return 0;
    for (const std::uint32_t target : from.instructions.back().targets) {
      if (one.code->blocks[target].ir->getUniquePredecessor() != from.ir) continue;
      const double share = std::clamp(machine_.tallies.counts[one.first + target] / runs, 0.0, 1.0);
      return std::abs(1 - 2 * share);
    }
    return 0;
  }

  static bool is_sync(Operation operation) {
    return operation == Operation::kSync || operation == Operation::kDataSync || operation == Operation::kMpiSync;
  }

  // Bytes that wait for a sync of a file, in the mean.
  [[nodiscard]] std::unordered_map<std::uint32_t, double> bytes_for_each_sync() const {
    std::unordered_map<std::uint32_t, double> bytes, syncs;
    for (const LedgerRow& row : machine_.ledger.rows()) {
      if (analyze::writes(row.key.operation)) bytes[row.key.file] += row.use.bytes;
      if (is_sync(row.key.operation)) syncs[row.key.file] += row.use.count;
    }
    for (auto& [file, sum] : bytes) sum = syncs[file] > 0 ? sum / syncs[file] : 0;
    return bytes;
  }

  static void add_work_on_file(CodeBlock& block, const LedgerRow& row,
                               const std::unordered_map<std::uint32_t, double>& dirty) {
    const auto work = [&](analyze::Work kind) -> double& { return block.work[static_cast<std::size_t>(kind)]; };
    if (analyze::writes(row.key.operation)) work(analyze::Work::kFilePages) += analyze::file_pages(row.use);
    if (analyze::waits_for_device(row.key.operation, row.use)) work(analyze::Work::kSyncedBytes) += row.use.bytes;
    if (const auto found = dirty.find(row.key.file); is_sync(row.key.operation) && found != dirty.end())
      work(analyze::Work::kSyncedBytes) += row.use.count * found->second;
  }

  // The blocks that the calls of a way stand in.
  std::set<std::uint32_t> blocks_of_way(std::uint32_t context) {
    std::set<std::uint32_t> all;
    for (; context != 0; context = machine_.contexts[context].parent)
      if (machine_.contexts[context].call != nullptr) climb(tree_.around(*machine_.contexts[context].call), all);
    return all;
  }
  [[nodiscard]] unsigned depth_of(std::uint32_t context) const {
    unsigned depth = 1;
    for (; context != 0; context = machine_.contexts[context].parent) ++depth;
    return depth;
  }

  static void add_to_block(CodeBlock& block, const LedgerRow& row) {
    for (auto& [operation, use] : block.io)
      if (operation == row.key.operation) return use.merge(row.use);
    block.io.emplace_back(row.key.operation, row.use);
  }

  Machine& machine_;
  Prediction& out_;
  BlockTree tree_;
  Parameters parameters_;
  std::unordered_map<std::uint32_t, const llvm::Instruction*> instructions_;
  static constexpr std::size_t kNoEdge = ~std::size_t{0};
  std::set<std::tuple<analyze::EdgeKind, std::uint32_t, std::uint32_t>> edges_;
  std::vector<std::pair<std::size_t, const llvm::Instruction*>> calls_;  // edges that are calls
  std::unordered_map<std::uint32_t, std::uint32_t> last_line_;  // by file
  std::map<std::tuple<std::string, unsigned, unsigned, std::string>, std::uint32_t> sites_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, Operation>, std::size_t> accesses_;
};

}  // namespace

void sum_up(Machine& machine, Prediction& out) {
  for (const File& file : machine.world.files) {
    const bool existed = file.original && (file.lies.empty() || file.lies == file.name);
    const double size = file.exists ? static_cast<double>(file.size) : 0;
    out.files.push_back({file.name, file.like_it, existed, size, file.dataset, file.parallel});
  }
  Totals totals(machine, out);
  totals.add_rows();
  totals.add_runs();  // knows all functions from here on
  totals.add_idle();
  totals.add_work();
  for (const CauseText& cause : machine.causes) {
    if (cause.forks <= 0 || cause.at == nullptr) continue;
    const SourceLocation at = source_location_of(*cause.at);
    out.unknowns.push_back({cause.what, at.source, at.line, cause.forks});
  }
  out.notes = machine.notes;
  for (const std::string& name : machine.unmodelled) out.notes.push_back("no model of " + name);
  out.steps = machine.budget.steps(), out.skipped_iterations = machine.loops.skipped(), out.complete = machine.complete;
  analyze::estimate(out);
}

}  // namespace trikal::predict

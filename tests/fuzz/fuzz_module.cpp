// Every version of every module's records directly: the input is a module, a version, an order and plain bytes of
// a region. Records are then listed, added up and folded as the tools do.

#include <cstring>

#include "analyze/metrics/accumulator.hpp"
#include "fuzz/consume.hpp"
#include "modules/list.hpp"
#include "report/text/dxt.hpp"
#include "report/text/lines.hpp"
#include "report/text/totals.hpp"
#include "support/log_builder.hpp"

namespace {

using namespace trikal;  // NOLINT: this file is the program

struct Choice {
  const ModuleFormat* format;
  const Form* form;
  bool foreign, salvage;
};

Choice choose(const std::uint8_t* data) {
  const auto modules = all_modules();
  const ModuleFormat* format = modules[data[0] % modules.size()];
  return {format, &format->forms[data[1] % format->forms.size()], (data[2] & 1) != 0, (data[2] & 2) != 0};
}

std::unique_ptr<log::Source> log_of(const Choice& choice, Bytes region) {
  trikal::testing::LogParts parts{.foreign = choice.foreign, .codec = log::Codec::kNone};
  static const std::vector<std::pair<std::uint64_t, std::string>> kNames = {{0, "/zero"}, {1, "/scratch/one"}};
  parts.with_usual_job().with_names(kNames);
  parts.with_module(choice.format->schema->id, choice.form->version, region);
  return log::from_memory(parts.build());
}

// Folding is for records of fixed size; any two must do, whatever they hold.
void fold(const ModuleSchema& schema, log::Reader& reader) {
  auto records = reader.records(schema.id);
  if (!records || schema.shape != Shape::kFixed) return;
  const FoldPlan plan(schema);
  std::vector<std::byte> into(schema.head_bytes);
  std::vector<std::byte> own(schema.head_bytes);
  log::Batch batch;
  for (;;) {
    auto more = (*records)->next(batch);
    if (!more || !*more) break;
    for (std::size_t i = 0; i < batch.count; ++i) {
      const std::byte* record = batch.record(i, schema);
      std::memcpy(own.data(), record, own.size());
      plan.prepare_shared(own.data());
      plan.combine_ranks(into.data(), own.data());
      plan.set_variances(into.data(), plan.rank_time(record), static_cast<double>(plan.rank_bytes(record)));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return -1;
  const Choice choice = choose(data);
  const Bytes region = std::as_bytes(std::span(data + 3, size - 3));
  log::ReadOptions options{.limits = {.memory = 1 << 20, .expanded = 2 << 20}, .salvage = choice.salvage};
  (void)fuzz::consume(log_of(choice, region), options, {.choice = size % fuzz::Tools::kChoices});
  auto reader = log::Reader::open(log_of(choice, region), options);
  if (reader) fold(*choice.format->schema, **reader);
  return 0;
}

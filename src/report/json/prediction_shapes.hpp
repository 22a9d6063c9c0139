#pragma once
// Predictions as JSON, field by field: docs/formats/prediction-json.md describes it for readers; web/src/prediction_data.ts
// is made of these tables (trikal generate page-types).

#include <ranges>

#include "analyze/dataset/prediction.hpp"
#include "analyze/dataset/static_findings.hpp"
#include "report/json/prediction.hpp"
#include "report/json/shape.hpp"
#include "report/json/sureness_shape.hpp"

namespace trikal::report {

inline constexpr std::string_view kPredictionSchema = "trikal-prediction 1";
inline constexpr std::string_view kPredictionPageSchema = "trikal-prediction-page 1";

// Operations of one kind, and how many of them.
struct UseRow {
  analyze::Operation operation;
  const analyze::PredictedUse* use;
};
template <>
struct Shape<UseRow> {
  static constexpr std::string_view kName = "PredictedUse";
  static constexpr std::tuple kFields{
      Field{"operation", [](const UseRow& row) { return name_of(row.operation); }},
      Field{"count", [](const UseRow& row) { return row.use->count; }},
      Field{"bytes", [](const UseRow& row) { return row.use->bytes; }},
      Field{"bytes_known", [](const UseRow& row) { return !row.use->size_unknown; }},
      Field{"certainty", [](const UseRow& row) { return name_of(row.use->certainty); }},
  };
};

struct AccessRow {
  const analyze::PredictedAccess* access;
  const analyze::PredictedSite* site;
  const analyze::PredictedFile* file;
};
template <>
struct Shape<AccessRow> {
  using Row = AccessRow;
  static constexpr std::string_view kName = "Access", kMeaning = "One call site, file and operation.";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"source", [](const Row& row) { return std::string_view(row.site->source); }},
      Field{"line", [](const Row& row) { return row.site->line; }},
      Field{"column", [](const Row& row) { return row.site->column; }},
      Field{"function", [](const Row& row) { return std::string_view(row.site->function); }},
      Field{"block", [](const Row& row) { return row.site->block; }, "of the line"},
      Field{"file", [](const Row& row) { return std::string_view(row.file->name); }},
      Field{"files_like_it", [](const Row& row) { return row.file->like_it; }, "used the same way, without an entry"},
      Field{"call", [](const Row& row) { return std::string_view(row.site->call); }, "the function that is called"},
      FieldsOf{[](const Row& row) { return UseRow{row.access->operation, &row.access->use}; }},
      Field{"because", [](const Row& row) { return std::string_view(row.access->because); },
            "of what it is assumed; empty: it is not"},
      Field{"offset", [](const Row& row) { return row.access->use.first; },
            "of the first that moved bytes; -1: none did"},
      Field{"pattern", [](const Row& row) { return pattern_of(row.access->use); }},
      Field{"flags", [](const Row& row) { return analyze::names_of_flags(row.access->use.flags); }},
  };
};

template <>
struct Shape<analyze::StaticFinding> {
  using Finding = analyze::StaticFinding;
  static constexpr std::string_view kName = "StaticFinding";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"code", &Finding::code},
      Field{"title", [](const Finding& finding) { return finding.rule->title; }},
      Field{"source", &Finding::source},
      Field{"line", &Finding::line},
      Field{"column", &Finding::column},
      Field{"function", &Finding::function},
      Field{"block", &Finding::block, "the loop around it, or the line"},
      Field{"file", &Finding::file, "the first of them"},
      Field{"files", &Finding::files},
      Field{"times", &Finding::times},
      Field{"seconds", &Finding::seconds, "lost"},
      Field{"certainty", [](const Finding& finding) { return name_of(finding.certainty); }},
      Field{"fix", [](const Finding& finding) { return finding.rule->fix; }},
      Field{"why", [](const Finding& finding) { return finding.rule->why; }},
  };
};

struct BlockRow {
  std::size_t number;
  const analyze::CodeBlock* block;
};
template <>
struct Shape<BlockRow> {
  using Row = BlockRow;
  static constexpr std::string_view kName = "Block";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"block", &Row::number},
      Field{"parent", [](const Row& row) { return row.block->parent; }, "its own number: the program"},
      Field{"kind", [](const Row& row) { return name_of(row.block->kind); }},
      Field{"name", [](const Row& row) { return std::string_view(row.block->name); }},
      Field{"source", [](const Row& row) { return std::string_view(row.block->source); }},
      Field{"line", [](const Row& row) { return row.block->line; }},
      Field{"score", [](const Row& row) { return row.block->score; }},
      Field{"seconds_io", [](const Row& row) { return row.block->seconds_io; }},
      Field{"seconds_compute", [](const Row& row) { return row.block->seconds_compute; }},
      Field{"class", [](const Row& row) { return analyze::intensity_of(row.block->score); },
            "how intensive its I/O is"},
      Field{"instructions", [](const Row& row) { return row.block->instructions; }},
      Field{"runs", [](const Row& row) { return row.block->runs; }},
      Field{"iterations", [](const Row& row) { return row.block->iterations; }},
      Field{"reached", [](const Row& row) { return !row.block->idle; }},
      Field{"parameters", [](const Row& row) { return std::span(row.block->parameters); }, "of the score"},
      Field{"variables", [](const Row& row) { return std::span(row.block->variables); }},
      Field{"io",
            [](const Row& row) {
              return row.block->io |
                     std::views::transform([](const auto& one) { return UseRow{one.first, &one.second}; });
            }},
  };
};

template <>
struct Shape<analyze::BlockEdge> {
  using Edge = analyze::BlockEdge;
  static constexpr std::string_view kName = "Edge";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"kind", [](const Edge& edge) { return name_of(edge.kind); }, "call or order"},
      Field{"from", &Edge::from},
      Field{"to", &Edge::to},
      Field{"count", &Edge::count, "calls"},
      Field{"file", &Edge::file, "that both lines use"},
  };
};

template <>
struct Shape<analyze::Unknown> {
  using Unknown = analyze::Unknown;
  static constexpr std::string_view kName = "Unknown", kMeaning = "A value that decides something and is not known.";
  static constexpr std::tuple kFields{
      Field{"what", &Unknown::what},
      Field{"source", &Unknown::source},
      Field{"line", &Unknown::line},
      Field{"decided", &Unknown::forks},
  };
};

inline auto access_rows(const analyze::Prediction& all) {
  return all.accesses | std::views::transform([&all](const analyze::PredictedAccess& access) {
           return AccessRow{&access, &all.sites[access.site], &all.files[access.file]};
         });
}
inline auto block_rows(const analyze::Prediction& all) {
  return std::views::iota(std::size_t{0}, all.blocks.size()) |
         std::views::transform([&all](std::size_t number) { return BlockRow{number, &all.blocks[number]}; });
}
template <>
struct Shape<analyze::Prediction> {
  using Prediction = analyze::Prediction;
  static constexpr std::string_view kName = "Prediction";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{
      Field{"program", &Prediction::program},
      Field{"rank", &Prediction::rank},
      Field{"ranks", &Prediction::ranks},
      Field{"complete", &Prediction::complete},
      Field{"model", &Prediction::model, "of the scores, and what that was fitted to"},
      Field{"basis", &Prediction::basis},
      Field{"exit_code", &Prediction::exit_code},
      Field{"sureness", [](const Prediction& all) { return analyze::sureness_of(all); }},
      Field{"steps", &Prediction::steps, "instructions that were followed one by one"},
      Field{"skipped_iterations", &Prediction::skipped_iterations},
      Field{"seconds", &Prediction::seconds},
      Field{"accesses", access_rows},
      Field{"findings", [](const Prediction& all) { return analyze::find_static(all, all.costs); }},
      Field{"blocks", block_rows},
      Field{"edges", &Prediction::edges},
      Field{"unknowns", &Prediction::unknowns},
      Field{"notes", &Prediction::notes},
  };
};

struct PredictionDocument {
  std::string_view version;
  std::span<const analyze::Prediction> predictions;
};
template <>
struct Shape<PredictionDocument> {
  static constexpr std::string_view kName = "PredictionDocument";
  static constexpr std::tuple kFields{
      Field{"schema", [](const PredictionDocument&) { return kPredictionSchema; }},
      Field{"version", &PredictionDocument::version},
      Field{"predictions", &PredictionDocument::predictions},
  };
};

template <>
struct Shape<SourceText> {
  static constexpr std::string_view kName = "SourceText";
  static constexpr std::tuple kFields{Field{"path", &SourceText::path}, Field{"text", &SourceText::text}};
};

struct PredictionPage {
  std::string_view version;
  std::span<const analyze::Prediction> predictions;
  std::span<const SourceText> sources;
};
template <>
struct Shape<PredictionPage> {
  static constexpr std::string_view kName = "PredictionPage";
  static constexpr std::tuple kFields{
      Field{"schema", [](const PredictionPage&) { return kPredictionPageSchema; }},
      Field{"version", &PredictionPage::version},
      Field{"predictions", &PredictionPage::predictions},
      Field{"sources", &PredictionPage::sources},
  };
};

}  // namespace trikal::report

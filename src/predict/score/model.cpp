#include "predict/score/model.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "predict/score/json.hpp"

namespace trikal::predict {
namespace {

namespace fs = std::filesystem;
using analyze::Costs;
using analyze::Operation;

std::string costs_json(const Costs& costs) {
  std::string out = "\"prices\": {";
  for (std::size_t i = 0; i < costs.prices.size(); ++i)
    out += fmt::format("{}\n  {}: [{:.6g}, {:.6g}]", i == 0 ? "" : ",", json_text(name_of(static_cast<Operation>(i))),
                       costs.prices[i].each, costs.prices[i].byte);
  out += "},\n\"work\": {";
  for (std::size_t i = 0; i < costs.work.size(); ++i)
    out += fmt::format("{}\n  {}: {:.6g}", i == 0 ? "" : ",", json_text(name_of(static_cast<analyze::Work>(i))),
                       costs.work[i]);
  return out + "},\n";
}

void read_costs(const Json& file, Model& model) {
  for (std::size_t i = 0; i < kOperations; ++i) {
    const Json& one = file["prices"][std::string(name_of(static_cast<Operation>(i)))];
    model.costs.prices.push_back(one.items.size() == 2 ? Costs::Price{one.items[0].number, one.items[1].number}
                                                       : Costs::Price{});
  }
  analyze::guess_hdf5_prices(model.costs.prices);
  for (std::size_t i = 0; i < analyze::kWorkKinds; ++i)
    model.costs.work.push_back(file["work"][std::string(name_of(static_cast<analyze::Work>(i)))].number);
}

// The older numbers, which findings use.
void set_plain_costs(Costs& costs) {
  const auto each = [&](Operation one) { return costs.prices[static_cast<std::size_t>(one)].each; };
  costs.operation = each(Operation::kWrite), costs.open = each(Operation::kOpen), costs.sync = each(Operation::kSync);
  costs.bytes = costs.prices[static_cast<std::size_t>(Operation::kWrite)].byte;
  costs.instruction = costs.work[static_cast<std::size_t>(analyze::Work::kArithmetic)];
}

void use_profile(const MountProfile& mount, const SystemProfile& profile, Costs& costs) {
  costs.prices = mount.prices, costs.work = work_on(profile, mount);
  set_plain_costs(costs);
}

std::string find_model(const std::string& wanted) {
  std::error_code error;
  for (const std::string& folder : {calibration_folder(), shared_folder()}) {
    const std::string path = folder + "/models/" + wanted + ".json";
    if (!folder.empty() && fs::exists(path, error)) return path;
  }
  return fs::exists(wanted, error) ? wanted : std::string{};
}

// The mount that most of the operations go to.
std::string main_folder(const analyze::Prediction& prediction) {
  std::map<std::string, double> counts;
  for (const auto& access : prediction.accesses) {
    const std::string& name = prediction.files[access.file].name;
    if (name.starts_with("/")) counts[fs::path(name).parent_path().string()] += access.use.count;
  }
  std::string best;
  double most = 0;
  for (const auto& [folder, count] : counts)
    if (count > most) most = count, best = folder;
  std::error_code error;
  return best.empty() ? fs::current_path(error).string() : best;
}

// Costs of another file system than the one that was calibrated: as much more or less as the profile found.
Costs moved_to(const Costs& costs, const MountProfile& from, const MountProfile& to) {
  Costs out = costs;
  const auto ratio = [](double a, double b) { return a > 0 && b > 0 ? b / a : 1; };
  for (std::size_t i = 0; i < out.prices.size() && i < from.prices.size() && i < to.prices.size(); ++i) {
    out.prices[i].each *= ratio(from.prices[i].each, to.prices[i].each);
    out.prices[i].byte *= ratio(from.prices[i].byte, to.prices[i].byte);
  }
  const auto move = [&](analyze::Work kind, double there, double here) {
    if (static_cast<std::size_t>(kind) < out.work.size())
      out.work[static_cast<std::size_t>(kind)] *= ratio(there, here);
  };
  move(analyze::Work::kFilePages, from.page, to.page);
  move(analyze::Work::kSyncedBytes, from.synced, to.synced);
  move(analyze::Work::kReplacedBytes, from.replaced, to.replaced);
  set_plain_costs(out);
  return out;
}

}  // namespace

std::optional<Model> read_model(const std::string& path) {
  const std::optional<Json> file = read_json(path);
  if (!file || (*file)["schema"].text != "trikal-model 1") return std::nullopt;
  Model model;
  model.name = (*file)["name"].text, model.version = (*file)["version"].text, model.source = (*file)["source"].text;
  model.training = (*file)["training"].text, model.machine = (*file)["machine"].text;
  model.mount = (*file)["mount"].text, model.rows = (*file)["rows"].number;
  model.kind = (*file)["kind"].text == "physical" ? Model::Kind::kPhysical : Model::Kind::kLinear;
  if (model.kind == Model::Kind::kPhysical) {
    read_costs(*file, model);
    set_plain_costs(model.costs);
    return model;
  }
  model.link = (*file)["link"].text;
  for (const auto& [name, value] : (*file)["coefficients"].fields) model.coefficients[name] = value.number;
  const bool known = model.link == "logit" || model.link == "exp";
  return known && !model.coefficients.empty() ? std::optional(model) : std::nullopt;
}

std::string model_json(const Model& model) {
  std::string out = fmt::format(
      "{{\n\"schema\": \"trikal-model 1\",\n\"name\": {},\n\"version\": {},\n\"kind\": \"{}\",\n\"link\": {},\n",
      json_text(model.name), json_text(model.version), model.kind == Model::Kind::kPhysical ? "physical" : "linear",
      json_text(model.kind == Model::Kind::kPhysical ? "ratio" : model.link));
  if (model.kind == Model::Kind::kPhysical) {
    out += costs_json(model.costs);
  } else {
    out += "\"coefficients\": {";
    bool first = true;
    for (const auto& [name, value] : model.coefficients) {
      out += fmt::format("{}\n  {}: {:.8g}", first ? "" : ",", json_text(name), value);
      first = false;
    }
    out += "},\n";
  }
  return out + fmt::format("\"training\": {},\n\"rows\": {},\n\"machine\": {},\n\"mount\": {},\n\"source\": {}\n}}\n",
                           json_text(model.training), model.rows, json_text(model.machine), json_text(model.mount),
                           json_text(model.source));
}

std::optional<Scoring> choose_scoring(const std::string& wanted, std::string& problem) {
  const std::string path = find_model(wanted);
  std::optional<Model> model = path.empty() ? std::nullopt : read_model(path);
  if (!model && wanted == kDefaultModel) {  // fixed costs are better than nothing
    model.emplace();
    model->name = wanted, model->training = "none", model->machine = "fixed costs";
  }
  if (!model) {
    problem = path.empty() ? fmt::format("{}: no such model", wanted) : fmt::format("{}: not a model of trikal", path);
    return std::nullopt;
  }
  Scoring scoring;
  scoring.model = std::move(*model);
  scoring.profile = read_profile(calibration_folder() + "/system.json");
  if (scoring.profile && scoring.profile->machine != this_machine()) scoring.profile.reset();
  if (scoring.model.training.empty()) {
    scoring.basis = "published coefficients, uncalibrated";
  } else if (scoring.model.machine == this_machine()) {
    scoring.calibrated = true;
    scoring.basis = "calibrated on this machine";
  } else if (scoring.model.kind == Model::Kind::kPhysical && scoring.profile && !scoring.profile->mounts.empty()) {
    scoring.basis = "uncalibrated, by the costs of the system profile";
  } else {
    scoring.basis = fmt::format("uncalibrated, fitted on another machine ({})", scoring.model.machine);
  }
  if (!scoring.profile) scoring.basis += "; there is no system profile (trikal predict --system)";
  return scoring;
}

void apply(const Scoring& scoring, analyze::Prediction& prediction) {
  prediction.model = scoring.model.name, prediction.basis = scoring.basis;
  const MountProfile* mount =
      scoring.profile ? scoring.profile->mount_of(main_folder(prediction)) : static_cast<const MountProfile*>(nullptr);
  set_variables(prediction, mount != nullptr ? mount->concurrency : 1);
  Costs costs = scoring.model.costs;
  if (costs.prices.empty() && mount != nullptr) {
    use_profile(*mount, *scoring.profile, costs);  // a linear model gives scores, not seconds
  } else if (mount != nullptr && !scoring.calibrated) {
    use_profile(*mount, *scoring.profile, costs);
  } else if (mount != nullptr && !costs.prices.empty()) {
    const MountProfile* there = scoring.profile->mount_of(scoring.model.mount);
    if (there != nullptr && there->path != mount->path) costs = moved_to(costs, *there, *mount);
  }
  prediction.costs = costs;
  analyze::estimate(prediction, costs);
  if (scoring.model.kind == Model::Kind::kPhysical) return;
  for (analyze::CodeBlock& block : prediction.blocks) block.score = score_of(scoring.model, block);
}

}  // namespace trikal::predict

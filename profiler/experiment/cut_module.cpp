// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/cut_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/inputs.h"
#include "profiler/experiment/module_origins.h"
#include "profiler/experiment/program_lines.h"

namespace fusebench {
namespace {

constexpr std::size_t kModulesNamed = 8;

/// The types of a program's named tensors, by the line that names them; 0: the inputs.
using TypesByName = std::map<std::pair<int, std::string>, ValueType>;

class Cut {
 public:
  Cut(const Experiment& whole, const std::string& path) : whole_(whole), path_(path) {
    if (!whole.capture)
      throw InputError(
          saying("only captured models have modules that can be cut out; make one with "
                 "fusebench-cli capture"));
    findProgram();
    readText();
    places_.push_back(firstPlace());
    types_.push_back(typesAt(places_.front()));
  }

  Experiment run() {
    for (const CapturedModel::Node& node : model().nodes)
      if (node.program == number_ && isWithinModule(moduleOf(node), path_) && isLine(node.line))
        cut_.insert(node.line);
    if (cut_.empty()) throw InputError(saying("module {} has no operations", shownName(path_)));
    takeWhatOthersUnpack();
    findOutputs();
    for (const int line : std::set<int>(cut_)) needReadsOf(line);
    return experiment();
  }

 private:
  const CapturedModel& model() const { return *whole_.capture; }
  const std::string& moduleOf(const CapturedModel::Node& node) const {
    return model().modules.at(static_cast<std::size_t>(node.module));
  }
  bool isLine(int line) const { return line > header_ && line <= static_cast<int>(lines_.size()); }
  const ProgramLine& line(int number) const { return lines_[static_cast<std::size_t>(number) - 1]; }

  /// The first program that has some of the module.
  void findProgram() {
    const auto found = std::ranges::find_if(model().nodes, [&](const CapturedModel::Node& node) {
      return isWithinModule(moduleOf(node), path_);
    });
    if (found == model().nodes.end() || path_.empty()) refusePath();
    number_ = found->program;
    const auto variant = std::ranges::find_if(whole_.variants, [&](const Variant& each) {
      return programNumber(whole_, each) == number_;
    });
    if (variant == whole_.variants.end())
      throw InputError(
          saying("no variant runs the program that has module {}; add one", shownName(path_)));
    variant_ = static_cast<int>(variant - whole_.variants.begin());
  }

  [[noreturn]] void refusePath() const {
    std::string names;
    std::size_t count = 0;
    for (const ModuleSize& each : modulesOf(model())) {
      if (each.path.find('.') != std::string::npos && count > 0) continue;
      if (++count > kModulesNamed) {
        names += ", ...";
        break;
      }
      names += (names.empty() ? "" : ", ") + each.path;
    }
    throw InputError(saying("the model has no module {}; its modules are {}", shownName(path_),
                            shownName(names)));
  }

  void readText() {
    const Variant& variant = whole_.variants[static_cast<std::size_t>(variant_)];
    lines_ = programLines(whole_.programTextOf(variant));
    std::map<std::string, int> last;
    for (const std::string& input : whole_.programOf(variant).inputs) last[input] = 0;
    for (int number = 1; number <= static_cast<int>(lines_.size()); ++number) {
      ProgramLine& each = lines_[static_cast<std::size_t>(number) - 1];
      std::vector<int>& from = definedAt_.emplace_back();
      if (header_ == 0) {
        if (each.text.ends_with(':')) header_ = number;
        continue;
      }
      std::erase_if(each.reads, [&](const std::string& name) { return !last.contains(name); });
      for (const std::string& name : each.reads) from.push_back(last[name]);
      for (const std::string& name : each.targets) last[name] = number;
    }
  }
  int definition(int number, std::size_t read) const {
    return definedAt_[static_cast<std::size_t>(number) - 1][read];
  }

  std::vector<std::int64_t> firstPlace() const {
    std::vector<std::int64_t> place;
    for (const Axis& axis : whole_.axes) place.push_back(axis.values.empty() ? 1 : axis.values[0]);
    return place;
  }

  TypesByName typesAt(const std::vector<std::int64_t>& place) const {
    const CellKey key{variant_, place};
    const Variant& variant = whole_.variants[static_cast<std::size_t>(variant_)];
    const Program program = forwardAt(whole_, variant, place);
    const std::vector<ValueType> inputs = inputTypesAt(whole_, key, program, 0);
    const std::vector<ValueType> types = inferTypes(program, inputs);
    TypesByName named;
    for (std::size_t i = 0; i < program.inputs.size(); ++i)
      named.emplace(std::pair(0, program.inputs[i]), types[i]);
    for (const Statement& statement : program.statements)
      if (statement.value >= 0)
        named.emplace(std::pair(statement.place.line, statement.target),
                      types[static_cast<std::size_t>(statement.value)]);
    return named;
  }

  const ValueType* typeOf(int definedAt, const std::string& name) const {
    const auto found = types_.front().find({definedAt, name});
    return found == types_.front().end() ? nullptr : &found->second;
  }

  /// A module may make a list of tensors. The lines after it that take the list apart belong to the
  /// part, too.
  void takeWhatOthersUnpack() {
    for (int number = header_ + 1; number <= static_cast<int>(lines_.size()); ++number) {
      if (cut_.contains(number) || line(number).targets.empty()) continue;
      const auto& reads = line(number).reads;
      bool unpacks = !reads.empty();
      for (std::size_t i = 0; i < reads.size(); ++i) {
        const int from = definition(number, i);
        unpacks = unpacks && cut_.contains(from) && !typeOf(from, reads[i]);
      }
      if (unpacks && typeOf(number, line(number).targets.front())) cut_.insert(number);
    }
  }

  void findOutputs() {
    std::set<std::pair<int, std::string>> seen;
    const auto offer = [&](int from, const std::string& name) {
      if (typeOf(from, name) && seen.emplace(from, name).second) outputs_.push_back(name);
    };
    for (int number = header_ + 1; number <= static_cast<int>(lines_.size()); ++number) {
      if (cut_.contains(number)) continue;
      for (std::size_t i = 0; i < line(number).reads.size(); ++i)
        if (const int from = definition(number, i); cut_.contains(from))
          offer(from, line(number).reads[i]);
    }
    // Nobody reads any of it: its last tensor is what it comes to.
    for (auto each = cut_.rbegin(); each != cut_.rend() && outputs_.empty(); ++each)
      for (const std::string& name : line(*each).targets) offer(*each, name);
    if (outputs_.empty()) throw InputError(saying("module {} returns no tensor", shownName(path_)));
  }

  /// Each value that a line reads comes from the part, becomes an input, or is computed in the
  /// part.
  void needReadsOf(int number) {
    for (std::size_t i = 0; i < line(number).reads.size(); ++i) {
      const std::string& name = line(number).reads[i];
      const int from = definition(number, i);
      if (cut_.contains(from)) continue;
      const ValueType* const type = typeOf(from, name);
      if (from > 0 && (!type || !isFloat(type->dtype))) {
        cut_.insert(from);
        needReadsOf(from);
        continue;
      }
      const auto [known, isNew] = inputs_.emplace(name, from);
      if (!isNew && known->second != from)
        throw InputError(
            saying("the program names {} twice, and module {} reads both; give one of "
                   "them another name",
                   shownName(name), shownName(path_)));
      if (isNew) inputOrder_.push_back(name);
    }
  }

  /// Extents of a tensor at the first place, those that are proportional to an axis as such.
  std::vector<std::string> extentsOf(int from, const std::string& name) {
    std::vector<std::string> extents;
    const Shape& shape = typeOf(from, name)->shape;
    for (int d = 0; d < shape.rank(); ++d) extents.push_back(extentOf(from, name, d));
    return extents;
  }

  std::string extentOf(int from, const std::string& name, int dim) {
    const std::int64_t here = typeOf(from, name)->shape[dim];
    for (std::size_t a = 0; a < whole_.axes.size(); ++a) {
      const TypesByName* const other = typesFurther(a);
      if (!other) continue;
      const auto found = other->find({from, name});
      if (found == other->end() || found->second.shape.rank() <= dim) continue;
      const std::int64_t rise = found->second.shape[dim] - here;
      const std::int64_t step = further_[a].first;
      if (rise == 0 || rise % step != 0) continue;
      const std::int64_t slope = rise / step, rest = here - slope * places_.front()[a];
      std::string text = whole_.axes[a].name;
      if (slope != 1) text += fmt::format(" * {}", slope);
      if (rest != 0) text += fmt::format(" {} {}", rest < 0 ? '-' : '+', std::abs(rest));
      return text;
    }
    return std::to_string(here);
  }

  /// Types where one axis has another value; null: nothing follows it, or it takes no other.
  const TypesByName* typesFurther(std::size_t axis) {
    const auto known = further_.find(axis);
    if (known != further_.end()) return known->second.second ? &*known->second.second : nullptr;
    auto& [step, types] = further_[axis];
    const Axis& of = whole_.axes[axis];
    const bool follows = std::ranges::any_of(
        whole_.inputSet(whole_.variants[static_cast<std::size_t>(variant_)].inputs).inputs,
        [&](const InputSpec& spec) {
          return std::ranges::any_of(
              spec.extents, [&](const std::string& extent) { return mentions(extent, of.name); });
        });
    if (!follows) return nullptr;
    std::vector<std::int64_t> place = places_.front();
    step = of.values.size() > 1 ? of.values.back() - of.values.front() : place[axis];
    place[axis] += step;
    try {
      types = typesAt(place);
    } catch (const std::exception&) {  // the model does not take the value: extents stay as here
      types.reset();
    }
    return types ? &*types : nullptr;
  }

  InputSpec specOf(const std::string& name) {
    const Variant& variant = whole_.variants[static_cast<std::size_t>(variant_)];
    const int from = inputs_.at(name);
    for (const InputSpec& spec : whole_.inputSet(variant.inputs).inputs)
      if (from == 0 && spec.name == name) return spec;
    InputSpec spec;
    spec.name = name;
    spec.extents = extentsOf(from, name);
    spec.dtype = info(typeOf(from, name)->dtype).name;
    return spec;
  }

  Experiment experiment() {
    Experiment part = whole_;
    part.title = saying("{}, part of {}", path_, whole_.title);
    for (std::string* text : {&part.question, &part.reference, &part.programName}) text->clear();
    part.morePrograms.clear();
    part.claims.clear();
    putText(part);
    putInputs(part);
    putVariants(part);
    std::erase_if(part.axes, [&](const Axis& axis) {
      return axis.name != "threads" && axis.name != "ranks" && !isUsed(part, axis.name);
    });
    if (part.axes.empty()) part.axes = {{"threads", "threads", {1}}};
    // Read as a file, so that it is one that opens.
    Experiment made = parseExperiment(toJson(part), part.title);
    made.folder = whole_.folder;
    return made;
  }

  static bool isUsed(const Experiment& part, const std::string& axis) {
    return std::ranges::any_of(part.inputSets.front().inputs, [&](const InputSpec& spec) {
      return std::ranges::any_of(spec.extents,
                                 [&](const std::string& extent) { return mentions(extent, axis); });
    });
  }

  void putText(Experiment& part) {
    std::string names;
    for (const std::string& name : inputOrder_) names += (names.empty() ? "" : ", ") + name;
    part.programText = fmt::format("def forward({}):\n", names);
    CapturedModel& capture = *part.capture;
    std::map<int, int> now;
    for (const int number : cut_) {
      part.programText += line(number).text + "\n";
      now[number] = static_cast<int>(now.size()) + 2;
    }
    std::string results;
    for (const std::string& name : outputs_) results += (results.empty() ? "" : ", ") + name;
    const std::string& first = line(*cut_.begin()).text;
    part.programText +=
        first.substr(0, std::min(first.find_first_not_of(' '), first.size())) + "return " + results;
    part.programText += "\n";
    // The module by itself is in no file that PyTorch could execute.
    capture.file.clear();
    capture.sha256.clear();
    capture.name.clear();
    capture.inputs.clear();
    capture.breaks.clear();
    capture.arguments.clear();
    capture.train = false;
    std::vector<CapturedModel::Node> nodes;
    for (CapturedModel::Node node : model().nodes)
      if (node.program == number_ && now.contains(node.line)) {
        node.program = 0;
        node.line = now[node.line];
        nodes.push_back(node);
      }
    capture.nodes = std::move(nodes);
  }

  void putInputs(Experiment& part) {
    InputSet set = whole_.inputSet(whole_.variants[static_cast<std::size_t>(variant_)].inputs);
    set.inputs.clear();
    bool hasValues = false;
    for (const std::string& name : inputOrder_) {
      set.inputs.push_back(specOf(name));
      hasValues = hasValues || !set.inputs.back().values.empty();
    }
    if (!hasValues) part.weights.clear();
    part.inputSets = {std::move(set)};
  }

  void putVariants(Experiment& part) const {
    std::erase_if(part.variants,
                  [&](const Variant& each) { return programNumber(whole_, each) != number_; });
    const auto isThere = [&](const std::string& name) {
      return std::ranges::any_of(part.variants,
                                 [&](const Variant& each) { return each.name == name; });
    };
    for (Variant& each : part.variants) {
      each.program.clear();
      each.gradients.clear();
      each.checkpoint.clear();
      each.inputs = part.inputSets.front().name;
      if (!isThere(each.against)) each.against.clear();
    }
    if (!isThere(part.baseline)) part.baseline = part.variants.front().name;
  }

  const Experiment& whole_;
  const std::string& path_;
  int number_ = 0;   ///< position of the program
  int variant_ = 0;  ///< a variant that runs it
  int header_ = 0;   ///< the last line of the header
  std::vector<ProgramLine> lines_;
  std::vector<std::vector<int>> definedAt_;  ///< per line: the line that names each of its reads
  std::vector<std::vector<std::int64_t>> places_;
  std::vector<TypesByName> types_;
  /// By axis: how much further, and the types there.
  std::map<std::size_t, std::pair<std::int64_t, std::optional<TypesByName>>> further_;
  std::set<int> cut_;
  std::map<std::string, int> inputs_;  ///< by name, the line that names them; 0: the model's own
  std::vector<std::string> inputOrder_, outputs_;
};

}  // namespace

std::vector<ModuleSize> modulesOf(const CapturedModel& model) {
  std::vector<ModuleSize> sizes;
  std::map<std::string, std::size_t, std::less<>> known;
  for (const CapturedModel::Node& node : model.nodes) {
    const std::string& module = model.modules.at(static_cast<std::size_t>(node.module));
    std::vector<std::string_view> around;
    for (std::string_view path = module; !path.empty(); path = moduleAround(path))
      around.push_back(path);
    for (auto path = around.rbegin(); path != around.rend(); ++path) {
      const auto [found, isNew] = known.emplace(std::string(*path), sizes.size());
      if (isNew) sizes.push_back({std::string(*path), 0});
      ++sizes[found->second].operations;
    }
  }
  return sizes;
}

Experiment cutModule(const Experiment& whole, const std::string& path) {
  // A sweep over the number of statements shortens the model; the part is of the whole one.
  Experiment model = whole;
  std::erase_if(model.axes, [](const Axis& axis) { return axis.name == "statements"; });
  if (model.axes.empty()) model.axes = {{"threads", "threads", {1}}};
  return Cut(model, path).run();
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/plan_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/quantity_text.h"
#include "engine/base/saying.h"
#include "engine/plan/copy_text.h"
#include "engine/plan/lowering.h"
#include "engine/plan/storages.h"

namespace fusebench {

std::string toText(const SymbolicSize& size) {
  if (size.isConstant()) return fmt::format("{}", size.constant());
  std::string text = size.factor() == 1 ? std::string() : fmt::format("{}*", size.factor());
  bool first = true;
  for (const int symbol : size.symbols()) {
    text += fmt::format("{}s{}", first ? "" : "*", symbol);
    first = false;
  }
  return text;
}

namespace {

std::string listText(const SizeList<SymbolicSize>& sizes) {
  std::string text;
  for (const SymbolicSize& size : sizes) text += (text.empty() ? "" : ", ") + toText(size);
  return sizes.size() == 1 ? fmt::format("({},)", text) : fmt::format("({})", text);
}

class PlanText {
 public:
  PlanText(const Plan& plan, std::span<const std::int64_t> symbols)
      : plan_(plan), symbols_(symbols) {}

  std::string text() {
    addHead();
    addSteps();
    addStorages();
    return text_;
  }

 private:
  /// The program's name for it if it has one, else the number of the op that makes it.
  std::string nameOf(Slot slot) const {
    const Program& program = *plan_.program;
    if (slot < plan_.inputs()) return program.inputs[slot];
    return valueName(plan_.valueAt(slot));
  }
  std::string valueName(ValueId value) const {
    const ValueId made = plan_.values.root(value) - static_cast<ValueId>(plan_.inputs());
    if (made < 0) return plan_.program->inputs[static_cast<std::size_t>(made) + plan_.inputs()];
    return fmt::format("v{}", made + 1);
  }
  std::string namesOf(std::span<const Slot> slots) const {
    std::string names;
    for (const Slot slot : slots) names += (names.empty() ? "" : saying(", ")) + nameOf(slot);
    return names;
  }
  std::string formText(Slot slot) const {
    const ValueId value = plan_.valueAt(slot);
    std::string text = fmt::format("{} {}", info(plan_.values.dtype(value)).name,
                                   listText(plan_.values.extents(plan_.values.space(value))));
    if (const auto* layout = plan_.values.layout(value))
      text += saying(" strides ") + listText(layout->strides);
    if (const Memory memory = plan_.values.memory(value); memory != Memory::device)
      text += saying(" in {}", said(fusebench::nameOf(memory)));
    return text;
  }

  void addHead() {
    const PlanOptions& options = plan_.options;
    text_ +=
        saying("plan: {}, {}, {}{}\n",
               options.grouping == PlanOptions::Grouping::perOp ? said("every op separately")
                                                                : said("ops fused"),
               options.specialize == Specialize::exact ? said("for these sizes")
                                                       : said("for any sizes of this kind"),
               options.code == PlanOptions::StepCode::opList ? said("op lists") : said("kernels"),
               options.keepsMemory ? said(", recorded and replayed") : std::string_view());
    for (int symbol = 0; symbol < plan_.guards.symbolCount(); ++symbol)
      text_ += fmt::format("  s{} = {}\n", symbol, symbols_[static_cast<std::size_t>(symbol)]);
    for (Slot slot = 0; slot < plan_.inputs(); ++slot)
      text_ += saying("input {}: {}\n", nameOf(slot), formText(slot));
  }

  void addSteps() {
    const std::vector<StepCost> costs = costsOf(plan_, symbols_);
    for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
      const Step& step = plan_.steps[s];
      addBreaks(s);
      text_ += saying("step {}: {} {}{}\n", s + 1, nameOf(step.kind),
                      kernelName(*plan_.program, step.group.ops), statementsText(step));
      if (costs[s].phases > 1) text_ += saying("  in {} phases\n", costs[s].phases);
      text_ += routeText(step);
      text_ += takenText(step);
      text_ += saying("  reads {}; {} bytes\n", namesOf(step.reads), costs[s].bytes.read);
      if (step.kind == Step::Kind::copy) text_ += "  " + copyText(plan_, step);
      for (std::size_t w = 0; w < step.writes.size(); ++w) text_ += writtenText(step, w);
      text_ += saying("  {} bytes written, {} floating-point operations\n", costs[s].bytes.written,
                      costs[s].flops);
      addFrees(step.lastUses);
    }
    addBreaks(plan_.steps.size());
    for (const PlanCheck& check : plan_.checks) {
      const SizeCheck& asked = plan_.program->checks[check.check];
      std::string message = asked.message;
      for (const char* const put : {"i", "n"})
        if (const std::size_t at = message.find("{}"); asked.ofIndex && at != std::string::npos)
          message.replace(at, 2, put);
      text_ += saying("after step {} waits for {}: {}\n", check.afterStep + 1, nameOf(check.slot),
                      message);
    }
    text_ += saying("returns {}\n", namesOf(plan_.outputs));
  }

  /// A condition that no step reads any more is kept until the host has read it.
  void addFrees(std::span<const Slot> slots) {
    std::vector<Slot> freed;
    for (const Slot slot : slots) (isAwaited(slot) ? kept_ : freed).push_back(slot);
    if (!freed.empty()) text_ += saying("  frees {}\n", namesOf(freed));
  }
  bool isAwaited(Slot slot) const {
    const auto& branches = plan_.program->branches;
    return std::any_of(branches.begin() + static_cast<std::ptrdiff_t>(break_), branches.end(),
                       [&](const Branch& branch) {
                         return plan_.values.root(branch.condition) == plan_.valueAt(slot);
                       });
  }

  /// How the ops of a chain are run, and why.
  std::string routeText(const Step& step) const {
    const auto chain = std::ranges::find_if(plan_.chains, [&](const Chain& each) {
      return std::ranges::find(each.ops, step.group.ops.front()) != each.ops.end();
    });
    if (chain == plan_.chains.end()) return {};
    if (!chain->ships)
      return saying("  as an op list, because not every op has a prebuilt kernel\n");
    const RouteCosts& costs = chain->costs;
    const auto time = [](double nanoseconds) { return timeText(nanoseconds, Letters::page); };
    switch (chain->route) {
      case Route::apart:
        return saying("  one kernel per op, estimated at {}; as an op list: {}\n",
                      time(costs.apart), time(costs.together));
      case Route::reductionsApart:
        return saying(
            "  reductions in separate kernels and the rest as an op list, estimated at {}; all as "
            "an op list: {}; one kernel per op: {}\n",
            time(costs.reductionsApart), time(costs.together), time(costs.apart));
      case Route::together:
        break;
    }
    if (costs.least() != Route::together)
      return saying("  as an op list, because prebuilt kernels index at most 2^30 elements\n");
    return saying("  as an op list, estimated at {}; with one kernel per op: {}\n",
                  time(costs.together), time(costs.apart));
  }

  /// The other ops of a library's step, and how they run.
  std::string takenText(const Step& step) const {
    if (step.kind != Step::Kind::library) return {};
    const auto& ops = step.group.ops;
    const int folded = plan_.program->ops[static_cast<std::size_t>(ops.front())].folded;
    std::string text;
    if (folded > 0)
      text += saying(
          "  with {} ops after it in its weight and bias, which are prepared from constant "
          "inputs\n",
          folded);
    if (ops.size() > 1)
      text += plan_.options.tails == Tails::kernels
                  ? saying("  then {} over the result in place, in the same launch\n",
                           kernelName(*plan_.program, {ops.begin() + 1, ops.size() - 1}))
                  : saying("  with {} as its epilogue\n",
                           kernelName(*plan_.program, {ops.begin() + 1, ops.size() - 1}));
    return text;
  }

  /// Adds the points where the host reads a condition back and continues by its value.
  void addBreaks(std::size_t before) {
    while (break_ < plan_.program->branches.size()) {
      const Branch& branch = plan_.program->branches[break_];
      if (before < plan_.steps.size() && plan_.steps[before].group.ops.front() < branch.beforeOp)
        return;
      text_ += saying(
          "graph break: waits for {}, whether \"{}\" holds (line {}); this is the branch where it "
          "{}\n",
          valueName(branch.condition), branch.text, branch.place.line,
          branch.holds ? said("does") : said("does not"));
      ++break_;
      addFrees(std::exchange(kept_, {}));
    }
  }

  /// The value that a step writes, or the existing memory that it writes to.
  std::string writtenText(const Step& step, std::size_t w) const {
    const Slot slot = step.writes[w];
    const ValueId value = step.group.outputs[w];
    // A product that its own launch writes over has no storage before.
    const ValueId own = plan_.program->result(step.group.ops.front());
    if (plan_.values.root(value) == value ||
        (step.kind == Step::Kind::library && step.group.ops.size() > 1 &&
         plan_.values.root(value) == own))
      return saying("  writes {}: {}\n", nameOf(slot), formText(slot));
    std::string part = listText(plan_.values.extents(plan_.values.space(value)));
    if (const auto* layout = plan_.values.layout(value))
      part += saying(" strides ") + listText(layout->strides);
    const SymbolicSize offset = plan_.values.offset(value);
    if (!(offset == SymbolicSize(0))) part += saying(" from element ") + toText(offset);
    return saying("  writes into {}: {} {}\n", nameOf(slot), info(plan_.values.dtype(value)).name,
                  part);
  }

  static std::string_view nameOf(Step::Kind kind) {
    switch (kind) {
      case Step::Kind::kernel:
        return said("kernel");
      case Step::Kind::opList:
        return said("op list");
      case Step::Kind::library:
        return said("library call");
      case Step::Kind::attention:
        return said("attention");
      case Step::Kind::collective:
        return said("collective");
      case Step::Kind::copy:
        return said("copy");
    }
    return "?";
  }

  std::string statementsText(const Step& step) const {
    std::vector<std::string> names;
    for (const int op : step.group.ops) {
      const int statement = plan_.program->ops[static_cast<std::size_t>(op)].statement;
      std::string name = statement < 0 ? "return" : fmt::format("{}", statement + 1);
      if (names.empty() || names.back() != name) names.push_back(std::move(name));
    }
    return saying(", of statement{} {}", names.size() == 1 ? "" : "s",
                  fmt::join(names, said(", ")));
  }

  void addStorages() {
    const int steps = static_cast<int>(plan_.steps.size());
    for (const Storage& storage : storagesOf(plan_, symbols_)) {
      if (storage.kind == Storage::Kind::input) continue;
      if (storage.memory != Memory::device) continue;
      text_ += saying(
          "storage of {}: {}, {} bytes, from step {} to {}\n", nameOf(storage.slot),
          saidAs("storage", name(storage.kind)), storage.bytes, storage.firstStep + 1,
          storage.lastStep == steps ? saying("the end") : fmt::format("{}", storage.lastStep + 1));
    }
  }

  const Plan& plan_;
  std::span<const std::int64_t> symbols_;
  std::string text_;
  std::size_t break_ = 0;   ///< the next to print
  std::vector<Slot> kept_;  ///< conditions that no step reads any more
};

}  // namespace

std::string toText(const Plan& plan, std::span<const std::int64_t> symbols) {
  return PlanText(plan, symbols).text();
}

}  // namespace fusebench

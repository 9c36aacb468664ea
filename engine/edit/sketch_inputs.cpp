// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs that edits add, and what fits where.
#include "engine/edit/sketch_inputs.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "engine/edit/sketch_make.h"

namespace fusebench {
namespace {

/// Declares another input in the def header, before the arguments that have a default.
void declareInput(SketchModel& model, const std::string& name) {
  for (SketchLine& line : model.lines) {
    if (!line.declares) continue;
    std::vector<LexerProblem> ignored;
    const std::vector<Token> tokens = tokenizeTolerantly(line.source, ignored);
    int depth = 0;
    std::size_t begin = 0;  // where the current parameter begins
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Token& t = tokens[i];
      if (t.is("(") || t.is("[")) {
        if (++depth == 1) begin = i + 1;
        continue;
      }
      if (t.is(")") || t.is("]")) --depth;
      if (depth == 1 && t.is(",")) begin = i + 1;
      const bool starred = i == begin && (t.is("*") || t.is("**"));
      if (depth == 1 && (t.is("=") || starred)) {
        line.source.insert(tokens[begin].begin, name + ", ");
        return;
      }
      if (depth == 0 && t.is(")")) {
        const bool first = tokens[i - 1].is("(") || tokens[i - 1].is(",");
        line.source.insert(tokens[i - 1].end,
                           (first ? (tokens[i - 1].is(",") ? " " : "") : ", ") + name);
        return;
      }
    }
  }
}

std::string_view termOf(std::string_view indices, int operand) {
  std::string_view terms = indices.substr(0, indices.find("->"));
  for (; operand > 0; --operand) terms.remove_prefix(std::min(terms.find(','), terms.size()) + 1);
  return terms.substr(0, terms.find(','));
}

/// The dimensions that a term names; those that it may have before them are left out.
int rankOfTerm(std::string_view term) {
  int rank = 0;
  for (std::size_t at = 0; at < term.size(); ++at) {
    const char letter = term[at];
    if (letter == '[' || letter == '(' || letter == '<') at += 3;
    if (letter != '.' && letter != '?' && letter != '*') ++rank;
  }
  return rank;
}

/// Extents of a contraction's operands from those of the one that is there.
class ContractFit {
 public:
  ContractFit(const OpRow& row, const Extents& main) {
    const int there = mainOperand(row);
    std::vector<int> ranks;
    for (int o = 0; o < row.arity; ++o)
      ranks.push_back(o == there ? static_cast<int>(main.size())
                                 : rankOfTerm(termOf(row.contract.indices, o)));
    try {
      form_ = contractForm(row.contract.indices, row.contract.addend, ranks);
    } catch (const ContractError& error) {
      throw EditRefused(std::string(row.name) + ": " + error.what());
    }
    const std::vector<ContractDim>& own = form_.tensors[static_cast<std::size_t>(there)];
    if (!own.empty())
      note(own, main);
    else if (form_.result().size() == main.size())
      note(form_.result(), main);
    else
      throw EditRefused(std::string(row.name) + ": the value has " + std::to_string(main.size()) +
                        " dimensions, but should have " + std::to_string(form_.result().size()));
    for (std::size_t l = form_.kept; l < form_.letters.size(); ++l)
      if (const auto found = extents_.find(form_.letters[l]); found != extents_.end() && !summed_)
        summed_ = found->second;
    if (!summed_) summed_ = main.empty() ? "8" : main.back();
  }

  Extents of(int operand) const {
    Extents extents;
    for (const ContractDim& dim : form_.tensors[static_cast<std::size_t>(operand)]) {
      const char letter = dim.kind == ContractDim::Kind::split ? dim.inner : dim.outer;
      const auto found = extents_.find(letter);
      extents.push_back(found == extents_.end() ? *summed_ : found->second);
    }
    return extents;
  }
  const std::string& summed() const { return *summed_; }

 private:
  void note(const std::vector<ContractDim>& dims, const Extents& main) {
    for (std::size_t d = 0; d < dims.size(); ++d) {
      switch (dims[d].kind) {
        case ContractDim::Kind::loop:
          extents_[dims[d].outer] = main[d];
          break;
        case ContractDim::Kind::split:
          extents_[dims[d].inner] = main[d];
          if (!summed_) summed_ = main[d];  // channels: as many come out
          break;
        default: {
          constexpr std::int64_t kUsualWindow = 3;
          const std::int64_t places = numberOf(main[d]).value_or(kUsualWindow);
          extents_[dims[d].inner] = std::to_string(std::min(places, kUsualWindow));
        }
      }
    }
  }

  ContractForm form_;
  std::map<char, std::string> extents_;
  std::optional<std::string> summed_;
};

/// The row's name of its operand, if it says more than that it is one.
std::string telling(std::string_view keyword) {
  for (const std::string_view plain : {"input", "other", "self", "tensor", "end", "exponent"})
    if (keyword == plain) return "y";
  return std::string(keyword);
}

}  // namespace

std::string freeName(const SketchModel& model, std::string_view name) {
  const auto taken = [&](const std::string& each) {
    return std::binary_search(model.words.begin(), model.words.end(), each) ||
           std::find(model.inputs.begin(), model.inputs.end(), each) != model.inputs.end();
  };
  std::string free(name);
  for (int n = 2; taken(free); ++n) free = std::string(name) + std::to_string(n);
  return free;
}

ValueId inputCalled(SketchModel& model, const std::string& name) {
  const auto found = std::find(model.inputs.begin(), model.inputs.end(), name);
  if (found != model.inputs.end()) return static_cast<ValueId>(found - model.inputs.begin());
  const bool taken = std::binary_search(model.words.begin(), model.words.end(), name);
  const std::string fresh = taken ? model.freshName() : name;
  model.inputs.push_back(fresh);
  if (model.declared) declareInput(model, fresh);
  return static_cast<ValueId>(model.inputs.size()) - 1;
}

ValueId addInput(SketchModel& model, NewInput input) {
  input.name = freeName(model, input.name);
  model.inputs.push_back(input.name);
  if (model.declared) declareInput(model, input.name);
  model.newInputs.push_back(std::move(input));
  return static_cast<ValueId>(model.inputs.size()) - 1;
}

std::optional<KnownValue> knownOf(const Sketch& sketch, const SketchModel& model, ValueId value,
                                  const KnownValues& known) {
  const auto inputs = static_cast<ValueId>(sketch.program.inputs.size());
  const ValueId index = SketchModel::isNode(value) ? value - kFirstResult + inputs : value;
  const bool isNew = SketchModel::isNode(value)
                         ? value - kFirstResult >= static_cast<ValueId>(model.opCount)
                         : value >= inputs;
  if (value < 0 || isNew || static_cast<std::size_t>(index) >= known.size()) return std::nullopt;
  return known[static_cast<std::size_t>(index)];
}

std::optional<std::int64_t> numberOf(const std::string& extent) {
  constexpr std::size_t kMostDigits = 15;
  if (extent.empty() || extent.size() > kMostDigits) return std::nullopt;
  std::int64_t number = 0;
  for (const char digit : extent) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = 10 * number + (digit - '0');
  }
  return number;
}

std::string timesExtent(int factor, const std::string& extent) {
  if (const auto number = numberOf(extent)) return std::to_string(factor * *number);
  const bool plain = std::all_of(extent.begin(), extent.end(), [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '_';
  });
  return std::to_string(factor) + " * " + (plain ? extent : "(" + extent + ")");
}

double weightDeviation(const std::string& summed) {
  constexpr double kUsual = 64, kThousandths = 1000;
  const double terms = static_cast<double>(numberOf(summed).value_or(0));
  return std::max(1.0, std::round(kThousandths / std::sqrt(terms > 0 ? terms : kUsual))) /
         kThousandths;
}

NewInput fittingInput(const OpRow& row, int i, const std::optional<KnownValue>& main) {
  NewInput input;
  input.name = telling(operandName(row, i));
  if (!main) return input;
  input.dtype = main->dtype;
  if (row.kind != OpKind::contract || row.contract.indices.empty()) {
    input.extents = main->extents;
    // A row for every rank; there is one until the person says more.
    if (row.kind == OpKind::collective) input.extents->insert(input.extents->begin(), "1");
    return input;
  }
  const ContractFit fit(row, main->extents);
  input.extents = fit.of(i);
  if (i != row.contract.addend) input.deviation = weightDeviation(fit.summed());
  for (const std::string_view weight : {"weight", "bias"})
    input.weight = input.weight || operandName(row, i) == weight;
  return input;
}

}  // namespace fusebench

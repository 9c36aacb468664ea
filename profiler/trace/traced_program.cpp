// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/traced_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/base/saying.h"
#include "profiler/trace/traced_call.h"

namespace fusebench {
namespace {

/// Names that mean something in Python; PyTorch's graphs put a number behind them, too.
constexpr std::array<std::string_view, 42> kTakenNames{
    "abs",    "all",    "and",    "any",   "as",    "assert", "bool",   "break",  "class",
    "def",    "del",    "dict",   "elif",  "else",  "except", "float",  "for",    "from",
    "global", "if",     "import", "in",    "int",   "is",     "lambda", "len",    "list",
    "max",    "min",    "not",    "or",    "pass",  "pow",    "range",  "return", "round",
    "slice",  "sorted", "sum",    "torch", "tuple", "zip"};

/// Operators that make a tensor without computing it from others.
constexpr std::array<std::string_view, 12> kFillers{
    "aten::empty",     "aten::empty_like", "aten::empty_strided", "aten::new_empty",
    "aten::new_zeros", "aten::zeros",      "aten::zeros_like",    "aten::fill_",
    "aten::zero_",     "aten::resize_",    "aten::copy_",         "aten::full"};

bool areStridesSame(const TracedTensor& one, const TracedTensor& other) {
  if (!one.hasStrides || !other.hasStrides) return true;
  for (std::size_t d = 0; d < one.extents.size(); ++d)
    if (one.extents[d] != 1 && one.strides[d] != other.strides[d]) return false;
  return true;
}

std::string identifierOf(std::string_view name) {
  std::string made;
  for (const char c : name) made += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (made.empty() || std::isdigit(static_cast<unsigned char>(made[0])) != 0) made = "x" + made;
  return made;
}

class ProgramMaker {
 public:
  ProgramMaker(const ExecutionTrace& trace, const TraceSelection& selection,
               const std::set<OperatorIndex>& opened)
      : trace_(trace),
        selection_(selection),
        opened_(opened),
        within_(trace.operators.size()),
        line_(trace.operators.size(), kNoOperator) {}

  TracedProgram run() {
    std::vector<bool> done(trace_.operators.size());  // a line holds them
    for (OperatorIndex i = 0; i < trace_.operators.size(); ++i) {
      const TracedOperator& op = trace_.operators[i];
      const bool hasParent = op.parent != kNoOperator;
      within_[i] = i == selection_.within || (hasParent && within_[op.parent]);
      done[i] = hasParent && done[op.parent];
      if (done[i]) {
        if (line_[op.parent] != kNoOperator) takeInner(i, line_[i] = line_[op.parent]);
        continue;
      }
      if (isSelected(i))
        done[i] = take(i);
      else if (!values_.empty())
        passBy(op);
    }
    finish();
    return std::move(made_);
  }

 private:
  /// A tensor with the name that the program has for it.
  struct Named {
    std::string name;
    std::uint32_t tensor = 0;
    int line = -1;         ///< in made_.lines; -1: an input
    int reads = 0;         ///< by lines
    bool isView = false;   ///< of another named one
    std::size_t base = 0;  ///< which
    bool isReturned = false;
    bool isWritten = false;  ///< the line writes to it
    std::size_t slot = 0;    ///< in body_: where an item's line goes, if it is read
    std::string source{};    ///< the item of a result that it is, until it is read: "unbind[1]"
  };

  bool isSelected(OperatorIndex at) const {
    const std::int64_t id = trace_.operators[at].id;
    return id >= selection_.first && id <= selection_.last &&
           (selection_.within == kNoOperator || within_[at]);
  }

  /// True if it, with all that it calls, is dealt with.
  bool take(OperatorIndex at) {
    const TracedOperator& op = trace_.operators[at];
    const TracedCall call = tracedCall(trace_, at);
    const bool isOpened = opened_.contains(at);
    if (call.problem.empty() && !isOpened) {
      emit(at, *call.row);
      line_[at] = at;
      return true;
    }
    if (isWithoutEffect(at)) {
      if (trace_.isAten(at))
        made_.notes.push_back(
            saying("operator {} ({}) returns no tensor and is left out", op.id, trace_.nameOf(at)));
      return trace_.isAten(at);
    }
    if (op.kernel != 0) {
      made_.unknown.push_back(
          {at, saying("a kernel that {} generated; record without torch.compile",
                      trace_.texts[op.kernel])});
      return true;
    }
    if (isMadeInside(at)) return false;
    made_.unknown.push_back({at, call.problem});
    return true;
  }

  /// It returns no tensor and writes to none.
  bool isWithoutEffect(OperatorIndex at) const {
    const TracedOperator& op = trace_.operators[at];
    if (trace_.nameOf(at).starts_with("c10d::") || trace_.nameOf(at) == "record_param_comms")
      return false;
    bool returns = false;
    forEachTensor(op.outputs, [&](std::uint32_t) { returns = true; });
    return !returns && !writesArguments(trace_.schemaOf(at)) && op.kernel == 0 &&
           (trace_.hasIdentities || !trace_.isAten(at)) &&
           (trace_.isAten(at) || op.children.empty());
  }

  /// Whether each of its results comes from an operator inside that computes it from tensors.
  bool isMadeInside(OperatorIndex at) const {
    std::set<std::pair<std::int64_t, std::int64_t>> computed;
    std::vector<OperatorIndex> open = trace_.operators[at].children;
    // Where results are not recorded, nothing tells who computes them.
    if (open.empty() || (!trace_.hasIdentities && trace_.isAten(at))) return false;
    while (!open.empty()) {
      const OperatorIndex inner = open.back();
      open.pop_back();
      const TracedOperator& one = trace_.operators[inner];
      open.insert(open.end(), one.children.begin(), one.children.end());
      bool reads = false;
      forEachTensor(one.inputs, [&](std::uint32_t) { reads = true; });
      if (!reads || !trace_.isAten(inner) ||
          std::find(kFillers.begin(), kFillers.end(), trace_.nameOf(inner)) != kFillers.end())
        continue;
      forEachTensor(one.outputs, [&](std::uint32_t tensor) {
        computed.emplace(trace_.tensors[tensor].id, trace_.tensors[tensor].storage);
      });
    }
    bool all = true;
    forEachTensor(trace_.operators[at].outputs, [&](std::uint32_t tensor) {
      const TracedTensor& one = trace_.tensors[tensor];
      all = all && (one.elements() == 0 || computed.contains({one.id, one.storage}));
    });
    return all;
  }

  // ---- which name a tensor has

  std::vector<std::size_t>& sharing(const TracedTensor& tensor) {
    // Tensors without elements have no memory that they could share.
    return tensor.elements() == 0 ? empty_[tensor.id] : storages_[tensor.storage];
  }

  /// The last named tensor that is the same view of the same memory.
  std::optional<std::size_t> sameAs(const TracedTensor& tensor) {
    const std::vector<std::size_t>& all = sharing(tensor);
    for (auto each = all.rbegin(); each != all.rend(); ++each) {
      const TracedTensor& other = trace_.tensors[values_[*each].tensor];
      if (other.offset == tensor.offset && other.extents == tensor.extents &&
          other.recordedType == tensor.recordedType && areStridesSame(other, tensor))
        return *each;
    }
    return std::nullopt;
  }

  /// A named tensor that is not a view of others and holds all of `tensor` in its order.
  std::optional<std::size_t> holderOf(const TracedTensor& tensor) {
    std::int64_t last = tensor.offset;
    for (std::size_t d = 0; d < tensor.extents.size() && tensor.hasStrides; ++d)
      last += (tensor.extents[d] - 1) * tensor.strides[d];
    for (const std::size_t each : sharing(tensor)) {
      const TracedTensor& other = trace_.tensors[values_[each].tensor];
      if (other.recordedType != tensor.recordedType || !other.isContiguous() || !other.hasStrides)
        continue;
      const bool isAll = other.offset == tensor.offset && tensor.isContiguous() &&
                         other.elements() == tensor.elements();
      if (isAll || (other.offset == 0 && tensor.hasStrides && last < other.elements())) return each;
    }
    return std::nullopt;
  }

  std::string nameFor(std::string_view wanted) {
    std::string base = identifierOf(wanted);
    int& count = counts_[base];
    const bool isTaken =
        std::find(kTakenNames.begin(), kTakenNames.end(), base) != kTakenNames.end();
    std::string name = base;
    if (count == 0 && isTaken) count = 1;
    if (count > 0) name += fmt::format("_{}", count);
    ++count;
    return names_.insert(name).second ? name : nameFor(wanted);
  }

  std::size_t keep(Named named) {
    values_.push_back(std::move(named));
    sharing(trace_.tensors[values_.back().tensor]).push_back(values_.size() - 1);
    return values_.size() - 1;
  }

  /// The value that an operator reads; an input where no line made it.
  std::size_t valueOf(std::uint32_t index, const std::string& parameter) {
    const TracedTensor& tensor = trace_.tensors[index];
    if (const auto same = sameAs(tensor)) return named(*same);
    const std::optional<std::size_t> holder = holderOf(tensor);
    const bool isAll = holder && tensor.isContiguous() &&
                       trace_.tensors[values_[*holder].tensor].elements() == tensor.elements();
    if (isAll) return viewOf(named(*holder), index, isAll);
    if (const OperatorIndex maker = innerMaker(tensor); maker != kNoOperator) {
      made_.opened.insert(maker);
    } else if (holder && (values_[*holder].line >= 0 || written_.contains(tensor.storage))) {
      return viewOf(named(*holder), index, isAll);
    } else if (const std::vector<std::size_t>& others = sharing(tensor);
               std::any_of(others.begin(), others.end(),
                           [&](std::size_t each) { return values_[each].line >= 0; })) {
      made_.notes.push_back(
          saying("operator {} reads a part of a result that the trace does not explain; it is an "
                 "input here",
                 trace_.operators[current_].id));
    }
    // Other views of inputs that nobody writes to are inputs themselves: so they have no steps.
    Named input;
    input.name = nameFor(parameter == "self" ? "x" : parameter);
    input.tensor = index;
    made_.inputs.push_back({input.name, index, parameter, false});
    return keep(std::move(input));
  }

  /// Remembers what an operator makes within a line.
  void takeInner(OperatorIndex at, OperatorIndex line) {
    forEachTensor(trace_.operators[at].outputs, [&](std::uint32_t index) {
      inner_[trace_.tensors[index].storage] = {index, line};
    });
  }

  /// The line that made the tensor on its way, if the operators inside can take its place.
  OperatorIndex innerMaker(const TracedTensor& tensor) {
    const auto found = inner_.find(tensor.storage);
    if (found == inner_.end() || tensor.elements() == 0) return kNoOperator;
    const TracedTensor& made = trace_.tensors[found->second.first];
    const bool isIt = made.offset == tensor.offset && made.extents == tensor.extents &&
                      made.recordedType == tensor.recordedType && areStridesSame(made, tensor);
    const OperatorIndex maker = found->second.second;
    return isIt && !opened_.contains(maker) && isMadeInside(maker) ? maker : kNoOperator;
  }

  /// The value, with its own line if it is an item of a result.
  std::size_t named(std::size_t value) {
    if (std::string source = std::exchange(values_[value].source, {}); !source.empty()) {
      values_[value].name = nameFor("getitem");
      body_[values_[value].slot] = fmt::format("    {} = {}\n", values_[value].name, source);
    }
    return value;
  }

  std::size_t viewOf(std::size_t holder, std::uint32_t index, bool isAll) {
    const TracedTensor& tensor = trace_.tensors[index];
    Named view;
    view.name = nameFor(isAll ? "view" : "as_strided");
    view.tensor = index;
    view.line = std::max(values_[holder].line, 0);
    view.isView = true;
    view.base = holder;
    ++values_[holder].reads;
    if (isAll)
      addLine(fmt::format("{} = torch.ops.aten.view.default({}, [{}])", view.name,
                          values_[holder].name, fmt::join(tensor.extents, ", ")));
    else
      addLine(fmt::format("{} = torch.ops.aten.as_strided.default({}, [{}], [{}], {})", view.name,
                          values_[holder].name, fmt::join(tensor.extents, ", "),
                          fmt::join(tensor.strides, ", "), tensor.offset));
    return keep(std::move(view));
  }

  void addLine(const std::string& line) { body_.push_back("    " + line + "\n"); }

  // ---- lines

  void emit(OperatorIndex at, const AtenRow& row) {
    const TracedOperator& op = trace_.operators[at];
    current_ = at;
    std::vector<std::size_t> read;
    const std::string call =
        callText(op, row, [&](std::uint32_t tensor, const std::string& parameter) {
          const std::size_t value = valueOf(tensor, parameter);
          ++values_[value].reads;
          read.push_back(value);
          return values_[value].name;
        });
    const std::string_view schema = trace_.schemaOf(at);
    const bool writes = writesArguments(schema.empty() ? row.schema : schema);
    if (writes || writesStatistics(row, op)) {
      for (const std::size_t value : read) {
        written_.insert(trace_.tensors[values_[value].tensor].storage);
        for (TracedProgram::Input& input : made_.inputs)
          input.isWritten = input.isWritten || input.tensor == values_[value].tensor;
      }
    }
    std::size_t results = 0;
    forEachTensor(op.outputs, [&](std::uint32_t) { ++results; });
    const std::string name =
        results > 0 ? nameFor(trace_.nameOf(at).substr(std::string_view("aten::").size())) : "";
    addLine(name.empty() ? call : name + " = " + call);
    const int line = static_cast<int>(made_.lines.size());
    TracedProgram::Line& made = made_.lines.emplace_back();
    made.line = static_cast<int>(body_.size()) - 1;  // until finish() numbers the lines
    made.op = at;
    const bool isOne = op.outputs.size() == 1 && op.outputs[0].kind == TracedValue::Kind::tensor;
    if (isOne) {
      made.result = op.outputs[0].tensor;
      made.name = name;
    }
    const bool isList = op.outputs.size() == 1 && op.outputs[0].kind == TracedValue::Kind::list;
    const std::vector<TracedValue>& outputs = isList ? op.outputs[0].items : op.outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i].kind == TracedValue::Kind::tensor)
        takeResult(outputs[i].tensor, isOne ? name : "",
                   isOne ? "" : fmt::format("{}[{}]", name, i), line, read, writes);
  }

  /// In training, batch_norm writes its running statistics, which its signature does not say.
  static bool writesStatistics(const AtenRow& row, const TracedOperator& op) {
    return row.name.find("batch_norm") != std::string::npos &&
           std::any_of(op.inputs.begin(), op.inputs.end(), [](const TracedValue& value) {
             return value.kind == TracedValue::Kind::flag && value.integer != 0;
           });
  }

  void takeResult(std::uint32_t index, const std::string& name, const std::string& source, int line,
                  const std::vector<std::size_t>& read, bool isWritten) {
    const TracedTensor& tensor = trace_.tensors[index];
    Named made;
    made.name = name;
    made.source = source;
    made.tensor = index;
    made.line = line;
    made.isWritten = isWritten;
    // An item gets its line here, so that what is written to later cannot change it.
    made.slot = body_.size();
    if (!source.empty()) body_.emplace_back();
    const auto base = std::find_if(read.begin(), read.end(), [&](std::size_t value) {
      return trace_.tensors[values_[value].tensor].storage == tensor.storage;
    });
    made.isView = base != read.end() && tensor.elements() > 0;
    if (made.isView)
      made.base = *base;
    else if (!isOfLine(tensor, line))
      sharing(tensor).clear();  // memory that was there before is gone
    keep(std::move(made));
  }

  /// Whether another result of the same line is in the same memory.
  bool isOfLine(const TracedTensor& tensor, int line) {
    const std::vector<std::size_t>& others = sharing(tensor);
    return std::any_of(others.begin(), others.end(),
                       [&](std::size_t each) { return values_[each].line == line; });
  }

  /// An operator outside of the program: values that it reads are results, and tensors that it
  /// makes may be in memory that results had.
  void passBy(const TracedOperator& op) {
    std::set<std::int64_t> read;
    forEachTensor(op.inputs, [&](std::uint32_t index) {
      const TracedTensor& tensor = trace_.tensors[index];
      read.insert(tensor.storage);
      std::optional<std::size_t> value = sameAs(tensor);
      const std::vector<std::size_t>& others = sharing(tensor);
      if (!value && !others.empty()) value = others.front();
      if (value && values_[*value].line >= 0) values_[*value].isReturned = true;
    });
    forEachTensor(op.outputs, [&](std::uint32_t index) {
      const TracedTensor& tensor = trace_.tensors[index];
      if (!read.contains(tensor.storage)) sharing(tensor).clear();
    });
  }

  /// The input, or the result of a line, whose memory a value is in.
  const Named& rootOf(const Named& value) const {
    const Named* root = &value;
    while (root->isView) root = &values_[root->base];
    return *root;
  }

  bool isFiller(int line) const {
    const std::string_view name = trace_.nameOf(made_.lines[static_cast<std::size_t>(line)].op);
    return std::find(kFillers.begin(), kFillers.end(), name) != kFillers.end();
  }

  /// The values that the program returns.
  std::vector<std::size_t> results() const {
    std::map<int, bool> isRead;  // by line: whether another line reads some of it
    for (const Named& value : values_) isRead[value.line] |= value.reads > 0;
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Named& value = values_[i];
      if (value.line < 0) continue;
      // A value that nobody reads is a result, too, unless it is another view of one.
      const Named& root = rootOf(value);
      const bool isOnly =
          !value.isView || value.isWritten ||
          (root.line >= 0 && values_[value.base].reads == 1 && !values_[value.base].isReturned);
      const bool isLast =
          !isRead[value.line] && isOnly && (value.isWritten || !isFiller(value.line));
      if (value.isReturned || isLast) found.push_back(i);
    }
    return found;
  }

  /// Memory that nobody reads is not made: inside other operators, it is often set aside.
  void dropFillers(const std::vector<std::size_t>& results) {
    std::set<int> needed;
    for (const Named& value : values_)
      if (value.reads > 0 || value.isWritten) needed.insert(value.line);
    for (const std::size_t each : results) needed.insert(values_[each].line);
    std::vector<TracedProgram::Line> kept;
    for (std::size_t i = 0; i < made_.lines.size(); ++i) {
      const TracedProgram::Line& line = made_.lines[i];
      if (needed.contains(static_cast<int>(i)) || !isFiller(static_cast<int>(i)))
        kept.push_back(line);
      else
        body_[static_cast<std::size_t>(line.line)].clear();
    }
    made_.lines = std::move(kept);
  }

  /// Positions in body_ become numbers of lines, behind the header.
  void numberLines() {
    std::vector<int> numbers;
    int number = 1;
    for (const std::string& line : body_) {
      number += line.empty() ? 0 : 1;
      numbers.push_back(number);
    }
    for (TracedProgram::Line& line : made_.lines)
      line.line = numbers[static_cast<std::size_t>(line.line)];
  }

  void finish() {
    const std::vector<std::size_t> found = results();
    dropFillers(found);
    if (found.empty()) return;
    std::string returned, parameters, body;
    std::set<std::string> seen;
    for (const std::size_t each : found) {
      const std::string& name = values_[named(each)].name;
      if (seen.insert(name).second) returned += (returned.empty() ? "" : ", ") + name;
    }
    numberLines();
    for (const TracedProgram::Input& input : made_.inputs)
      parameters += (parameters.empty() ? "" : ", ") + input.name;
    for (const std::string& line : body_) body += line;
    made_.text = fmt::format("def forward({}):\n{}    return {}\n", parameters, body, returned);
  }

  const ExecutionTrace& trace_;
  const TraceSelection& selection_;
  const std::set<OperatorIndex>& opened_;
  std::vector<bool> within_;
  std::vector<OperatorIndex> line_;  ///< by operator: the one that became the line it is in
  /// By storage: the last tensor in it that an operator within a line made, and the line's.
  std::map<std::int64_t, std::pair<std::uint32_t, OperatorIndex>> inner_;
  TracedProgram made_;
  std::vector<Named> values_;
  std::map<std::int64_t, std::vector<std::size_t>> storages_, empty_;
  std::set<std::int64_t> written_;  ///< storages
  std::map<std::string, int> counts_;
  std::set<std::string> names_;
  std::vector<std::string> body_;
  OperatorIndex current_ = 0;
};

}  // namespace

TraceSelection wholeTrace(const ExecutionTrace& trace) {
  TraceSelection all;
  if (trace.operators.empty()) return all;
  all.first = trace.operators.front().id;
  all.last = trace.operators.back().id;
  return all;
}

TraceSelection subtreeOf(const ExecutionTrace& trace, OperatorIndex at) {
  TraceSelection selection;
  selection.within = at;
  selection.first = trace.operators[at].id;
  selection.last = trace.operators.back().id;
  return selection;
}

TracedProgram tracedProgram(const ExecutionTrace& trace, const TraceSelection& selection,
                            std::set<OperatorIndex> opened) {
  for (;;) {
    TracedProgram made = ProgramMaker(trace, selection, opened).run();
    const std::size_t before = opened.size();
    opened.insert(made.opened.begin(), made.opened.end());
    made.opened = opened;
    if (opened.size() == before) return made;
  }
}

bool isUserRange(const ExecutionTrace& trace, OperatorIndex at) {
  const std::string_view name = trace.nameOf(at);
  return !trace.isAten(at) && !name.starts_with("[pytorch|") && !name.starts_with("autograd::") &&
         !name.starts_with("torch::autograd::") && trace.schemaOf(at).empty() &&
         !name.ends_with("Backward0") && !name.ends_with("Backward1") &&
         trace.operators[at].kernel == 0 && trace.operators[at].outputs.empty();
}

std::string rangeName(std::string_view name) {
  constexpr std::string_view kMarks = "# ";
  const std::size_t first = name.find_first_not_of(kMarks);
  if (first == std::string_view::npos) return std::string(name);
  return std::string(name.substr(first, name.find_last_not_of(kMarks) - first + 1));
}

std::string rangesAround(const ExecutionTrace& trace, OperatorIndex at) {
  std::vector<std::string> around;
  for (OperatorIndex up = trace.operators[at].parent; up != kNoOperator;
       up = trace.operators[up].parent)
    if (isUserRange(trace, up)) around.push_back(rangeName(trace.nameOf(up)));
  std::string path;
  for (auto each = around.rbegin(); each != around.rend(); ++each) {
    // Ranges are often named by whole paths: "layers.0", and "layers.0.attn" within.
    const bool isWhole = each->starts_with(path + ".") || path.empty();
    path = isWhole ? *each : fmt::format("{}.{}", path, *each);
  }
  return path;
}

}  // namespace fusebench

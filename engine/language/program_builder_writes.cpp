// SPDX-License-Identifier: GPL-3.0-or-later
// Ops that write to tensors that there are: x.add_(y), x += y, x[1:] = y, torch.add(x, y, out=z).
#include <algorithm>
#include <cmath>

#include "engine/language/program_builder.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

/// x.t_() and similar methods make another view of a tensor, which is not an op on its elements.
[[noreturn]] void failViewInPlace(const std::string& name, SourcePlace place) {
  failProgram(place, "." + name + " changes the view of a tensor, not its elements; write x = x." +
                         name.substr(0, name.size() - 1) + "(...)");
}

}  // namespace

std::size_t ProgramBuilder::writes() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(program_.ops, [](const Op& op) { return op.writesInto(); }));
}

ValueId ProgramBuilder::rootOf(ValueId value) const {
  return writtenRoot(program_.ops, kFirstResult, value);
}

bool ProgramBuilder::isViewed(ValueId value) const {
  const ValueId root = rootOf(value);
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    const Op& op = program_.ops[i];
    if (op.row && op.row->kind == OpKind::view &&
        rootOf(kFirstResult + static_cast<ValueId>(i)) == root)
      return true;
  }
  return false;
}

/// Whether gradients are kept of a value that no other such value has a part in.
bool ProgramBuilder::isLeaf(ValueId value) const {
  if (std::ranges::find(requiring_, value) == requiring_.end()) return false;
  return std::ranges::none_of(
      requiring_, [&](ValueId other) { return other != value && hasPart(other, value); });
}

PythonValue ProgramBuilder::write(Op op, const PythonValue& into, const std::string& shown) {
  if (!into.isTensor())
    failProgram(op.place, shown + " writes to a tensor, but found " + into.shown());
  const ValueId root = rootOf(into.value);
  if (beforeWrite_) beforeWrite_(root, op.place);
  const bool scatters = op.row->kind == OpKind::scatter && op.operands.front().value == into.value;
  if (op.row->kind != OpKind::pointwise && op.row->kind != OpKind::make && !scatters)
    failProgram(op.place, shown + " cannot write its result in place; write y.copy_(" + shown +
                              "(...)) for a tensor y that there is");
  if (modes_.recording && !into.detached && isLeaf(root))
    failProgram(
        op.place,
        (into.value == root ? "a leaf Variable" : std::string("a view of a leaf Variable")) +
            " that requires grad is being used in an in-place operation; write it inside "
            "with torch.no_grad():");
  for (const SizeCheck& check : program_.checks)
    if (check.ofValue() && rootOf(check.value) == root)
      failProgram(op.place, shown + " writes to a tensor that an assert or an if in line " +
                                std::to_string(check.place.line) + " reads; clone() it before");
  op.into = into.value;
  // Values written to x.detach() or inside no_grad() are not part of x's history for gradients.
  BuildModes modes = modes_;
  modes.recording &= !into.detached;
  const BuildModes before = setModes(modes);
  append(std::move(op));
  setModes(before);
  return into;
}

PythonValue ProgramBuilder::augmented(std::string_view symbol, const PythonValue& target,
                                      const PythonValue& by, SourcePlace place) {
  if (symbol == "@") return binary(symbol, target, by, place);  // PyTorch has none in place
  return write(bindBinary(symbol, target, by, place), target, "'" + std::string(symbol) + "='");
}

PythonValue ProgramBuilder::methodInPlace(const PythonValue& self, const std::string& name,
                                          std::vector<CallArgument> arguments, SourcePlace place) {
  const std::string shown = "." + name;
  const std::string plain = name.substr(0, name.size() - 1);
  if (name == "copy_" || name == "fill_") {
    std::erase_if(arguments, [](const CallArgument& a) { return a.keyword == "non_blocking"; });
    if (arguments.empty() || arguments.size() > 2 ||
        (arguments.size() == 2 && arguments[1].value.kind != Kind::flag))
      failProgram(place, shown + " takes " +
                             (name == "copy_" ? "the tensor that is copied" : "one number"));
    return name == "copy_" ? copyInto(self, arguments[0].value, place)
                           : fill(self, arguments[0].value, shown, place);
  }
  if (name == "zero_") {
    if (!arguments.empty()) failProgram(arguments[0].place, ".zero_ takes no arguments");
    return fill(self, PythonValue::numberOf(0, true, place), shown, place);
  }
  std::string spelling = "x." + plain;
  if (rowsSpelled(spelling).empty()) spelling = "F." + plain;
  if (rowsSpelled(spelling).empty()) spelling = "torch." + plain;
  const std::span<const OpRow* const> rows = rowsSpelled(spelling);
  const bool any = std::ranges::any_of(rows, [](const OpRow* row) {
    return row->kind == OpKind::scatter ||
           (row->kind == OpKind::pointwise && row->result != ResultType::cast && row->inPlace &&
            !isCopy(*row));
  });
  if (!rows.empty() && rows.front()->kind == OpKind::view) failViewInPlace(name, place);
  if (!any)
    failProgram(place,
                shown +
                    " is not supported in a program; in place you can use element-wise ops, "
                    "indexed writes, copy_, fill_ and zero_: write x.copy_(...) with the new "
                    "values");
  arguments.insert(arguments.begin(), {"", self, self.place});
  spreadNumber(name, arguments, place);
  return write(bindSpelled(shown, spelling, std::move(arguments), place), self, shown);
}

PythonValue ProgramBuilder::copyInto(const PythonValue& into, const PythonValue& from,
                                     SourcePlace place) {
  if (from.isScalar()) return fill(into, from, "copy_", place);
  if (!from.isTensor())
    failProgram(place,
                "a write into a tensor needs a tensor or a number, but found " + from.shown());
  Op op;
  op.row = &copyRow();
  op.place = place;
  Operand operand = Operand::ofValue(from.value);
  operand.detached = from.detached;
  op.operands.push_back(operand);
  return write(std::move(op), into, "copy_");
}

PythonValue ProgramBuilder::fill(const PythonValue& into, const PythonValue& value,
                                 const std::string& shown, SourcePlace place) {
  if (value.isTensor()) return copyInto(into, value, place);
  if (!value.isScalar()) failProgram(place, shown + " takes a number, but found " + value.shown());
  PythonValue like = into, number = value;
  like.detached = true;
  if (number.kind == Kind::number && !number.integer && std::isfinite(number.number) &&
      isWhole(into))
    number = PythonValue::numberOf(std::trunc(number.number), true, place);  // as a cast does
  return write(
      bindSpelled(shown, "torch.full_like", {{"", like, place}, {"", number, place}}, place), into,
      shown);
}

ProgramBuilder::Masked ProgramBuilder::masked(const PythonValue& tensor,
                                              const std::vector<PythonValue>& items,
                                              SourcePlace place) {
  const auto found =
      std::ranges::find_if(items, [&](const PythonValue& item) { return isMask(item); });
  const int dims = indexedDims(*found);
  std::vector<PythonValue> others;
  int after = 0;  // number of dimensions that the items after the mask leave
  bool open = false;
  for (auto item = items.begin(); item != items.end(); ++item) {
    if (item->isTensor() && item != found)
      failProgram(place,
                  "next to a mask an index may only have ints, slices, None and ...; write "
                  "x.copy_(torch.where(mask, value, x)) with a mask of the shape of x");
    if (item == found)
      others.insert(others.end(), static_cast<std::size_t>(dims), PythonValue::sliceOfAll(place));
    else
      others.push_back(*item);
    if (item <= found) continue;
    open = open || item->kind == Kind::ellipsis;
    after += item->kind == Kind::slice || item->kind == Kind::none ? 1 : 0;
  }
  Masked into{subscript(tensor, others, place), *found, *found, 0, after};
  into.before = static_cast<int>(std::count_if(items.begin(), found, [](const PythonValue& item) {
    return item.kind == Kind::slice || item.kind == Kind::none;
  }));
  into.part.detached = tensor.detached;
  const bool fromTheEnd = std::any_of(
      items.begin(), found, [](const PythonValue& item) { return item.kind == Kind::ellipsis; });
  if (!fromTheEnd) {
    const std::optional<int> rank = rankOf(into.part.value);
    if (!rank)
      failProgram(place,
                  "the number of dimensions after this mask is not known here; write "
                  "x.copy_(torch.where(mask, value, x)) with a mask of the shape of x");
    into.after = *rank - dims;
    into.after -= into.before;
  }
  const std::optional<ValueType> whole = typeOf(into.part.value), own = typeOf(found->value);
  if (fromTheEnd) into.before = whole ? whole->shape.rank() - dims - into.after : -1;
  const int first = whole ? whole->shape.rank() - into.after - dims : 0;
  for (int d = 0; whole && own && d < dims; ++d)
    if (first < 0 || into.after < 0 || whole->shape[first + d] != own->shape[d])
      failProgram(place, "a mask of shape " + toString(own->shape) + " does not fit shape " +
                             toString(whole->shape) +
                             "; its extents must be those of the dimensions that it covers");
  for (int d = 0; d < into.after; ++d) into.mask = view("unsqueeze", into.mask, -1, nullptr, place);
  return into;
}

void failSelection(SourcePlace place) {
  failProgram(place,
              "the size of what a mask selects depends on data, which is not supported; write "
              "torch.where(mask, x, other), or for a mean torch.where(mask, x, 0).sum() / "
              "mask.sum()");
}

/// Checks a value written through a mask: it must be the same for all elements that the mask
/// selects.
void ProgramBuilder::checkMaskedValue(const PythonValue& value, const Masked& into,
                                      SourcePlace place) {
  if (value.isScalar()) return;
  const std::optional<int> rank = value.isTensor() ? rankOf(value.value) : std::nullopt;
  if (rank && *rank <= into.after) return;
  failProgram(
      place,
      "a write through a mask takes one value for all elements, because their number depends on "
      "data; write x.copy_(torch.where(mask, value, x)) for a tensor of the shape of x");
}

void ProgramBuilder::assignMasked(const PythonValue& tensor, const std::vector<PythonValue>& items,
                                  const PythonValue& value, SourcePlace place) {
  const Masked into = masked(tensor, items, place);
  checkMaskedValue(value, into, place);
  if (value.isScalar()) {
    methodInPlace(into.part, "masked_fill_", {{"", into.mask, place}, {"", value, place}}, place);
    return;
  }
  copyInto(into.part,
           call("torch.where", {{"", into.mask, place}, {"", value, place}, {"", into.part, place}},
                place),
           place);
}

/// Where the mask does not hold ops are on ones, so that nothing there is no number.
PythonValue ProgramBuilder::onesElsewhere(const Masked& of, SourcePlace place) {
  const PythonValue outside = method(of.mask, "logical_not", {}, place);
  const PythonValue one = PythonValue::numberOf(1, true, place);
  return method(of.part, "masked_fill", {{"", outside, place}, {"", one, place}}, place);
}

ProgramBuilder::Masked ProgramBuilder::selected(const PythonValue& tensor,
                                                const std::vector<PythonValue>& items,
                                                SourcePlace place) {
  if (std::ranges::count_if(items, &PythonValue::isTensor) != 1) failSelection(place);
  Masked read = masked(tensor, items, place);
  if (read.before < 0) failSelection(place);
  const bool detached = read.part.detached;
  read.part = onesElsewhere(read, place);
  read.part.detached = detached;
  return read;
}

void ProgramBuilder::checkSelected(const SelectedValues& from, const Masked& into,
                                   SourcePlace place) const {
  if (from.after != into.after || !isSame(from.mask.value, from.at, into.chosen.value))
    failProgram(place,
                "what one mask selects is written where another one selects, and how many elements "
                "either has depends on data; write x.copy_(torch.where(mask, value, x)) for a "
                "tensor of the shape of x");
}

void ProgramBuilder::assignSelected(const PythonValue& tensor,
                                    const std::vector<PythonValue>& items,
                                    const SelectedValues& from, SourcePlace place) {
  const Masked into = masked(tensor, items, place);
  checkSelected(from, into, place);
  const std::optional<ValueType> to = typeOf(into.part.value), of = typeOf(from.whole.value);
  if (to && of && to->dtype != of->dtype)
    failProgram(place, "Index put requires the source and destination dtypes match, got " +
                           std::string(info(to->dtype).name) + " for the destination and " +
                           std::string(info(of->dtype).name) + " for the source");
  copyInto(into.part,
           call("torch.where",
                {{"", into.mask, place}, {"", from.whole, place}, {"", into.part, place}}, place),
           place);
}

bool ProgramBuilder::isUnchanged(ValueId value, std::size_t since) const {
  const ValueId root = rootOf(value);
  return std::none_of(program_.ops.begin() + static_cast<std::ptrdiff_t>(since), program_.ops.end(),
                      [&](const Op& op) { return op.writesInto() && rootOf(op.into) == root; });
}

bool ProgramBuilder::isSame(ValueId a, std::size_t at, ValueId b) const {
  int budget = 100;
  return isSame(a, at, b, budget);
}

bool ProgramBuilder::isSame(ValueId a, std::size_t at, ValueId b, int& budget) const {
  if (--budget < 0) return false;
  if (a == b) return isUnchanged(a, std::min(at, program_.ops.size()));
  if (a < kFirstResult || b < kFirstResult) return false;
  const auto first = static_cast<std::size_t>(a - kFirstResult);
  const auto second = static_cast<std::size_t>(b - kFirstResult);
  const Op &x = program_.ops[first], &y = program_.ops[second];
  if (x.row != y.row || x.writesInto() || y.writesInto() || x.parameters != y.parameters ||
      x.dims != y.dims || x.keepDims != y.keepDims || x.parameterSizes != y.parameterSizes ||
      x.sizes != y.sizes || x.sizeNumbers != y.sizeNumbers || x.equation != y.equation ||
      x.made != y.made || x.operands.size() != y.operands.size() ||
      x.autocast.context != y.autocast.context)
    return false;
  if (!isUnchanged(a, first) || !isUnchanged(b, second)) return false;
  for (std::size_t i = 0; i < x.operands.size(); ++i) {
    const Operand &p = x.operands[i], &q = y.operands[i];
    if (p.isNumber() != q.isNumber()) return false;
    if (p.isNumber() &&
        (p.number != q.number || p.integer != q.integer || p.truth != q.truth || p.size != q.size))
      return false;
    if (!p.isNumber() && !isSame(p.value, std::min(first, second), q.value, budget)) return false;
  }
  return true;
}

void ProgramBuilder::augmentMasked(std::string_view symbol, const PythonValue& tensor,
                                   const std::vector<PythonValue>& items, const PythonValue& by,
                                   const SelectedValues* from, SourcePlace place) {
  const Masked into = masked(tensor, items, place);
  if (from)
    checkSelected(*from, into, place);
  else
    checkMaskedValue(by, into, place);
  const PythonValue changed = augmented(symbol, onesElsewhere(into, place), by, place);
  copyInto(into.part,
           call("torch.where",
                {{"", into.mask, place}, {"", changed, place}, {"", into.part, place}}, place),
           place);
}

/// A number as a tensor that is broadcast, of the dtype that it is written to.
PythonValue ProgramBuilder::numberFor(const PythonValue& into, const PythonValue& value,
                                      SourcePlace place) {
  if (!value.isScalar()) return value;
  PythonValue like = into;
  like.detached = true;
  const PythonValue one = PythonValue::numberOf(1, true, place);
  return method(like, "new_full",
                {{"", PythonValue::listOf({one}, true, place), place}, {"", value, place}}, place);
}

/// x.scatter(1, index, 2.0), value=2.0: one number wherever the index says.
void ProgramBuilder::spreadNumber(const std::string& name, std::vector<CallArgument>& arguments,
                                  SourcePlace place) {
  if (!name.starts_with("scatter") || name.starts_with("scatter_add") || arguments.size() != 4)
    return;
  const auto find = [&](const char* keyword, std::size_t at) {
    const auto found = std::ranges::find(arguments, keyword, &CallArgument::keyword);
    return found != arguments.end() ? &*found : &arguments[at];
  };
  CallArgument& last = *find("value", 3);
  const CallArgument& index = *find("index", 2);
  if (!last.value.isScalar() || !arguments[0].value.isTensor() || !index.value.isTensor()) return;
  PythonValue like = index.value;
  like.detached = true;
  last.value = callSpelled("." + name, "torch.full_like",
                           {{"", like, place},
                            {"", last.value, place},
                            {"dtype", attribute(arguments[0].value, "dtype", place), place}},
                           place);
  if (!last.keyword.empty()) last.keyword = "src";
}

PythonValue ProgramBuilder::putByIndex(const PythonValue& into, int dim, const PythonValue& index,
                                       const PythonValue& value, bool accumulate, SourcePlace place,
                                       int over) {
  if (!value.isTensor() && !value.isScalar())
    failProgram(place,
                "a write at an index needs a tensor or a number, but found " + value.shown());
  const PythonValue from = numberFor(into, value, place);
  Op op;
  op.row = &namedOp(accumulate ? "index_put_add" : "index_put");
  op.place = place;
  op.operands = {{into.value, 0, false}, {index.value, 0, false}, {from.value, 0, false}};
  op.operands[0].detached = into.detached;
  op.operands[2].detached = from.detached;
  op.parameters = {0};
  op.dims.emplace();
  for (int d = 0; d < over; ++d) op.dims->push_back(dim + d);
  return write(std::move(op), into, accumulate ? ".index_put_" : "x[i] =");
}

PythonValue ProgramBuilder::reduceByIndex(const PythonValue& into,
                                          const std::vector<CallArgument>& arguments,
                                          SourcePlace place) {
  Op op;
  op.row = &namedOp("scatter_" + arguments[3].value.text);
  op.place = place;
  for (const PythonValue* const each : {&into, &arguments[1].value, &arguments[2].value}) {
    if (!each->isTensor())
      failProgram(place, "scatter_reduce needs tensors, but found " + each->shown());
    op.operands.push_back(Operand::ofValue(each->value));
    op.operands.back().detached = each->detached;
  }
  op.parameters = {0};
  op.dims = {static_cast<int>(arguments[0].value.number)};
  if (arguments[4].value.number == 0) return append(std::move(op));
  return write(std::move(op), into, ".scatter_reduce_");
}

bool ProgramBuilder::isMask(const PythonValue& item) {
  if (!item.isTensor()) return false;
  if (isTruth(item)) return true;
  const std::optional<ValueType>& type = typeOf(item.value);
  return type && type->dtype == DType::boolean;
}

bool ProgramBuilder::hasMask(const std::vector<PythonValue>& items) {
  return std::ranges::any_of(items, [&](const PythonValue& item) { return isMask(item); });
}

bool ProgramBuilder::isIndex(const PythonValue& item) {
  return item.isTensor() && !isMask(item);
}

int ProgramBuilder::indexedDims(const PythonValue& item) {
  if (!isMask(item)) return 1;
  const std::optional<int> rank = rankOf(item.value);
  if (!rank || *rank == 0)
    failProgram(item.place, rank ? "a mask of no dimensions is not supported as an index; write "
                                   "torch.where(mask, value, x)"
                                 : "how many dimensions this mask has is not known here; write "
                                   "torch.where(mask, value, x)");
  return *rank;
}

void ProgramBuilder::assignSubscript(const PythonValue& tensor,
                                     const std::vector<PythonValue>& items,
                                     const PythonValue& value, SourcePlace place) {
  if (hasMask(items)) return assignMasked(tensor, items, value, place);
  PythonValue index;
  int along = 0;
  PythonValue part = subscript(tensor, items, place, &index, &along);
  part.detached = tensor.detached;
  if (index.isTensor()) {
    putByIndex(part, along, index, value, false, place);
    return;
  }
  copyInto(part, value, place);
}

std::optional<PythonValue> ProgramBuilder::takeWritten(const std::string& shown,
                                                       std::vector<CallArgument>& arguments) {
  std::optional<PythonValue> into;
  for (auto a = arguments.begin(); a != arguments.end();) {
    const PythonValue& value = a->value;
    if (a->keyword == "out" && value.isTensor()) {
      if (shown.starts_with("F."))
        failProgram(a->place, shown + " takes no out=; write y.copy_(" + shown + "(...))");
      into = value;
    } else if (a->keyword == "inplace" && value.kind == Kind::flag && value.number != 0) {
      if (arguments.front().keyword.empty() || arguments.front().keyword == "input")
        into = arguments.front().value;
      if (!into || !into->isTensor())
        failProgram(a->place, shown + " in place writes its first argument, which is a tensor");
    } else {
      ++a;
      continue;
    }
    a = arguments.erase(a);
  }
  return into;
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_batching.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/language/program_errors.h"
#include "engine/language/program_sizes.h"

namespace fusebench {
namespace {

bool isRandom(const OpRow& row) {
  return std::ranges::any_of(
      row.parameters, [](const Parameter& parameter) { return parameter.name == "_stream"; });
}

/// A dimension counted from the last.
int fromLast(int dim, int rank) {
  return dim < 0 ? dim : dim - rank;
}

std::vector<std::int64_t> withFirst(std::int64_t first, const Shape& shape) {
  std::vector<std::int64_t> sizes{first};
  for (const std::int64_t extent : shape) sizes.push_back(extent);
  return sizes;
}

/// An op with the numbers that its sizes are for these inputs.
Op withKnownSizes(const Op& op, SizeValues& values) {
  Op known = withNumbers(op, values);
  known.parameterSizes.clear();
  known.sizes.assign(known.sizes.size(), -1);
  for (Operand& operand : known.operands) operand.size = -1;
  return known;
}

/// A number among an op's parameters, by its name.
double parameterNamed(const Op& op, std::string_view name, double fallback) {
  std::size_t at = 0;
  for (const Parameter& parameter : op.row->parameters) {
    if (parameter.name == name && at < op.parameters.size()) return op.parameters[at];
    ++at;
  }
  return fallback;
}

}  // namespace

/// Where and how ops are made: as the recorded ones were, and then as before.
struct Batching::Around {
  explicit Around(ProgramBuilder& of)
      : builder(of),
        place(of.place()),
        frame(of.frame_),
        segment(of.segment_),
        listed(of.listed()),
        modes(of.modes()) {}
  ~Around() {
    builder.setPlace(place);
    builder.setFrame(frame);
    builder.setSegment(segment);
    builder.setListed(listed);
    builder.setModes(modes);
  }
  Around(const Around&) = delete;
  Around& operator=(const Around&) = delete;

  void be(const Op& op) {
    builder.setPlace(op.place);
    builder.setFrame(op.frame);
    builder.setSegment(op.segment);
    builder.setListed({op.listed, {}});
    builder.setModes({op.recorded, op.autocast});
  }

  ProgramBuilder& builder;
  std::optional<SourcePlace> place;
  int frame, segment;
  ProgramBuilder::ListedCall listed;
  BuildModes modes;
};

Batching::Batching(Program& program, ProgramBuilder& builder, Draws draws, Stack stack,
                   SourcePlace place)
    : program_(program),
      builder_(builder),
      draws_(draws),
      stack_(std::move(stack)),
      place_(place) {}

void Batching::fail(const std::string& what) const {
  failProgram(place_, "torch.vmap: " + what);
}

std::vector<PythonValue> Batching::begin(const std::vector<PythonValue>& tensors) {
  for (const PythonValue& each : tensors) {
    const std::optional<ValueType> type = builder_.typeOf(each.value);
    if (!type)
      fail(
          "what it computes depends on the sizes of its inputs, which are not known before the "
          "inputs are; give the inputs sizes");
    if (type->shape.rank() == 0) fail("it maps over a dimension, but this tensor has none");
    if (&each != &tensors.front() && type->shape[0] != extent_)
      fail("the tensors must have the same size along the dimension that is mapped over; one has " +
           std::to_string(extent_) + ", another " + std::to_string(type->shape[0]));
    extent_ = type->shape[0];
  }
  if (tensors.empty()) fail("at least one input must be a tensor that it maps over");
  if (extent_ == 0) fail("the dimension that it maps over has extent 0");
  tensors_ = tensors.size();
  firstOp_ = program_.ops.size();
  firstCheck_ = program_.checks.size();
  firstBranch_ = program_.branches.size();
  std::vector<PythonValue> examples;
  for (const PythonValue& each : tensors) {
    entries_.push_back({each.value, true});
    examples.push_back(builder_.append(viewOp("select", each.value, {0}, {0})));
    examples.back().detached = each.detached;
  }
  return examples;
}

bool Batching::isRecorded(ValueId value) const {
  return value >= kFirstResult + static_cast<ValueId>(firstOp_);
}

const Shape& Batching::shapeOf(ValueId value) {
  if (isRecorded(value)) return shapes_[static_cast<std::size_t>(value - kFirstResult) - firstOp_];
  const auto found = outsideShapes_.find(value);
  if (found != outsideShapes_.end()) return found->second;
  const std::optional<ValueType> type = builder_.typeOf(value);
  if (!type) fail("the sizes of its inputs are not known");
  return outsideShapes_.emplace(value, type->shape).first->second;
}

int Batching::rankOf(ValueId value) {
  return shapeOf(value).rank();
}

/// Takes what was recorded out of the program, with its sizes as numbers.
void Batching::takeBack() {
  if (program_.branches.size() > firstBranch_)
    fail("the function chooses by what a tensor contains; write torch.where instead");
  for (std::size_t i = firstCheck_; i < program_.checks.size(); ++i)
    if (program_.checks[i].ofValue() && !program_.checks[i].ofIndex)
      fail("the function asserts what a tensor contains; take the assert out");
  const auto first = kFirstResult + static_cast<ValueId>(firstOp_);
  for (const auto& [value, gradient] : builder_.gradient_)
    if (value >= first || (gradient.isTensor() && gradient.value >= first))
      fail("the function calls backward(); use torch.func.grad");
  for (std::size_t i = firstOp_; i < program_.ops.size(); ++i) {
    const std::optional<ValueType> type = builder_.typeOf(kFirstResult + static_cast<ValueId>(i));
    if (!type) fail("the function's results have no shape; call it on one example to see why");
    shapes_.push_back(type->shape);
    const Op& op = program_.ops[i];
    ops_.push_back(op.dependsOnSizes() ? withKnownSizes(op, builder_.hintedSizes()) : op);
  }
  program_.ops.resize(firstOp_);
  program_.checks.resize(firstCheck_);
  std::erase_if(builder_.requiring_, [&](ValueId value) { return value >= first; });
  builder_.forgetTypes();
}

void Batching::run() {
  takeBack();
  const Around before(builder_);
  entries_.resize(ops_.size());
  findExpanded();
  {
    Around around(builder_);
    for (auto& [value, entry] : outside_) entry = {expanded(value, shapeOf(value)), true};
    for (std::size_t i = tensors_; i < ops_.size(); ++i) {
      around.be(ops_[i]);
      apply(ops_[i], i);
    }
  }
}

PythonValue Batching::batchOf(const PythonValue& example) {
  const Entry entry = entryOf(example.value);
  PythonValue made = PythonValue::tensorOf(
      entry.batched ? entry.value : expanded(entry.value, shapeOf(example.value)), place_);
  made.detached = example.detached;
  return made;
}

/// Gradients for each example are by values of its own: what they are taken by is expanded before
/// it is read.
void Batching::findExpanded() {
  expands_.assign(ops_.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<bool> batched(ops_.size(), false);
    const auto is = [&](ValueId value) {
      return isRecorded(value) ? batched[static_cast<std::size_t>(value - kFirstResult) - firstOp_]
                               : outside_.contains(value);
    };
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      const Op& op = ops_[i];
      batched[i] = i < tensors_ || expands_[i] || (op.writesInto() && is(op.into));
      for (const Operand& operand : op.operands)
        if (!operand.isNumber() && is(operand.value)) batched[i] = true;
      if (op.row->kind != OpKind::gradient || !is(op.operands[0].value)) continue;
      const ValueId by = op.operands[1].value;
      if (is(by)) continue;
      changed = true;
      if (isRecorded(by))
        expands_[static_cast<std::size_t>(by - kFirstResult) - firstOp_] = true;
      else
        outside_[by] = {};
    }
  }
  for (const auto& [by, entry] : outside_)
    for (const Op& op : ops_)
      for (const Operand& operand : op.operands)
        if (!operand.isNumber() && !isRecorded(operand.value) && operand.value != by &&
            builder_.hasPart(by, operand.value))
          fail(
              "a gradient for each example is taken by a tensor that values from outside of the "
              "function depend on; compute them inside");
}

Batching::Entry Batching::entryOf(ValueId value) const {
  if (isRecorded(value)) return entries_[static_cast<std::size_t>(value - kFirstResult) - firstOp_];
  const auto found = outside_.find(value);
  return found == outside_.end() ? Entry{value, false} : found->second;
}

bool Batching::isBatched(const Operand& operand) const {
  return !operand.isNumber() && entryOf(operand.value).batched;
}

bool Batching::anyBatched(const Op& op) const {
  return std::ranges::any_of(op.operands,
                             [&](const Operand& operand) { return isBatched(operand); }) ||
         (op.writesInto() && entryOf(op.into).batched);
}

Op Batching::mapped(const Op& op) const {
  Op now = op;
  for (Operand& operand : now.operands)
    if (!operand.isNumber()) operand.value = entryOf(operand.value).value;
  if (now.writesInto()) now.into = entryOf(now.into).value;
  if (now.after >= 0) now.after = entryOf(now.after).value;
  return now;
}

Batching::Entry Batching::add(Op op, bool batched) {
  return {builder_.append(std::move(op)).value, batched};
}

Op Batching::viewOp(const char* row, ValueId of, std::vector<int> dims,
                    std::vector<std::int64_t> sizes) const {
  Op op;
  op.row = &namedOp(row);
  op.place = place_;
  op.operands = {Operand::ofValue(of)};
  op.parameters.assign(op.row->parameters.size(), 0);
  if (!dims.empty()) op.dims = std::move(dims);
  op.sizes.assign(sizes.size(), -1);
  op.sizeNumbers = std::move(sizes);
  return op;
}

ValueId Batching::view(const char* row, ValueId of, std::vector<int> dims,
                       std::vector<std::int64_t> sizes) {
  return builder_.append(viewOp(row, of, std::move(dims), std::move(sizes))).value;
}

ValueId Batching::aligned(const Operand& operand, int rank) {
  ValueId value = entryOf(operand.value).value;
  for (int has = rankOf(operand.value); has < rank; ++has) value = view("unsqueeze", value, {1});
  return value;
}

ValueId Batching::expanded(ValueId value, const Shape& shape) {
  return view("expand", value, {}, withFirst(extent_, shape));
}

void Batching::apply(const Op& op, std::size_t at) {
  Entry& entry = entries_[at];
  if (isCheck(*op.row)) return;  // made again with the ops that need them
  const Shape shape = shapes_[at];
  if (!anyBatched(op)) {
    if (op.row->kind == OpKind::collective) fail("ranks communicate inside the function");
    entry = op.row->kind == OpKind::make ? made(op) : add(mapped(op), false);
    if (expands_[at] && !entry.batched) entry = {expanded(entry.value, shape), true};
    return;
  }
  if (op.writesInto() && !entryOf(op.into).batched)
    fail(
        "the function writes a value of an example into a tensor that all examples share; clone it "
        "for each, or return the value");
  switch (op.row->kind) {
    case OpKind::pointwise:
      entry = pointwise(op, shape);
      break;
    case OpKind::reduce:
      entry = reduce(op);
      break;
    case OpKind::scan:
    case OpKind::order:
      entry = alongDimension(op);
      break;
    case OpKind::view:
      entry = viewed(op, shape);
      break;
    case OpKind::make:
      entry = made(op);
      break;
    case OpKind::contract:
      entry = contracted(op, shape);
      break;
    case OpKind::gather:
      entry = gathered(op);
      break;
    case OpKind::copy:
      entry = add(mapped(op), true);
      break;
    case OpKind::gradient:
      entry = differentiated(op);
      break;
    case OpKind::scatter:
      entry = oneByOne(op);
      break;
    case OpKind::collective:
      fail("ranks communicate inside the function");
  }
}

void Batching::alignOperands(Op& op, const Op& recorded, int rank) {
  for (std::size_t o = 0; o < op.operands.size(); ++o)
    if (isBatched(recorded.operands[o])) op.operands[o].value = aligned(recorded.operands[o], rank);
}

Batching::Entry Batching::pointwise(const Op& op, const Shape& shape) {
  if (isRandom(*op.row) && draws_ != Draws::different)
    fail(
        "the function draws random numbers; say whether they are different for each example: "
        "randomness='different'");
  if (op.row->places == IndexInputs::flat && !isRandom(*op.row)) return oneByOne(op);
  Op now = mapped(op);
  alignOperands(now, op, shape.rank());
  const Entry into = op.writesInto() ? entryOf(op.into) : Entry{};
  const Entry made = add(std::move(now), true);
  return op.writesInto() ? Entry{made.value, into.batched} : made;
}

Batching::Entry Batching::reduce(const Op& op) {
  if (op.row->indexing.is) return oneByOne(op);
  int rank = 0;
  for (const Operand& operand : op.operands)
    if (!operand.isNumber()) rank = std::max(rank, rankOf(operand.value));
  Op now = mapped(op);
  alignOperands(now, op, std::max(rank, 1));
  std::vector<int> dims;
  if (rank == 0) {
    dims = {-1};
    now.keepDims = false;
  } else if (op.dims) {
    for (const int dim : *op.dims) dims.push_back(fromLast(dim, rank));
  } else {
    for (int dim = -rank; dim < 0; ++dim) dims.push_back(dim);
  }
  now.dims = std::move(dims);
  return add(std::move(now), true);
}

Batching::Entry Batching::alongDimension(const Op& op) {
  const int rank = rankOf(op.operands[0].value);
  if (rank == 0) return oneByOne(op);
  Op now = mapped(op);
  if (now.dims)
    for (int& dim : *now.dims) dim = fromLast(dim, rank);
  return add(std::move(now), true);
}

Batching::Entry Batching::viewed(const Op& op, const Shape& shape) {
  const std::string_view name = op.row->name;
  const ValueId of = entryOf(op.operands[0].value).value;
  const Shape from = shapeOf(op.operands[0].value);
  const int rank = from.rank();
  Op now = mapped(op);
  const auto sizes = [&](std::vector<std::int64_t> all) {
    now.sizes.assign(all.size(), -1);
    now.sizeNumbers = std::move(all);
  };
  const auto become = [&](const char* row) { now.row = &namedOp(row); };
  if (name == "view" || name == "reshape") {
    std::vector<std::int64_t> all{extent_};
    all.insert(all.end(), op.sizeNumbers.begin(), op.sizeNumbers.end());
    sizes(std::move(all));
  } else if (name == "ravel" || (name == "flatten" && rank == 0)) {
    become("reshape");
    now.dims.reset();
    now.parameters.assign(now.row->parameters.size(), 0);
    sizes(withFirst(extent_, shape));
  } else if (name == "expand") {
    now.operands[0].value = aligned(op.operands[0], static_cast<int>(op.sizeNumbers.size()));
    std::vector<std::int64_t> all{extent_};
    all.insert(all.end(), op.sizeNumbers.begin(), op.sizeNumbers.end());
    sizes(std::move(all));
  } else if (name == "T" || name == "permute") {
    std::vector<int> dims{0};
    for (int d = 0; d < rank; ++d) {
      const int written = name == "T" ? rank - 1 - d : (*op.dims)[static_cast<std::size_t>(d)];
      dims.push_back((written < 0 ? written + rank : written) + 1);
    }
    become("permute");
    now.parameters.assign(now.row->parameters.size(), 0);
    now.dims = std::move(dims);
  } else if (name == "t") {
    if (rank < 2) return {of, true};
    return {view("transpose", of, {-2, -1}), true};
  } else if (name == "unsqueeze") {
    now.dims->front() = fromLast(now.dims->front(), rank + 1);
  } else if (name == "squeeze") {
    std::vector<int> dims;
    for (int d = 0; d < rank; ++d) {
      const bool asked = !op.dims || std::ranges::any_of(*op.dims, [&](int dim) {
        return (dim < 0 ? dim + rank : dim) == d;
      });
      if (asked && from[d] == 1) dims.push_back(d - rank);
    }
    if (dims.empty()) return {of, true};
    now.dims = std::move(dims);
  } else if (now.dims) {
    for (int& dim : *now.dims) dim = fromLast(dim, std::max(rank, 1));
  }
  return add(std::move(now), true);
}

Batching::Entry Batching::made(const Op& op) {
  const bool sized = !op.sizeNumbers.empty();
  const bool likeBatch = !op.operands.empty() && isBatched(op.operands[0]) && !sized;
  Op now = mapped(op);
  if (!isRandom(*op.row) || draws_ == Draws::same) {
    if (!likeBatch || !isRandom(*op.row)) return add(std::move(now), likeBatch);
    fail("the same random numbers for each example, like a tensor of its own, are not supported");
  }
  if (draws_ == Draws::error)
    fail(
        "the function draws random numbers; say whether they are different for each example: "
        "randomness='different'");
  if (likeBatch) return add(std::move(now), true);
  now.sizes.insert(now.sizes.begin(), -1);
  now.sizeNumbers.insert(now.sizeNumbers.begin(), extent_);
  return add(std::move(now), true);
}

/// A contraction of two operands without windows, with the batch as one more loop.
Batching::Entry Batching::summed(const Op& op, std::size_t first, std::size_t second) {
  const std::array<const Operand*, 2> pair{&op.operands[first], &op.operands[second]};
  std::vector<int> ranks;
  for (const Operand* each : pair) ranks.push_back(rankOf(each->value));
  const bool own = op.operands.size() == 2;
  std::string indices(op.equation.empty() ? op.row->contract.indices : op.equation);
  if (!own) {  // without the addend
    const std::size_t arrow = indices.find("->");
    std::vector<std::string> terms;
    for (std::size_t at = 0; at < arrow;) {
      const std::size_t end = std::min(indices.find(',', at), arrow);
      terms.push_back(indices.substr(at, end - at));
      at = end + 1;
    }
    indices = terms.at(first) + "," + terms.at(second) + indices.substr(arrow);
  }
  const ContractForm form = contractForm(indices, -1, ranks);
  for (std::size_t o = 0; o < 2; ++o)
    for (std::size_t d = 0; d < form.tensors[o].size(); ++d)
      if (form.tensors[o][d].batch && shapeOf(pair[o]->value)[static_cast<int>(d)] == 1)
        return oneByOne(op);
  char letter = 'A';
  while (form.letters.find(letter) != std::string::npos) ++letter;
  std::string equation;
  for (std::size_t o = 0; o < 2; ++o)
    equation += (o > 0 ? "," : "") + (isBatched(*pair[o]) ? std::string(1, letter) : "") +
                termText(form.tensors[o]);
  equation += "->" + std::string(1, letter) + termText(form.result());
  Op now;
  now.row = &equationRow();
  now.place = op.place;
  now.equation = std::move(equation);
  for (const Operand* each : pair) {
    Operand operand = *each;
    operand.value = entryOf(each->value).value;
    now.operands.push_back(operand);
  }
  return add(std::move(now), true);
}

/// A product to which something is added: addmm, baddbmm, linear with a bias.
Batching::Entry Batching::withAddend(const Op& op) {
  const auto addend = static_cast<std::size_t>(op.row->contract.addend);
  const std::size_t first = addend == 0 ? 1 : 0, second = addend == 2 ? 1 : 2;
  if (!isBatched(op.operands[first]) && !isBatched(op.operands[second])) return oneByOne(op);
  if (parameterNamed(op, "alpha", 1) != 1 || parameterNamed(op, "beta", 1) != 1)
    return oneByOne(op);
  const std::size_t before = program_.ops.size();
  const Entry product = summed(op, first, second);
  if (program_.ops[before].row != &equationRow()) return product;  // one by one, with the addend
  const int rank = std::max(rankOf(op.operands[first].value), rankOf(op.operands[addend].value));
  Op sum;
  sum.row = &namedOp("add");
  sum.place = op.place;
  sum.parameters.assign(sum.row->parameters.size(), 1);
  sum.operands = {Operand::ofValue(product.value), op.operands[addend]};
  sum.operands[1].value = isBatched(op.operands[addend]) ? aligned(op.operands[addend], rank)
                                                         : entryOf(op.operands[addend].value).value;
  return add(std::move(sum), true);
}

Batching::Entry Batching::contracted(const Op& op, const Shape& shape) {
  if (op.row->contract.hasWindows()) return windows(op, shape);
  const std::string_view name = op.row->name;
  const bool onlyFirst = isBatched(op.operands[0]) &&
                         std::none_of(op.operands.begin() + 1, op.operands.end(),
                                      [&](const Operand& each) { return isBatched(each); });
  // Rows of the first operand, however many, go through the same matrix.
  const bool ofRows =
      name.starts_with("linear") || (name == "matmul" && rankOf(op.operands[1].value) <= 2);
  if (onlyFirst && ofRows) return add(mapped(op), true);
  if (op.settings || name == "int_mm" || op.operands.size() < 2) return oneByOne(op);
  if (op.row->contract.addend >= 0) return withAddend(op);
  return summed(op, 0, 1);
}

/// Windows over images: the batch is part of the images' own.
Batching::Entry Batching::windows(const Op& op, const Shape& shape) {
  for (std::size_t o = 1; o < op.operands.size(); ++o)
    if (isBatched(op.operands[o])) return oneByOne(op);
  const std::string_view indices = op.row->contract.indices;
  const bool hasImages = indices.starts_with("n?");
  if (!hasImages) return oneByOne(op);
  const Shape from = shapeOf(op.operands[0].value);
  const std::size_t windows = static_cast<std::size_t>(std::count(
      indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(indices.find("->")), '('));
  Op now = mapped(op);
  if (from.rank() == static_cast<int>(windows) + 1) return add(std::move(now), true);
  const ValueId of = now.operands[0].value;
  std::vector<std::int64_t> merged = withFirst(extent_, from), result = withFirst(extent_, shape);
  merged[1] *= extent_;
  merged.erase(merged.begin());
  now.operands[0].value = view("reshape", of, {}, merged);
  const Entry made = add(std::move(now), true);
  return {view("reshape", made.value, {}, result), true};
}

Batching::Entry Batching::gathered(const Op& op) {
  const IndexRule& rule = op.row->indexing;
  const Operand &source = op.operands[rule.source], &index = op.operands[rule.index];
  const int rank = rankOf(source.value);
  const std::string_view name = op.row->name;
  if (rank == 0) return oneByOne(op);
  Op now = mapped(op);
  if (name == "gather") {
    for (std::size_t o :
         {static_cast<std::size_t>(rule.source), static_cast<std::size_t>(rule.index)})
      if (!isBatched(op.operands[o]))
        now.operands[o].value =
            expanded(entryOf(op.operands[o].value).value, shapeOf(op.operands[o].value));
    now.dims = std::vector<int>{fromLast(indexedDim(op), rank)};
    return add(std::move(now), true);
  }
  if (isBatched(source) && isBatched(index)) return oneByOne(op);
  if (name == "embedding") return isBatched(source) ? oneByOne(op) : add(std::move(now), true);
  const int dim = fromLast(indexedDim(op), rank);
  if (isBatched(source)) {
    now.dims = std::vector<int>{dim};
    return add(std::move(now), true);
  }
  now.row = &namedOp("index");
  const Entry made = add(std::move(now), true);
  const int place = dim + rank;
  return place == 0 ? made : Entry{view("movedim", made.value, {place, 0}), true};
}

/// The gradient of each example's scalar by its own values is that of the scalars' sum.
Batching::Entry Batching::differentiated(const Op& op) {
  Op sum;
  sum.row = &namedOp("sum");
  sum.place = op.place;
  sum.parameters.assign(sum.row->parameters.size(), 0);
  sum.operands = {Operand::ofValue(entryOf(op.operands[0].value).value)};
  Op now = mapped(op);
  now.operands[0].value = add(std::move(sum), false).value;
  return add(std::move(now), true);
}

Batching::Entry Batching::oneByOne(const Op& op) {
  std::vector<PythonValue> results;
  for (std::int64_t i = 0; i < extent_; ++i) {
    Op now = mapped(op);
    for (std::size_t o = 0; o < now.operands.size(); ++o)
      if (isBatched(op.operands[o]))
        now.operands[o].value = view("select", now.operands[o].value, {0}, {i});
    if (op.writesInto()) now.into = view("select", now.into, {0}, {i});
    results.push_back(builder_.append(std::move(now)));
  }
  if (op.writesInto()) return entryOf(op.into);
  return {stack_(results).value, true};
}

}  // namespace fusebench

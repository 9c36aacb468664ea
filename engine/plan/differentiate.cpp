// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/differentiate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/language/program_errors.h"
#include "engine/language/program_gradients.h"
#include "engine/ops/derivatives.h"
#include "engine/plan/gradient_ops.h"

namespace fusebench {

namespace {

/// Goes back from one value through the ops before it. A gradient may be a number, and may have
/// fewer or smaller dimensions than its value: then it is the same along them.
class Backward {
 public:
  Backward(GradientOps& ops, std::size_t inputs, Keeping keeping, bool& exact)
      : ops_(ops),
        inputs_(inputs),
        keeping_(keeping),
        forward_(ops.program().ops.size()),
        exact_(exact),
        gradients_(ops.count()),
        flows_(ops.count()) {}

  void run(ValueId of, std::span<const ValueId> by) {
    for (const ValueId value : by) flows_[index(value)] = true;
    for (std::size_t i = 0; i < forward_; ++i) {
      passes_.push_back(passes(i));
      if (passes_[i]) flows_[inputs_ + i] = true;
    }
    if (!flows_[index(of)])
      failProgram(opAt(forward_ - 1).place,
                  "nothing that gradients are asked for has a part in the value that is "
                  "differentiated");
    gradients_[index(of)] = Operand::ofNumber(1);
    for (std::size_t i = forward_; i-- > 0;) {
      const std::optional<Operand> gradient = gradients_[inputs_ + i];
      if (!gradient || !passes_[i]) continue;
      ops_.follow(static_cast<int>(i));
      remake(i);
      level_ = gradient->isNumber() ? 0 : level(gradient->value);
      after_ = gradient->value;
      const Op op = opAt(i);  // a copy: ops are added
      through(op, i, *gradient);
    }
  }

  /// Whether a gradient has come by op `i`.
  bool passed(std::size_t i) const { return passes_[i] && gradients_[inputs_ + i].has_value(); }

  /// The gradient as a tensor like the value that it is by.
  ValueId gradientOf(ValueId by) {
    ops_.follow(static_cast<int>(forward_) - 1);
    const Operand gradient = gradients_[index(by)].value_or(Operand::ofNumber(0));
    const ValueType& type = ops_.type(by);
    if (gradient.isNumber() || !(ops_.shape(gradient) == type.shape))
      return ops_.filled(by, gradient).value;
    const Operand typed = ops_.cast(gradient, type.dtype);
    // What was there before is not handed out a second time.
    return index(typed.value) < inputs_ + forward_ ? ops_.copied(typed).value : typed.value;
  }

 private:
  static std::size_t index(ValueId value) { return static_cast<std::size_t>(value); }
  ValueId result(std::size_t op) const { return static_cast<ValueId>(inputs_ + op); }
  const Op& opAt(std::size_t i) const { return ops_.program().ops[i]; }

  bool wants(const Operand& operand) const {
    return !operand.isNumber() && !operand.detached && flows_[index(operand.value)];
  }

  bool passes(std::size_t i) const {
    const Op& op = opAt(i);
    if (!op.recorded || !isFloat(ops_.type(result(i)).dtype)) return false;
    const bool any =
        std::ranges::any_of(op.operands, [&](const Operand& each) { return wants(each); });
    return any && (op.row->kind == OpKind::view || isDifferentiable(*op.row));
  }

  /// Makes the ops of op `by`'s segment anew, once, when the first of them is gone back through.
  void remake(std::size_t by) {
    const int segment = opAt(by).segment;
    if (segment < 0 || remade_.contains(segment)) return;
    std::map<ValueId, ValueId>& values = remade_[segment];
    for (std::size_t i = 0; i < forward_; ++i) {
      if (opAt(i).segment != segment) continue;
      Op op = opAt(i);
      for (Operand& operand : op.operands)
        if (const auto found = values.find(operand.value); found != values.end())
          operand.value = found->second;
      op.derivativeOf = static_cast<int>(by);
      values[result(i)] = ops_.append(std::move(op));
    }
  }

  /// A value as the gradient of an op of this segment reads it.
  Operand kept(ValueId value, int segment) {
    if (segment >= 0) {
      const auto& values = remade_.at(segment);
      if (const auto found = values.find(value); found != values.end())
        return Operand::ofValue(found->second);
    }
    if (keeping_ == Keeping::fewest && level(value) < level_) return Operand::ofValue(again(value));
    return Operand::ofValue(value);
  }

  /// How many steps at least come one after another before a value can be read: a reduction's
  /// result is there for the next alone.
  int level(ValueId value) {
    levels_.resize(inputs_, 0);
    for (std::size_t i = levels_.size() - inputs_; inputs_ + i <= index(value); ++i) {
      const Op& op = opAt(i);
      int most = 0;
      for (const Operand& operand : op.operands)
        if (!operand.isNumber()) most = std::max(most, levels_[index(operand.value)]);
      levels_.push_back(most + (op.row->kind == OpKind::pointwise ? 0 : 1));
    }
    return levels_[index(value)];
  }

  /// The element-wise ops that a value is made by, back to what is in memory, in order. False: they
  /// are more than it is worth, or read more.
  bool cone(ValueId value, const Shape& space, std::vector<ValueId>& made,
            std::vector<ValueId>& read) const {
    if (std::ranges::find(made, value) != made.end()) return true;
    const auto op = static_cast<std::size_t>(value) - inputs_;
    const bool computed = index(value) >= inputs_ && opAt(op).row->kind == OpKind::pointwise &&
                          opAt(op).segment < 0 && ops_.type(value).shape == space;
    if (!computed) {
      if (ops_.type(value).shape == space && std::ranges::find(read, value) == read.end())
        read.push_back(value);
      return read.size() <= kMostRead;
    }
    for (const Operand& operand : opAt(op).operands)
      if (!operand.isNumber() && !cone(operand.value, space, made, read)) return false;
    made.push_back(value);
    return made.size() <= kMostRemade;
  }

  /// The value made anew in the step that its gradient is in, if that is worth it; else itself.
  ValueId again(ValueId value) {
    std::map<ValueId, ValueId>& values = again_[level_];
    if (const auto found = values.find(value); found != values.end()) return found->second;
    std::vector<ValueId> made, read;
    if (!cone(value, ops_.type(value).shape, made, read)) return values[value] = value;
    for (const ValueId each : made) {
      if (values.contains(each)) continue;
      Op op = opAt(index(each) - inputs_);
      const int of = static_cast<int>(index(each) - inputs_);
      for (Operand& operand : op.operands)
        if (const auto found = values.find(operand.value); found != values.end())
          operand.value = found->second;
      op.derivativeOf = of;
      op.after = after_;
      values[each] = ops_.append(std::move(op));
    }
    return made.empty() ? value : values[value];
  }

  static constexpr std::size_t kMostRemade = 16, kMostRead = 2;

  void give(const Operand& operand, Operand gradient) {
    gradient = ops_.cast(gradient, ops_.type(operand.value).dtype);
    std::optional<Operand>& all = gradients_[index(operand.value)];
    all = all ? ops_.add(*all, gradient) : gradient;
  }

  void through(const Op& op, std::size_t i, const Operand& gradient) {
    switch (op.row->kind) {
      case OpKind::pointwise:
        return throughPointwise(op, i, gradient);
      case OpKind::reduce:
        return throughReduction(op, i, gradient);
      case OpKind::view:
        return throughView(op, i, gradient);
      case OpKind::contract:
        return throughContraction(op, i, gradient);
      case OpKind::scan:
        return throughScan(op, i, gradient);
      case OpKind::make:  // of no tensor
      case OpKind::gradient:
        break;
    }
  }

  [[noreturn]] static void failThrough(const Op& op) {
    failProgram(op.place, "no gradient goes through " + std::string(op.row->name) +
                              "; detach() what comes before it");
  }

  /// A sum of products is back to a factor the sum of products of the gradient with the other one:
  /// over the loops that are not that factor's.
  void throughContraction(const Op& op, std::size_t i, const Operand& gradient) {
    const ValueType type = ops_.type(result(i));
    std::vector<int> ranks;
    for (const Operand& operand : op.operands) ranks.push_back(ops_.shape(operand).rank());
    const ContractForm form = contractFormOf(op, ranks);
    const ContractSettings settings = contractSettingsOf(op);
    for (std::size_t o = 0; o < op.operands.size(); ++o) {
      const Operand& operand = op.operands[o];
      if (!wants(operand)) continue;
      const Shape shape = ops_.type(operand.value).shape;
      if (static_cast<int>(o) == form.addend) {
        give(operand, throughAddend(form, ops_.scaled(gradient, settings.beta), shape, type.shape));
        continue;
      }
      std::size_t other = o;
      for (std::size_t k = 0; k < op.operands.size(); ++k)
        if (k != o && static_cast<int>(k) != form.addend) other = k;
      if (!isPlain(form)) {
        give(operand, throughWindows(op, i, form, o, other, gradient));
        continue;
      }
      if (other == o) failThrough(op);
      const bool alike = lettersOf(form, form.tensors[o]) == lettersOf(form, form.tensors[other]);
      if (form.result().empty() && alike) {  // an inner product
        const Operand factor = ops_.scaled(gradient, settings.alpha);
        give(operand, ops_.multiplied(kept(op.operands[other].value, op.segment), factor));
        continue;
      }
      const Operand all =
          gradient.isNumber() ? ops_.filled(result(i), gradient) : whole(gradient, type.shape);
      const Operand product = ops_.contracted(lettersOf(form, form.tensors.back()) + "," +
                                                  lettersOf(form, form.tensors[other]) + "->" +
                                                  lettersOf(form, form.tensors[o]),
                                              all, kept(op.operands[other].value, op.segment));
      give(operand, summedTo(ops_.scaled(product, settings.alpha), shape, ops_.shape(product)));
    }
  }

  /// Back to what is added: summed over the loops that it does not follow, which need not be the
  /// first ones.
  Operand throughAddend(const ContractForm& form, const Operand& gradient, const Shape& shape,
                        const Shape& whole) {
    const std::vector<ContractDim>& own = form.tensors[static_cast<std::size_t>(form.addend)];
    const std::vector<ContractDim>& all = form.result();
    const std::size_t leading = all.size() - own.size();
    bool last = true;
    for (std::size_t d = 0; d < own.size(); ++d) last &= own[d].outer == all[leading + d].outer;
    if (last) return summedTo(gradient, shape, whole);
    std::vector<int> dims;
    double repeats = 1;
    const Operand given = gradient.isNumber() ? gradient : this->whole(gradient, whole);
    for (std::size_t d = 0; d < all.size(); ++d) {
      const auto follows = [&](const ContractDim& dim) { return dim.outer == all[d].outer; };
      if (std::ranges::any_of(own, follows)) continue;
      dims.push_back(static_cast<int>(d));
      repeats *= static_cast<double>(whole[static_cast<int>(d)]);
    }
    exact_ |= gradient.isNumber();
    return given.isNumber() ? ops_.scaled(given, repeats)
                            : ops_.reduced(Accumulate::sum, given, dims, false);
  }

  /// Back through windows to operand `o` of a convolution or a pool; `other`: its other factor, or
  /// `o`. A weight's is a sum over the windows; what windows go over gets from each window that an
  /// element is in.
  Operand throughWindows(const Op& op, std::size_t i, const ContractForm& form, std::size_t o,
                         std::size_t other, const Operand& gradient) {
    exact_ = true;
    ContractSettings settings = contractSettingsOf(op);
    const Shape type = ops_.type(result(i)).shape;
    const Shape shape = ops_.type(op.operands[o].value).shape;
    const Operand all =
        gradient.isNumber() ? ops_.filled(result(i), gradient) : whole(gradient, type);
    std::vector<SizeList<std::int64_t>> extents;
    for (const Operand& operand : op.operands) extents.emplace_back(ops_.type(operand.value).shape);
    const std::vector<std::int64_t> loops = contractLoopsOf(op, form, extents);
    std::vector<ContractDim> own = form.tensors[o], back = form.result();
    std::string fresh = "ij";  // places: no row's letters
    bool goesOver = false;
    for (const std::vector<ContractDim>& dims : form.tensors)
      for (const ContractDim& dim : dims) {
        if (dim.kind != ContractDim::Kind::window) continue;
        const auto w = static_cast<std::size_t>(dim.window);
        settings.kernel.resize(std::max(settings.kernel.size(), w + 1), 1);
        settings.kernel[w] = loops[form.loop(dim.inner)];
      }
    for (std::size_t d = 0; d < own.size(); ++d) {
      const ContractDim window = own[d];
      if (window.kind != ContractDim::Kind::window) continue;
      goesOver = true;
      const char place = fresh[static_cast<std::size_t>(window.window)];
      settings.places.push_back(shape[static_cast<int>(d)]);
      own[d] = {ContractDim::Kind::loop, place, 0, -1, false};
      for (ContractDim& dim : back)
        if (dim.outer == window.outer)
          dim = {ContractDim::Kind::spread, place, window.inner, window.window, false};
    }
    std::string equation = termText(back);
    std::vector<Operand> operands{all};
    const bool greatest = op.row->accumulate == Accumulate::max;
    if (other != o) {
      equation += "," + termText(form.tensors[other]);
      operands.push_back(kept(op.operands[other].value, op.segment));
    } else if (greatest) {
      equation += "," + termText(own);
      operands.push_back(kept(op.operands[o].value, op.segment));
    }
    if (!goesOver && other == o) failThrough(op);
    return ops_.windowed(windowGradientRow(op.row->accumulate, op.row->finish != nullptr),
                         equation + "->" + termText(own), std::move(operands), std::move(settings));
  }

  static bool isPlain(const ContractForm& form) {
    return std::ranges::all_of(form.tensors, [](const std::vector<ContractDim>& dims) {
      return std::ranges::all_of(
          dims, [](const ContractDim& dim) { return dim.kind == ContractDim::Kind::loop; });
    });
  }

  /// A tensor's loops as an equation names them.
  static std::string lettersOf(const ContractForm& form, const std::vector<ContractDim>& dims) {
    std::string letters;
    for (const ContractDim& dim : dims) letters += static_cast<char>('a' + form.loop(dim.outer));
    return letters;
  }

  /// Back through running sums: what comes from a place on, which is all but what came before it.
  void throughScan(const Op& op, std::size_t i, const Operand& gradient) {
    if (op.row->accumulate != Accumulate::sum || op.row->meaning || op.row->finish) failThrough(op);
    const Operand all = gradient.isNumber() ? ops_.filled(result(i), gradient)
                                            : whole(gradient, ops_.type(result(i)).shape);
    Op running = op;
    running.operands = {all};
    running.derivativeOf = static_cast<int>(i);
    const Operand before = ops_.scaled(Operand::ofValue(ops_.append(std::move(running))), -1);
    const Operand sum = ops_.reduced(Accumulate::sum, all, op.dims, true);
    give(op.operands[0], ops_.add(ops_.add(sum, before), all));
  }

  void throughPointwise(const Op& op, std::size_t i, const Operand& gradient) {
    if (op.row->places != Places::none) return throughPlaces(op, i, gradient);
    std::vector<DerivedOperand> operands;
    std::vector<bool> wanted;
    for (const Operand& operand : op.operands) {
      operands.push_back({operand.isNumber() ? std::optional(operand.number) : std::nullopt,
                          !operand.isNumber() && ops_.type(operand.value).dtype == DType::boolean});
      wanted.push_back(wants(operand));
    }
    const OpDerivative derivative =
        derivativeOf(*op.row, operands, op.parameters, wanted,
                     gradient.isNumber() ? std::optional(gradient.number) : std::nullopt);
    std::vector<ExprId> nodes;
    std::vector<std::size_t> of;
    for (std::size_t o = 0; o < op.operands.size(); ++o)
      if (derivative.gradients[o] >= 0) {
        nodes.push_back(derivative.gradients[o]);
        of.push_back(o);
      }
    const auto leaf = [&](int input) {
      if (input < op.row->arity)
        return kept(op.operands[static_cast<std::size_t>(input)].value, op.segment);
      return input == OpDerivative::resultInput(op.row->arity) ? kept(result(i), op.segment)
                                                               : gradient;
    };
    const std::vector<Operand> made = ops_.emit(derivative.graph, nodes, leaf);
    const Shape whole = ops_.type(result(i)).shape;
    for (std::size_t k = 0; k < made.size(); ++k) {
      const Operand& operand = op.operands[of[k]];
      give(operand, summedTo(made[k], ops_.type(operand.value).shape, whole));
    }
  }

  /// Back through an op that by where an element is multiplies it with a number: the same op.
  void throughPlaces(const Op& op, std::size_t i, const Operand& gradient) {
    Op again = op;
    again.operands[0] = gradient.isNumber() ? ops_.filled(result(i), gradient)
                                            : whole(gradient, ops_.type(result(i)).shape);
    again.derivativeOf = static_cast<int>(i);
    give(op.operands[0], Operand::ofValue(ops_.append(std::move(again))));
  }

  /// Sums a gradient over what an operand of shape `to` was repeated along to become `whole`.
  Operand summedTo(const Operand& gradient, const Shape& to, const Shape& whole) {
    const Shape own = ops_.shape(gradient);
    std::vector<int> dims;
    int leading = 0;
    double repeats = 1;
    for (int back = 1; back <= whole.rank(); ++back) {
      const bool missing = back > to.rank();
      const std::int64_t extent = whole[whole.rank() - back];
      if (!missing && (to[to.rank() - back] != 1 || extent == 1)) continue;
      const bool there = back <= own.rank();
      if (there && (missing || own[own.rank() - back] != 1)) {
        dims.push_back(own.rank() - back);
        leading += missing;
      }
      if (!there || own[own.rank() - back] == 1) repeats *= static_cast<double>(extent);
    }
    if (repeats != 1) exact_ = true;
    Operand sum = gradient;
    if (!dims.empty()) {
      std::ranges::sort(dims);
      const bool keep = leading < static_cast<int>(dims.size());
      sum = ops_.reduced(Accumulate::sum, sum, dims, keep);
      if (keep && leading > 0) {
        std::vector<int> gone;
        for (int d = 0; d < leading; ++d) gone.push_back(d);
        sum = ops_.view("squeeze", sum, gone);
      }
    }
    return ops_.scaled(sum, repeats);
  }

  /// A value of a reduction's result's shape with the reduced dimensions in their places again.
  Operand aligned(const Operand& value, const Op& op, int rank) {
    if (value.isNumber() || op.keepDims) return value;
    const std::uint32_t mask = reducedMask(op, rank);
    const int own = ops_.shape(value).rank();
    Operand result = value;
    for (int back = 1, seen = 0; back <= rank && seen < own; ++back) {
      if ((mask >> (rank - back)) & 1u)
        result = ops_.view("unsqueeze", result, {-back});
      else
        ++seen;
    }
    return result;
  }

  void throughReduction(const Op& op, std::size_t i, const Operand& gradient) {
    const Operand& operand = op.operands[0];
    const Shape shape = ops_.type(operand.value).shape;
    const std::uint32_t mask = reducedMask(op, shape.rank());
    double count = 1;
    for (int d = 0; d < shape.rank(); ++d)
      if ((mask >> d) & 1u) count *= static_cast<double>(shape[d]);
    exact_ |= derivativeCounts(*op.row);
    const ReductionDerivative derivative =
        derivativeOf(*op.row, op.parameters, count,
                     gradient.isNumber() ? std::optional(gradient.number) : std::nullopt);
    std::map<int, Operand> known;
    const auto leaf = [&](int input) {
      const auto found = known.find(input);
      if (found != known.end()) return found->second;
      Operand value = kept(operand.value, op.segment);
      if (input == ReductionDerivative::kResult)
        value = aligned(kept(result(i), op.segment), op, shape.rank());
      if (input == ReductionDerivative::kGradient) value = aligned(gradient, op, shape.rank());
      return known[input] = value;
    };
    int next = ReductionDerivative::kAuxiliary;
    for (const ReductionDerivative::Reduced& each : derivative.auxiliaries) {
      const Operand mapped = ops_.emit(derivative.graph, each.mapped, leaf);
      const Accumulate by = each.by == Auxiliary::sum ? Accumulate::sum : Accumulate::prod;
      // Over all of them it is a scalar, which fits everywhere.
      known[next++] = ops_.reduced(by, mapped, op.dims, op.dims.has_value());
    }
    give(operand, ops_.emit(derivative.graph, derivative.gradient, leaf));
  }

  /// With all its dimensions in memory's sense, if only as strides of 0.
  Operand whole(const Operand& gradient, const Shape& shape) {
    if (ops_.shape(gradient) == shape) return gradient;
    exact_ = true;
    return ops_.view("expand", gradient, {}, {shape.begin(), shape.end()});
  }

  /// How a view's dimensions come of those of what it views, as its rule says it of strides that
  /// are told apart.
  void throughView(const Op& op, std::size_t i, const Operand& gradient) {
    const Operand& operand = op.operands[0];
    const Shape from = ops_.type(operand.value).shape, to = ops_.type(result(i)).shape;
    ViewLayout<std::int64_t> layout{SizeList<std::int64_t>(from),
                                    SizeList<std::int64_t>(contiguousStrides(from))};
    const bool byStrides = viewOf(op, layout);
    const bool inOrder =
        !byStrides || (layout.offset == 0 && elementCount(from) == elementCount(to) &&
                       isContiguous(to, Strides({layout.strides.begin(), layout.strides.size()})));
    if (gradient.isNumber() && elementCount(from) == elementCount(to))
      return give(operand, gradient);
    if (inOrder) {
      if (from == to) return give(operand, gradient);
      exact_ = true;
      return give(operand,
                  ops_.view("reshape", whole(gradient, to), {}, {from.begin(), from.end()}));
    }
    ViewLayout<std::int64_t> marked{SizeList<std::int64_t>(from), SizeList<std::int64_t>(from)};
    for (int d = 0; d < from.rank(); ++d) marked.strides[static_cast<std::size_t>(d)] = mark(d);
    const bool told = viewOf(op, marked) && marked.offset == 0;
    std::vector<int> places(static_cast<std::size_t>(from.rank()), -1);  // of its dims in the view
    bool permutes = told && from.rank() == to.rank(), repeats = told;
    for (std::size_t d = 0; told && d < marked.strides.size(); ++d) {
      const std::int64_t stride = marked.strides[d];
      int source = -1;
      for (int s = 0; s < from.rank(); ++s)
        if (mark(s) == stride) source = s;
      const bool same = source >= 0 && from[source] == to[static_cast<int>(d)];
      if (same) places[static_cast<std::size_t>(source)] = static_cast<int>(d);
      permutes &= same;
      repeats &= same || stride == 0 || to[static_cast<int>(d)] == 1;
    }
    if (permutes) {
      const Operand all = gradient.isNumber() ? gradient : whole(gradient, to);
      return give(operand, all.isNumber() ? all : ops_.view("permute", all, places));
    }
    if (repeats) return give(operand, summedTo(gradient, from, to));
    failProgram(op.place, "the gradient of " + std::string(op.row->name) +
                              ", which takes some of the elements, is not there yet");
  }

  static std::int64_t mark(int dim) { return 1000003 + 7919 * static_cast<std::int64_t>(dim); }

  GradientOps& ops_;
  std::size_t inputs_;
  Keeping keeping_;
  std::vector<int> levels_;  ///< per value, as far as they were asked for
  std::size_t forward_;      ///< so many ops are gone back through
  bool& exact_;
  std::vector<std::optional<Operand>> gradients_;     ///< per value, as far as they are known
  std::vector<bool> passes_;                          ///< per op
  std::vector<bool> flows_;                           ///< per value: a gradient goes through it
  std::map<int, std::map<ValueId, ValueId>> remade_;  ///< per segment: its values made anew
  std::map<int, std::map<ValueId, ValueId>> again_;   ///< per level: values made anew there
  int level_ = 0;                                     ///< of the gradient that is gone on from
  ValueId after_ = -1;                                ///< that gradient
};

/// Op after op, with values renumbered as gradients become several ops.
class Differentiation {
 public:
  Differentiation(const Program& from, std::span<const ValueType> inputs, Keeping keeping)
      : from_(from), ops_(inputs), inputs_(inputs.size()), keeping_(keeping) {}

  Differentiated run() {
    Differentiated made;
    Program& program = ops_.program();
    program = from_;
    program.ops.clear();
    program.sizes = {};
    program.checks.clear();
    program.asksGradients = false;
    for (std::size_t i = 0; i < inputs_; ++i) values_.push_back(static_cast<ValueId>(i));
    std::vector<int> starts;  // of each op of `from_`, among those there are now
    for (std::size_t i = 0; i < from_.ops.size(); ++i) {
      const auto start = static_cast<int>(program.ops.size());
      std::size_t count = 1;
      if (from_.ops[i].row->kind != OpKind::gradient)
        values_.push_back(ops_.append(moved(from_.ops[i])));
      else
        count = gradientsFrom(i, made.exact);
      starts.insert(starts.end(), count, start);
      i += count - 1;
    }
    starts.push_back(static_cast<int>(program.ops.size()));
    // Those of sizes hold already, or there would be no numbers.
    for (const SizeCheck& check : from_.checks) {
      if (!check.ofValue()) continue;
      program.checks.push_back(check);
      program.checks.back().value = now(check.value);
      program.checks.back().beforeOp = starts[static_cast<std::size_t>(check.beforeOp)];
    }
    for (ValueId& output : program.outputs) output = now(output);
    for (Statement& statement : program.statements) {
      if (statement.value >= 0) statement.value = now(statement.value);
      const auto first = inputs_ + static_cast<std::size_t>(statement.firstOp);
      if (statement.opCount > 0) statement.firstOp = values_[first] - static_cast<int>(inputs_);
    }
    made.program = std::move(program);
    made.tape = std::move(tape_);
    made.waysBack = std::move(waysBack_);
    return made;
  }

 private:
  ValueId now(ValueId value) const { return values_[static_cast<std::size_t>(value)]; }

  Op moved(Op op) const {
    for (Operand& operand : op.operands) {
      if (!operand.isNumber()) operand.value = now(operand.value);
      operand.size = -1;
    }
    op.parameterSizes.clear();
    op.sizes.assign(op.sizeNumbers.size(), -1);
    return op;
  }

  /// The gradients of one value from op `first` on, which share one way back. Returns how many.
  std::size_t gradientsFrom(std::size_t first, bool& exact) {
    const ValueId of = now(from_.ops[first].operands[0].value);
    std::vector<ValueId> by;
    for (std::size_t i = first; i < from_.ops.size(); ++i) {
      const Op& op = from_.ops[i];
      if (op.row->kind != OpKind::gradient || now(op.operands[0].value) != of) break;
      by.push_back(now(op.operands[1].value));
    }
    Backward backward(ops_, inputs_, keeping_, exact);
    const std::size_t before = ops_.program().ops.size();
    backward.run(of, by);
    for (const ValueId value : by) values_.push_back(backward.gradientOf(value));
    ops_.follow(-1);
    note(backward, before);
    waysBack_.push_back(
        {of, static_cast<int>(before), static_cast<int>(ops_.program().ops.size())});
    return by.size();
  }

  /// What the way back, the ops from `before` on, reads of what was there.
  void note(const Backward& backward, std::size_t before) {
    std::vector<std::vector<ValueId>> saved(before);
    const auto& ops = ops_.program().ops;
    for (std::size_t i = before; i < ops.size(); ++i) {
      if (ops[i].derivativeOf < 0) continue;
      const auto own = static_cast<std::size_t>(ops[i].derivativeOf);
      for (const Operand& operand : ops[i].operands) {
        if (operand.isNumber() || operand.value >= static_cast<ValueId>(inputs_ + before)) continue;
        // A gradient may be a value that was made after the op: then that value's own op saves it.
        const auto made = static_cast<std::size_t>(operand.value) - inputs_;
        const bool later = operand.value >= static_cast<ValueId>(inputs_ + own + 1);
        std::vector<ValueId>& of = saved[later ? made : own];
        if (std::ranges::find(of, operand.value) == of.end()) of.push_back(operand.value);
      }
    }
    for (std::size_t i = 0; i < before; ++i)
      if (backward.passed(i)) tape_.push_back({static_cast<int>(i), std::move(saved[i])});
  }

  const Program& from_;
  GradientOps ops_;
  std::size_t inputs_;
  Keeping keeping_;
  std::vector<Differentiated::Entry> tape_;
  std::vector<Differentiated::WayBack> waysBack_;
  std::vector<ValueId> values_;  ///< per value of `from_`
};

}  // namespace

Differentiated taped(const Program& program, std::span<const ValueType> inputs, Keeping keeping) {
  Differentiated made = differentiate(withGradients(program, program.taped), inputs, keeping);
  made.program.ops.resize(program.ops.size());
  made.waysBack.clear();
  made.program.outputs = program.outputs;
  made.program.taped.clear();
  for (const Differentiated::Entry& entry : made.tape)
    for (const ValueId value : entry.saved)
      if (value >= static_cast<ValueId>(inputs.size()) &&
          std::ranges::find(made.program.outputs, value) == made.program.outputs.end())
        made.program.outputs.push_back(value);
  return made;
}

Differentiated differentiate(const Program& program, std::span<const ValueType> inputs,
                             Keeping keeping) {
  return Differentiation(program, inputs, keeping).run();
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/reference_contract.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "engine/base/scalar.h"
#include "engine/ops/spread_windows.h"

namespace fusebench {
namespace {

/// A factor's elements: where each of them is, as a function of the loops' positions.
struct FactorSteps {
  /// A dimension that windows run over: the position may be in the padding.
  struct Edge {
    std::size_t outer, inner;
    std::int64_t stride, padding, dilation, extent;
  };
  const std::vector<double>* values;
  std::int64_t start = 0;
  std::vector<std::int64_t> steps;  ///< per loop
  std::vector<Edge> edges;

  std::int64_t at(const std::vector<std::int64_t>& place) const {
    std::int64_t index = start;
    for (std::size_t l = 0; l < place.size(); ++l) index += place[l] * steps[l];
    return index;
  }
};

/// Goes through all loops of a contraction, one inside of the other.
class ContractWalk {
 public:
  /// `firstTerms`: terms of the first operand, used for pools and for gradients through windows;
  /// null: it has none.
  ContractWalk(const Op& op, const std::vector<const ReferenceTensor*>& operands,
               const std::vector<double>* firstTerms, ReferenceTensor& result)
      : op_(op), operands_(operands), result_(result), settings_(contractSettingsOf(op)) {
    std::vector<int> ranks;
    std::vector<SizeList<std::int64_t>> extents;
    for (const ReferenceTensor* operand : operands) {
      ranks.push_back(operand->type.shape.rank());
      extents.emplace_back(operand->type.shape);
    }
    form_ = contractFormOf(op, ranks);
    loops_ = contractLoopsOf(op, form_, extents);
    place_.assign(loops_.size(), 0);
    if (operands.size() == 1 || form_.spreads()) pooledTerms_ = firstTerms;
    for (std::size_t d = 0; form_.spreads() && d < form_.tensors[0].size(); ++d) {
      const ContractDim& dim = form_.tensors[0][d];
      if (dim.kind != ContractDim::Kind::spread) continue;
      letters_.push_back(dim);
      spread_.push_back({WindowSettings(settings_, dim.window), loops_[form_.loop(dim.inner)],
                         loops_[form_.loop(dim.outer)], extents[0][d]});
    }
  }

  void run(std::vector<double>& terms) {
    terms.assign(result_.values.size(), 0);
    if (std::count(loops_.begin(), loops_.begin() + static_cast<std::ptrdiff_t>(form_.kept), 0) > 0)
      return;
    const bool products = isSumOfProducts();
    if (products) findSteps();
    do {
      sum_ = sums() ? 0 : -std::numeric_limits<double>::infinity();
      magnitude_ = 0;
      inside_ = counted_ = 0;
      std::fill(place_.begin() + static_cast<std::ptrdiff_t>(form_.kept), place_.end(), 0);
      if (std::count(loops_.begin(), loops_.end(), 0) == 0) do
          products ? addProducts() : addTerm();
        while (next(form_.kept, loops_.size() - (products ? 1 : 0)));
      store(terms);
    } while (next(0, form_.kept));
  }

 private:
  /// Whether it is a plain sum of products, as most contractions are: then the innermost loop uses
  /// steps, because these take most of the reference's time.
  bool isSumOfProducts() const {
    return op_.row->accumulate == Accumulate::sum && !op_.row->finish && spread_.empty() &&
           !pooledTerms_ && form_.kept < loops_.size();
  }

  void findSteps() {
    for (std::size_t o = 0; o < operands_.size(); ++o) {
      if (static_cast<int>(o) == form_.addend) continue;
      FactorSteps& factor = factors_.emplace_back();
      factor.values = &operands_[o]->values;
      factor.steps.assign(loops_.size(), 0);
      const Shape& shape = operands_[o]->type.shape;
      std::int64_t step = 1;
      for (std::size_t d = form_.tensors[o].size(); d-- > 0;) {
        const ContractDim& dim = form_.tensors[o][d];
        const std::int64_t extent = shape[static_cast<int>(d)];
        const std::size_t outer = form_.loop(dim.outer);
        if (dim.kind == ContractDim::Kind::window) {
          const auto w = static_cast<std::size_t>(dim.window);
          const FactorSteps::Edge edge{outer,
                                       form_.loop(dim.inner),
                                       settings_.stride[w],
                                       settings_.padding[w],
                                       settings_.dilation[w],
                                       extent};
          factor.start -= edge.padding * step;
          factor.steps[outer] += edge.stride * step;
          factor.steps[edge.inner] += edge.dilation * step;
          factor.edges.push_back(edge);
        } else if (extent != 1) {
          const bool split = dim.kind == ContractDim::Kind::split;
          factor.steps[outer] += step * (split ? loops_[form_.loop(dim.inner)] : 1);
          if (split) factor.steps[form_.loop(dim.inner)] += step;
        }
        step *= extent;
      }
    }
  }

  /// The terms of the whole innermost loop that no window has in its padding.
  void addProducts() {
    const std::size_t inner = loops_.size() - 1;
    place_[inner] = 0;
    std::int64_t first = 0, end = loops_[inner];
    for (const FactorSteps& factor : factors_)
      for (const FactorSteps::Edge& edge : factor.edges) {
        const std::int64_t here =
            place_[edge.outer] * edge.stride - edge.padding + place_[edge.inner] * edge.dilation;
        const std::int64_t step = edge.inner == inner   ? edge.dilation
                                  : edge.outer == inner ? edge.stride
                                                        : 0;
        if (step == 0 && (here < 0 || here >= edge.extent)) return;
        if (step == 0) continue;
        if (here < 0) first = std::max(first, (-here + step - 1) / step);
        end = std::min(end, (edge.extent - here + step - 1) / step);
      }
    if (factors_.size() == 2) {
      const double* a = factors_[0].values->data();
      const double* b = factors_[1].values->data();
      const std::int64_t stepA = factors_[0].steps[inner], stepB = factors_[1].steps[inner];
      std::int64_t atA = factors_[0].at(place_) + first * stepA;
      std::int64_t atB = factors_[1].at(place_) + first * stepB;
      long double sum = sum_, magnitude = magnitude_;
      for (std::int64_t k = first; k < end; ++k, atA += stepA, atB += stepB) {
        const double term = a[atA] * b[atB];
        sum += term;
        magnitude += std::fabs(term);
      }
      sum_ = sum;
      magnitude_ = magnitude;
      return;
    }
    for (std::int64_t k = first; k < end; ++k) {
      double term = 1;
      for (const FactorSteps& factor : factors_)
        term *=
            (*factor.values)[static_cast<std::size_t>(factor.at(place_) + k * factor.steps[inner])];
      magnitude_ += std::fabs(term);
      sum_ += term;
    }
  }

  /// Gradients through windows add up, whatever the windows accumulated.
  bool sums() const { return op_.row->accumulate == Accumulate::sum || !spread_.empty(); }

  /// The next position of loops [first, last); false: there is none, and they are at the start
  /// again.
  bool next(std::size_t first, std::size_t last) {
    while (last > first) {
      --last;
      if (++place_[last] < loops_[last]) return true;
      place_[last] = 0;
    }
    return false;
  }

  std::int64_t at(char letter) const { return place_[form_.loop(letter)]; }

  /// Where a tensor's element is, row-major; -1: in the padding, -2: past it.
  std::int64_t flat(std::size_t tensor, const Shape& shape) const {
    std::int64_t index = 0;
    bool padding = false, past = false;
    for (std::size_t d = 0; d < form_.tensors[tensor].size(); ++d) {
      const ContractDim& dim = form_.tensors[tensor][d];
      const std::int64_t extent = shape[static_cast<int>(d)];
      std::int64_t here = at(dim.outer);
      if (dim.kind == ContractDim::Kind::split)
        here = here * loops_[form_.loop(dim.inner)] + at(dim.inner);
      if (dim.kind == ContractDim::Kind::window) {
        const auto w = static_cast<std::size_t>(dim.window);
        here = here * settings_.stride[w] - settings_.padding[w] +
               at(dim.inner) * settings_.dilation[w];
        padding |= here < 0 || here >= extent;
        past |= here >= extent + settings_.padding[w];
      } else if (dim.kind == ContractDim::Kind::spread) {
        here = WindowSettings(settings_, dim.window).windowAt(here, at(dim.inner));
        padding |= here < 0 || here >= extent;
      } else if (extent == 1) {
        here = 0;  // broadcast
      }
      index = index * extent + here;
    }
    return past ? -2 : padding ? -1 : index;
  }

  /// Adds the gradient from one window to one of its positions.
  void addSpread() {
    const std::int64_t index = flat(0, operands_[0]->type.shape);
    if (index < 0) return;
    const double given = operands_[0]->values[static_cast<std::size_t>(index)];
    const double scale =
        pooledTerms_ ? std::max(std::fabs(given), (*pooledTerms_)[static_cast<std::size_t>(index)])
                     : std::fabs(given);
    double factor = 1;
    std::array<std::int64_t, kMostWindows> window{};
    std::int64_t element = 0, count = 1;
    for (std::size_t d = 0; d < spread_.size(); ++d) {
      const std::int64_t inner = at(letters_[d].inner);
      window[d] = spread_[d].settings.windowAt(at(letters_[d].outer), inner);
      element = element * spread_[d].size + inner;
      count *= spread_[d].settings.counted(window[d], spread_[d].size, spread_[d].places,
                                           settings_.countsPadding);
    }
    if (op_.row->finish) factor /= static_cast<double>(count);
    if (op_.row->accumulate == Accumulate::max) {
      const std::vector<std::int64_t> here = place_;
      const std::int64_t greatest =
          greatestOf(spread_, std::span(window).first(spread_.size()),
                     [&](std::span<const std::int64_t> places) {
                       for (std::size_t d = 0; d < places.size(); ++d)
                         place_[form_.loop(letters_[d].outer)] = places[d];
                       return operands_[1]
                           ->values[static_cast<std::size_t>(flat(1, operands_[1]->type.shape))];
                     });
      place_ = here;
      if (greatest != element) return;
    } else if (operands_.size() > 1) {
      factor *= operands_[1]->values[static_cast<std::size_t>(flat(1, operands_[1]->type.shape))];
    }
    magnitude_ += std::fabs(factor) * scale;
    sum_ += given * factor;
  }

  void addTerm() {
    if (!spread_.empty()) return addSpread();
    double term = 1, pooled = 0;
    for (std::size_t o = 0; o < operands_.size(); ++o) {
      if (static_cast<int>(o) == form_.addend) continue;
      const std::int64_t index = flat(o, operands_[o]->type.shape);
      if (index != -2) ++counted_;
      if (index < 0) return;
      term *= operands_[o]->values[static_cast<std::size_t>(index)];
      if (pooledTerms_) pooled = (*pooledTerms_)[static_cast<std::size_t>(index)];
    }
    ++inside_;
    if (op_.row->accumulate == Accumulate::sum) {
      magnitude_ += std::max(std::fabs(term), pooled);
      sum_ += term;
      return;
    }
    magnitude_ = std::max(magnitude_, static_cast<long double>(pooled));
    if (term > sum_ || std::isnan(term)) sum_ = term;
  }

  void store(std::vector<double>& terms) {
    auto value = static_cast<double>(sum_), scale = static_cast<double>(magnitude_);
    if (op_.row->finish && spread_.empty()) {
      const auto count = static_cast<double>(settings_.countsPadding ? counted_ : inside_);
      value /= count;
      scale /= count;
    }
    value *= settings_.alpha;
    scale *= std::fabs(settings_.alpha);
    if (form_.addend >= 0) {
      const auto a = static_cast<std::size_t>(form_.addend);
      const double added =
          settings_.beta == 0
              ? 0
              : settings_.beta *
                    operands_[a]
                        ->values[static_cast<std::size_t>(flat(a, operands_[a]->type.shape))];
      value += added;
      scale += std::fabs(added);
    }
    const auto index = static_cast<std::size_t>(flat(form_.operands(), result_.type.shape));
    result_.values[index] = value;
    terms[index] = scale;
  }

  const Op& op_;
  const std::vector<const ReferenceTensor*>& operands_;
  const std::vector<double>* pooledTerms_ = nullptr;
  ReferenceTensor& result_;
  ContractSettings settings_;
  ContractForm form_;
  std::vector<std::int64_t> loops_, place_;
  std::vector<SpreadWindow> spread_;  ///< what comes back goes through these; none: forwards
  std::vector<ContractDim> letters_;  ///< of each
  std::vector<FactorSteps> factors_;  ///< of a sum of products
  long double sum_ = 0, magnitude_ = 0;
  std::int64_t inside_ = 0, counted_ = 0;
};

}  // namespace

ReferenceTensor contracted(const Op& op, const std::vector<const ReferenceTensor*>& operands,
                           const std::vector<const std::vector<double>*>& operandTerms,
                           ReferenceTensor result, std::vector<double>& terms) {
  const bool known = operandTerms[0] && !operandTerms[0]->empty();
  ContractWalk(op, operands, known ? operandTerms[0] : nullptr, result).run(terms);
  const TypeClass made = classOf(result.type.dtype);
  if (!isInteger(made)) return result;
  // Sums of products of bytes are exact in double; past the result's width they wrap.
  terms.clear();
  result.integers.resize(result.values.size());
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    result.integers[i] = wrapped(static_cast<std::int64_t>(result.values[i]), made);
    result.values[i] = static_cast<double>(result.integers[i]);
  }
  return result;
}

}  // namespace fusebench

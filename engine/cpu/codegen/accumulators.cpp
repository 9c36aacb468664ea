// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/accumulators.h"

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "engine/base/scalar.h"
#include "engine/cpu/math/loops.h"

namespace fusebench::cpu {
namespace {

using llvm::Value;

/// NaN if either is: a if it is greater or NaN, else b.
Value* greater(llvm::IRBuilder<>& b, Value* x, Value* y) {
  return b.CreateSelect(b.CreateOr(b.CreateFCmpOGT(x, y), b.CreateFCmpUNO(x, x)), x, y);
}
Value* lesser(llvm::IRBuilder<>& b, Value* x, Value* y) {
  return b.CreateSelect(b.CreateOr(b.CreateFCmpOLT(x, y), b.CreateFCmpUNO(x, x)), x, y);
}

/// What the families share: types, slots and folding of lanes.
class Base : public Accumulator {
 public:
  explicit Base(const Setting& setting)
      : b_(setting.b),
        width_(setting.width),
        interleave_(setting.interleave),
        lanesReduced_(setting.lanesReduced),
        place_(setting.place),
        type_(setting.type),
        once_(setting.once) {}

 protected:
  llvm::Type* vectorOf(llvm::Type* element) const {
    return llvm::FixedVectorType::get(element, static_cast<unsigned>(width_));
  }
  llvm::Type* floats() const { return vectorOf(b_.getFloatTy()); }
  llvm::Type* doubles() const { return vectorOf(b_.getDoubleTy()); }
  llvm::Type* longs() const { return vectorOf(b_.getInt64Ty()); }
  bool ofIntegers() const { return isInteger(type_); }
  /// What short runs are accumulated in: integers all in int64.
  llvm::Type* lanes() const {
    return ofIntegers() ? longs() : type_ == TypeClass::float64 ? doubles() : floats();
  }
  /// The type of states.
  llvm::Type* wide() const { return ofIntegers() ? longs() : doubles(); }
  Value* given(Value* value) {
    if (!ofIntegers()) return value;
    return type_ == TypeClass::uint8 ? b_.CreateZExt(value, longs())
                                     : b_.CreateSExt(value, longs());
  }
  Value* widened(Value* value, llvm::Type* type) {
    return ofIntegers() ? value : b_.CreateFPExt(value, type);
  }
  llvm::Constant* constant(double value, llvm::Type* type) const {
    if (!ofIntegers()) return llvm::ConstantFP::get(type, value);
    return llvm::ConstantInt::getSigned(type, saturated(value, TypeClass::int64));
  }
  /// Where one vector is kept.
  struct Slot {
    Value* place;
    llvm::Type* type;
  };
  using Slots = std::vector<Slot>;
  Value* load(const Slot& slot) { return b_.CreateLoad(slot.type, slot.place); }
  void store(Value* value, const Slot& slot) { b_.CreateStore(value, slot.place); }
  void setAll(const Slots& slots, Value* value) {
    for (const Slot& slot : slots) store(value, slot);
  }
  Slots slots(int count, llvm::Type* type, const char* name) {
    Slots made;
    for (int i = 0; i < count; ++i)
      made.push_back({place_ ? place_(type) : emitSlot(b_, type, name), type});
    return made;
  }

  /// Vectors of the state for values that can be merged before they are added.
  int merged() const { return place_ && lanesReduced_ ? 1 : interleave_; }
  /// The values of one step, as many as there are vectors of the state. Pairwise.
  Pack mergedStep(Pack values, const std::function<Value*(Value*, Value*)>& merge) const {
    if (merged() == interleave_) return values;
    while (values.size() > 1) {
      Pack next;
      for (std::size_t i = 0; i + 1 < values.size(); i += 2)
        next.push_back(merge(values[i], values[i + 1]));
      if (values.size() % 2) next.push_back(values.back());
      values = std::move(next);
    }
    return values;
  }

  using Merge = std::function<AccumulatorState(const AccumulatorState&, const AccumulatorState&)>;

  /// Pairwise, so that the error of sums stays small.
  AccumulatorState mergeAll(llvm::SmallVector<AccumulatorState, 8> states, const Merge& merge) {
    while (states.size() > 1) {
      llvm::SmallVector<AccumulatorState, 8> next;
      for (std::size_t i = 0; i + 1 < states.size(); i += 2)
        next.push_back(merge(states[i], states[i + 1]));
      if (states.size() % 2) next.push_back(states.back());
      states = std::move(next);
    }
    return states.front();
  }

  /// Merges the lanes of a state of vectors into one of scalars, halving the width each time.
  AccumulatorState foldLanes(AccumulatorState state, const Merge& merge) {
    for (int half = width_ / 2; half >= 1; half /= 2) {
      llvm::SmallVector<int, 16> low(static_cast<std::size_t>(half)), high(low.size());
      std::iota(low.begin(), low.end(), 0);
      std::iota(high.begin(), high.end(), half);
      AccumulatorState a, c;
      for (Value* v : state) {
        a.push_back(b_.CreateShuffleVector(v, low));
        c.push_back(b_.CreateShuffleVector(v, high));
      }
      state = merge(a, c);
    }
    AccumulatorState scalars;
    for (Value* v : state) scalars.push_back(b_.CreateExtractElement(v, std::uint64_t{0}));
    return scalars;
  }

  llvm::IRBuilder<>& b_;
  int width_, interleave_;
  bool lanesReduced_;
  std::function<Value*(llvm::Type*)> place_;
  TypeClass type_;
  bool once_;
};

/// Sums and products: short runs in float, flushed into doubles; integers all in
/// int64.
class Folding final : public Base {
 public:
  Folding(const Setting& setting, const AccumulatorRow& row)
      : Base(setting),
        product_(row.combine == Primitive::mul),
        identity_(row.identity),
        short_(slots(merged(), lanes(), "short")),
        long_(slots(lanesReduced_ ? 1 : interleave_, wide(), "long")) {}

  void reset() override {
    setAll(short_, constant(identity(), lanes()));
    setAll(long_, constant(identity(), wide()));
  }
  void add(const Pack& values, const Pack* mask, Value*, Value*) override {
    Pack counted;
    for (Value* value : values) counted.push_back(given(value));
    for (std::size_t u = 0; mask && u < values.size(); ++u)
      counted[u] = b_.CreateSelect((*mask)[u], counted[u], constant(identity(), lanes()));
    counted = mergedStep(counted, [this](Value* x, Value* y) { return fold(x, y); });
    for (std::size_t u = 0; u < counted.size(); ++u)
      store(fold(load(short_[u]), counted[u]), short_[u]);
  }
  void flush() override {
    llvm::SmallVector<AccumulatorState, 8> shorts;
    for (const Slot& slot : short_) shorts.push_back({load(slot)});
    if (lanesReduced_) shorts = {mergeAll(shorts, merge())};
    for (std::size_t i = 0; i < shorts.size(); ++i) {
      Value* run = widened(shorts[i][0], doubles());
      store(once_ ? run : fold(load(long_[i]), run), long_[i]);
    }
    if (!once_) setAll(short_, constant(identity(), lanes()));
  }
  llvm::SmallVector<AccumulatorState, 8> states() override {
    llvm::SmallVector<AccumulatorState, 8> all;
    for (const Slot& slot : long_) all.push_back({load(slot)});
    if (lanesReduced_) return {foldLanes(all[0], merge())};
    return all;
  }

 private:
  double identity() const { return identity_; }
  Value* fold(Value* x, Value* y) {
    if (ofIntegers()) return product_ ? b_.CreateMul(x, y) : b_.CreateAdd(x, y);
    return product_ ? b_.CreateFMul(x, y) : b_.CreateFAdd(x, y);
  }
  Merge merge() {
    return [this](const AccumulatorState& x, const AccumulatorState& y) {
      return AccumulatorState{fold(x[0], y[0])};
    };
  }
  bool product_;
  double identity_;
  Slots short_, long_;
};

/// The sum of all values that are not NaN, and their count.
class Numbers final : public Accumulator {
 public:
  explicit Numbers(const Setting& setting)
      : b_(setting.b),
        sum_(each(setting), info(Accumulate::sum)),
        count_(each(setting), info(Accumulate::sum)) {}

  void reset() override {
    sum_.reset();
    count_.reset();
  }
  void add(const Pack& values, const Pack* mask, Value* index, Value* laneStep) override {
    Pack numbers, ones;
    for (Value* x : values) {
      llvm::Type* type = x->getType();
      Value* isNumber = b_.CreateFCmpORD(x, x);
      numbers.push_back(b_.CreateSelect(isNumber, x, llvm::ConstantFP::get(type, 0.0)));
      ones.push_back(b_.CreateSelect(isNumber, llvm::ConstantFP::get(type, 1.0),
                                     llvm::ConstantFP::get(type, 0.0)));
    }
    sum_.add(numbers, mask, index, laneStep);
    count_.add(ones, mask, index, laneStep);
  }
  void flush() override {
    sum_.flush();
    count_.flush();
  }
  llvm::SmallVector<AccumulatorState, 8> states() override {
    llvm::SmallVector<AccumulatorState, 8> all = sum_.states();
    const llvm::SmallVector<AccumulatorState, 8> counts = count_.states();
    for (std::size_t i = 0; i < all.size(); ++i) all[i].push_back(counts[i].front());
    return all;
  }

 private:
  /// Both take their places from one row of them: copies of a function may count apart.
  Setting each(const Setting& setting) {
    Setting made{setting.b, setting.width, setting.interleave, setting.lanesReduced,
                 {},        setting.type};
    if (!setting.place) return made;
    if (!place_) place_ = std::make_shared<std::function<Value*(llvm::Type*)>>(setting.place);
    made.place = [place = place_](llvm::Type* type) { return (*place)(type); };
    return made;
  }
  llvm::IRBuilder<>& b_;
  std::shared_ptr<std::function<Value*(llvm::Type*)>> place_;
  Folding sum_, count_;
};

/// The greatest or the least.
class Extreme final : public Base {
 public:
  Extreme(const Setting& setting, const AccumulatorRow& row)
      : Base(setting),
        greatest_(row.combine == Primitive::max),
        identity_(row.identity),
        apart_(lanesReduced_ && !place_ && !ofIntegers()),
        best_(slots(merged(), lanes(), "best")),
        nan_(slots(apart_ ? 1 : 0, lanes(), "nan")) {}

  void reset() override {
    setAll(best_, identity());
    setAll(nan_, identity());
  }
  void add(const Pack& values, const Pack* mask, Value*, Value*) override {
    Pack counted;
    for (Value* value : values) counted.push_back(given(value));
    for (std::size_t u = 0; mask && u < values.size(); ++u)
      counted[u] = b_.CreateSelect((*mask)[u], counted[u], identity());
    if (apart_) return addApart(counted);
    counted = mergedStep(counted, [this](Value* x, Value* y) { return pick(x, y); });
    for (std::size_t u = 0; u < counted.size(); ++u)
      store(pick(counted[u], load(best_[u])), best_[u]);
  }
  llvm::SmallVector<AccumulatorState, 8> states() override {
    const Merge merge = [this](const AccumulatorState& x, const AccumulatorState& y) {
      return AccumulatorState{pick(x[0], y[0])};
    };
    llvm::SmallVector<AccumulatorState, 8> all;
    for (const Slot& slot : best_) all.push_back({load(slot)});
    if (apart_) {
      const Merge ahead = [this](const AccumulatorState& x, const AccumulatorState& y) {
        return AccumulatorState{numberAhead(x[0], y[0])};
      };
      Value* best = foldLanes(mergeAll(all, ahead), ahead)[0];
      Value* nans = load(nan_[0]);
      best = b_.CreateSelect(b_.CreateOrReduce(b_.CreateFCmpUNO(nans, nans)),
                             llvm::ConstantFP::getQNaN(best->getType()), best);
      return {AccumulatorState{widened(best, b_.getDoubleTy())}};
    }
    if (lanesReduced_) {
      Value* best = foldLanes(mergeAll(all, merge), merge)[0];
      return {AccumulatorState{widened(best, b_.getDoubleTy())}};
    }
    for (auto& state : all) state[0] = widened(state[0], doubles());
    return all;
  }

 private:
  Value* identity() { return constant(identity_, lanes()); }
  /// For numbers only: y if either is NaN, or they are equal. One instruction on x86.
  Value* numberAhead(Value* x, Value* y) {
    return b_.CreateSelect(greatest_ ? b_.CreateFCmpOGT(x, y) : b_.CreateFCmpOLT(x, y), x, y);
  }
  /// Where all elements are for one result, NaN is minded apart: two vectors are tested at once.
  void addApart(const Pack& values) {
    llvm::Constant* nan = llvm::ConstantFP::getQNaN(lanes());
    for (std::size_t u = 0; u < values.size(); u += 2) {
      Value* isNan = b_.CreateFCmpUNO(values[u], values[std::min(u + 1, values.size() - 1)]);
      store(b_.CreateSelect(isNan, nan, load(nan_[0])), nan_[0]);
    }
    for (std::size_t u = 0; u < values.size(); ++u)
      store(numberAhead(values[u], load(best_[u])), best_[u]);
  }
  Value* pick(Value* x, Value* y) {
    if (ofIntegers())
      return b_.CreateBinaryIntrinsic(greatest_ ? llvm::Intrinsic::smax : llvm::Intrinsic::smin, x,
                                      y);
    return greatest_ ? greater(b_, x, y) : lesser(b_, x, y);
  }
  bool greatest_;
  double identity_;
  bool apart_;
  Slots best_, nan_;
};

AccumulatorState mergedDeviations(llvm::IRBuilder<>& b, const AccumulatorState& x,
                                  const AccumulatorState& y) {
  Value* count = b.CreateFAdd(x[0], y[0]);
  Value* zero = llvm::ConstantFP::get(count->getType(), 0.0);
  Value* share = b.CreateSelect(b.CreateFCmpOGT(count, zero), b.CreateFDiv(y[0], count), zero);
  Value* delta = b.CreateFSub(y[1], x[1]);
  Value* mean = b.CreateFAdd(x[1], b.CreateFMul(delta, share));
  Value* between = b.CreateFMul(b.CreateFMul(b.CreateFMul(delta, delta), x[0]), share);
  return {count, mean, b.CreateFAdd(b.CreateFAdd(x[2], y[2]), between)};
}

/// Count, mean and sum of squared deviations, updated by Welford's recurrence and merged by Chan's
/// (Chan, Golub, LeVeque: Algorithms for computing the sample variance, 1983), in double.
class Deviations final : public Base {
 public:
  explicit Deviations(const Setting& setting)
      : Base(setting),
        even_(setting.even),
        count_(slots(interleave_, doubles(), "count")),
        mean_(slots(interleave_, doubles(), "mean")),
        square_(slots(interleave_, doubles(), "square")) {}

  void reset() override {
    for (const auto* group : {&count_, &mean_, &square_})
      setAll(*group, llvm::ConstantFP::get(doubles(), 0.0));
  }
  void add(const Pack& values, const Pack* mask, Value*, Value*) override {
    Value* share = even_ ? shareOfOne() : nullptr;
    for (std::size_t u = 0; u < values.size(); ++u) {
      Value* x = b_.CreateFPExt(values[u], doubles());
      Value* count = b_.CreateFAdd(load(count_[u]), llvm::ConstantFP::get(doubles(), 1.0));
      Value* off = b_.CreateFSub(x, load(mean_[u]));
      Value* mean = b_.CreateFAdd(load(mean_[u]),
                                  share ? b_.CreateFMul(off, share) : b_.CreateFDiv(off, count));
      Value* square = b_.CreateFAdd(load(square_[u]), b_.CreateFMul(off, b_.CreateFSub(x, mean)));
      keep(count, mask, u, count_);
      keep(mean, mask, u, mean_);
      keep(square, mask, u, square_);
    }
  }
  llvm::SmallVector<AccumulatorState, 8> states() override {
    const Merge merge = [this](const AccumulatorState& x, const AccumulatorState& y) {
      return mergedDeviations(b_, x, y);
    };
    llvm::SmallVector<AccumulatorState, 8> all;
    for (std::size_t u = 0; u < count_.size(); ++u)
      all.push_back({load(count_[u]), load(mean_[u]), load(square_[u])});
    if (lanesReduced_) return {foldLanes(mergeAll(all, merge), merge)};
    return all;
  }

 private:
  /// One by the count to come, where all lanes that are added to have that: one division for all.
  Value* shareOfOne() {
    Value* first = b_.CreateExtractElement(load(count_[0]), std::uint64_t{0});
    Value* one = llvm::ConstantFP::get(b_.getDoubleTy(), 1.0);
    return b_.CreateVectorSplat(static_cast<unsigned>(width_),
                                b_.CreateFDiv(one, b_.CreateFAdd(first, one)));
  }
  void keep(Value* value, const Pack* mask, std::size_t u, const Slots& group) {
    if (mask) value = b_.CreateSelect((*mask)[u], value, load(group[u]));
    store(value, group[u]);
  }
  bool even_;
  Slots count_, mean_, square_;
};

/// The same in runs that are gone through twice: first for an approximate mean, then for the sums
/// of the deviations from it and of their squares, in short floats. The error of the mean is
/// corrected afterward, and runs are merged by Chan's recurrence, both in double.
class RunDeviations final : public Base {
 public:
  explicit RunDeviations(const Setting& setting)
      : Base(setting),
        about_(slots(interleave_, lanes(), "about")),
        off_(slots(interleave_, lanes(), "off")),
        square_(slots(interleave_, lanes(), "square")),
        runMean_(scalar("run mean")),
        runSquares_(scalar("run squares")),
        number_(scalar("number")),
        mean_(scalar("mean")),
        squares_(scalar("squares")) {}

  void reset() override {
    for (const Slot* slot : {&number_, &mean_, &squares_}) store(real(0), *slot);
  }
  bool looks() const override { return true; }
  void begin(Value* elements) override {
    elements_ = b_.CreateSIToFP(elements, b_.getDoubleTy());
    Value* share = b_.CreateFDiv(real(1), elements_);
    share_ = splat(b_.CreateFPTrunc(share, lanes()->getScalarType()));
    for (const auto* group : {&about_, &off_, &square_}) setAll(*group, constant(0, lanes()));
  }
  /// Shares of the mean, which do not overflow where a sum would.
  void look(const Pack& values, const Pack* mask) override {
    for (std::size_t u = 0; u < values.size(); ++u)
      store(multiplyAdd(counted(values[u], mask, u), share_, load(about_[u])), about_[u]);
  }
  void looked() override {
    around_ = total(about_);
    before_ = after_ = nullptr;
    back_ = real(1);
  }
  void add(const Pack& values, const Pack* mask, Value*, Value*) override {
    for (std::size_t u = 0; u < values.size(); ++u) {
      Value* off = counted(offOf(values[u]), mask, u);
      store(b_.CreateFAdd(load(off_[u]), off), off_[u]);
      store(multiplyAdd(off, off, load(square_[u])), square_[u]);
    }
  }
  Value* added() override {
    Value* off = wide(total(off_));
    Value* square = total(square_);
    Value* shift = b_.CreateFDiv(off, elements_);
    store(b_.CreateFAdd(wide(around_), b_.CreateFMul(shift, back_)), runMean_);
    // Where elements are all alike both terms are exact, so that it is 0.
    Value* squares = b_.CreateFSub(wide(square), b_.CreateFMul(off, shift));
    squares = b_.CreateSelect(b_.CreateFCmpOLT(squares, real(0)), real(0), squares);
    store(b_.CreateFMul(b_.CreateFMul(squares, back_), back_), runSquares_);
    isSmall_ = b_.CreateFCmpOLT(square, ofShort(range().least));
    return b_.CreateNot(
        b_.CreateAnd(b_.CreateFCmpOGE(square, ofShort(range().least)),
                     b_.CreateFCmpOLT(square, llvm::ConstantFP::getInfinity(square->getType()))));
  }
  /// Scales large values down before the mean is subtracted, and small ones up afterward.
  void again() override {
    const double up = range().scale, down = 1 / up;
    before_ = b_.CreateSelect(isSmall_, ofShort(1), ofShort(down));
    after_ = b_.CreateSelect(isSmall_, ofShort(up), ofShort(1));
    back_ = b_.CreateSelect(isSmall_, real(down), real(up));
    for (const auto* group : {&off_, &square_}) setAll(*group, constant(0, lanes()));
  }
  void flush() override {
    AccumulatorState run{elements_, load(runMean_), load(runSquares_)};
    if (!once_) run = mergedDeviations(b_, states()[0], run);
    store(run[0], number_);
    store(run[1], mean_);
    store(run[2], squares_);
  }
  llvm::SmallVector<AccumulatorState, 8> states() override {
    return {AccumulatorState{load(number_), load(mean_), load(squares_)}};
  }

 private:
  /// Squares whose sum is finite and at least `least` have not lost precision; otherwise
  /// multiplying by `scale` or its inverse moves them into that range.
  struct Range {
    double least, scale;
  };
  Range range() const {
    return type_ == TypeClass::float64 ? Range{0x1p-900, 0x1p500} : Range{0x1p-100, 0x1p96};
  }
  Value* offOf(Value* value) {
    if (!before_) return b_.CreateFSub(value, splat(around_));
    Value* off =
        b_.CreateFSub(b_.CreateFMul(value, splat(before_)), splat(b_.CreateFMul(around_, before_)));
    return b_.CreateFMul(off, splat(after_));
  }
  Slot scalar(const char* name) { return {emitSlot(b_, b_.getDoubleTy(), name), b_.getDoubleTy()}; }
  Value* ofShort(double value) { return llvm::ConstantFP::get(lanes()->getScalarType(), value); }
  Value* real(double value) { return llvm::ConstantFP::get(b_.getDoubleTy(), value); }
  Value* wide(Value* value) { return b_.CreateFPExt(value, b_.getDoubleTy()); }
  Value* splat(Value* value) { return b_.CreateVectorSplat(static_cast<unsigned>(width_), value); }
  Value* counted(Value* value, const Pack* mask, std::size_t u) {
    return mask ? b_.CreateSelect((*mask)[u], value, constant(0, lanes())) : value;
  }
  Value* multiplyAdd(Value* x, Value* y, Value* z) {
    return b_.CreateIntrinsic(llvm::Intrinsic::fmuladd, {lanes()}, {x, y, z});
  }
  Value* total(const Slots& group) {
    const Merge add = [this](const AccumulatorState& x, const AccumulatorState& y) {
      return AccumulatorState{b_.CreateFAdd(x[0], y[0])};
    };
    llvm::SmallVector<AccumulatorState, 8> all;
    for (const Slot& slot : group) all.push_back({load(slot)});
    return foldLanes(mergeAll(all, add), add)[0];
  }
  Slots about_, off_, square_;
  Slot runMean_, runSquares_, number_, mean_, squares_;
  Value *elements_ = nullptr, *share_ = nullptr, *around_ = nullptr;  ///< the run's
  Value *isSmall_ = nullptr, *before_ = nullptr, *after_ = nullptr, *back_ = nullptr;
};

/// The greatest value with its index; the first of equals; NaN is greatest.
class Place final : public Base {
 public:
  explicit Place(const Setting& setting)
      : Base(setting),
        best_(slots(interleave_, lanes(), "best")),
        index_(slots(interleave_, longs(), "index")) {}

  void reset() override {
    setAll(best_, constant(-std::numeric_limits<double>::infinity(), lanes()));
    // No index yet: loses every tie, so that -inf itself can win.
    setAll(index_, llvm::ConstantInt::get(longs(), std::numeric_limits<std::int64_t>::max(), true));
  }
  void add(const Pack& values, const Pack* mask, Value* index, Value* laneStep) override {
    for (std::size_t u = 0; u < values.size(); ++u) {
      Value* at = b_.CreateVectorSplat(static_cast<unsigned>(width_), index);
      if (lanesReduced_)
        at = b_.CreateAdd(
            at, b_.CreateMul(laneNumbers(static_cast<int>(u) * width_),
                             b_.CreateVectorSplat(static_cast<unsigned>(width_), laneStep)));
      const AccumulatorState kept{load(best_[u]), load(index_[u])};
      AccumulatorState taken = better(AccumulatorState{given(values[u]), at}, kept);
      for (std::size_t i = 0; i < 2; ++i) {
        if (mask) taken[i] = b_.CreateSelect((*mask)[u], taken[i], kept[i]);
        store(taken[i], i == 0 ? best_[u] : index_[u]);
      }
    }
  }
  llvm::SmallVector<AccumulatorState, 8> states() override {
    const Merge merge = [this](const AccumulatorState& x, const AccumulatorState& y) {
      return better(x, y);
    };
    llvm::SmallVector<AccumulatorState, 8> all;
    for (std::size_t u = 0; u < best_.size(); ++u) all.push_back({load(best_[u]), load(index_[u])});
    if (lanesReduced_) all = {foldLanes(mergeAll(all, merge), merge)};
    llvm::Type* type = lanesReduced_ ? b_.getDoubleTy() : doubles();
    for (auto& state : all) state[0] = widened(state[0], type);
    return all;
  }

 private:
  AccumulatorState better(const AccumulatorState& x, const AccumulatorState& y) {
    Value *equal, *ahead;
    if (ofIntegers()) {
      equal = b_.CreateICmpEQ(x[0], y[0]);
      ahead = b_.CreateICmpSGT(x[0], y[0]);
    } else {
      Value* xNan = b_.CreateFCmpUNO(x[0], x[0]);
      Value* yNan = b_.CreateFCmpUNO(y[0], y[0]);
      equal = b_.CreateOr(b_.CreateFCmpOEQ(x[0], y[0]), b_.CreateAnd(xNan, yNan));
      ahead = b_.CreateOr(b_.CreateFCmpOGT(x[0], y[0]), b_.CreateAnd(xNan, b_.CreateNot(yNan)));
    }
    Value* first = b_.CreateAnd(equal, b_.CreateICmpSLT(x[1], y[1]));
    Value* takeX = b_.CreateOr(ahead, first);
    return {b_.CreateSelect(takeX, x[0], y[0]), b_.CreateSelect(takeX, x[1], y[1])};
  }
  Value* laneNumbers(int first) {
    llvm::SmallVector<llvm::Constant*, 16> lanes;
    for (int lane = 0; lane < width_; ++lane)
      lanes.push_back(
          b_.getInt64(static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(lane)));
    return llvm::ConstantVector::get(lanes);
  }
  Slots best_, index_;
};

}  // namespace

std::unique_ptr<Accumulator> Accumulator::make(Accumulate kind, const Setting& setting) {
  const AccumulatorRow& row = info(kind);
  switch (row.family) {
    case AccumulatorFamily::fold:
      return std::make_unique<Folding>(setting, row);
    case AccumulatorFamily::extreme:
      return std::make_unique<Extreme>(setting, row);
    case AccumulatorFamily::deviations:
      if (setting.twice) return std::make_unique<RunDeviations>(setting);
      return std::make_unique<Deviations>(setting);
    case AccumulatorFamily::place:
      return std::make_unique<Place>(setting);
    case AccumulatorFamily::numbers:
      return std::make_unique<Numbers>(setting);
  }
  return nullptr;
}

namespace {

void mergeIntegers(const AccumulatorRow& row, std::uint64_t* into, const std::uint64_t* other) {
  const auto a = static_cast<std::int64_t>(into[0]), c = static_cast<std::int64_t>(other[0]);
  if (row.family == AccumulatorFamily::fold) {
    into[0] = row.combine == Primitive::mul ? into[0] * other[0] : into[0] + other[0];
  } else if (row.family == AccumulatorFamily::extreme) {
    if (row.combine == Primitive::max ? c > a : c < a) into[0] = other[0];
  } else if (c > a ||
             (c == a && static_cast<std::int64_t>(other[1]) < static_cast<std::int64_t>(into[1]))) {
    into[0] = other[0];
    into[1] = other[1];
  }
}

}  // namespace

void mergePartials(Accumulate kind, TypeClass type, std::uint64_t* into,
                   const std::uint64_t* other) {
  if (isInteger(type)) return mergeIntegers(info(kind), into, other);
  const auto number = [](std::uint64_t word) { return std::bit_cast<double>(word); };
  const auto word = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  const double a = number(into[0]), c = number(other[0]);
  const AccumulatorRow& row = info(kind);
  switch (row.family) {
    case AccumulatorFamily::fold:
      into[0] = word(row.combine == Primitive::mul ? a * c : a + c);
      return;
    case AccumulatorFamily::extreme: {
      const bool ahead = row.combine == Primitive::max ? a > c : a < c;
      into[0] = word(ahead || std::isnan(a) ? a : c);
      return;
    }
    case AccumulatorFamily::deviations: {
      const double count = a + c;
      if (count == 0) return;
      const double delta = number(other[1]) - number(into[1]);
      const double share = c / count;
      into[2] = word(number(into[2]) + number(other[2]) + delta * delta * a * share);
      into[1] = word(number(into[1]) + delta * share);
      into[0] = word(count);
      return;
    }
    case AccumulatorFamily::place: {
      const bool equal = a == c || (std::isnan(a) && std::isnan(c));
      const bool ahead = c > a || (std::isnan(c) && !std::isnan(a));
      const bool earlier = static_cast<std::int64_t>(other[1]) < static_cast<std::int64_t>(into[1]);
      if (ahead || (equal && earlier)) {
        into[0] = other[0];
        into[1] = other[1];
      }
      return;
    }
    case AccumulatorFamily::numbers:
      into[0] = word(a + c);
      into[1] = word(number(into[1]) + number(other[1]));
      return;
  }
}

}  // namespace fusebench::cpu

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/shipping/shipped_stencils.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <unordered_set>

#include "engine/cpu/codegen/row_formulas.h"
#include "engine/ops/op_types.h"

namespace fusebench::cpu {
namespace {

using Form = Stencil::Form;
using Kind = Stencil::Kind;

/// Whether op lists can contain an op with these operand forms: one operand is in the registers, or
/// the first one that is not a number is in an input in memory.
bool happens(const OpRow& row, const std::array<Form, 3>& forms) {
  const auto end = forms.begin() + row.arity;
  if (std::find(forms.begin(), end, Form::working) != end) return true;
  const auto first =
      std::find_if(forms.begin(), end, [](Form form) { return form != Form::number; });
  return first != end && *first == Form::input;
}

class Collector {
 public:
  void addPieces() {
    add({.kind = Kind::keep});
    add({.kind = Kind::next});
    add({.kind = Kind::enter});
    for (const DType dtype : {DType::float32, DType::boolean, DType::float16, DType::bfloat16}) {
      for (const Form form : {Form::slot, Form::input}) {
        Stencil load{.kind = Kind::load};
        load.forms[0] = form;
        if (form == Form::input) load.dtype = dtype;
        add(load);
      }
      add({.kind = Kind::store, .dtype = dtype});
      if (isRounded(dtype)) add({.kind = Kind::round, .dtype = dtype});
    }
    for (std::size_t accumulate = 0; accumulate < kAccumulates; ++accumulate)
      for (const bool lanes : {false, true})
        addAccumulator(static_cast<Accumulate>(accumulate), lanes);
  }

  void addOps(const OpRow& row) {
    if (!row.meaning || !hasPieces(row)) return;
    Stencil stencil{.kind = Kind::op, .row = &row, .dtype = meaningDType(row)};
    for (const Parameter& parameter : row.parameters)
      if (isStructural(row, parameter))
        stencil.structural.push_back(std::isnan(parameter.fallback) ? 0 : parameter.fallback);
    addForms(stencil, 0);
  }

  /// Pieces of lists that compute in another type than float32 throughout.
  void addWide(DType computed) {
    computed_ = classOf(computed);
    for (const DType dtype : {computed, DType::boolean}) {
      Stencil load{.kind = Kind::load, .dtype = dtype, .computed = computed_};
      load.forms[0] = Form::input;
      add(load);
      add({.kind = Kind::store, .dtype = dtype, .computed = computed_});
    }
    if (bitsOf(computed_) == 64) add({.kind = Kind::next, .computed = TypeClass::float64});
    for (const OpRow& row : opRows()) {
      std::vector<OperandType> operands;
      for (unsigned o = 0; o < static_cast<unsigned>(row.arity); ++o) {
        operands.push_back({(row.truthOperands >> o) & 1u ? DType::boolean : computed});
      }
      if (!hasPieces(row)) continue;
      const OpTypes types = opTypes(row, operands);
      if (!types.problem.empty() || types.computed != computed || !hasPiecesIn(row, types))
        continue;
      Stencil stencil{.kind = Kind::op, .row = &row, .dtype = types.result, .computed = computed_};
      addForms(stencil, 0);
    }
    computed_ = TypeClass::float32;
  }

  /// The pieces that lists of bytes need in addition to int32's.
  void addBytes() {
    for (const DType dtype : {DType::int8, DType::uint8}) {
      Stencil load{.kind = Kind::load, .dtype = dtype, .computed = TypeClass::int32};
      load.forms[0] = Form::input;
      add(load);
      add({.kind = Kind::store, .dtype = dtype, .computed = TypeClass::int32});
      add({.kind = Kind::round, .dtype = dtype, .computed = TypeClass::int32});
    }
  }

  std::vector<Stencil> take() { return std::move(all_); }

 private:
  void add(const Stencil& stencil) {
    if (texts_.insert(stencil.text()).second) all_.push_back(stencil);
  }

  void addAccumulator(Accumulate accumulate, bool lanes) {
    Stencil stencil;
    stencil.accumulate = accumulate;
    stencil.lanes = lanes;
    for (const Kind kind : {Kind::accumulate, Kind::total, Kind::reset, Kind::flush, Kind::finish})
      if (!lanes || kind != Kind::total) {
        stencil.kind = kind;
        add(stencil);
      }
    if (lanes) return;
    stencil.kind = Kind::accumulate;
    stencil.masked = true;
    add(stencil);
  }

  void addForms(Stencil& stencil, std::size_t operand) {
    const OpRow& row = *stencil.row;
    if (operand == static_cast<std::size_t>(row.arity)) {
      if (happens(row, stencil.forms)) addKnown(stencil);
      return;
    }
    for (const Form form : {Form::working, Form::slot, Form::input, Form::number})
      for (const bool truth : {false, true}) {
        const bool wanted = (row.truthOperands >> operand) & 1u;
        // Truth tensors are read from slots; a number is none.
        if (truth && (form == Form::input || form == Form::number)) continue;
        if (wanted != truth && (wanted || wide() || !takesTruth(row))) continue;
        if (wide() && form == Form::input) continue;  // they are kept in slots first
        stencil.forms[operand] = form;
        stencil.truths[operand] = truth;
        addForms(stencil, operand + 1);
      }
    stencil.forms[operand] = Form::none;
    stencil.truths[operand] = false;
  }

  /// Whether it takes bools as numbers. A reduction's mapped expression accepts both.
  static bool takesTruth(const OpRow& row) {
    return row.takes == AcceptedTypes::promoted || row.kind == OpKind::reduce;
  }

  /// The registers' value may be known to be small; see Stencil::known.
  void addKnown(Stencil stencil) {
    add(stencil);
    if (wide()) return;
    unsigned truths = 0;
    for (unsigned o = 0; o < 3; ++o) truths |= stencil.truths[o] ? 1u << o : 0;
    if (stencil.row->arity != 1 || stencil.forms[0] == Form::input ||
        !formulas_.of(*stencil.row, truths, stencil.structural).mindsRanges)
      return;
    for (RangeClass known = 1; known < kRangeClasses; ++known) {
      stencil.known[0] = known;
      add(stencil);
    }
  }

  bool wide() const { return computed_ != TypeClass::float32; }

  RowFormulas formulas_;
  TypeClass computed_ = TypeClass::float32;
  std::unordered_set<std::string> texts_;
  std::vector<Stencil> all_;
};

}  // namespace

std::vector<Stencil> shippedStencils() {
  Collector collector;
  collector.addPieces();
  for (const OpRow& row : opRows()) collector.addOps(row);
  for (const DType computed : {DType::float64, DType::int64, DType::int32})
    collector.addWide(computed);
  collector.addBytes();
  return collector.take();
}

}  // namespace fusebench::cpu

// SPDX-License-Identifier: GPL-3.0-or-later
// Stencils are looked up by number: it must say all that their text does.
#include <array>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/cpu/codegen/stencil.h"

#include "engine/ops/accumulators.h"

namespace fusebench::cpu {
namespace {

using Form = Stencil::Form;

/// Every op stencil of a row: where its operands are, which are truths, and what is known of them.
template <typename Visit>
void forEachStencil(const OpRow& row, const Visit& visit) {
  constexpr std::array kForms{Form::working, Form::slot, Form::input, Form::number};
  constexpr std::array<RangeClass, 3> kKnown{0, 1, kRangeClasses - 1};
  constexpr std::size_t kChoices = 2 * kForms.size() * kKnown.size();
  std::size_t count = 1;
  for (int o = 0; o < row.arity; ++o) count *= kChoices;
  for (std::size_t number = 0; number < count; ++number) {
    Stencil stencil{.kind = Stencil::Kind::op, .row = &row, .dtype = resultDType(row)};
    std::size_t left = number;
    const auto choose = [&left](std::size_t choices) {
      const std::size_t chosen = left % choices;
      left /= choices;
      return chosen;
    };
    for (std::size_t o = 0; o < static_cast<std::size_t>(row.arity); ++o) {
      stencil.truths[o] = choose(2) == 1;
      stencil.forms[o] = kForms[choose(kForms.size())];
      stencil.known[o] = kKnown[choose(kKnown.size())];
    }
    visit(stencil);
  }
}

bool hasStructure(const OpRow& row) {
  for (const Parameter& parameter : row.parameters)
    if (parameter.kind != Parameter::Kind::number) return true;
  return false;
}

TEST(StencilKeys, OfOpsAreWhatTheirOperandsAdd) {
  int ops = 0;
  for (const OpRow& row : opRows()) {
    if (row.kind != OpKind::pointwise || row.places != IndexInputs::none || hasStructure(row))
      continue;
    ++ops;
    forEachStencil(row, [&](const Stencil& stencil) {
      unsigned truths = 0;
      for (std::size_t o = 0; o < stencil.truths.size(); ++o)
        truths |= static_cast<unsigned>(stencil.truths[o]) << o;
      std::uint64_t key = Stencil::keyOfOp(row, stencil.dtype, truths);
      for (std::size_t o = 0; o < static_cast<std::size_t>(row.arity); ++o)
        key |= Stencil::keyOfOperand(o, stencil.forms[o], stencil.known[o]);
      ASSERT_EQ(key, stencil.key()) << stencil.text();
    });
  }
  EXPECT_GT(ops, 50);
}

TEST(StencilKeys, AreOneTextEach) {
  std::map<std::uint64_t, std::string> texts;
  const auto add = [&texts](const Stencil& stencil) {
    ASSERT_NE(stencil.key(), 0u);
    const auto [found, isNew] = texts.emplace(stencil.key(), stencil.text());
    EXPECT_TRUE(isNew || found->second == stencil.text())
        << found->second << " and " << stencil.text();
  };
  // The first and the last rows of each arity: their numbers have few and many bits.
  std::map<int, std::vector<const OpRow*>> rows;
  for (const OpRow& row : opRows())
    if (row.kind == OpKind::pointwise && row.places == IndexInputs::none && !hasStructure(row))
      rows[row.arity].push_back(&row);
  for (const auto& [arity, ofArity] : rows)
    for (const OpRow* row : {ofArity.front(), ofArity.back()}) forEachStencil(*row, add);
  for (const DType dtype : {DType::boolean, DType::int64, DType::float32}) {
    add({.kind = Stencil::Kind::store, .dtype = dtype});
    for (const Form form : {Form::slot, Form::input}) {
      Stencil load{.kind = Stencil::Kind::load, .dtype = dtype};
      load.forms[0] = form;
      add(load);
    }
  }
  for (const auto kind : {Stencil::Kind::keep, Stencil::Kind::next, Stencil::Kind::enter})
    add({.kind = kind});
  for (const auto kind : {Stencil::Kind::accumulate, Stencil::Kind::total, Stencil::Kind::reset,
                          Stencil::Kind::flush, Stencil::Kind::finish})
    for (const AccumulatorRow& row : kAccumulatorRows)
      for (const bool lanes : {false, true})
        for (const bool masked : {false, true})
          add({.kind = kind, .accumulate = row.kind, .masked = masked, .lanes = lanes});
  EXPECT_GT(texts.size(), 10'000u);
}

TEST(StencilKeys, AreNoneForStructuralParameters) {
  Stencil stencil{.kind = Stencil::Kind::op, .row = opRows().data()};
  stencil.structural = {2};
  EXPECT_EQ(stencil.key(), 0u);
}

}  // namespace
}  // namespace fusebench::cpu

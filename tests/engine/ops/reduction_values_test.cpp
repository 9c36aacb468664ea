// SPDX-License-Identifier: GPL-3.0-or-later
// Reductions against values made with MPFR from a statement of them that knows nothing of the rows.
#include <bit>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/ops/accumulators.h"
#include "engine/run/reference.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/support/built_paths.h"

namespace fusebench::test {
namespace {

/// One line of reductions.txt.
struct ReducedList {
  std::string op, order, text;
  double exact = 0;
  std::vector<float> elements;
};

std::vector<ReducedList> reducedLists() {
  std::ifstream file(fusebench::test::sourcePath("/tests/engine/values/reductions.txt"));
  std::vector<ReducedList> lists;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    ReducedList list;
    std::string bits;
    words >> list.op >> list.order >> bits;
    list.exact = std::bit_cast<double>(std::stoull(bits, nullptr, 16));
    while (words >> bits)
      list.elements.push_back(
          std::bit_cast<float>(static_cast<std::uint32_t>(std::stoul(bits, nullptr, 16))));
    list.text = list.order == "-" ? fmt::format("return x.{}()", list.op)
                                  : fmt::format("return x.{}(p=float('{}'))", list.op, list.order);
    lists.push_back(std::move(list));
  }
  return lists;
}

TEST(ReductionValues, StandForEveryReduction) {
  std::set<const OpRow*> rows;
  for (const ReducedList& list : reducedLists())
    rows.insert(parseProgram(list.text).ops.front().row);
  for (const OpRow& row : opRows())
    EXPECT_TRUE(row.kind != OpKind::reduce || rows.contains(&row)) << row.name;
}

TEST(ReductionValues, AreTheReferencesAndEveryExecutors) {
  EngineFixture fixture;
  for (const ReducedList& list : reducedLists()) {
    const auto count = static_cast<std::int64_t>(list.elements.size());
    const Program program = parseProgram(list.text);
    const OpRow& row = *program.ops.front().row;
    const Tensor x = fixture.tensor({count}, list.elements);
    const ReferenceResult reference =
        evaluateReference(program, {{EngineFixture::reference(x)}})[0];
    const std::string shown = fmt::format("{} of {} elements", list.text, count);
    const double scale = std::max(reference.scale[0], std::fabs(list.exact));
    EXPECT_NEAR(reference.value.values[0], list.exact, 1e-12 * scale) << shown;
    const double room = row.bound.ulp == 0 ? 0 : 3e-6 * scale;
    for (const auto& executor : executorsOn(fixture.backend())) {
      const double got =
          EngineFixture::values(fixture.run(std::string(executor.name), list.text, {x})[0])[0];
      EXPECT_NEAR(got, list.exact, room) << executor.name << ' ' << shown;
    }
  }
}

TEST(AccumulatorRows, StandInTheOrderOfTheirEnumeratorsAndAreFilledIn) {
  std::set<std::string_view> names;
  for (const AccumulatorRow& row : kAccumulatorRows) {
    EXPECT_EQ(&info(row.kind), &row) << row.name;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.doc.empty()) << row.name;
    EXPECT_GE(row.words, 1) << row.name;
    EXPECT_LE(static_cast<std::size_t>(row.words), kMostAccumulatorWords) << row.name;
    EXPECT_LT(row.result, row.words) << row.name;
    EXPECT_LT(row.count, row.words) << row.name;
  }
}

}  // namespace
}  // namespace fusebench::test

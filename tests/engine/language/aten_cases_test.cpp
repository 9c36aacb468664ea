// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of ATen's operations with PyTorch's own results, which tests/aten/make_cases.py recorded.
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "engine/language/aten_table.h"
#include "engine/language/parser.h"
#include "engine/run/reference.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

/// One recorded call.
struct AtenCase {
  std::string overload;  ///< "add.Tensor", as signatures begin
  std::string text;      ///< the lines of the program's function
  std::vector<std::pair<std::string, ReferenceTensor>> inputs;
  std::vector<ReferenceTensor> outputs;
};

ValueType typeRead(std::istream& line) {
  ValueType type;
  std::string dtype, shape;
  line >> dtype >> shape;
  const DType* const found = findDType("torch." + dtype);
  EXPECT_NE(found, nullptr) << dtype;
  if (found) type.dtype = *found;
  std::stringstream extents(shape);
  for (std::string extent; std::getline(extents, extent, 'x');)
    if (extent != "-") type.shape.push(std::stoll(extent));
  return type;
}

/// Values as make_cases.py makes them, so that the file need not hold them: signed, positive or
/// within (-1, 1), in steps that every dtype of floats has; integers below a number; truths.
double madeValue(char kind, std::int64_t i, std::int64_t seed, std::int64_t below) {
  const auto turned = static_cast<double>((i * 29 + seed * 17 + 5) % 47 - 23);
  switch (kind) {
    case '+':
      return std::fabs(turned) / 16 + 1.0 / 16;
    case 'u':
      return turned / 32;
    case 'i':
      return static_cast<double>((i * 7 + seed * 3 + 1) % below);
    case 'b':
      return (i * 5 + seed) % 3 == 0 ? 1 : 0;
    default:
      return turned / 16;
  }
}

ReferenceTensor tensorRead(std::istream& line) {
  ReferenceTensor made;
  made.type = typeRead(line);
  std::string kind;
  line >> kind;
  const std::int64_t count = elementCount(made.type.shape);
  if (kind == "=") {
    for (std::string value; line >> value;)
      made.values.push_back(std::strtod(value.c_str(), nullptr));
  } else {
    std::int64_t seed = 0, below = 1;
    line >> seed >> below;
    for (std::int64_t i = 0; i < count; ++i)
      made.values.push_back(madeValue(kind[0], i, seed, below));
  }
  EXPECT_EQ(made.values.size(), static_cast<std::size_t>(count));
  if (made.type.dtype != DType::boolean && !isFloat(made.type.dtype))
    for (const double value : made.values)
      made.integers.push_back(static_cast<std::int64_t>(value));
  return made;
}

struct Recorded {
  std::vector<AtenCase> cases;
  std::set<std::string> skipped;  ///< overloads that have none, such as those of random results
};

Recorded recordedCases() {
  Recorded found;
  std::vector<AtenCase>& all = found.cases;
  std::ifstream file(test::sourcePath("/tests/aten/cases.txt"));
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    std::stringstream words(line);
    std::string word;
    words >> word;
    if (word == "case") {
      words >> all.emplace_back().overload;
    } else if (word == "text") {
      all.back().text += "    " + line.substr(5) + "\n";
    } else if (word == "in") {
      words >> word;
      all.back().inputs.emplace_back(word, tensorRead(words));
    } else if (word == "skip") {
      words >> word;
      found.skipped.insert(word);
    } else {
      all.back().outputs.push_back(tensorRead(words));
    }
  }
  return found;
}

std::string programOf(const AtenCase& of) {
  std::string names;
  for (const auto& [name, value] : of.inputs) names += (names.empty() ? "" : ", ") + name;
  return "import torch\ndef f(" + names + "):\n" + of.text;
}

/// What is wrong with the results; empty: nothing.
std::string difference(const AtenCase& of) {
  ProgramHints hints;
  std::vector<ReferenceTensor> inputs;
  for (const auto& [name, value] : of.inputs) hints[name] = value.type;
  std::vector<ReferenceResult> got;
  try {
    const Program program = parseProgram(programOf(of), hints);
    for (const std::string& name : program.inputs)
      for (const auto& [own, value] : of.inputs)
        if (own == name) inputs.push_back(value);
    got = evaluateReference(program, inputs);
  } catch (const std::exception& error) {
    return error.what();
  }
  if (got.size() != of.outputs.size())
    return std::to_string(got.size()) + " results, not " + std::to_string(of.outputs.size());
  for (std::size_t o = 0; o < got.size(); ++o) {
    const ReferenceTensor &made = got[o].value, &wanted = of.outputs[o];
    const std::string at = "result " + std::to_string(o) + ": ";
    if (made.type.dtype != wanted.type.dtype)
      return at + std::string(info(made.type.dtype).name) + ", not " +
             std::string(info(wanted.type.dtype).name);
    if (!(made.type.shape == wanted.type.shape))
      return at + toString(made.type.shape) + ", not " + toString(wanted.type.shape);
    // The reference rounds nothing; PyTorch rounds each step to the dtype.
    const double relative = made.type.dtype == DType::bfloat16  ? 3e-2
                            : made.type.dtype == DType::float16 ? 4e-3
                                                                : 2e-5;
    for (std::size_t i = 0; i < wanted.values.size(); ++i) {
      const double a = made.values[i], b = wanted.values[i];
      if (a == b || (std::isnan(a) && std::isnan(b))) continue;
      const double scale = std::max(std::fabs(b), std::min(got[o].scale[i], 1e3));
      if (!(std::fabs(a - b) <= relative * scale + relative / 10))
        return at + "element " + std::to_string(i) + " is " + std::to_string(a) + ", not " +
               std::to_string(b);
    }
  }
  return {};
}

TEST(AtenCasesTest, EachCallGivesWhatPyTorchGave) {
  const std::vector<AtenCase> cases = recordedCases().cases;
  EXPECT_GT(cases.size(), 1000u);
  for (const AtenCase& each : cases)
    EXPECT_EQ(difference(each), "") << each.overload << ":\n" << programOf(each);
}

TEST(AtenCasesTest, EveryOverloadThatIsSupportedHasCasesOfTwoShapesAndTwoDtypes) {
  std::map<std::string, std::set<std::string>> shapes, dtypes;
  std::map<std::string, int> counts;
  const Recorded recorded = recordedCases();
  for (const AtenCase& each : recorded.cases) {
    std::string shape, dtype;
    for (const auto& [name, value] : each.inputs) {
      shape += toString(value.type.shape) + " ";
      dtype += std::string(info(value.type.dtype).name) + " ";
    }
    shapes[each.overload].insert(shape + each.text);
    dtypes[each.overload].insert(dtype + each.text);
    ++counts[each.overload];
  }
  for (const AtenRow& row : atenRows()) {
    const std::string overload = row.schema.substr(0, row.schema.find('('));
    if (!row.supported() || recorded.skipped.contains(overload)) continue;
    EXPECT_GE(counts[overload], 3) << overload;
    EXPECT_GE(shapes[overload].size(), 2u) << overload;
    const std::size_t least = overload == "_int_mm" ? 1 : 2;  // it takes int8 alone
    EXPECT_GE(dtypes[overload].size(), least) << overload;
  }
}

}  // namespace
}  // namespace fusebench

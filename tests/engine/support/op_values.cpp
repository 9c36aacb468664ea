// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/support/op_values.h"
#include "tests/support/built_paths.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace fusebench::test {
namespace {

constexpr double kInfinityValue = std::numeric_limits<double>::infinity();
constexpr double kOverflow = 0x1p128;  // the first magnitude past float32's

std::string valuesFolder() {
  return fusebench::test::sourcePath("/tests/engine/values/");
}

/// All points where the build made them, which needs gmpy2; else the 20 per block of the
/// repository.
std::string pointsFolder() {
  return allOpValuesAreMade() ? buildPath("/values/points/") : valuesFolder() + "points/";
}

template <typename Bits>
Bits bitsOf(std::string_view text) {
  Bits bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::runtime_error("no hexadecimal number: " + std::string(text));
  return bits;
}

float float32Of(std::string_view text) {
  return std::bit_cast<float>(bitsOf<std::uint32_t>(text));
}

double numberOf(const std::string& text) {
  if (text == "inf") return kInfinityValue;
  if (text == "-inf") return -kInfinityValue;
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

/// Reads blocks of "parameters ..." and points; `result` turns the last word of a point into its
/// result.
template <typename Block, typename AddResult>
std::vector<Block> readBlocks(std::istream& file, const OpRow& row, AddResult addResult) {
  std::vector<Block> blocks;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> parts = words(line);
    if (parts.empty()) continue;
    if (parts[0] == "parameters") {
      blocks.emplace_back();
      blocks.back().arity = row.arity;
      for (std::size_t i = 1; i < parts.size(); ++i)
        blocks.back().parameters.push_back(numberOf(parts[i]));
      continue;
    }
    if (blocks.empty() || parts.size() != static_cast<std::size_t>(row.arity) + 1)
      throw std::runtime_error("values of " + std::string(row.name) + ": cannot read: " + line);
    for (int i = 0; i < row.arity; ++i)
      blocks.back().operands.push_back(float32Of(parts[static_cast<std::size_t>(i)]));
    addResult(blocks.back(), parts.back());
  }
  return blocks;
}

std::vector<OpValues> readPoints(const std::string& folder, const OpRow& row) {
  const std::string path = folder + std::string(row.name) + ".txt";
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error(path +
                             " is missing; state the op in ops_by_mpfr.py and run make_values.py");
  return readBlocks<OpValues>(file, row, [&](OpValues& block, const std::string& word) {
    block.expected.push_back(row.result == ResultType::truth
                                 ? numberOf(word)
                                 : std::bit_cast<double>(bitsOf<std::uint64_t>(word)));
  });
}

}  // namespace

bool allOpValuesAreMade() {
  return std::filesystem::exists(buildPath("/values/points/made"));
}

std::vector<OpValues> keptOpValues(const OpRow& row) {
  return readPoints(valuesFolder() + "points/", row);
}

std::vector<OpValues> loadOpValues(const OpRow& row) {
  return readPoints(pointsFolder(), row);
}

std::vector<SpecialValues> loadSpecialValues(const OpRow& row) {
  std::ifstream file(valuesFolder() + "specials.txt");
  if (!file)
    throw std::runtime_error(valuesFolder() + "specials.txt is missing; run make_specials.py");
  std::string section;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("op ", 0) == 0)
      inside = line == "op " + std::string(row.name);
    else if (inside)
      section += line + "\n";
  }
  std::istringstream stream(section);
  return readBlocks<SpecialValues>(stream, row, [](SpecialValues& block, const std::string& word) {
    block.torch.push_back(float32Of(word));
  });
}

std::vector<const OpRow*> rowsOf(OpKind kind) {
  std::vector<const OpRow*> rows;
  for (const OpRow& row : opRows())
    if (row.kind == kind && hasPieces(row)) rows.push_back(&row);
  return rows;
}

double ulpError(double exact, float got) {
  const double value = static_cast<double>(got);
  if (std::isnan(exact) || std::isnan(value))
    return std::isnan(exact) && std::isnan(value) ? 0 : kInfinityValue;
  const double nearest = static_cast<double>(static_cast<float>(exact));
  if (std::isinf(nearest) || std::isinf(value)) return nearest == value ? 0 : kInfinityValue;
  const int exponent = exact == 0 ? -126 : std::max(std::ilogb(exact), -126);
  return std::fabs(value - exact) / std::ldexp(1.0, exponent - 23);
}

bool keepsBound(const OpRow& row, double exact, float got) {
  if (ulpError(exact, got) <= row.bound.ulp) return true;
  if (std::fabs(static_cast<double>(got) - exact) <= row.bound.absolute) return true;
  // At the edge of overflow infinity counts as the float32 after the greatest.
  if (!(std::fabs(exact) > 0x1.ffp127 && std::fabs(exact) < 0x1.01p128)) return false;
  const double value = static_cast<double>(got);
  const double end = std::isinf(got) ? std::copysign(kOverflow, value) : value;
  return std::fabs(end - exact) <= row.bound.ulp * 0x1p104;
}

}  // namespace fusebench::test

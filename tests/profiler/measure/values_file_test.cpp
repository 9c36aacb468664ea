// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/values_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/cpu/runtime/cpu_backend.h"
#include "profiler/files/files.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using nlohmann::json;

class ValuesFiles : public testing::Test {
 protected:
  ValuesFiles() : backend_(makeCpuBackend()), path_(folder_.path("values")) {}

  Tensor tensor(const Shape& shape, const std::vector<float>& values) {
    Tensor made = makeTensor(backend_->allocator(), DType::float32, shape);
    if (!values.empty()) backend_->copyIn(made, values.data(), values.size() * sizeof(float));
    return made;
  }
  template <typename Number>
  static std::vector<Number> numbers(const std::string& file, const json& tensor) {
    const std::size_t line = file.find('\n') + 1, begin = (line + 63) / 64 * 64;
    std::vector<Number> values(tensor["count"].get<std::size_t>());
    std::memcpy(values.data(), file.data() + begin + tensor["at"].get<std::size_t>(),
                values.size() * sizeof(Number));
    return values;
  }

  std::unique_ptr<Backend> backend_;
  test::TemporaryFolder folder_;
  std::string path_;
};

TEST_F(ValuesFiles, HoldTheVeryElementsAndHowTheyLie) {
  Tensor turned = tensor({3, 2}, {1, 2, 3, 4, 5, 6});
  std::swap(turned.shape[0], turned.shape[1]);
  std::swap(turned.strides[0], turned.strides[1]);
  ValuesFile values(*backend_);
  values.describe("checked on the first 2 of 9 rows", true);
  values.add({tensor({2}, {0.1f, -0.0f}), turned}, {{{{}}, {0.5}}}, {{2.25}});
  values.add({tensor({0, 4}, {})});
  values.write(path_);
  const std::string file = readFile(path_);
  const json head = json::parse(file.substr(0, file.find('\n')));
  EXPECT_EQ(head["note"], "checked on the first 2 of 9 rows");
  EXPECT_EQ(head["separate"], true);
  ASSERT_EQ(head["entries"].size(), 2U);
  const json& first = head["entries"][0];
  EXPECT_EQ(first["inputs"][1]["shape"], json({2, 3}));
  EXPECT_EQ(first["inputs"][1]["strides"], json({1, 2}));
  EXPECT_EQ(numbers<float>(file, first["inputs"][0]), (std::vector<float>{0.1f, -0.0f}));
  EXPECT_EQ(numbers<float>(file, first["inputs"][1]), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(first["results"][0]["dtype"], "float64");
  EXPECT_EQ(first["results"][0]["shape"], json::array());
  EXPECT_EQ(numbers<double>(file, first["results"][0]), std::vector<double>{0.5});
  EXPECT_EQ(numbers<double>(file, first["scales"][0]), std::vector<double>{2.25});
  EXPECT_EQ(head["entries"][1]["inputs"][0]["count"], 0);
}

TEST_F(ValuesFiles, ThatCannotBeWrittenSayWhatHelps) {
  ValuesFile values(*backend_);
  values.add({tensor({1}, {1})});
  try {
    values.write("/nowhere/at/all");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("/nowhere/at/all"));
    EXPECT_THAT(error.what(), testing::HasSubstr("set TMPDIR"));
  }
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/dtype.h"

#include <array>

namespace fusebench {
namespace {

struct Named {
  std::string_view name;
  DType dtype;
};

constexpr std::array kNamed = {
    Named{"bool", DType::boolean},      Named{"uint8", DType::uint8},
    Named{"int8", DType::int8},         Named{"int32", DType::int32},
    Named{"int64", DType::int64},       Named{"float16", DType::float16},
    Named{"bfloat16", DType::bfloat16}, Named{"float32", DType::float32},
    Named{"float64", DType::float64},   Named{"half", DType::float16},
    Named{"float", DType::float32},     Named{"double", DType::float64},
    Named{"int", DType::int32},         Named{"long", DType::int64},
    Named{"qint8", DType::int8},        Named{"quint8", DType::uint8},
    Named{"qint32", DType::int32},
};

}  // namespace

const DType* findDType(std::string_view name) {
  constexpr std::string_view kModule = "torch.";
  if (name.substr(0, kModule.size()) == kModule) name.remove_prefix(kModule.size());
  for (const Named& each : kNamed)
    if (each.name == name) return &each.dtype;
  return nullptr;
}

}  // namespace fusebench

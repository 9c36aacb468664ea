// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/copies.h"

#include <array>
#include <span>

namespace fusebench {
namespace {

constexpr Parameter kNonBlocking{.name = "non_blocking",
                                 .kind = Parameter::Kind::flag,
                                 .fallback = 0,
                                 .doc = "the host continues at once if its memory is pinned"};

const std::array<OpRow, 5>& rows() {
  static const std::array<OpRow, 5> all = {{
      {.name = "cuda",
       .spellings = {"x.cuda"},
       .category = Category::making,
       .takes = AcceptedTypes::any,
       .parameters = {kNonBlocking},
       .kind = OpKind::copy,
       .bound = {},
       .doc = "Copied to the device; what is there already stays as it is"},
      {.name = "cpu",
       .spellings = {"x.cpu"},
       .category = Category::making,
       .takes = AcceptedTypes::any,
       .parameters = {kNonBlocking},
       .kind = OpKind::copy,
       .bound = {},
       .doc = "Copied to host memory, and waited for; what is there already stays as it is"},
      {.name = "pin_memory",
       .spellings = {"x.pin_memory"},
       .category = Category::making,
       .takes = AcceptedTypes::any,
       .kind = OpKind::copy,
       .bound = {},
       .doc = "Copied into host memory that the device reads by itself"},
      {.name = "item",
       .spellings = {"x.item"},
       .category = Category::making,
       .takes = AcceptedTypes::any,
       .kind = OpKind::copy,
       .differentiable = false,
       .bound = {},
       .doc = "The one element of a tensor as a number of the host, which waits for it"},
      {.name = "tensor_copy",
       .spellings = {"torch.tensor"},
       .category = Category::making,
       .takes = AcceptedTypes::any,
       .kind = OpKind::copy,
       .differentiable = false,
       .bound = {},
       .doc = "Other memory with the same elements"},
  }};
  return all;
}

}  // namespace

std::span<const OpRow> copyRows() {
  return rows();
}

const OpRow& copyRow(Move move) {
  return rows()[static_cast<std::size_t>(move)];
}

Move moveOf(const OpRow& row) {
  return static_cast<Move>(&row - rows().data());
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "ui/models/setup/document_problems.h"

namespace fusebench {

/// "row-major", "column-major", "channels last", "with gaps", "each element several times".
QString layoutWord(const TensorLayout& layout);
/// "strides (16, 1): row-major"; a view also names the tensor whose memory it uses, `root`.
QString layoutText(const TensorLayout& layout, const QString& root = {});

/// The last two dimensions of a tensor as a grid: in each cell its place in memory, counted in
/// elements from the first of that memory.
struct LayoutGrid {
  QString part;  ///< "[0, :, :]": the shown part of a tensor with more dimensions; empty: all
  std::vector<std::vector<std::int64_t>> rows;
  bool moreRows = false, moreColumns = false;
  std::int64_t last = 0;  ///< the greatest place that is shown
};
LayoutGrid layoutGrid(const TensorLayout& layout, int mostRows, int mostColumns);

}  // namespace fusebench

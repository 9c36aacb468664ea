// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/models/canvas/layout_words.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// A tensor's layout as a table for a tooltip: its strided grid with the offsets in memory, in
/// stronger color for larger offsets. `title`: "x (8, 16) float32"; `root`: see layoutText.
QString layoutTip(const QString& title, const TensorLayout& layout, const QString& root,
                  const Theme& theme);

}  // namespace fusebench

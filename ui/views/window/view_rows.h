// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <span>
#include <vector>

#include "ui/models/window/window_models.h"
#include "ui/theme/theme.h"

namespace fusebench {

struct WindowParts;

/// Position of a view in the window. `chain` and `table` have one view each, the others several,
/// one shown at a time.
enum class ViewPlace : std::uint8_t { chain, edit, center, table, side };
inline constexpr std::size_t kViewPlaces = 5;

/// One view of the window.
struct ViewRow {
  const char* key;    ///< in settings: "chart"
  const char* tab;    ///< on its tab: "Chart"
  const char* title;  ///< in the menu, as its tab is called
  const char* word;   ///< in the list of keys: "map", "PyTorch text"
  int rank;           ///< in the menu, from 1; the first ten have Alt+1 to Alt+9 and Alt+0
  ViewPlace place;
  bool figure;  ///< its own menu offers to export what it shows
  QWidget* (*make)(WindowModels& models, QWidget* parent);
  void (*setTheme)(QWidget& view, const Theme& theme);
  /// Connects it to the rest of the window, after all views were created; null: it needs nothing.
  void (*link)(QWidget& view, WindowParts& parts);
  /// Creates the controls next to its tab; null: it has none.
  QWidget* (*makeControls)(QWidget* header) = nullptr;
};

/// In each place from the first tab to the last.
std::span<const ViewRow> viewRows();
/// The same in the menu's order.
std::vector<const ViewRow*> viewsByRank();

}  // namespace fusebench

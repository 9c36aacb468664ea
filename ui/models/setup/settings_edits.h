// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <string>

#include "profiler/experiment/experiment.h"

namespace fusebench {

/// Edits of an experiment's settings that touch more than one of them. Indices must be valid.

/// `wanted`, or "wanted 2", "wanted 3"...: a name that no item has.
template <typename Items>
std::string freeName(const Items& items, const std::string& wanted) {
  const auto taken = [&](const std::string& name) {
    for (const auto& item : items)
      if (item.name == name) return true;
    return false;
  };
  std::string name = wanted;
  for (int n = 2; taken(name); ++n) name = wanted + " " + std::to_string(n);
  return name;
}

/// A copy of the last one, or the one of a blank document.
void addVariant(Experiment& experiment);
/// A variant with this executor, otherwise equal to the baseline; named after the executor.
void addVariantOf(Experiment& experiment, const std::string& executor);
/// If the name is still that of the executor, it changes with it.
void changeExecutor(Experiment& experiment, std::size_t index, const std::string& executor);
void duplicateVariant(Experiment& experiment, std::size_t index);
/// The first remaining variant becomes the baseline.
void removeVariant(Experiment& experiment, std::size_t index);
/// The baseline stays the same variant.
void renameVariant(Experiment& experiment, std::size_t index, const std::string& name);
void moveVariant(Experiment& experiment, std::size_t from, std::size_t to);

void addInputSet(Experiment& experiment);
void duplicateInputSet(Experiment& experiment, std::size_t index);
/// Variants that used it use the first remaining one.
void removeInputSet(Experiment& experiment, std::size_t index);
/// Variants that used it still use it.
void renameInputSet(Experiment& experiment, std::size_t index, const std::string& name);

/// A second axis: statements, or threads if that is swept already.
void addAxis(Experiment& experiment);
/// Extents that named it take its middle value.
void removeAxis(Experiment& experiment, std::size_t index);
void swapAxes(Experiment& experiment);
/// Extents that name the axis are renamed, unless the new name already has a meaning; a unit that
/// equals the name is renamed, too. Values are kept.
void renameAxis(Experiment& experiment, std::size_t index, const std::string& name);

/// Names for an axis on which something depends, the built-in ones first; and names that extents
/// could use.
QStringList axisNames(const Experiment& experiment);

/// "(4, 16) (5, 16) (6, 16) …": the first different shapes of a tensor, at the axes' first values;
/// empty if they are not known.
QString shapePreview(const Experiment& experiment, const InputSet& set, const InputSpec& spec,
                     std::size_t most = 4);

}  // namespace fusebench

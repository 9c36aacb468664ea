// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <functional>

namespace fusebench {

/// Shortens names to fit, each in its middle, but keeps different names distinct as long as there
/// is room for the part in which they differ: kernels of one library begin and end with the same
/// text. `fits` returns whether there is room for a text. If a text does not fit, no longer one
/// may.
QStringList namesApart(const QStringList& names, const std::function<bool(const QString&)>& fits);

/// The parts of titles without their common beginning and end, in full words. The titles themselves
/// if one of the parts would be empty, or if there is only one title.
QStringList partsApart(const QStringList& titles);

}  // namespace fusebench

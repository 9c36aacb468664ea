// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <functional>

namespace fusebench {

/// Names shortened to what fits, each in its middle, but so that two that differ can be told apart
/// as long as there is room for what they differ in: kernels of one library begin and end alike.
/// `fits` says of a text whether there is room for it; of a longer one it says no once it did of a
/// shorter.
QStringList namesApart(const QStringList& names, const std::function<bool(const QString&)>& fits);

/// What titles do not have in common at their beginning and end, in whole words; the titles
/// themselves where one of them would be empty, or there is one.
QStringList partsApart(const QStringList& titles);

}  // namespace fusebench

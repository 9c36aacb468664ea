// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

namespace fusebench {

/// The size for the inside of a window: `wanted`, or the part of the screen that is left within the
/// desktop's frame; not below `least`.
QSize fittedSize(QSize wanted, QSize least, QSize screen);

}  // namespace fusebench

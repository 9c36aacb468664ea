// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

namespace fusebench {

/// The size of a window's inside that is wanted, or what the screen has room for beside the frame
/// that the desktop draws around it; not below `least`.
QSize fittedSize(QSize wanted, QSize least, QSize screen);

}  // namespace fusebench

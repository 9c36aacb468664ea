// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/window/window_size.h"

namespace fusebench {
namespace {
/// A title bar and borders, as large as desktops draw them. How large they really are is known only
/// when the window is there, too late for its first picture.
constexpr QSize kFrame(8, 40);
}  // namespace

QSize fittedSize(QSize wanted, QSize least, QSize screen) {
  return wanted.boundedTo(screen - kFrame).expandedTo(least);
}

}  // namespace fusebench

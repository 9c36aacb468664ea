// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "profiler/catalogue/catalogue.h"

namespace fusebench {

/// The language of the window's texts as pages name it ("zh-CN"): readers choose letters by it.
inline QString pageLanguage() {
  return QString::fromStdString(language()).replace(u'_', u'-');
}

}  // namespace fusebench

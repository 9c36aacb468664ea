// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/colors.h"

namespace fusebench {

QColor blend(const QColor& over, const QColor& under, double share) {
  const auto mix = [share](float a, float b) {
    return static_cast<float>(share * double(a) + (1 - share) * double(b));
  };
  return QColor::fromRgbF(mix(over.redF(), under.redF()), mix(over.greenF(), under.greenF()),
                          mix(over.blueF(), under.blueF()));
}

bool isBright(const QColor& ground) {
  return 0.299 * double(ground.redF()) + 0.587 * double(ground.greenF()) +
             0.114 * double(ground.blueF()) >
         0.5;
}

QColor inkOn(const QColor& ground) {
  return isBright(ground) ? QColor("#10141A") : QColor("#F6F8FA");
}

}  // namespace fusebench

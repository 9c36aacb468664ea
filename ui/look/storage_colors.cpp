// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/storage_colors.h"

#include "ui/theme/colors.h"

namespace fusebench {

QColor storageColor(const Theme& theme, StorageClass kind) {
  switch (kind) {
    case StorageClass::held:
      return blend(theme.muted, theme.panel, 0.32);
    case StorageClass::input:
      return blend(theme.muted, theme.panel, 0.6);
    case StorageClass::result:
      return theme.seriesColors[2];
    case StorageClass::saved:
      return theme.seriesColors[1];
    case StorageClass::temporary:
      break;
  }
  return theme.seriesColors[0];
}

QColor storageFill(const Theme& theme, StorageClass kind) {
  return blend(storageColor(theme, kind), theme.panel, 0.72);
}

}  // namespace fusebench

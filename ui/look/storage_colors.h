// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include "ui/models/storages/storage_picture.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// The color for bytes of a class. Bytes that stay allocated are faint, the others are not.
QColor storageColor(const Theme& theme, StorageClass kind);
/// The same color as the fill of an area, on which names must be readable.
QColor storageFill(const Theme& theme, StorageClass kind);

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include "ui/models/storages/storage_picture.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// The colour in which bytes of a class are drawn: what stays is faint, what comes and goes is not.
QColor storageColor(const Theme& theme, StorageClass kind);
/// That colour as an area's fill, on which names are read.
QColor storageFill(const Theme& theme, StorageClass kind);

}  // namespace fusebench

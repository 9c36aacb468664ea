// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/access/access_part.h"

namespace fusebench {

// The parts that the views draw.
AccessParts chartParts(QWidget& widget);     ///< curves, break-evens, and the values at the cursor
AccessParts mapParts(QWidget& widget);       ///< places
AccessParts scatterParts(QWidget& widget);   ///< marks
AccessParts canvasParts(QWidget& widget);    ///< nodes, with their operands and their readers
AccessParts timelineParts(QWidget& widget);  ///< visible tracks and events
AccessParts histogramParts(QWidget& widget);
AccessParts flameParts(QWidget& widget);     ///< calls
AccessParts rooflineParts(QWidget& widget);  ///< operators
AccessParts storageParts(QWidget& widget);   ///< steps of a call
AccessParts anatomyParts(QWidget& widget);   ///< bars
AccessParts legendParts(QWidget& widget);    ///< parts of a call

}  // namespace fusebench

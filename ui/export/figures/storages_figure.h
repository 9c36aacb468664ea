// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/figures/figure.h"
#include "ui/export/figures/figure_style.h"
#include "ui/models/storages/storage_subject.h"

namespace fusebench {

/// The memory at each step of a call: one panel per variant, all on one scale, with its peak in
/// words, and a legend of the classes of bytes. Groups: heading, axes, bands, peaks. The pointer
/// reads each storage as a spot.
Figure storagesFigure(const StoragesSubject& subject, const FigureStyle& style);

}  // namespace fusebench

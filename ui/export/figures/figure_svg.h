// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/export/figures/figure.h"

namespace fusebench {

/// The figure as SVG 1.1, UTF-8: title and desc for those who hear it, a clipPath for what is
/// clipped, a <g id="FIGURE-GROUP"> for each group, fonts with fallbacks. Qt's own QSvgGenerator
/// ignores clipping and writes no ids.
QString toSvg(const Figure& figure);

/// The same for use inside an HTML page: without the XML declaration, and as wide as its place.
QString toInlineSvg(const Figure& figure);

/// <, >, &, " made harmless; what XML 1.0 has no character for is left out.
QString xmlEscaped(const QString& text);

/// A text made into a word that may be an id: letters, digits and hyphens.
QString idOf(const QString& text);

}  // namespace fusebench

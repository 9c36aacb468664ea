// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/export/figures/figure.h"

namespace fusebench {

/// The figure as SVG 1.1, UTF-8: title and desc for screen readers, a clipPath for clipped parts, a
/// <g id="FIGURE-GROUP"> for each group, fonts with fallbacks. Qt's own QSvgGenerator ignores
/// clipping and writes no ids.
QString toSvg(const Figure& figure);

/// The same for use inside an HTML page: without the XML declaration, and as wide as its place.
QString toInlineSvg(const Figure& figure);

/// Escapes <, >, & and "; characters that XML 1.0 does not allow are left out.
QString xmlEscaped(const QString& text);

/// A text converted to a word that can be an id: letters, digits and hyphens.
QString idOf(const QString& text);

}  // namespace fusebench

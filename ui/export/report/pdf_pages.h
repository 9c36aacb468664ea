// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <vector>

namespace fusebench {

/// A part of a paginated document: a heading, a paragraph, a figure, a table, a listing.
struct PdfPart {
  bool withNext = false;      ///< a heading, or words above a table: never the last on its page
  bool withPrevious = false;  ///< a caption or a footnote
  bool whole = true;          ///< never split across pages
  /// Heights that a figure may have, in 1/96 inch; if equal, its height is fixed.
  double least = 0, most = 0;
};

/// Where the part was laid out, in 1/96 inch from the top of the first page's text.
struct PdfPlace {
  double top = 0, bottom = 0;
  double headBottom = 0;  ///< bottom of the first lines, which must stay together
  double tailTop = 0;     ///< top of the last lines, which must stay together
};

/// Changes to the layout that prevent badly placed page breaks.
struct PdfPaging {
  std::set<std::size_t> breaks;           ///< parts that begin a page
  std::set<std::size_t> tailBreaks;       ///< parts whose tail begins a page
  std::set<std::size_t> tight;            ///< listings in small lines, tables in low rows
  std::map<std::size_t, double> heights;  ///< of figures

  friend bool operator==(const PdfPaging&, const PdfPaging&) = default;
};

/// Improves the page breaks by one step: finds the first part that is badly split, and moves it to
/// the next page or makes figures smaller until it fits. `text` is the height of a page's text,
/// `room` the part of it that may be filled. Returns whether anything changed.
bool improvePaging(const std::vector<PdfPart>& parts, const std::vector<PdfPlace>& places,
                   double text, double room, PdfPaging& paging);

/// Enlarges figures on pages that end early because the next part did not fit.
void fillPages(const std::vector<PdfPart>& parts, const std::vector<PdfPlace>& places, double text,
               double room, PdfPaging& paging);

}  // namespace fusebench

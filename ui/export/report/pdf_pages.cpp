// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/report/pdf_pages.h"

#include <algorithm>
#include <cmath>

namespace fusebench {
namespace {

constexpr double kNearTop = 40;  ///< what begins this near a page's top begins it
constexpr double kWorthFilling = 50;
constexpr double kMargins = 16;  ///< between two linked parts, at most

class PageFilling {
 public:
  PageFilling(const std::vector<PdfPart>& parts, const std::vector<PdfPlace>& places, double text,
              double room, PdfPaging& paging)
      : parts_(parts), places_(places), text_(text), room_(room), paging_(paging) {}

  bool improve() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const PdfPlace& place = places_[i];
      const int page = pageAt(place.top);
      if (parts_[i].whole && pageBefore(place.bottom) != page && moveChain(i, place.bottom))
        return true;
      if (!parts_[i].whole && pageBefore(place.headBottom) != page &&
          moveChain(i, place.headBottom))
        return true;
      if (!parts_[i].whole && improveTail(i)) return true;
      if (i > 0 && linked(i - 1) && page != pageBefore(places_[i - 1].bottom) &&
          moveChain(i, parts_[i].whole ? place.bottom : place.headBottom))
        return true;
    }
    return false;
  }

  void fill() {
    for (const std::size_t next : paging_.breaks) {
      if (next == 0) continue;
      const int page = pageBefore(places_[next - 1].bottom);
      const double free = endOf(page) - places_[next - 1].bottom;
      if (free < kWorthFilling || pageAt(places_[next].top) != page + 1) continue;
      grow(figuresOn(page), free);
    }
  }

 private:
  int pageAt(double y) const { return static_cast<int>(std::floor((y + 1) / text_)); }
  int pageBefore(double y) const { return static_cast<int>(std::floor((y - 1) / text_)); }
  double endOf(int page) const { return page * text_ + room_; }
  bool linked(std::size_t i) const { return parts_[i].withNext || parts_[i + 1].withPrevious; }
  bool beginsPage(std::size_t i) const {
    return places_[i].top - pageAt(places_[i].top) * text_ < kNearTop || paging_.breaks.contains(i);
  }

  /// Moves part `i` with the parts before it that are linked to it. Shrinks figures so that all fit
  /// on the page, or begins the next page with them. `bottom` is the position that must fit.
  bool moveChain(std::size_t i, double bottom) {
    std::size_t first = i;
    while (first > 0 && linked(first - 1) && (parts_[first - 1].whole || first == i)) {
      if (!parts_[first - 1].whole) {  // only its tail can go with what follows
        return paging_.tailBreaks.insert(first - 1).second;
      }
      --first;
    }
    const int page = pageAt(places_[first].top);
    // Where it would end had it not gone to the next page, the gap before it left out.
    double gap = 0;
    for (std::size_t k = first; k <= i; ++k)
      if (k > 0 && pageAt(places_[k].top) > pageBefore(places_[k - 1].bottom) && k > first)
        gap = places_[k].top - places_[k - 1].bottom;
    const double top = places_[first].top;
    const double height = bottom - top - std::max(0.0, gap - kMargins);
    if (first > 0 && pageAt(top) > pageBefore(places_[first - 1].bottom)) return false;
    if (shrink(page, first, i, top + height - endOf(page))) return true;
    if (beginsPage(first)) return false;
    return paging_.breaks.insert(first).second;
  }

  std::vector<std::size_t> figuresOn(int page) const {
    std::vector<std::size_t> figures;
    for (std::size_t k = 0; k < parts_.size(); ++k)
      if (parts_[k].most > parts_[k].least && pageAt(places_[k].top) == page) figures.push_back(k);
    return figures;
  }

  double heightOf(std::size_t figure) const { return places_[figure].bottom - places_[figure].top; }

  /// Takes so much from the heights of the page's figures, those of the moved parts included.
  bool shrink(int page, std::size_t first, std::size_t last, double excess) {
    std::vector<std::size_t> figures = figuresOn(page);
    for (std::size_t k = first; k <= last; ++k)
      if (parts_[k].most > parts_[k].least &&
          std::find(figures.begin(), figures.end(), k) == figures.end())
        figures.push_back(k);
    double spare = 0;
    for (const std::size_t k : figures) spare += std::max(0.0, heightOf(k) - parts_[k].least);
    excess = std::max(excess, 0.0) + 8;
    if (figures.empty() || spare < excess) return false;
    for (const std::size_t k : figures) {
      const double own = std::max(0.0, heightOf(k) - parts_[k].least);
      paging_.heights[k] = heightOf(k) - excess * own / spare;
    }
    return true;
  }

  void grow(const std::vector<std::size_t>& figures, double free) {
    double left = free - 6;
    for (std::size_t n = 0; n < figures.size(); ++n) {
      const std::size_t k = figures[n];
      const double more = std::min(left / static_cast<double>(figures.size() - n),
                                   std::max(0.0, parts_[k].most - heightOf(k)));
      paging_.heights[k] = heightOf(k) + more;
      left -= more;
    }
  }

  /// A listing or a table does not end with a few lines on a page of their own.
  bool improveTail(std::size_t i) {
    const PdfPlace& place = places_[i];
    if (pageAt(place.tailTop) == pageBefore(place.bottom)) return false;
    if (paging_.tight.insert(i).second) return true;
    return paging_.tailBreaks.insert(i).second;
  }

  const std::vector<PdfPart>& parts_;
  const std::vector<PdfPlace>& places_;
  double text_, room_;
  PdfPaging& paging_;
};

}  // namespace

bool improvePaging(const std::vector<PdfPart>& parts, const std::vector<PdfPlace>& places,
                   double text, double room, PdfPaging& paging) {
  return PageFilling(parts, places, text, room, paging).improve();
}

void fillPages(const std::vector<PdfPart>& parts, const std::vector<PdfPlace>& places, double text,
               double room, PdfPaging& paging) {
  PageFilling(parts, places, text, room, paging).fill();
}

}  // namespace fusebench

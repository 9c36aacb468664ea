// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBlock>
#include <vector>

#include "ui/export/report/pdf_pages.h"

class QTextDocument;
class QTextTable;

namespace fusebench {

/// The parts of a document while it is written, and where they were laid out.
class PdfParts {
 public:
  /// The document must outlive this, and is only added to at its end.
  explicit PdfParts(QTextDocument& document) : document_(document) {}

  void clear();
  /// Begins a new part, to which everything added next belongs; the previous part ends here.
  void begin(const PdfPart& part);
  /// A block of the current part was begun.
  void started(const QTextBlock& block);
  /// The current part is a table, or continues with another one on the next page.
  void isTable(QTextTable* table) { blocks_.back().tables.push_back(table); }
  void end();
  bool endsWithTable() const { return !blocks_.back().tables.empty(); }

  std::size_t current() const { return all_.size() - 1; }
  const std::vector<PdfPart>& all() const { return all_; }
  /// The place of each part. Lays out the blocks that have no layout yet.
  std::vector<PdfPlace> places() const;

 private:
  struct Blocks {
    int first = -1, last = -1;
    std::vector<QTextTable*> tables;
  };
  struct Lines {
    double top = 0, bottom = 0;
  };
  Lines linesOf(const QTextBlock& block) const;
  Lines rowOf(QTextTable& table, int row) const;
  PdfPlace placeOf(const Blocks& blocks) const;

  QTextDocument& document_;
  std::vector<PdfPart> all_;
  std::vector<Blocks> blocks_;  ///< one a part
};

}  // namespace fusebench

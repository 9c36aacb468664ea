// SPDX-License-Identifier: GPL-3.0-or-later
// Long tables on the pages of a report.
#include <gtest/gtest.h>

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <numeric>
#include <vector>

#include "ui/export/report/report.h"

namespace fusebench {
namespace {

Report reportWithTable(int rows) {
  ReportTable block;
  block.table.header = {"place", "value"};
  block.table.numeric = {false, true};
  for (int row = 0; row < rows; ++row)
    block.table.rows.push_back({"row" + std::to_string(row) + ".", "1.5"});
  block.table.notes = {"A note that belongs to the table."};
  Report report;
  report.title = QStringLiteral("A report");
  report.sections.push_back({QStringLiteral("tables"), QStringLiteral("Tables"), {block}});
  return report;
}

/// How many rows each page has, of the pages with any, and whether the note is on the last of them.
struct Pages {
  std::vector<int> rows;
  bool noted = false;
};

Pages pagesOf(const Report& report, const QString& reader) {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("report.pdf"));
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(toPdf(report));
  file.close();
  QProcess process;
  process.start(reader, {QStringLiteral("-layout"), path, QStringLiteral("-")});
  EXPECT_TRUE(process.waitForFinished(90'000));
  Pages pages;
  for (const QString& page : QString::fromUtf8(process.readAllStandardOutput()).split(QChar(0x0C)))
    if (const auto count = page.count(QRegularExpression(QStringLiteral(R"(\brow\d+\.)")))) {
      pages.rows.push_back(static_cast<int>(count));
      pages.noted = page.contains(QLatin1String("A note that belongs"));
    }
  return pages;
}

TEST(PdfTables, NeverEndWithAFewRowsOnAPageOfTheirOwn) {
  const QString reader = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
  if (reader.isEmpty()) GTEST_SKIP() << "no pdftotext here: apt-get install poppler-utils";
  bool broken = false;
  for (int rows = 24; rows <= 70; ++rows) {
    const Pages pages = pagesOf(reportWithTable(rows), reader);
    ASSERT_FALSE(pages.rows.empty()) << rows;
    EXPECT_EQ(std::accumulate(pages.rows.begin(), pages.rows.end(), 0), rows);
    EXPECT_GE(pages.rows.back(), 6) << rows << " rows on " << pages.rows.size() << " pages";
    EXPECT_TRUE(pages.noted) << rows;
    broken = broken || pages.rows.size() > 1;
  }
  EXPECT_TRUE(broken) << "no table was longer than a page";
}

}  // namespace
}  // namespace fusebench

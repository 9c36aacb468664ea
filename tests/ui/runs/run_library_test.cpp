// SPDX-License-Identifier: GPL-3.0-or-later
// The library of runs on disk, and its view.
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <string>

#include "tests/ui/chart/map_run.h"
#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/models/runs/run_library.h"
#include "ui/models/runs/run_trash.h"
#include "ui/views/runs/runs_view.h"

namespace fusebench {
namespace {

/// Without noise, so that its result can be told beforehand.
fusebench::Run exactRun() {
  auto run = test::syntheticRun();
  for (Cell& cell : run.cells)
    for (Sample& sample : cell.samples)
      sample.nanoseconds = test::syntheticLatency(cell.key.variant, cell.key.at[0]);
  return run;
}

class Library : public testing::Test {
 protected:
  Library() { open(); }

  void open() {
    library.reset();
    library = std::make_unique<RunLibrary>(place());
    settle();
  }
  QString place() const { return folder.filePath("runs"); }
  void settle() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return !library->busy(); }, 20'000));
  }
  /// Adds a run that started in that year and returns its path.
  QString add(const std::string& title, int year = 2025) {
    auto run = exactRun();
    run.experiment.title = title;
    run.startedAt = std::to_string(year) + "-01-02T03:04:05Z";
    QSignalSpy added(library.get(), &RunLibrary::added);
    library->add(std::make_shared<fusebench::Run>(run));
    EXPECT_TRUE(QTest::qWaitFor([&] { return added.size() == 1; }, 20'000));
    settle();
    return added[0][0].toString();
  }
  QString write(const QString& name, const QByteArray& text) {
    const QString path = place() + "/" + name;
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
    return path;
  }
  QString problemOf(const QString& path) const {
    const RunRecord* record = library->record(path);
    return record ? record->problem : QStringLiteral("(not listed)");
  }
  QString resultOf(const QString& path) const {
    const RunRecord* record = library->record(path);
    return record ? record->result : QStringLiteral("(not listed)");
  }

  QTemporaryDir folder;
  std::unique_ptr<RunLibrary> library;
};

TEST_F(Library, KeepsAFinishedRunAndFindsItAgain) {
  const QString path = add("Fusion against launches");
  EXPECT_TRUE(QFileInfo(path).fileName().startsWith("fusion-against-launches-20250102T030405"));
  EXPECT_EQ(resultOf(path), "static 4.13× at 30");  // (100 + 60 * 30) / (400 + 2 * 30)
  open();
  ASSERT_EQ(library->rowCount(), 1);
  EXPECT_EQ(resultOf(path), "static 4.13× at 30");
  const QModelIndex row = library->index(0);
  EXPECT_EQ(row.data().toString(), "Fusion against launches");
  EXPECT_TRUE(row.data(RunLibrary::DetailRole).toString().endsWith("cpu · 21 data points"));
  EXPECT_EQ(row.data(RunLibrary::DateRole).toDateTime().toUTC().date(), QDate(2025, 1, 2));
  EXPECT_EQ(loadRun(path.toStdString()).cells.size(), 21u);
}

TEST_F(Library, GivesRunsOfOneMomentDifferentFiles) {
  EXPECT_NE(add("Same"), add("Same"));
  EXPECT_EQ(library->rowCount(), 2);
}

TEST_F(Library, ListsForeignAndDamagedFilesWithTheReason) {
  const QString good = add("Good");
  const QByteArray text = [&] {
    QFile file(good);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    return file.readAll();
  }();
  const QByteArray header = text.left(text.indexOf('\n') + 1);
  const QString empty = write("empty.jsonl", ""), foreign = write("photo.png", "\x89PNG"),
                garbage = write("garbage.jsonl", QByteArray(100'000, '\xff')),
                other = write("other.jsonl", "{\"fusebench\":\"trace\"}\n"),
                middle = write("middle.jsonl", header + "{\"record\":\"cell\"}\n"),
                odd = write("odd.jsonl", "{\"fusebench\":\"run\",\"experiment\":[1,2]}\n"),
                cut = write("cut.jsonl", text.left(text.size() - 40));
  write("cut.jsonl.note.json", "[nonsense");
  QDir(place()).mkdir("folder.jsonl");
  open();
  EXPECT_EQ(library->rowCount(), 8);
  EXPECT_EQ(problemOf(good), "");
  EXPECT_EQ(problemOf(empty), "The file is empty.");
  EXPECT_TRUE(problemOf(foreign).contains(".jsonl"));
  EXPECT_TRUE(problemOf(garbage).contains("not a Fusebench run"));
  EXPECT_TRUE(problemOf(other).contains("not a Fusebench run"));
  EXPECT_TRUE(problemOf(middle).startsWith("middle.jsonl:2:1:")) << problemOf(middle).toStdString();
  EXPECT_TRUE(problemOf(odd).contains("damaged"));
  EXPECT_EQ(problemOf(cut), "");  // cut off by a crash: what was there counts
  EXPECT_TRUE(resultOf(cut).endsWith("(stopped early)"));
  EXPECT_FALSE(QFile::exists(foreign + kNoteEnding));
}

TEST_F(Library, ARunThatNestsTooDeepIsSetAsideAndNamed) {
  const QString good = add("Good");
  const QByteArray deep = QByteArray(200'000, '[') + QByteArray(200'000, ']');
  QFile file(good);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  QByteArray text = file.readAll();
  const qsizetype at = text.indexOf("\"environment\":") + 14;
  text.insert(at, deep + ",\"was\":");
  const QString hostile = write("deep.jsonl", text);
  write(QFileInfo(good).fileName() + QLatin1String(kNoteEnding), "{\"run\":" + deep + "}");
  open();
  EXPECT_EQ(library->rowCount(), 2);
  EXPECT_EQ(problemOf(good), "");
  EXPECT_TRUE(problemOf(hostile).contains("not a Fusebench run"))
      << problemOf(hostile).toStdString();
}

TEST_F(Library, SaysThatAFileHasVanishedAndTakesItBackWhenItReturns) {
  const QString path = add("Here today");
  QFile::rename(path, folder.filePath("elsewhere"));
  library->refresh();
  settle();
  EXPECT_EQ(problemOf(path), "The file is gone.");
  EXPECT_EQ(library->index(0).data().toString(), "Here today");
  open();  // its note still stands for it
  EXPECT_EQ(problemOf(path), "The file is gone.");
  QFile::rename(folder.filePath("elsewhere"), path);
  library->refresh();
  settle();
  EXPECT_EQ(problemOf(path), "");
}

TEST_F(Library, LooksAgainByItselfWhenTheFolderChanges) {
  const QString path = add("One");
  QFile::copy(path, place() + "/two.jsonl");
  EXPECT_TRUE(QTest::qWaitFor([this] { return library->rowCount() == 2; }, 20'000));
}

TEST_F(Library, RemembersNamesAndNotes) {
  const QString path = add("Title");
  library->rename(path, "  Before   the change ");
  library->setNotes(path, "Line one\nline two: µs");
  open();
  EXPECT_EQ(library->index(0).data().toString(), "Before the change");
  EXPECT_EQ(library->index(0).data(RunLibrary::NotesRole).toString(), "Line one\nline two: µs");
  EXPECT_TRUE(library->setData(library->index(0), "", Qt::EditRole));
  EXPECT_EQ(library->index(0).data().toString(), "Title");
}

// The note carries what the list shows: the body of a known run is not parsed again.
TEST_F(Library, DoesNotReadKnownRunsAgainUnlessTheyChanged) {
  const QString path = add("Known");
  const QDateTime modified = QFileInfo(path).lastModified();
  const qint64 size = QFileInfo(path).size();
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::ReadWrite));
  file.seek(size / 2);
  file.write("#### damage ####");
  file.flush();  // what is written later would change the time again
  file.setFileTime(modified, QFileDevice::FileModificationTime);
  file.close();
  open();
  EXPECT_EQ(resultOf(path), "static 4.13× at 30");
  ASSERT_TRUE(file.open(QIODevice::Append));
  file.write("\n");
  file.close();
  open();
  EXPECT_NE(problemOf(path), "");
}

TEST_F(Library, DeletesIntoTheTrashAndBringsEverythingBack) {
  const QString first = add("First"), second = add("Second");
  library->setNotes(first, "keep me");
  library->remove({first});
  settle();
  EXPECT_EQ(library->undoText(), "Deleted First");
  EXPECT_FALSE(QFile::exists(first));
  EXPECT_EQ(library->rowCount(), 1);
  library->remove({second});
  settle();
  EXPECT_EQ(library->rowCount(), 0);
  library->undoRemove();
  library->undoRemove();
  settle();
  EXPECT_FALSE(library->canUndo());
  EXPECT_EQ(library->rowCount(), 2);
  ASSERT_TRUE(library->record(first));
  EXPECT_EQ(library->record(first)->notes, "keep me");
  EXPECT_EQ(problemOf(first), "");
  EXPECT_TRUE(QDir(place() + "/trash").isEmpty());
}

TEST_F(Library, BringsADeletedRunBackUnderAnotherNameIfItsOwnIsTaken) {
  const QString path = add("First");
  library->remove({path});
  settle();
  write(QFileInfo(path).fileName(), "somebody else's");
  library->undoRemove();
  settle();
  const QString back = place() + "/" + QFileInfo(path).completeBaseName() + "-2.jsonl";
  EXPECT_EQ(resultOf(back), "static 4.13× at 30");
  QFile other(path);
  ASSERT_TRUE(other.open(QIODevice::ReadOnly));
  EXPECT_EQ(other.readAll(), "somebody else's");
}

TEST_F(Library, AFileOfTheNameOfADeletedRunIsListed) {
  const QString path = add("First");
  library->remove({path});
  settle();
  write(QFileInfo(path).fileName(), "somebody else's");
  library->refresh();
  settle();
  EXPECT_TRUE(problemOf(path).contains("not a Fusebench run")) << problemOf(path).toStdString();
}

TEST_F(Library, ARowOfAVanishedFileCanBeDeletedToo) {
  const QString path = add("Ghost");
  QFile::remove(path);
  library->refresh();
  settle();
  library->remove({path});
  settle();
  EXPECT_EQ(library->rowCount(), 0);
  open();
  EXPECT_EQ(library->rowCount(), 0);
}

TEST_F(Library, EmptiesTheTrashOfWhatWasDeletedLongAgo) {
  const auto then = [](int days) {
    return QDateTime::currentDateTimeUtc().addDays(-days).toString("yyyyMMdd'T'HHmmss'Z'") + "-1-1";
  };
  for (const int days : {10, 40}) QDir().mkpath(place() + "/trash/" + then(days));
  QDir().mkpath(place() + "/trash/not-ours");
  open();
  EXPECT_EQ(QDir(place() + "/trash").entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 2);
  EXPECT_TRUE(QDir(place() + "/trash/not-ours").exists());
}

TEST_F(Library, AFolderThatCannotBeMadeIsSaidAndNothingBreaks) {
  write("file", "");
  RunLibrary impossible(place() + "/file/runs");
  QSignalSpy failed(&impossible, &RunLibrary::failed);
  impossible.add(std::make_shared<fusebench::Run>(test::syntheticRun()));
  EXPECT_TRUE(QTest::qWaitFor([&] { return failed.size() == 2 && !impossible.busy(); }, 20'000));
  EXPECT_EQ(impossible.rowCount(), 0);
}

TEST_F(Library, SortsByDateAndSearchesEveryWord) {
  add("Middle", 2024);
  const QString newest = add("Newest", 2025);
  add("Oldest", 2023);
  library->setNotes(newest, "with a wider vector");
  RunLibraryOrder order(*library);
  const auto names = [&] {
    QStringList list;
    for (int row = 0; row < order.rowCount(); ++row) list << order.index(row, 0).data().toString();
    return list.join(" ");
  };
  EXPECT_EQ(names(), "Newest Middle Oldest");
  order.setBy(RunLibraryOrder::By::oldest);
  EXPECT_EQ(names(), "Oldest Middle Newest");
  order.setBy(RunLibraryOrder::By::name);
  EXPECT_EQ(names(), "Middle Newest Oldest");
  order.setSearch("VECTOR wider");
  EXPECT_EQ(names(), "Newest");
  order.setSearch("vector oldest");
  EXPECT_EQ(names(), "");
  order.setSearch("2023 static");
  EXPECT_EQ(names(), "Oldest");
}

TEST_F(Library, KeepsTheRulesOfAModelWhileRowsComeAndGo) {
  const QAbstractItemModelTester tester(library.get(),
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  RunLibraryOrder order(*library);
  const QAbstractItemModelTester orderTester(&order,
                                             QAbstractItemModelTester::FailureReportingMode::Fatal);
  const QString path = add("One");
  add("Two");
  library->rename(path, "Three");
  library->remove({path});
  settle();
  library->undoRemove();
  settle();
  EXPECT_EQ(order.rowCount(), 2);
}

TEST_F(Library, ListsAThousandRunsWithoutReadingInTheConstructor) {
  const QString path = add("Many");
  library.reset();
  QFile note(path + kNoteEnding);
  ASSERT_TRUE(note.open(QIODevice::ReadOnly));
  const QByteArray text = note.readAll();
  for (int i = 0; i < 1000; ++i) write(QString("gone-%1.jsonl.note.json").arg(i), text);
  library = std::make_unique<RunLibrary>(place());
  EXPECT_EQ(library->rowCount(), 0);
  QSignalSpy inserted(library.get(), &QAbstractItemModel::rowsInserted);
  settle();
  EXPECT_EQ(library->rowCount(), 1001);
}

TEST_F(Library, OverlaysAreToggledAndEndWithTheirRun) {
  const QString path = add("One"), broken = write("broken.jsonl", "x");
  library->refresh();
  settle();
  QSignalSpy changed(library.get(), &RunLibrary::overlaysChanged);
  library->toggleOverlay(broken);
  EXPECT_EQ(changed.size(), 0);
  library->toggleOverlay(path);
  EXPECT_EQ(library->overlays(), QStringList{path});
  library->remove({path});
  EXPECT_TRUE(library->overlays().isEmpty());
  EXPECT_EQ(changed.size(), 2);
}

TEST(ResultLine, IsTheLargestSpeedUpAtTheEndOrTheRangeOfAMap) {
  EXPECT_EQ(resultLine(exactRun()), "static 4.13× at 30");
  const auto map =
      test::mapRun({1, 2}, {16, 1024}, [](double x, double) { return x == 2 ? 4 : 0.5; });
  EXPECT_EQ(resultLine(map), "fused 4.00× at 2, 16, least 0.500×");
  EXPECT_EQ(resultLine(test::mapRun({1, 2}, {16, 1 << 20},
                                    [](double, double elements) { return elements > 16 ? 3 : 1; })),
            "fused 3.00× at 1, 1Mi, least 1.00×");
  EXPECT_EQ(resultLine(test::syntheticHeader()), "nothing measured");
}

TEST(ResultLine, WithoutComparisonIsALatency) {
  auto run = exactRun();
  for (Cell& cell : run.cells)
    if (cell.key.variant > 0) cell.samples.clear();
  run.interrupted = true;
  EXPECT_EQ(resultLine(run), "eager 1.90" + QString(QChar(0x202F)) + "µs at 30 (stopped early)");
}

// ---- the view ----

class Runs : public Library {
 protected:
  void show() {
    view = std::make_unique<RunsView>(*library);
    view->resize(360, 640);
    view->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(view.get()));
  }
  QPushButton* button(const QString& text) {
    for (QPushButton* each : view->findChildren<QPushButton*>())
      if (each->text() == text) return each;
    ADD_FAILURE() << "no button " << text.toStdString();
    return nullptr;
  }
  ~Runs() override { view.reset(); }

  std::unique_ptr<RunsView> view;
};

TEST_F(Runs, OfAnEmptyLibraryInvite) {
  show();
  bool invited = false;
  for (const QLabel* label : view->findChildren<QLabel*>())
    invited |= label->isVisible() && label->text().contains("Run a study");
  EXPECT_TRUE(invited);
  EXPECT_FALSE(view->list().isVisible());
}

TEST_F(Runs, EnterOpensSpaceOverlaysDeleteDeletesAndUndoBringsBack) {
  const QString path = add("One", 2025);
  add("Two", 2024);
  show();
  view->select(path);
  QSignalSpy opened(view.get(), &RunsView::openRequested);
  QSignalSpy overlays(view.get(), &RunsView::overlaysChanged);
  QTest::keyClick(&view->list(), Qt::Key_Return);
  ASSERT_EQ(opened.size(), 1);
  EXPECT_EQ(opened[0][0].toString(), path);
  QTest::keyClick(&view->list(), Qt::Key_Space);
  ASSERT_EQ(overlays.size(), 1);
  EXPECT_EQ(overlays[0][0].toStringList(), QStringList{path});
  QTest::keyClick(&view->list(), Qt::Key_Delete);
  EXPECT_EQ(library->rowCount(), 1);
  EXPECT_TRUE(button("Undo")->isVisible());
  button("Undo")->click();
  settle();
  EXPECT_EQ(library->rowCount(), 2);
  EXPECT_FALSE(button("Undo")->isVisible());
}

TEST_F(Runs, AfterADeleteTheKeysStayInTheListOnTheNextRun) {
  add("One", 2025);
  const QString middle = add("Two", 2024);
  const QString last = add("Three", 2023);
  show();
  QApplication::setActiveWindow(view.get());
  view->setFocus();
  EXPECT_TRUE(view->list().hasFocus());
  view->select(middle);
  QTest::keyClick(&view->list(), Qt::Key_Delete);
  EXPECT_EQ(view->currentPath(), last);
  EXPECT_TRUE(view->list().hasFocus());
  QTest::keyClick(&view->list(), Qt::Key_Delete);
  EXPECT_FALSE(view->currentPath().isEmpty());
  EXPECT_TRUE(view->list().hasFocus());
}

TEST_F(Runs, TwoSelectedRunsAreComparedTheOlderOneFirst) {
  const QString newer = add("One", 2025), older = add("Two", 2024);
  show();
  EXPECT_FALSE(button("Compare")->isEnabled());
  view->list().selectAll();
  ASSERT_TRUE(button("Compare")->isEnabled());
  EXPECT_FALSE(button("Open")->isEnabled());
  QSignalSpy compared(view.get(), &RunsView::compareRequested);
  button("Compare")->click();
  ASSERT_EQ(compared.size(), 1);
  EXPECT_EQ(compared[0][0].toStringList(), (QStringList{older, newer}));
}

TEST_F(Runs, SeveralAreComparedAndExportedTogether) {
  const QString newer = add("One", 2025), older = add("Two", 2024), oldest = add("Three", 2023);
  show();
  EXPECT_FALSE(button("Export…")->isEnabled());
  view->list().selectAll();
  QSignalSpy compared(view.get(), &RunsView::compareRequested),
      exported(view.get(), &RunsView::exportRequested);
  button("Compare")->click();
  button("Export…")->click();
  ASSERT_EQ(compared.size(), 1);
  ASSERT_EQ(exported.size(), 1);
  EXPECT_EQ(compared[0][0].toStringList(), (QStringList{oldest, older, newer}));
  EXPECT_EQ(exported[0][0].toStringList(), compared[0][0].toStringList());
  QTest::keyPress(&view->list(), Qt::Key_Control, Qt::ControlModifier);
  view->select(newer);
  QTest::keyRelease(&view->list(), Qt::Key_Control);
  button("Export…")->click();
  EXPECT_EQ(exported.back()[0].toStringList(), QStringList{newer});
}

TEST_F(Runs, ADamagedRunCannotBeOpened) {
  const QString path = write("bad.jsonl", "nonsense");
  library->refresh();
  settle();
  show();
  view->select(path);
  QSignalSpy opened(view.get(), &RunsView::openRequested);
  QTest::keyClick(&view->list(), Qt::Key_Return);
  EXPECT_EQ(opened.size(), 0);
  EXPECT_FALSE(button("Open")->isEnabled());
  EXPECT_TRUE(button("Delete")->isEnabled());
}

TEST_F(Runs, NotesAreKeptForTheRunTheyWereTypedFor) {
  const QString first = add("One", 2025), second = add("Two", 2024);
  show();
  auto* notes = view->findChild<QPlainTextEdit*>();
  view->select(first);
  QTest::keyClicks(notes, "about one");
  view->select(second);
  EXPECT_EQ(notes->toPlainText(), "");
  QTest::keyClicks(notes, "two");
  view.reset();
  EXPECT_EQ(library->record(first)->notes, "about one");
  EXPECT_EQ(library->record(second)->notes, "two");
}

TEST_F(Runs, AllButtonsAreWholeInANarrowPanel) {
  const QString path = add("One");
  show();
  view->resize(320, 640);
  view->select(path);
  test::handleEvents();
  for (const char* text : {"Open", "Overlay", "Compare", "Rename", "Delete"}) {
    const QPushButton* each = button(text);
    EXPECT_GE(each->width(), each->sizeHint().width()) << text;
    const QRect place(each->mapTo(view.get(), QPoint()), each->size());
    EXPECT_TRUE(view->rect().contains(place)) << text;
  }
}

TEST_F(Runs, F2RenamesInPlace) {
  const QString path = add("One");
  show();
  view->select(path);
  view->list().setFocus();
  view->renameCurrent();
  auto* editor = view->list().findChild<QLineEdit*>();
  ASSERT_TRUE(editor);
  QSignalSpy opened(view.get(), &RunsView::openRequested);
  editor->setText("Renamed");
  QTest::keyClick(editor, Qt::Key_Return);
  // The editor commits when the key has been dealt with.
  EXPECT_TRUE(QTest::qWaitFor([&] { return library->record(path)->name == "Renamed"; }, 20'000));
  EXPECT_TRUE(opened.isEmpty());  // Enter ended the edit and opened nothing
}

}  // namespace
}  // namespace fusebench

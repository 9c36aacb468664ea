// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/document_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <map>
#include <random>
#include <string>

#include "profiler/files/files.h"
#include "profiler/files/resources.h"
#include "ui/models/setup/axis_form.h"
#include "ui/models/setup/documents.h"
#include "ui/models/setup/presets_model.h"
#include "ui/models/setup/settings_edits.h"

namespace fusebench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const OpRow& row(std::string_view name) {
  return *findOp(name);
}

std::vector<std::string> problemTexts(const DocumentModel& document) {
  std::vector<std::string> texts;
  for (const Problem& problem : document.problems()) texts.push_back(problem.text.toStdString());
  return texts;
}

void typeChain(DocumentModel& document, int statements) {
  std::string text = "def program(x):\n";
  for (int i = 0; i < statements; ++i) text += "    x = x + " + std::to_string(i) + "\n";
  document.setText(QStringLiteral("Type"), {}, text + "    return x.sum()");
}

TEST(Document, StartsBlankWithAChainToFill) {
  DocumentModel document;
  EXPECT_FALSE(document.modified());
  EXPECT_FALSE(document.canUndo());
  EXPECT_TRUE(document.sketch().valid());
  EXPECT_FALSE(document.runnable());  // there are no statements to count
  document.apply(QStringLiteral("Add exp"), appendOp(document.sketch(), row("exp")));
  EXPECT_TRUE(document.runnable()) << problemTexts(document).front();
  EXPECT_TRUE(document.modified());
  EXPECT_NO_THROW(parseExperiment(toJson(document.experiment()), "blank.json"));
}

TEST(Document, PastesAModuleWithInputsThatFitIt) {
  DocumentModel document;
  QSignalSpy pasted(&document, &DocumentModel::pasted);
  document.paste(QStringLiteral("Paste a program"),
                 "import torch.nn as nn\n"
                 "class Block(nn.Module):\n"
                 "    def __init__(self):\n"
                 "        super().__init__()\n"
                 "        self.norm = nn.LayerNorm(256)\n"
                 "        self.up = nn.Linear(256, 512)\n"
                 "        self.down = nn.Linear(512, 256)\n"
                 "    def forward(self, x):\n"
                 "        return x + self.down(nn.functional.gelu(self.up(self.norm(x))))\n");
  EXPECT_TRUE(document.runnable()) << problemTexts(document).front();
  const InputSpec& x = document.experiment().inputSets.front().inputs.front();
  EXPECT_EQ(x.name, "x");
  EXPECT_THAT(x.extents, ElementsAre("8", "256"));
  ASSERT_EQ(pasted.count(), 1);
  EXPECT_EQ(pasted.front().front().toStringList().join(u'|').toStdString(), "x set to (8, 256)");
  document.undo();
  EXPECT_THAT(document.experiment().inputSets.front().inputs.front().extents,
              ElementsAre("8", "16"));
}

TEST(Document, PastesAScriptWithTheInputsThatItMakes) {
  DocumentModel document;
  document.paste(QStringLiteral("Paste a program"),
                 "import torch\n"
                 "def f(x, target):\n"
                 "    if x.dim() > 2: x = x.flatten(1)\n"
                 "    return torch.nn.functional.cross_entropy(x, target)\n"
                 "print(f(torch.randn(4, 10), torch.zeros(4, dtype=torch.long)))\n");
  EXPECT_TRUE(document.runnable()) << problemTexts(document).front();
  const std::vector<InputSpec>& inputs = document.experiment().inputSets.front().inputs;
  EXPECT_THAT(inputs[0].extents, ElementsAre("4", "10"));
  EXPECT_EQ(inputs[1].dtype, "int64");
  const std::array<double, 2> places = {0, 9};
  EXPECT_EQ(inputs[1].range, places);
  EXPECT_EQ(
      parseExperiment(toJson(document.experiment()), "pasted.json").inputSets[0].inputs[1].range,
      places);
}

TEST(Document, AWrongFileIsNamedAsWhatItIsNot) {
  QTemporaryDir folder;
  const QString path = folder.filePath("notes.txt");
  const auto refusal = [&](const char* content) -> std::string {
    writeFile(path.toStdString(), content);
    try {
      openDocument(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(refusal("Dear diary"), path.toStdString() +
                                       ": not a run, trace, experiment or lesson; open a file "
                                       "written by Fusebench, torch.profiler or Nsight Systems");
  EXPECT_THAT(refusal("{\"fusebench\": 1,"), HasSubstr("notes.txt:1:17:"))
      << "a damaged file of ours is still told where it is damaged";
  EXPECT_THAT(refusal("\xEF\xBB\xBF{}"), HasSubstr("not a Fusebench file"));
}

TEST(Document, KeepsNamedStepsAndTakesThemBack) {
  DocumentModel document;
  const std::string start = toJson(document.experiment());
  document.apply(QStringLiteral("Add exp"), appendOp(document.sketch(), row("exp")));
  document.edit(QStringLiteral("Rename"), {}, [](Experiment& e) { e.title = "Other"; });
  EXPECT_EQ(document.undoName(), QStringLiteral("Rename"));
  document.undo();
  EXPECT_EQ(document.experiment().title, "New experiment");
  EXPECT_EQ(document.undoName(), QStringLiteral("Add exp"));
  EXPECT_EQ(document.redoName(), QStringLiteral("Rename"));
  document.undo();
  EXPECT_EQ(toJson(document.experiment()), start);
  EXPECT_FALSE(document.modified());
  document.redo();
  document.edit(QStringLiteral("Note"), {}, [](Experiment& e) { e.note = "noted"; });
  EXPECT_FALSE(document.canRedo());  // another way was taken
}

TEST(Document, MergesEditsInARowOfOneKey) {
  DocumentModel document;
  const auto title = [&](const char* text) {
    document.edit(QStringLiteral("Title"), QStringLiteral("title"),
                  [&](Experiment& e) { e.title = text; });
  };
  title("A");
  title("Ab");
  title("Abc");
  document.undo();
  EXPECT_EQ(document.experiment().title, "New experiment");
  document.redo();
  EXPECT_EQ(document.experiment().title, "Abc");
  title("Abcd");  // after undo and redo another row begins
  document.undo();
  EXPECT_EQ(document.experiment().title, "Abc");
  title("x");
  document.endMerge();
  title("xy");
  document.undo();
  EXPECT_EQ(document.experiment().title, "x");
}

TEST(Document, ForgetsAStepThatWasTypedAndTakenBack) {
  DocumentModel document;
  const auto title = [&](const char* text) {
    document.edit(QStringLiteral("Title"), QStringLiteral("title"),
                  [&](Experiment& e) { e.title = text; });
  };
  title("New experimentx");
  title("New experiment");
  EXPECT_FALSE(document.canUndo());
  EXPECT_FALSE(document.modified());
  document.edit(QStringLiteral("Nothing"), {}, [](Experiment&) {});
  EXPECT_FALSE(document.canUndo());
}

TEST(Document, DoesNotMergeIntoASavedState) {
  DocumentModel document;
  const auto title = [&](const char* text) {
    document.edit(QStringLiteral("Title"), QStringLiteral("title"),
                  [&](Experiment& e) { e.title = text; });
  };
  title("A");
  document.markSaved(QStringLiteral("/a.json"));
  EXPECT_FALSE(document.modified());
  title("Ab");
  EXPECT_TRUE(document.modified());
  document.undo();
  EXPECT_FALSE(document.modified());
  EXPECT_EQ(document.experiment().title, "A");
  document.undo();
  title("B");  // the saved state is out of reach now
  document.undo();
  EXPECT_TRUE(document.modified());
}

TEST(Document, GivesNewInputsATensorAndParksThoseThatGo) {
  DocumentModel document;
  document.edit(QStringLiteral("Shape"), {}, [](Experiment& e) {
    e.inputSets[0].inputs[0].extents = {"i % 3 + 1", "5"};
    duplicateInputSet(e, 0);
    e.inputSets[1].inputs[0].extents = {"7"};
  });
  const auto specs = [&](std::size_t set) {
    std::string text;
    for (const InputSpec& spec : document.experiment().inputSets[set].inputs)
      text += spec.name + "(" + spec.extents.front() + ") ";
    return text;
  };
  document.setText(QStringLiteral("t"), {},
                   "def program(x, w):\n    x = x * w\n    return x.sum()");
  EXPECT_EQ(specs(0), "x(i % 3 + 1) w(i % 3 + 1) ");
  EXPECT_EQ(specs(1), "x(7) w(7) ");
  document.edit(QStringLiteral("Shape"), {},
                [](Experiment& e) { e.inputSets[0].inputs[1].extents = {"1"}; });
  document.setText(QStringLiteral("t"), {}, "def program(x):\n    x = x * 2\n    return x.sum()");
  EXPECT_EQ(specs(0), "x(i % 3 + 1) ");
  document.setText(QStringLiteral("t"), {},
                   "def program(w, x):\n    x = x * w\n    return x.sum()");
  EXPECT_EQ(specs(0), "w(1) x(i % 3 + 1) ");
}

TEST(Document, KeepsTheTensorOfARenamedInput) {
  DocumentModel document;
  document.edit(QStringLiteral("Shape"), {},
                [](Experiment& e) { e.inputSets[0].inputs[0].extents = {"i + 1"}; });
  document.setText(QStringLiteral("t"), {}, "def program(data):\n    return data.sum()");
  ASSERT_EQ(document.experiment().inputSets[0].inputs.size(), 1u);
  EXPECT_EQ(document.experiment().inputSets[0].inputs[0].name, "data");
  EXPECT_EQ(document.experiment().inputSets[0].inputs[0].extents[0], "i + 1");
}

TEST(Document, TakesNoTensorAwayWhileTheTextIsWrong) {
  DocumentModel document;
  document.setText(QStringLiteral("t"), {}, "def program(");
  EXPECT_EQ(document.experiment().inputSets[0].inputs.size(), 1u);
  EXPECT_FALSE(document.runnable());
  EXPECT_EQ(document.experiment().program.inputs.size(), 1u);  // as in the last valid text
}

TEST(Document, LetsTheStatementsAxisFollowTheProgram) {
  DocumentModel document;
  const auto values = [&] {
    return showValues(document.experiment().axes[0].values).toStdString();
  };
  typeChain(document, 3);
  EXPECT_EQ(values(), "1, 2, 3");
  typeChain(document, 20);
  EXPECT_EQ(values(), "1, 5, 10, 15, 20");
  document.edit(QStringLiteral("Values"), {},
                [](Experiment& e) { e.axes[0].values = {1, 4, 8, 12, 16, 20}; });
  typeChain(document, 22);
  EXPECT_EQ(values(), "1, 4, 8, 12, 16, 20, 22");
  typeChain(document, 24);
  EXPECT_EQ(values(), "1, 4, 8, 12, 16, 20, 24");
  typeChain(document, 9);
  EXPECT_EQ(values(), "1, 4, 8, 9");
  document.edit(QStringLiteral("Values"), {}, [](Experiment& e) { e.axes[0].values = {1, 30}; });
  typeChain(document, 12);
  EXPECT_EQ(values(), "1, 30");  // ends where a person put it
}

TEST(Document, SaysWhichOpAShapeDoesNotFit) {
  DocumentModel document;
  document.setText(QStringLiteral("t"), {},
                   "def program(x, y):\n    x = torch.exp(x)\n    x = x + y\n    return x.sum()");
  EXPECT_TRUE(document.runnable());
  document.edit(QStringLiteral("Shape"), {}, [](Experiment& e) {
    e.inputSets[0].inputs[1].extents = {"8", "3"};
  });
  ASSERT_EQ(document.problems().size(), 1u);
  const Problem& problem = document.problems()[0];
  EXPECT_EQ(problem.where, Problem::Where::program);
  EXPECT_EQ(problem.index, 1);
  EXPECT_EQ(problem.op, 1);
  EXPECT_EQ(problem.place.line, 3);
  const auto types = document.types(0);
  ASSERT_EQ(types.size(), 5u);
  EXPECT_EQ(toString(types[2]->shape), "(8, 16)");
  EXPECT_FALSE(types[3]);
}

TEST(Document, PutsSettingsProblemsWhereTheyBelong) {
  DocumentModel document;
  typeChain(document, 3);
  document.edit(QStringLiteral("w"), {}, [](Experiment& e) {
    e.title = "";
    e.variants[1].threads = 0;
    e.baseline = "nobody";
    e.axes[0].values = {3, 2};
    e.measure.precision = 7;
    e.inputSets[0].inputs[0].fill = "sand";
  });
  std::vector<std::string> places;
  for (const Problem& problem : document.problems())
    places.push_back(std::to_string(static_cast<int>(problem.where)) + " " +
                     std::to_string(problem.index) + " " + problem.field.toStdString());
  EXPECT_THAT(places, testing::UnorderedElementsAre("5 -1 title", "2 1 threads", "2 -1 baseline",
                                                    "3 0 values/1", "4 -1 precision",
                                                    "1 0 tensors/0/fill"));
}

TEST(Document, SavesAnInvalidExperimentAndOpensItAgain) {
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("draft.json"));
  DocumentModel document;
  document.setText(QStringLiteral("t"), {},
                   "def program(x):\n    x = torch.sinn(x)\n    return x.sum()");
  document.edit(QStringLiteral("w"), {}, [](Experiment& e) { e.variants[0].threads = 0; });
  saveExperiment(document.experiment(), path.toStdString());
  EXPECT_THROW(loadExperiment(path.toStdString()), InputError);
  DocumentModel again;
  again.load(std::get<Experiment>(openDocument(path)), path);
  EXPECT_EQ(toJson(again.experiment()), toJson(document.experiment()));
  EXPECT_EQ(problemTexts(again), problemTexts(document));
  EXPECT_THAT(problemTexts(again), Contains(HasSubstr("sinn")));
  EXPECT_FALSE(again.modified());
  again.setText(QStringLiteral("t"), {},
                "def program(x):\n    x = torch.sin(x)\n    return x.sum()");
  again.edit(QStringLiteral("w"), {}, [](Experiment& e) { e.variants[0].threads = 1; });
  EXPECT_TRUE(again.runnable());
}

TEST(Document, TellsWhereOpsWentOnUndoToo) {
  DocumentModel document;
  typeChain(document, 3);
  document.apply(QStringLiteral("Remove"), removeOps(document.sketch(), std::vector<int>{1}));
  EXPECT_THAT(document.opsNow(), ElementsAre(0, -1, 1, 2));
  document.undo();
  EXPECT_THAT(document.opsNow(), ElementsAre(0, 2, 3));
  document.redo();
  EXPECT_THAT(document.opsNow(), ElementsAre(0, -1, 1, 2));
}

TEST(Document, SignalsWhatChanged) {
  DocumentModel document;
  QSignalSpy programs(&document, &DocumentModel::programChanged);
  QSignalSpy changes(&document, &DocumentModel::changed);
  QSignalSpy loads(&document, &DocumentModel::loaded);
  document.edit(QStringLiteral("t"), {}, [](Experiment& e) { e.title = "another"; });
  EXPECT_EQ(programs.count(), 0);
  EXPECT_EQ(changes.count(), 1);
  document.undo();
  EXPECT_EQ(programs.count(), 0);
  typeChain(document, 2);
  EXPECT_EQ(programs.count(), 1);
  document.load(DocumentModel::blank(), {});
  EXPECT_EQ(loads.count(), 1);
  EXPECT_FALSE(document.canUndo());
}

TEST(Document, OpensEveryShippedStudyWithoutProblems) {
  const PresetsModel presets;
  ASSERT_GE(presets.rowCount(), 2);
  for (int i = 0; i < presets.rowCount(); ++i) {
    const QModelIndex index = presets.index(i);
    const std::string file =
        "experiments/" + index.data(PresetsModel::NameRole).toString().toStdString() + ".json";
    const Experiment shipped = parseExperiment(resourceText(file), file);
    DocumentModel document;
    document.load(shipped, {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !document.reading(); }, 60'000));
    EXPECT_TRUE(document.runnable())
        << index.data().toString().toStdString() << ": "
        << (document.problems().empty() ? "" : document.problems().front().text.toStdString());
    EXPECT_EQ(toJson(document.experiment()), toJson(shipped));
    EXPECT_FALSE(index.data(PresetsModel::TitleRole).toString().isEmpty());
    EXPECT_FALSE(index.data(PresetsModel::QuestionRole).toString().isEmpty());
  }
}

/// The window lists them before its first paint.
TEST(Presets, AreListedWithoutReadingTheirPrograms) {
  const QTemporaryDir folder;
  ASSERT_TRUE(QDir(folder.path()).mkdir("experiments"));
  const auto write = [&](const char* name, const char* text) {
    QFile file(folder.filePath(QStringLiteral("experiments/%1.json").arg(QLatin1String(name))));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
  };
  write("fusion_map",
        R"({"fusebench": "experiment", "title": "Mine", "program": ["while True: 0"]})");
  write("norms_and_softmax", R"({"fusebench": "experiment", "title": [)");
  write("launch_overhead", R"({"fusebench": "run", "title": "No experiment"})");
  const QByteArray before = qgetenv("FUSEBENCH_RESOURCES");
  qputenv("FUSEBENCH_RESOURCES", folder.path().toUtf8());
  const PresetsModel presets(nullptr, {"fusion_map", "launch_overhead", "norms_and_softmax"});
  before.isEmpty() ? qunsetenv("FUSEBENCH_RESOURCES") : qputenv("FUSEBENCH_RESOURCES", before);
  ASSERT_EQ(presets.rowCount(), 1);
  EXPECT_EQ(presets.index(0).data(), "Mine");
}

TEST(Presets, AreOrderedAsACourseInShortSections) {
  const PresetsModel presets;
  QStringList sections;
  std::map<QString, int> sizes;
  for (int i = 0; i < presets.rowCount(); ++i) {
    const QString section = presets.index(i).data(PresetsModel::SectionRole).toString();
    if (!sections.contains(section)) sections << section;
    EXPECT_EQ(section, sections.last()) << "a section is in one piece";
    ++sizes[section];
  }
  EXPECT_EQ(sections.first(), "Launches and fusion");
  EXPECT_EQ(presets.index(0).data(PresetsModel::NameRole), "fusion_study");
  for (const auto& [section, size] : sizes) EXPECT_LE(size, 16) << section.toStdString();
}

/// Random edits of every kind that a person can make.
class RandomEdits {
 public:
  RandomEdits(DocumentModel& document, unsigned seed) : document_(document), random_(seed) {}

  void one() {
    const QString step = QStringLiteral("Step %1").arg(++count_);
    try {
      switch (below(14)) {
        case 0:
        case 1:
          return document_.apply(step, appendOp(sketch(), anyRow()));
        case 2:
          return document_.apply(step, removeOps(sketch(), anyOps()));
        case 3:
          return document_.apply(step, duplicateOps(sketch(), anyOps()));
        case 4:
          return document_.apply(step, insertOnEdge(sketch(), anyRow(), anyPort()));
        case 5:
          return document_.apply(step, branchFrom(sketch(), anyRow(), anyValue()));
        case 6:
          return document_.apply(step, connect(sketch(), anyValue(), anyPort()));
        case 7:
          return document_.apply(step, setNumber(sketch(), anyPort(), below(100) / 8.0));
        case 8:
          return typeSomething(step);
        case 9:
          return document_.undo();
        case 10:
          return document_.redo();
        default:
          return settings(step);
      }
    } catch (const EditRefused&) {
      ++refused;
    }
  }
  int refused = 0;

 private:
  const Sketch& sketch() const { return document_.sketch(); }
  int below(int n) { return n < 1 ? 0 : static_cast<int>(random_() % static_cast<unsigned>(n)); }
  const OpRow& anyRow() { return opRows()[static_cast<std::size_t>(below(40))]; }
  std::vector<int> anyOps() { return {below(static_cast<int>(sketch().program.ops.size()))}; }
  ValueId anyValue() { return below(sketch().program.valueCount()); }
  Port anyPort() { return {below(static_cast<int>(sketch().program.ops.size()) + 1) - 1, 0}; }

  void typeSomething(const QString& step) {
    std::string text = sketch().text;
    const auto at = static_cast<std::size_t>(below(static_cast<int>(text.size()) + 1));
    if (below(2) == 0)
      text.insert(at, 1, "x+(1)\n=. "[below(9)]);
    else if (!text.empty())
      text.erase(std::min(at, text.size() - 1), 1);
    document_.setText(step, QStringLiteral("code"), text);
  }

  void settings(const QString& step) {
    const int what = below(12), n = below(50);
    document_.edit(step, below(2) ? QStringLiteral("key %1").arg(what) : QString(),
                   [&](Experiment& e) {
                     const auto v = static_cast<std::size_t>(
                         below(static_cast<int>(std::max<std::size_t>(e.variants.size(), 1))));
                     const auto s = static_cast<std::size_t>(
                         below(static_cast<int>(std::max<std::size_t>(e.inputSets.size(), 1))));
                     if (what == 0) addVariant(e);
                     if (what == 1 && v < e.variants.size()) removeVariant(e, v);
                     if (what == 2) addInputSet(e);
                     if (what == 3 && s < e.inputSets.size()) removeInputSet(e, s);
                     if (what == 4 && v < e.variants.size())
                       renameVariant(e, v, "v" + std::to_string(n));
                     if (what == 5 && s < e.inputSets.size())
                       renameInputSet(e, s, "s" + std::to_string(n));
                     if (what == 6 && e.axes.size() < 2) addAxis(e);
                     if (what == 7) swapAxes(e);
                     if (what == 8 && !e.axes.empty())
                       renameAxis(e, 0, n % 2 ? "batch" : "statements");
                     if (what == 9) e.measure.precision = n / 100.0;
                     if (what == 10) e.note += "n";
                     if (what == 11 && s < e.inputSets.size() && !e.inputSets[s].inputs.empty())
                       e.inputSets[s].inputs[0].extents = {std::to_string(n), "i + 1"};
                   });
  }

  DocumentModel& document_;
  std::mt19937 random_;
  int count_ = 0;
};

TEST(Document, GoesBackToTheStartAndForthToTheEndAfterRandomEdits) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    DocumentModel document;
    typeChain(document, 4);
    document.load(document.experiment(), {});
    const std::string start = toJson(document.experiment());
    RandomEdits edits(document, seed);
    for (int i = 0; i < 500; ++i) edits.one();
    EXPECT_LT(edits.refused, 400);
    while (document.canRedo()) document.redo();
    const std::string end = toJson(document.experiment());
    const std::vector<std::string> problems = problemTexts(document);
    int steps = 0;
    for (; document.canUndo(); ++steps) document.undo();
    EXPECT_GT(steps, 60);
    EXPECT_EQ(toJson(document.experiment()), start);
    EXPECT_TRUE(document.runnable());
    EXPECT_FALSE(document.modified());
    while (document.canRedo()) document.redo();
    EXPECT_EQ(toJson(document.experiment()), end);
    EXPECT_EQ(problemTexts(document), problems);
    // Whatever has become of it, it can be saved and opened.
    EXPECT_EQ(toJson(parseDraft(end, "end.json")), end);
  }
}

TEST(Document, KeepsAProgramOverTextAndBack) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    Sketch chain = sketch("def program(x):\n    return x.sum()");
    const int length = 1 + static_cast<int>(random() % 12);
    for (int i = 0; i < length; ++i) {
      const auto rows = opRows();
      const OpRow& any = rows[random() % rows.size()];
      try {
        chain = sketch(appendOp(chain, any).text);
      } catch (const EditRefused&) {
      }
    }
    ASSERT_TRUE(chain.valid()) << chain.text << chain.problems.front().message;
    const std::string text = toText(chain.program);
    const Sketch again = sketch(text);
    ASSERT_TRUE(again.valid()) << text;
    EXPECT_EQ(toText(again.program), text);
    ASSERT_EQ(again.program.ops.size(), chain.program.ops.size());
    for (std::size_t i = 0; i < chain.program.ops.size(); ++i) {
      EXPECT_EQ(again.program.ops[i].row, chain.program.ops[i].row);
      EXPECT_EQ(again.program.ops[i].parameters.size(), chain.program.ops[i].parameters.size());
    }
  }
}

TEST(Settings, RenameWhatRefersToThem) {
  Experiment e = DocumentModel::blank();
  renameVariant(e, 0, "one by one");
  EXPECT_EQ(e.baseline, "one by one");
  renameInputSet(e, 0, "all");
  EXPECT_EQ(e.variants[2].inputs, "all");
  duplicateInputSet(e, 0);
  EXPECT_EQ(e.inputSets[1].name, "all 2");
  e.variants[2].inputs = "all 2";
  removeInputSet(e, 1);
  EXPECT_EQ(e.variants[2].inputs, "all");
  removeVariant(e, 0);
  EXPECT_EQ(e.baseline, "static");
  e.inputSets[0].inputs[0].extents = {"batch * 2", "batches"};
  e.axes = {{"batch", "batch", {1, 2}}};
  renameAxis(e, 0, "rows");
  EXPECT_THAT(e.inputSets[0].inputs[0].extents, ElementsAre("rows * 2", "batches"));
  EXPECT_EQ(e.axes[0].unit, "rows");
}

TEST(Settings, OfferNamesThatSomethingDependsOn) {
  Experiment e = DocumentModel::blank();
  e.programText = "def program(x, k=3):\n    x = x * k\n    return x";
  e.inputSets[0].inputs[0].extents = {"rows + i", "2"};
  EXPECT_EQ(axisNames(e).join(u' ').toStdString(),
            "statements threads ranks bucket k rows elements batch");
}

TEST(Settings, PreviewTheFirstDifferentShapes) {
  Experiment e = DocumentModel::blank();
  InputSet& set = e.inputSets[0];
  EXPECT_EQ(shapePreview(e, set, set.inputs[0]).toStdString(), "(8, 16)");
  set.inputs[0].extents = {"i % 10 + 4", "16"};
  EXPECT_EQ(shapePreview(e, set, set.inputs[0]).toStdString(), "(4, 16) (5, 16) (6, 16) (7, 16) …");
  set.inputs[0].extents = {"i % 2"};
  EXPECT_EQ(shapePreview(e, set, set.inputs[0]).toStdString(), "(0,) (1,)");
  set.inputs[0].extents = {"what"};
  EXPECT_EQ(shapePreview(e, set, set.inputs[0]).toStdString(), "");
}

TEST(AxisForms, GiveTheirValues) {
  using Kind = AxisForm::Kind;
  EXPECT_THAT(valuesOf({Kind::linear, 5, 30, 5, 1}), ElementsAre(5, 10, 15, 20, 25, 30));
  EXPECT_THAT(valuesOf({Kind::octaves, 128, 1024, 1, 1}), ElementsAre(128, 256, 512, 1024));
  EXPECT_THAT(valuesOf({Kind::octaves, 4, 8, 1, 2}), ElementsAre(4, 6, 8));
  EXPECT_THAT(valuesOf({Kind::decades, 1, 1000, 1, 1}), ElementsAre(1, 10, 100, 1000));
  EXPECT_THAT(valuesOf({Kind::decades, 1, 100, 1, 3}), ElementsAre(1, 2, 5, 10, 22, 46, 100));
  EXPECT_THAT(valuesOf({Kind::linear, 5, 4, 1, 1}), IsEmpty());
  EXPECT_THAT(valuesOf({Kind::linear, 1, 4, 0, 1}), IsEmpty());
  EXPECT_EQ(valuesOf({Kind::linear, 0, 1 << 30, 1, 1}).size(), kMostAxisValues + 1);
}

TEST(AxisForms, AreRecognized) {
  using Kind = AxisForm::Kind;
  EXPECT_EQ(formOf({1, 2, 3, 4}).kind, Kind::linear);
  EXPECT_EQ(formOf({16, 64, 256, 1024}).kind, Kind::list);  // a quarter of a point an octave
  EXPECT_EQ(formOf({16, 32, 64, 128}).kind, Kind::octaves);
  EXPECT_EQ(formOf({1, 10, 100}).kind, Kind::decades);
  EXPECT_EQ(formOf({1, 5, 10, 15}).kind, Kind::list);
  for (const auto kind : {Kind::linear, Kind::octaves, Kind::decades})
    EXPECT_FALSE(valuesOf(formLike(kind, {1, 5, 10, 15, 20, 25, 30})).empty());
}

TEST(AxisValues, AreReadAsPeopleWriteThem) {
  EXPECT_EQ(readValues(QStringLiteral("1, 5 10;15")), (std::vector<std::int64_t>{1, 5, 10, 15}));
  EXPECT_EQ(readValues(QStringLiteral("4k 1M 2^20")),
            (std::vector<std::int64_t>{4096, 1 << 20, 1 << 20}));
  EXPECT_FALSE(readValues(QStringLiteral("1, five")));
  EXPECT_FALSE(readValues(QStringLiteral("1.5")));
  EXPECT_FALSE(readWhole(QStringLiteral("9999999999999G")));
  EXPECT_EQ(showValues({1, 2, 3, 4, 5}, 4).toStdString(), "1, 2, 3, …, 5 (5 values)");
}

TEST(StatementValues, AreFewAndEndAtTheLength) {
  EXPECT_THAT(statementValues(1), ElementsAre(1));
  EXPECT_THAT(statementValues(3), ElementsAre(1, 2, 3));
  EXPECT_THAT(statementValues(20), ElementsAre(1, 5, 10, 15, 20));
  EXPECT_THAT(statementValues(30), ElementsAre(1, 5, 10, 15, 20, 25, 30));
  for (std::int64_t n = 1; n < 2000; ++n) {
    const auto values = statementValues(n);
    EXPECT_EQ(values.back(), n);
    EXPECT_LE(values.size(), 13u);
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    EXPECT_EQ(std::adjacent_find(values.begin(), values.end()), values.end()) << n;
  }
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariantAnimation>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ui/models/base/latest_task.h"
#include "ui/models/canvas/canvas_kernels.h"
#include "ui/models/setup/document_model.h"
#include "ui/theme/theme.h"

class QLabel;
class QMenu;

namespace fusebench {

class CanvasActions;
class CanvasBar;
class CanvasDrops;
class CanvasFieldEditor;
class CanvasGestures;
class CanvasKeys;
class CanvasMessage;
class CanvasOverview;
class CanvasPathBar;
class CanvasSurface;
class PaletteModel;
class PalettePopup;

/// The program as a graph that one builds by mouse and by keyboard, and the
/// kernels that a variant makes of it.
class CanvasView : public QWidget {
  Q_OBJECT

 public:
  explicit CanvasView(DocumentModel& document, QWidget* parent = nullptr);
  ~CanvasView() override;
  void setTheme(const Theme& theme);
  /// Whether hulls flow from one variant's to the next's.
  void setAnimated(bool animated) { animated_ = animated; }
  /// Shares the list of recently used ops with the palette.
  void sharePalette(PaletteModel& palette);

  int variant() const { return variant_; }
  const CanvasKernels& kernels() const { return kernels_; }
  /// Whether kernels are still being planned.
  bool planning() const { return task_.busy(); }
  bool animating() const { return animation_.state() == QAbstractAnimation::Running; }
  CanvasSurface& surface() { return *surface_; }
  CanvasActions& actions() { return *actions_; }
  CanvasBar& bar() { return *bar_; }
  CanvasPathBar& pathBar() { return *pathBar_; }
  QLabel& legend() { return *legend_; }
  CanvasFieldEditor& editor() { return *editor_; }
  CanvasMessage& message() { return *message_; }
  PalettePopup& popup() { return *popup_; }
  CanvasOverview& overview() { return *overview_; }
  QLabel& badge() { return *badge_; }
  QLabel& invitation() { return *invitation_; }
  QLabel& problems() { return *elsewhere_; }

  /// The device that the next run is measured on: it decides which ops are one launch.
  void setDevice(const std::string& device);

  /// The recorded time of a variant's statements, and the return's last; empty: unknown.
  std::function<std::vector<double>(int variant)> timesOf;
  /// Asks for the times again.
  void refreshTimes();
  /// Folds a module to one box and shows it. Shows the first op of a module without a box.
  void showModule(const QString& path);
  /// The menu of a node.
  std::unique_ptr<QMenu> menuAt(int node);

 public slots:
  /// Shows the kernels of the experiment's variant number `variant`.
  void setVariant(int variant);
  /// How many statements run at the marked place; 0: all that are written. A
  /// chain is drawn as long as the statements axis asks for.
  void setShownStatements(int n);
  /// Marks ops of the sketch that something else points at.
  void markOps(std::vector<int> ops);
  /// Appends an op, as Enter in the palette does.
  void appendOp(const fusebench::OpRow* row);

 signals:
  /// Ops of the sketch that are selected now.
  void opsSelected(std::vector<int> ops);
  /// The person chose another variant here.
  void variantChanged(int variant);
  /// The shape of this input is to be changed.
  void shapeWanted(QString input);
  /// This module is to become an experiment of its own.
  void partWanted(QString module);
  /// The kernels that took more than a moment to plan are shown.
  void planned();
  /// Escape, with nothing here to take back: the program is to be shown as it is written.
  void shownStatementsRefused();

 protected:
  bool event(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  void wire();
  void wireActions();
  void rebuild();
  void documentChanged();
  int variantDrawn(int wanted) const;
  CanvasExtent extent() const;
  std::vector<SketchProblem> problemsFound() const;
  void showKernels(bool animate);
  void showSegments();
  void showOverlays();
  void placeOverlays();
  void placeBadge();
  void styleBadge();
  KernelsRequest request(const CanvasGraph& graph) const;
  std::vector<int> captioned() const;
  std::vector<int> plan(const CanvasGraph& graph);
  void takePlanned(PlannedKernels planned);
  void tellSelection();
  bool handle(QEvent* event);
  bool toolTip(QEvent* event);
  QString layoutOf(int node) const;
  void showLayout();
  CanvasGraph makeGraph() const;
  void toggleFrame(int frame);
  void fold();
  void openMenu(QPoint viewport);
  void wireModules();
  void showPath();
  void chooseCrumb(int number);
  void search(const QString& text);
  void goToFound(bool backwards);
  void unfoldTo(int node);
  QString moduleAt(int node) const;
  std::vector<int> framesAt(int node) const;
  void showLegend();
  void editField(int node, int field);

  DocumentModel& document_;
  const Theme* theme_ = &darkTheme();
  CanvasBar* bar_;
  CanvasPathBar* pathBar_;
  CanvasSurface* surface_;
  std::unique_ptr<CanvasActions> actions_;
  std::unique_ptr<CanvasGestures> gestures_;
  std::unique_ptr<CanvasKeys> keys_;
  std::unique_ptr<CanvasDrops> drops_;
  CanvasFieldEditor* editor_;
  CanvasMessage* message_;
  PalettePopup* popup_;
  CanvasOverview* overview_;
  QLabel *badge_, *invitation_, *elsewhere_, *legend_;
  QVariantAnimation animation_;
  CanvasKernels kernels_;
  PlannedKernels planned_;  ///< empty while they are being planned
  std::vector<std::optional<ValueType>> types_;
  CanvasOrigins origins_;
  std::vector<double> times_;  ///< the shown variant's; see timesOf
  std::set<QString> folded_;   ///< keys of frames
  std::vector<int> found_;     ///< nodes that answer the search
  int foundAt_ = -1;           ///< which of them is shown
  std::vector<int> told_;      ///< ops that opsSelected told of last
  std::string device_ = "cpu";
  int variant_ = 0, shown_ = 0;
  bool animated_ = true, docked_ = false, far_ = false, textChanged_ = false, fresh_ = true,
       placed_ = false;
  LatestTask task_{this};
};

}  // namespace fusebench

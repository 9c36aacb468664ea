// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setup/inspector_variants.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <vector>

#include "engine/base/saying.h"
#include "engine/plan/quantize.h"
#include "profiler/experiment/experiment_rules.h"
#include "profiler/experiment/gradient_options.h"
#include "profiler/experiment/variant_executors.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/chart/curves.h"
#include "ui/models/setup/axis_form.h"
#include "ui/models/setup/settings_edits.h"

namespace fusebench {
namespace {

/// Other pages of memory than those that are used without asking.
QString pagesInWords(Pages pages) {
  if (!isFresh(pages)) return uiText("huge pages");
  return isHuge(pages) ? uiText("newly mapped huge pages") : uiText("fresh pages");
}

QString asText(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

std::vector<ChoiceField::Choice> executorChoices() {
  std::vector<ChoiceField::Choice> choices;
  for (const ExecutorInfo& executor : variantExecutors())
    choices.push_back({asText(executor.name), asText(said(executor.doc)), {}, {}});
  return choices;
}

template <typename Items>
std::vector<ChoiceField::Choice> nameChoices(const Items& items) {
  std::vector<ChoiceField::Choice> choices;
  for (const auto& item : items) choices.push_back({QString::fromStdString(item.name), {}, {}, {}});
  return choices;
}

std::vector<ChoiceField::Choice> programChoices(const std::vector<std::string_view>& names) {
  std::vector<ChoiceField::Choice> choices;
  for (const std::string_view name : names) choices.push_back({asText(name), {}, {}, {}});
  return choices;
}

/// Prefix of a variant's `checkpoint` that sets a budget; the size follows.
constexpr std::string_view kBudget = "budget ";
constexpr const char* kFirstBudget = "budget 64 MB";

std::string asBudget(const QString& size) {
  return std::string(kBudget) + size.simplified().toStdString();
}

}  // namespace

VariantCard::VariantCard(DocumentModel& document, int index, QWidget* parent)
    : InspectorCard(parent), document_(document), index_(index), fields_(body()) {
  const auto key = [](const char* name) { return QString::fromLatin1(name); };
  name_ = fields_.add(new LineField(uiText("Name"), key("name"), this));
  executor_ = fields_.add(new ChoiceField(uiText("Executor"), key("executor"), this));
  program_ = fields_.add(new ChoiceField(uiText("Program"), key("program"), this));
  inputs_ = fields_.add(new ChoiceField(uiText("Inputs"), key("inputs"), this));
  dtype_ = fields_.add(new ChoiceField(uiText("Floats"), key("dtype"), this));
  gradients_ = fields_.add(new ChoiceField(uiText("Gradients"), key("gradients"), this));
  checkpoint_ = fields_.add(new ChoiceField(uiText("Checkpoints"), key("checkpoint"), this));
  checkpointBudget_ = fields_.add(new LineField(uiText("Budget"), key("checkpointBudget"), this));
  checkpointBudget_->setCheck([](const QString& text) {
    return checkpointBudgetOf(asBudget(text))
               ? QString()
               : uiText("this must be a size such as 64 MB or 2 GiB");
  });
  checkpointBudget_->line().setToolTip(
      uiText("Memory limit of a call, inputs included: a number with KB, KiB, MB, MiB, GB or GiB"));
  autocast_ = fields_.add(new ChoiceField(uiText("Autocast"), key("autocast"), this));
  lossScale_ = fields_.add(wholeField(uiText("Loss scale"), key("lossScale"), this));
  lossScale_->line().setToolTip(uiText(
      "The result is multiplied by this before its gradients are computed, and they are divided "
      "by it afterwards: float16 turns small gradients into 0"));
  quantize_ = fields_.add(new ChoiceField(uiText("Layers"), key("quantise"), this));
  calibration_ = fields_.add(new ChoiceField(uiText("Ranges"), key("calibration"), this));
  series_ = fields_.add(new ChoiceField(uiText("Color"), key("series"), this));
  threads_ = fields_.add(wholeField(uiText("Threads"), key("threads"), this));
  ranks_ = fields_.add(wholeField(uiText("Ranks"), key("ranks"), this));
  ranks_->line().setToolTip(
      uiText("Processes that run it together, started with mpirun: each on its part of the batch, "
             "gradients averaged over them"));
  weak_ = fields_.add(new CheckField(uiText("Scaling"), key("scaling"),
                                     uiText("a whole batch for each rank"), this));
  weak_->box().setToolTip(
      uiText("Weak scaling: each rank has a whole batch. Otherwise, all ranks share one batch."));
  buckets_ = fields_.add(new ChoiceField(uiText("Buckets"), key("buckets"), this));
  overlap_ = fields_.add(
      new CheckField(uiText("Overlap"), key("overlap"), uiText("during computation"), this));
  overlap_->box().setToolTip(
      uiText("Gradients are exchanged, and tensors are copied to the device, during computation"));
  graphBreaks_ = fields_.add(new CheckField(uiText("Graph breaks"), key("graphBreaks"),
                                            uiText("split the program"), this));
  graphBreaks_->box().setToolTip(
      uiText("At an if on a tensor's values the host waits for the condition; each branch is "
             "compiled separately"));
  pages_ = fields_.add(new ChoiceField(uiText("Memory pages"), key("pages"), this));
  from_ = fields_.add(new ChoiceField(uiText("Inputs from"), key("from"), this));
  batches_ = fields_.add(new ChoiceField(uiText("Batches"), key("batches"), this));
  prefetch_ = fields_.add(wholeField(uiText("Prefetch"), key("prefetch"), this));
  prefetch_->line().setToolTip(
      uiText("Number of batches to copy ahead, during the launches; 0: copy each batch when it is "
             "needed"));
  workers_ = fields_.add(wholeField(uiText("Workers"), key("workers"), this));
  workers_->line().setToolTip(
      uiText("Number of threads that prepare batches ahead; 0: use the calling thread"));
  results_ = fields_.add(
      new CheckField(uiText("Results"), key("results"), uiText("copied back at each call"), this));
  recompileLimit_ = fields_.add(wholeField(uiText("Recompile limit"), key("recompileLimit"), this));
  contract_ = fields_.add(
      new CheckField(uiText("Contract"), key("contract"), uiText("a·b + c in one step"), this));
  contract_->box().setToolTip(uiText(
      "Fused kernels may multiply and add in one instruction: faster, but the last bits differ"));
  fastMath_ =
      fields_.add(new CheckField(uiText("Fast math"), key("fastMath"), uiText("on a GPU"), this));
  fastMath_->box().setToolTip(
      uiText("Fused kernels may use the GPU's approximate functions and division: faster but less "
             "accurate, as the relative error shows. Has no effect on the CPU."));
  tune_ = fields_.add(
      new CheckField(uiText("Tune"), key("tune"), uiText("search for the fastest"), this));
  tune_->box().setToolTip(
      uiText("At the first use of each shape and layout, every algorithm that the library has for "
             "a matmul or a convolution is timed, and the fastest is kept. The first call is "
             "slower, later calls may be faster. Otherwise the library chooses by a heuristic."));
  recompileLimit_->line().setToolTip(
      uiText("Maximum number of compiled versions; beyond it, calls run in eager"));
  menu_ = menuButton(uiText("Variant %1: duplicate, move, remove").arg(index + 1));
  fillMenu();
  makeFoldable(uiText("Details of variant %1").arg(index + 1));
  tick_ = addTick(uiText("Measure variant %1; a click removes it").arg(index + 1));
  tick_->setChecked(true);
  connect(tick_, &QCheckBox::clicked, this, [this] {
    tick_->setChecked(true);  // it goes with the variant, or stays
    if (document_.experiment().variants.size() > 1)
      document_.edit(uiText("Remove variant"), {},
                     [this](Experiment& e) { removeVariant(e, static_cast<std::size_t>(index_)); });
  });

  connect(name_, &LineField::edited, this, [this](const QString& text) {
    document_.edit(uiText("Rename variant"), QStringLiteral("variants/%1/name").arg(index_),
                   [&](Experiment& e) {
                     renameVariant(e, static_cast<std::size_t>(index_), text.toStdString());
                   });
  });
  connect(executor_, &ChoiceField::chosen, this, [this](const QString& value) {
    document_.edit(uiText("Change executor"), {}, [&](Experiment& e) {
      changeExecutor(e, static_cast<std::size_t>(index_), value.toStdString());
    });
  });
  connect(program_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change a variant's program"), {},
         [&](Variant& v) { v.program = value.toStdString(); });
  });
  connect(inputs_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change a variant's inputs"), {},
         [&](Variant& v) { v.inputs = value.toStdString(); });
  });
  connect(dtype_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change a variant's type"), {}, [&](Variant& v) { v.dtype = value.toStdString(); });
  });
  connect(gradients_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change a variant's gradients"), {}, [&](Variant& v) {
      v.gradients = value.toStdString();
      if (v.gradients != "all") v.checkpoint.clear();
      if (v.gradients != "all") v.lossScale = 1;
    });
  });
  connect(quantize_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change the dtype of a variant's layers"), {}, [&](Variant& v) {
      v.quantize = value.toStdString();
      if (v.quantize != "static int8") v.calibration.clear();
    });
  });
  connect(calibration_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change a variant's calibration"), {},
         [&](Variant& v) { v.calibration = value.toStdString(); });
  });
  connectCheckpoints();
  connect(autocast_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change a variant's autocast"), {},
         [&](Variant& v) { v.autocast = value.toStdString(); });
  });
  connect(lossScale_, &LineField::edited, this, [this](const QString& text) {
    edit(uiText("Change a variant's loss scale"), QStringLiteral("lossScale"),
         [&](Variant& v) { v.lossScale = static_cast<int>(*readWhole(text)); });
  });
  connect(series_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change color"), {}, [&](Variant& v) { v.series = value.toInt(); });
  });
  connect(threads_, &LineField::edited, this, [this](const QString& text) {
    edit(uiText("Change threads"), QStringLiteral("threads"),
         [&](Variant& v) { v.threads = static_cast<int>(*readWhole(text)); });
  });
  connect(ranks_, &LineField::edited, this, [this](const QString& text) {
    edit(uiText("Change ranks"), QStringLiteral("ranks"),
         [&](Variant& v) { v.ranks = static_cast<int>(*readWhole(text)); });
  });
  connect(weak_, &CheckField::toggled, this, [this](bool on) {
    edit(uiText("Change scaling"), {}, [&](Variant& v) { v.weak = on; });
  });
  connect(buckets_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change buckets"), {}, [&](Variant& v) { v.buckets = value.toStdString(); });
  });
  connect(overlap_, &CheckField::toggled, this, [this](bool on) {
    edit(uiText("Change overlap"), {}, [&](Variant& v) { v.options.overlap = on; });
  });
  connect(graphBreaks_, &CheckField::toggled, this, [this](bool on) {
    edit(uiText("Change graph breaks"), {}, [&](Variant& v) { v.options.graphBreaks = on; });
  });
  connect(pages_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change memory pages"), {}, [&](Variant& v) {
      const auto known = std::ranges::find(kPagesNames, value.toStdString());
      if (known != kPagesNames.end())
        v.options.pages = static_cast<Pages>(known - kPagesNames.begin());
    });
  });
  connectDelivery();
  connect(recompileLimit_, &LineField::edited, this, [this](const QString& text) {
    edit(uiText("Change recompile limit"), QStringLiteral("recompileLimit"),
         [&](Variant& v) { v.options.recompileLimit = static_cast<int>(*readWhole(text)); });
  });
  connect(contract_, &CheckField::toggled, this, [this](bool on) {
    edit(on ? uiText("Allow contraction") : uiText("Forbid contraction"), {},
         [&](Variant& v) { v.options.contract = on; });
  });
  connect(fastMath_, &CheckField::toggled, this, [this](bool on) {
    edit(on ? uiText("Allow fast math") : uiText("Forbid fast math"), {},
         [&](Variant& v) { v.options.fastMath = on; });
  });
  connect(tune_, &CheckField::toggled, this, [this](bool on) {
    edit(on ? uiText("Search for the fastest algorithms")
            : uiText("Let libraries choose algorithms"),
         {}, [&](Variant& v) { v.options.search = on; });
  });
}

const Variant& VariantCard::variant() const {
  return document_.experiment().variants[static_cast<std::size_t>(index_)];
}

/// Shows the settings for ranks; those that only several ranks need are hidden if there is one.
void VariantCard::showRanks() {
  const Variant& now = variant();
  const bool swept = std::ranges::any_of(document_.experiment().axes,
                                         [](const Axis& axis) { return axis.name == "ranks"; });
  const bool several = swept || now.ranks > 1;
  ranks_->show(QString::number(now.ranks));
  weak_->setVisible(several);
  weak_->show(now.weak);
  const bool reduces = several && now.gradients == "all";
  buckets_->setVisible(reduces);
  std::vector<ChoiceField::Choice> choices = {
      {QStringLiteral("end"),
       uiText("All at once, after all gradients are computed"),
       {},
       uiText("at the end")},
      {QStringLiteral("each"),
       uiText("Each as soon as it is computed"),
       {},
       uiText("each by itself")}};
  for (const int kib : {64, 256, 1024, 25600})
    choices.push_back({QStringLiteral("%1 KiB").arg(kib), {}, {}, {}});
  const QString own = QString::fromStdString(now.buckets);
  if (std::ranges::none_of(choices, [&](const auto& each) { return each.value == own; }))
    choices.push_back({own, {}, {}, {}});
  buckets_->show(choices, own);
  const auto& ops = document_.experiment().programOf(now).ops;
  overlap_->setVisible(reduces || std::ranges::any_of(ops, [](const Op& op) {
                         return op.row && op.row->kind == OpKind::copy;
                       }));
  overlap_->show(now.options.overlap);
  graphBreaks_->setVisible(now.options.graphBreaks ||
                           !document_.experiment().programOf(now).branches.empty());
  graphBreaks_->show(now.options.graphBreaks);
}

void VariantCard::connectCheckpoints() {
  connect(checkpoint_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change a variant's checkpoints"), {}, [&](Variant& v) {
      if (value != QLatin1String("budget"))
        v.checkpoint = value.toStdString();
      else if (!checkpointBudgetOf(v.checkpoint))
        v.checkpoint = kFirstBudget;
    });
  });
  connect(checkpointBudget_, &LineField::edited, this, [this](const QString& text) {
    edit(uiText("Change a variant's budget"), QStringLiteral("checkpointBudget"),
         [&](Variant& v) { v.checkpoint = asBudget(text); });
  });
}

/// Shows which saved activations are recomputed instead; hidden without gradients.
void VariantCard::showCheckpoints() {
  const Variant& now = variant();
  const QString own = QString::fromStdString(now.checkpoint);
  const bool budget = checkpointBudgetOf(now.checkpoint).has_value();
  const bool compiler = runsInTorch(now.executor) && now.executor != kTorchEager;
  checkpoint_->setVisible(now.gradients == "all");
  checkpointBudget_->setVisible(now.gradients == "all" && budget);
  checkpointBudget_->show(budget ? own.mid(static_cast<qsizetype>(kBudget.size())) : QString());
  std::vector<ChoiceField::Choice> choices = {
      {{}, uiText("as the program says"), {}, uiText("As written")},
      {QStringLiteral("none"), uiText("all activations are saved"), {}, {}},
      {QStringLiteral("sqrt"),
       uiText("√n segments of √n statements; each is recomputed for the gradients"),
       {},
       {}}};
  for (const char* every : {"every 1", "every 2", "every 5", "every 10"})
    choices.push_back({QString::fromLatin1(every),
                       uiText("statements per segment, which is recomputed for the gradients"),
                       {},
                       {}});
  choices.push_back({QStringLiteral("budget"),
                     compiler ? uiText("by torch.compile's activation_memory_budget: as many "
                                       "activations are saved as the budget allows")
                              : uiText("recomputes as little as possible within this budget"),
                     {},
                     uiText("Within a budget")});
  if (!budget && std::ranges::none_of(choices, [&](const auto& each) { return each.value == own; }))
    choices.push_back({own, {}, {}, {}});
  checkpoint_->show(choices, budget ? QStringLiteral("budget") : own);
}

void VariantCard::connectDelivery() {
  connect(from_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change the source of inputs"), {}, [&](Variant& v) {
      Delivery& delivery = v.options.delivery;
      const auto known = std::ranges::find(kDeliveryNames, value.toStdString());
      if (known == kDeliveryNames.end()) return;
      delivery.from = static_cast<Delivery::From>(known - kDeliveryNames.begin());
      // Inputs that are on the device are not fetched.
      if (delivery.from != Delivery::From::device) return;
      delivery.gathers = false;
      delivery.prefetch = delivery.workers = 0;
    });
  });
  connect(batches_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change batches"), {}, [&](Variant& v) {
      v.options.delivery.gathers = value == QLatin1String("gather");
      if (!v.options.delivery.gathers) v.options.delivery.workers = 0;
    });
  });
  connect(prefetch_, &LineField::edited, this, [this](const QString& text) {
    edit(uiText("Change prefetch"), QStringLiteral("prefetch"), [&](Variant& v) {
      v.options.delivery.prefetch = static_cast<int>(*readWhole(text));
      if (v.options.delivery.prefetch == 0) v.options.delivery.workers = 0;
    });
  });
  connect(workers_, &LineField::edited, this, [this](const QString& text) {
    edit(uiText("Change workers"), QStringLiteral("workers"),
         [&](Variant& v) { v.options.delivery.workers = static_cast<int>(*readWhole(text)); });
  });
  connect(results_, &CheckField::toggled, this, [this](bool on) {
    edit(uiText("Change results"), {}, [&](Variant& v) { v.options.delivery.results = on; });
  });
}

/// Only the CPU's memory has pages to choose, and a recording keeps those that it has.
void VariantCard::showPages(bool onGpu) {
  const Pages now = variant().options.pages;
  const ExecutorInfo* const executor = findExecutor(variant().executor);
  pages_->setVisible(now != Pages::kept || (!onGpu && executor));
  std::vector<ChoiceField::Choice> choices = {{QStringLiteral("kept"),
                                               uiText("memory is reused from call to call"),
                                               {},
                                               uiText("used again")},
                                              {QStringLiteral("huge"),
                                               uiText("reused, in 2 MiB pages where one fits"),
                                               {},
                                               uiText("reused, huge pages")}};
  if (isFresh(now) || !executor || !executor->captures) {
    choices.push_back(
        {QStringLiteral("fresh"),
         uiText("newly mapped by the system at each call, and touched for the first time"),
         {},
         uiText("fresh")});
    choices.push_back({QStringLiteral("fresh huge"),
                       uiText("newly mapped at each call, in 2 MiB pages where one fits"),
                       {},
                       uiText("fresh, huge")});
  }
  pages_->show(choices, QString::fromUtf8(kPagesNames[static_cast<std::size_t>(now)].data()));
}

/// Shows how batches reach the device. For inputs already on it, only `results` can be chosen.
void VariantCard::showDelivery() {
  const Delivery& now = variant().options.delivery;
  const bool ours = !runsInTorch(variant().executor);
  from_->setVisible(ours);
  from_->show({{QStringLiteral("device"),
                uiText("they are already on the device"),
                {},
                uiText("the device")},
               {QStringLiteral("pageable"),
                uiText("copied at each call from pageable memory"),
                {},
                uiText("host memory")},
               {QStringLiteral("pinned"),
                uiText("copied at each call from pinned memory"),
                {},
                uiText("pinned memory")}},
              QString::fromUtf8(kDeliveryNames[static_cast<std::size_t>(now.from)].data()));
  const bool fetched = ours && now.from != Delivery::From::device;
  batches_->setVisible(fetched);
  batches_->show(
      {{QStringLiteral("slice"), uiText("a batch is a part of the data set"), {}, uiText("slices")},
       {QStringLiteral("gather"),
        uiText("rows are shuffled, and the host gathers them"),
        {},
        uiText("gathered rows")}},
      now.gathers ? QStringLiteral("gather") : QStringLiteral("slice"));
  prefetch_->setVisible(fetched);
  prefetch_->show(QString::number(now.prefetch));
  workers_->setVisible(fetched && now.gathers && now.prefetch > 0);
  workers_->show(QString::number(now.workers));
  results_->setVisible(ours);
  results_->show(now.results);
}

void VariantCard::edit(const QString& name, const QString& field,
                       const std::function<void(Variant&)>& change) {
  const QString key =
      field.isEmpty() ? QString() : QStringLiteral("variants/%1/%2").arg(index_).arg(field);
  document_.edit(name, key,
                 [&](Experiment& e) { change(e.variants[static_cast<std::size_t>(index_)]); });
}

void VariantCard::fillMenu() {
  const auto add = [this](const QString& text, const QString& step,
                          const std::function<void(Experiment&, std::size_t)>& change) {
    return menu_->menu()->addAction(text, this, [this, step, change] {
      document_.edit(step, {}, [&](Experiment& e) { change(e, static_cast<std::size_t>(index_)); });
    });
  };
  add(uiText("Duplicate"), uiText("Duplicate variant"), duplicateVariant);
  add(uiText("Make baseline"), uiText("Change baseline"),
      [](Experiment& e, std::size_t i) { e.baseline = e.variants[i].name; });
  add(uiText("Move up"), uiText("Move variant"), [](Experiment& e, std::size_t i) {
    if (i > 0) moveVariant(e, i, i - 1);
  });
  add(uiText("Move down"), uiText("Move variant"), [](Experiment& e, std::size_t i) {
    if (i + 1 < e.variants.size()) moveVariant(e, i, i + 1);
  });
  menu_->menu()->addSeparator();
  add(uiText("Remove"), uiText("Remove variant"), removeVariant);
}

void VariantCard::show(const Theme& theme, bool onGpu) {
  const Variant& now = variant();
  setTitle(QString::fromStdString(now.name),
           seriesIcon(theme, seriesOf(document_.experiment(), index_)));
  // Details that distinguish the variant from similar ones while its card is folded.
  QStringList details;
  const Experiment& whole = document_.experiment();
  if (now.name != now.executor) details << QString::fromStdString(now.executor);
  if (whole.inputSets.size() > 1) details << QString::fromStdString(now.inputs);
  if (!now.dtype.empty()) details << QString::fromStdString(now.dtype);
  if (now.threads != 1) details << uiText("%1 threads").arg(now.threads);
  if (now.ranks != 1) details << uiText("%1 ranks").arg(now.ranks);
  if (now.options.pages != Pages::kept) details << pagesInWords(now.options.pages);
  if (now.name == whole.baseline) details << uiText("baseline");
  setDetails(details.join(QStringLiteral(" · ")));
  tick_->setEnabled(whole.variants.size() > 1);
  name_->show(QString::fromStdString(now.name));
  executor_->show(executorChoices(), QString::fromStdString(now.executor));
  const std::vector<std::string_view> programs = document_.experiment().programNames();
  program_->setVisible(!programs.empty());
  program_->show(programChoices(programs),
                 now.program.empty() ? QString::fromStdString(document_.experiment().programName)
                                     : QString::fromStdString(now.program));
  inputs_->show(nameChoices(document_.experiment().inputSets), QString::fromStdString(now.inputs));
  std::vector<ChoiceField::Choice> types = {
      {{}, uiText("the inputs' own types"), {}, uiText("As in the inputs")}};
  for (const std::string_view name : rules::kFloatDTypes)
    types.push_back(
        {asText(name), uiText("inputs that are floats become %1").arg(asText(name)), {}, {}});
  dtype_->show(types, QString::fromStdString(now.dtype));
  gradients_->show({{{},
                     uiText("nothing is saved for gradients, as inside torch.no_grad()"),
                     {},
                     uiText("None")},
                    {QStringLiteral("tape"),
                     uiText("tensors that gradients would need are saved, as in training"),
                     {},
                     uiText("Tape only")},
                    {QStringLiteral("all"),
                     uiText("gradients of the first result are computed and returned, too"),
                     {},
                     uiText("Computed")}},
                   QString::fromStdString(now.gradients));
  showCheckpoints();
  lossScale_->setVisible(now.gradients == "all");
  lossScale_->show(QString::number(now.lossScale));
  std::vector<ChoiceField::Choice> lowered = {
      {{}, uiText("as the program says"), {}, uiText("None")}};
  for (const char* type : {"bfloat16", "float16"})
    lowered.push_back({QString::fromLatin1(type),
                       uiText("matmuls in %1, by PyTorch's list for the CPU").arg(type),
                       {},
                       {}});
  for (const char* type : {"cuda bfloat16", "cuda float16"})
    lowered.push_back({QString::fromLatin1(type), uiText("by PyTorch's list for CUDA"), {}, {}});
  autocast_->show(lowered, QString::fromStdString(now.autocast));
  showRanks();
  showDelivery();
  std::vector<ChoiceField::Choice> layers = {
      {{}, uiText("in the inputs' own types"), {}, uiText("Unchanged")}};
  for (const QuantizingName& each : quantizingNames())
    layers.push_back({asText(each.name), {}, {}, {}});
  quantize_->show(layers, QString::fromStdString(now.quantize));
  calibration_->setVisible(now.quantize == "static int8");
  calibration_->show(
      {{{}, uiText("from the smallest to the largest"), {}, uiText("Min-max")},
       {QStringLiteral("histogram"),
        uiText("that lose the least accuracy"),
        {},
        uiText("Histogram")}},
      now.calibration == "min-max" ? QString() : QString::fromStdString(now.calibration));
  std::vector<ChoiceField::Choice> colors = {
      {QStringLiteral("0"), {}, seriesIcon(theme, index_), uiText("By position")}};
  for (int s = 1; s <= static_cast<int>(rules::kSeries.high); ++s)
    colors.push_back(
        {QString::number(s), {}, seriesIcon(theme, s - 1), uiText("Series %1").arg(s)});
  series_->show(colors, QString::number(now.series));
  threads_->show(QString::number(now.threads));
  // A file that does not state the threads means one, which needs no explanation.
  threads_->setVisible(!onGpu || now.threads != 1);
  threads_->setNote(onGpu ? uiText("CPU threads; a GPU ignores it") : QString());
  recompileLimit_->show(QString::number(now.options.recompileLimit));
  contract_->show(now.options.contract);
  fastMath_->show(now.options.fastMath);
  showPages(onGpu);
  tune_->show(now.options.search);
  showProblems(fields_.show(document_.problems(), Problem::Where::variants, index_));
  for (const Problem& problem : document_.problems())
    if (problem.where == Problem::Where::variants && problem.index == index_) setOpen(true);
}

ExecutorRow::ExecutorRow(DocumentModel& document, const ExecutorInfo& executor, QWidget* parent)
    : QWidget(parent), executor_(executor.name), tick_(new QCheckBox(asText(executor.name), this)) {
  auto* about = new QLabel(asText(said(executor.doc)), this);
  about->setWordWrap(true);
  about->setTextFormat(Qt::PlainText);
  about->setObjectName(QStringLiteral("muted"));
  about->setFont(textFont(0.92));
  tick_->setToolTip(asText(said(executor.doc)));
  tick_->setAccessibleName(uiText("Measure with %1, too").arg(asText(executor.name)));
  // The description is under the name, because a sentence does not fit next to it.
  constexpr int kBesideTick = 24;
  about->setContentsMargins(kBesideTick, 0, 0, 0);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(11, 0, 6, 4);
  layout->setSpacing(1);
  layout->addWidget(tick_);
  layout->addWidget(about);
  connect(tick_, &QCheckBox::clicked, this, [this, &document] {
    tick_->setChecked(false);  // a card of its own stands for it then
    document.edit(uiText("Add variant"), {}, [this](Experiment& e) { addVariantOf(e, executor_); });
  });
}

InspectorVariants::InspectorVariants(DocumentModel& document, QWidget* parent)
    : InspectorSection(uiText("Variants"), Problem::Where::variants, document, parent),
      fields_(body()),
      list_(new QVBoxLayout) {
  shown_ = fields_.add(new ChoiceField(uiText("Program shown"), QStringLiteral("shown"), this));
  connect(shown_, &ChoiceField::chosen, this,
          [this](const QString& value) { document_.chooseProgram(value.toStdString()); });
  baseline_ = fields_.add(new ChoiceField(uiText("Baseline"), QStringLiteral("baseline"), this));
  list_->setSpacing(6);
  body()->addLayout(list_);
  for (const ExecutorInfo& executor : variantExecutors()) {
    if (rows_.size() > 0 && !runsInTorch(rows_.back()->executor()) && runsInTorch(executor.name)) {
      auto* head = new QHBoxLayout;
      head->setContentsMargins(11, 2, 0, 0);
      auto* title = new QLabel(uiText("Run by PyTorch"), this);
      title->setObjectName(QStringLiteral("muted"));
      head->addWidget(title, 1);
      auto* python = new QToolButton(this);
      python->setObjectName(QStringLiteral("small"));
      python->setText(uiText("Python…"));
      python->setToolTip(uiText("Which Python has PyTorch, and what is installed there"));
      python->setAccessibleName(uiText("Choose the Python for PyTorch"));
      connect(python, &QToolButton::clicked, this, &InspectorVariants::pythonWanted);
      head->addWidget(python);
      body()->addLayout(head);
    }
    rows_.push_back(new ExecutorRow(document, executor, this));
    body()->addWidget(rows_.back());
  }
  connect(baseline_, &ChoiceField::chosen, this, [this](const QString& value) {
    document_.edit(uiText("Change baseline"), {},
                   [&](Experiment& e) { e.baseline = value.toStdString(); });
  });
  QToolButton* add = addAction(uiText("+ Add"), uiText("Add a variant like the last one"));
  connect(add, &QToolButton::clicked, this,
          [this] { document_.edit(uiText("Add variant"), {}, addVariant); });
}

std::string InspectorVariants::focusedRow() const {
  for (const ExecutorRow* row : rows_)
    if (row->tick().hasFocus()) return row->executor();
  return {};
}

void InspectorVariants::showSettings() {
  const std::size_t count = experiment().variants.size();
  const std::string ticked = focusedRow();
  while (cards_.size() > count) {
    cards_.back()->hide();
    cards_.back()->deleteLater();
    cards_.pop_back();
  }
  while (cards_.size() < count) {
    cards_.push_back(new VariantCard(document_, static_cast<int>(cards_.size()), this));
    list_->addWidget(cards_.back());
  }
  const std::vector<std::string_view> programs = experiment().programNames();
  shown_->setVisible(!programs.empty());
  shown_->show(programChoices(programs), QString::fromStdString(experiment().programName));
  baseline_->show(nameChoices(experiment().variants),
                  QString::fromStdString(experiment().baseline));
  showOwnProblems(fields_.show(document_.problems(), Problem::Where::variants, -1));
  for (VariantCard* card : cards_) card->show(*theme_, onGpu());
  // A hidden widget passes the keyboard to the first field, and the form would scroll there. So the
  // card that replaces a row takes over its focus.
  for (std::size_t i = 0; i < count && !ticked.empty(); ++i)
    if (experiment().variants[i].executor == ticked) cards_[i]->tick().setFocus();
  for (ExecutorRow* row : rows_)
    row->setVisible(std::ranges::none_of(experiment().variants, [row](const Variant& variant) {
      return variant.executor == row->executor();
    }));
}

}  // namespace fusebench

#include "moc_inspector_variants.cpp"

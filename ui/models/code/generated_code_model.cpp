// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/code/generated_code_model.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "profiler/experiment/variant_executors.h"
#include "profiler/protocol/process.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/code/variant_code.h"

namespace fusebench {
namespace {

constexpr double kPatienceSeconds = 60;
constexpr std::size_t kMostKnown = 32;  ///< cells whose code is remembered

}  // namespace

/// The thread's side: one worker, and what is loaded into it.
class GeneratedCodeModel::Session {
 public:
  explicit Session(StudyOptions options) : options_(std::move(options)) {}

  Answer answer(const Question& question, std::stop_token stop) {
    Answer answer;
    answer.number = question.number;
    answer.kernel = question.kernel;
    try {
      load(question.experiment, std::move(stop));
      answer.listing = listCode(*client_, question.key, kPatienceSeconds);
      if (answer.listing.kernels.empty()) return answer;
      answer.kernel = std::min(question.kernel, answer.listing.kernels.size() - 1);
      const auto& languages = answer.listing.languages;
      const bool known =
          std::find(languages.begin(), languages.end(), question.language) != languages.end();
      if (!known && languages.empty()) return answer;
      answer.code = fetchCode(*client_, question.key, answer.kernel,
                              known ? question.language : languages.front(), kPatienceSeconds);
    } catch (const std::exception& error) {
      // Nothing is certain about the worker any more; the next question gets a new one.
      client_.reset();
      answer.failure = error.what();
    }
    return answer;
  }

 private:
  void load(const std::string& experiment, std::stop_token stop) {
    if (client_ && experiment == loaded_) return;
    if (!client_) {
      client_ = std::make_unique<WorkerClient>(
          options_.connect ? options_.connect() : startWorker(options_.workerCommand),
          std::move(stop));
    }
    loaded_.clear();
    const Reply reply = client_->ask(Verb::load, {{"experiment", experiment}}, kPatienceSeconds);
    if (!reply.ok) throw std::runtime_error(reply.message);
    loaded_ = experiment;
  }

  StudyOptions options_;
  std::unique_ptr<WorkerClient> client_;
  std::string loaded_;
};

GeneratedCodeModel::GeneratedCodeModel(QObject* parent)
    : QObject(parent),
      message_(uiText("Open an experiment to read the code generated for its kernels.")) {}

GeneratedCodeModel::~GeneratedCodeModel() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void GeneratedCodeModel::setOptions(StudyOptions options) {
  given_ = std::move(options);
  useDevice();
}

void GeneratedCodeModel::setArchitecture(const QString& name) {
  if (std::exchange(architecture_, name) == name) return;
  // A GPU does not have the languages of the CPU; most readers look for CUDA C++.
  if (!name.isEmpty() && language_ != QLatin1String("ptx") && language_ != QLatin1String("sass"))
    language_ = QStringLiteral("cuda");
  useDevice();
}

void GeneratedCodeModel::useDevice() {
  StudyOptions options = given_;
  if (!architecture_.isEmpty()) options = onDevice(std::move(options), architecture_.toStdString());
  const bool sameDevice = options_.device == options.device;
  options_ = std::move(options);
  {
    const std::lock_guard lock(mutex_);
    workerOptions_ = options_;
    newWorker_ = true;
  }
  emit optionsChanged();
  if (sameDevice) return;
  // The cached code belongs to the other device.
  known_.clear();
  shown_.clear();
  listing_ = std::make_shared<CodeListing>();
  code_ = {};
  ++number_;
  refresh();
}

void GeneratedCodeModel::setActive(bool active) {
  if (std::exchange(active_, active) != active && active) refresh();
}

void GeneratedCodeModel::setExperiment(const Experiment& experiment) {
  const std::string chosen = experiment_
                                 ? experiment_->variants.at(static_cast<std::size_t>(variant_)).name
                                 : std::string();
  experiment_ = experiment;
  // Where nothing was chosen: the first that is fused, which is what one wants to read.
  variant_ = -1;
  for (std::size_t v = 0; v < experiment.variants.size(); ++v)
    if (experiment.variants[v].name == chosen) variant_ = static_cast<int>(v);
  for (std::size_t v = 0; variant_ < 0 && v < experiment.variants.size(); ++v)
    if (const std::string& executor = experiment.variants[v].executor;
        compilesPrograms(executor) && !runsInTorch(executor))
      variant_ = static_cast<int>(v);
  variant_ = std::max(variant_, 0);
  emit experimentChanged();
  refresh();
}

void GeneratedCodeModel::clear(const QString& why) {
  experiment_.reset();
  shown_.clear();
  listing_ = std::make_shared<CodeListing>();
  code_ = {};
  ++number_;
  emit experimentChanged();
  setState(State::empty, why);
}

void GeneratedCodeModel::setVariant(int variant) {
  if (!experiment_ || variant < 0 || variant == variant_ ||
      static_cast<std::size_t>(variant) >= experiment_->variants.size())
    return;
  variant_ = variant;
  kernel_ = 0;
  refresh();
}

void GeneratedCodeModel::setPlace(std::vector<std::int64_t> at) {
  if (std::exchange(at_, std::move(at)) != at_) refresh();
}

std::vector<std::int64_t> GeneratedCodeModel::place() const {
  std::vector<std::int64_t> at;
  if (!experiment_) return at;
  for (std::size_t a = 0; a < experiment_->axes.size(); ++a) {
    const auto& values = experiment_->axes[a].values;
    const bool has =
        a < at_.size() && std::find(values.begin(), values.end(), at_[a]) != values.end();
    at.push_back(has ? at_[a] : values.back());
  }
  return at;
}

void GeneratedCodeModel::setKernel(std::size_t kernel) {
  if (std::exchange(kernel_, kernel) != kernel) refresh();
}

void GeneratedCodeModel::setLanguage(const QString& language) {
  if (std::exchange(language_, language) != language) refresh();
}

void GeneratedCodeModel::retry() {
  if (state_ == State::failed) refresh();
}

int GeneratedCodeModel::statementOf(int op) const {
  if (!experiment_ || op < 0 || static_cast<std::size_t>(op) >= experiment_->program.ops.size())
    return -1;
  return experiment_->program.ops[static_cast<std::size_t>(op)].statement + 1;
}

std::optional<std::size_t> GeneratedCodeModel::kernelOf(int op) const {
  const auto& kernels = listing_->kernels;
  const auto has = [op](const CellCode::KernelInfo& kernel) {
    return std::find(kernel.ops.begin(), kernel.ops.end(), op) != kernel.ops.end();
  };
  // The one that is shown may be one of several: a chain may cycle.
  if (kernel_ < kernels.size() && has(kernels[kernel_])) return kernel_;
  const auto found = std::find_if(kernels.begin(), kernels.end(), has);
  if (found == kernels.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kernels.begin());
}

GeneratedCodeModel::Known* GeneratedCodeModel::find(const std::string& experiment) {
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& known) {
    return known.experiment == experiment;
  });
  if (found == known_.end()) return nullptr;
  known_.splice(known_.begin(), known_, found);
  return &known_.front();
}

/// Shows what is chosen, from memory or by asking.
void GeneratedCodeModel::refresh() {
  if (!active_ || !experiment_) return;
  if (runsInTorch(experiment_->variants.at(static_cast<std::size_t>(variant_)).executor)) {
    shown_.clear();
    listing_ = std::make_shared<CodeListing>();
    code_ = {};
    ++number_;
    return setState(State::empty,
                    uiText("PyTorch runs this variant: its generated code is not shown here."));
  }
  Question question;
  const Experiment one = oneCell(*experiment_, variant_, place());
  question.experiment = toJson(one);
  question.key = cells(one).front();
  question.kernel = kernel_;
  question.language = language_.toStdString();
  question.number = ++number_;
  if (const Known* known = find(question.experiment)) {
    const std::size_t last =
        known->listing->kernels.empty() ? 0 : known->listing->kernels.size() - 1;
    kernel_ = question.kernel = std::min(kernel_, last);
    const auto code = known->codes.find({question.kernel, question.language});
    if (code != known->codes.end()) {
      shown_ = question.experiment;
      listing_ = known->listing;
      code_ = code->second;
      return setState(State::ready, {});
    }
  }
  ask(std::move(question));
}

void GeneratedCodeModel::ask(Question question) {
  if (question.experiment != shown_) {
    listing_ = std::make_shared<CodeListing>();
    code_ = {};
  }
  shown_ = question.experiment;
  {
    const std::lock_guard lock(mutex_);
    question_ = std::move(question);
  }
  if (!thread_.joinable())
    thread_ = std::jthread([this](std::stop_token stop) { work(std::move(stop)); });
  asked_.notify_one();
  setState(State::loading, {});
}

void GeneratedCodeModel::work(std::stop_token stop) {
  std::optional<Session> session;
  while (true) {
    Question question;
    {
      std::unique_lock lock(mutex_);
      if (!asked_.wait(lock, stop, [this] { return question_.has_value(); })) return;
      question = std::move(*question_);
      question_.reset();
      if (std::exchange(newWorker_, false) || !session) session.emplace(workerOptions_);
    }
    // The destructor joins this thread, so `this` is there; Qt drops calls that come too late.
    QMetaObject::invokeMethod(
        this, [this, answer = session->answer(question, stop)] { take(answer); },
        Qt::QueuedConnection);
  }
}

void GeneratedCodeModel::take(Answer answer) {
  if (answer.number != number_) return;
  if (!answer.failure.empty())
    return setState(State::failed, QString::fromStdString(answer.failure));
  listing_ = std::make_shared<const CodeListing>(std::move(answer.listing));
  Known* known = find(shown_);
  if (!known) {
    known_.push_front({shown_, listing_, {}});
    if (known_.size() > kMostKnown) known_.pop_back();
    known = &known_.front();
  }
  kernel_ = answer.kernel;
  if (listing_->kernels.empty())
    return setState(State::empty, uiText("This variant launches no kernel here."));
  code_ = known->codes[{answer.kernel, answer.code.language}] = std::move(answer.code);
  language_ = QString::fromStdString(code_.language);
  setState(State::ready, {});
}

void GeneratedCodeModel::setState(State state, const QString& message) {
  state_ = state;
  message_ = message;
  emit changed();
}

}  // namespace fusebench

#include "moc_generated_code_model.cpp"

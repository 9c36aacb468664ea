// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "profiler/study/study.h"
#include "profiler/worker/code_protocol.h"

namespace fusebench {

/// The kernels of one variant at one point, as its backend generates them. A separate worker
/// generates them when they are first viewed.
class GeneratedCodeModel : public QObject {
  Q_OBJECT

 public:
  enum class State {
    empty,    ///< there is nothing to show; message() states the reason or an instruction
    loading,  ///< listing() and code() are of before, or empty
    ready,
    failed,  ///< message() says why
  };
  Q_ENUM(State)

  explicit GeneratedCodeModel(QObject* parent = nullptr);
  ~GeneratedCodeModel() override;

  /// How to start a worker, and for which device; see StudyOptions.
  void setOptions(StudyOptions options);
  /// With the architecture in the device's place, where one is set.
  const StudyOptions& options() const { return options_; }
  /// Code for a GPU architecture ("sm_90"), which takes no GPU; empty: for the device of the
  /// options.
  void setArchitecture(const QString& name);
  const QString& architecture() const { return architecture_; }
  /// While the view is hidden, nothing is generated.
  void setActive(bool active);

  /// A runnable experiment. The chosen variant stays if there is one of that name.
  void setExperiment(const Experiment& experiment);
  /// Nothing can be shown, for this reason.
  void clear(const QString& why);
  const Experiment* experiment() const { return experiment_ ? &*experiment_ : nullptr; }

  void setVariant(int variant);
  int variant() const { return variant_; }
  /// Values of the axes; others than the axes have (or none) mean the last.
  void setPlace(std::vector<std::int64_t> at);
  std::vector<std::int64_t> place() const;
  void setKernel(std::size_t kernel);
  std::size_t kernel() const { return kernel_; }
  void setLanguage(const QString& language);
  const QString& language() const { return language_; }
  /// Asks again after a failure.
  void retry();

  State state() const { return state_; }
  const QString& message() const { return message_; }
  const CodeListing& listing() const { return *listing_; }
  /// For other threads: a snapshot that does not change.
  std::shared_ptr<const CodeListing> sharedListing() const { return listing_; }
  const GeneratedCode& code() const { return code_; }
  /// The statement of an op of the experiment's program, from 1; 0: the return; -1: none such.
  int statementOf(int op) const;
  /// The kernel that computes this op, if one does.
  std::optional<std::size_t> kernelOf(int op) const;

 signals:
  void experimentChanged();  ///< variants and places to choose from
  void changed();            ///< state, listing, code, choice
  void optionsChanged();

 private:
  /// One thing to ask the worker.
  struct Question {
    std::string experiment;  ///< with this cell alone; the cache's key, too
    CellKey key;
    std::size_t kernel = 0;
    std::string language;
    int number = 0;
  };
  struct Answer {
    int number = 0;
    CodeListing listing;
    GeneratedCode code;
    std::size_t kernel = 0;
    std::string failure;
  };
  /// The cached listing and code of one cell.
  struct Known {
    std::string experiment;
    std::shared_ptr<const CodeListing> listing;
    std::map<std::pair<std::size_t, std::string>, GeneratedCode> codes;
  };
  class Session;

  void useDevice();
  void refresh();
  void ask(Question question);
  void take(Answer answer);
  Known* find(const std::string& experiment);
  void work(std::stop_token stop);
  void setState(State state, const QString& message);

  StudyOptions given_;    ///< by setOptions()
  StudyOptions options_;  ///< the same for the device or architecture that is chosen
  QString architecture_;
  bool active_ = false;
  std::optional<Experiment> experiment_;
  int variant_ = 0;
  std::vector<std::int64_t> at_;
  std::size_t kernel_ = 0;
  QString language_ = QStringLiteral("readable");
  State state_ = State::empty;
  QString message_;
  std::shared_ptr<const CodeListing> listing_ = std::make_shared<CodeListing>();  ///< never null
  GeneratedCode code_;
  std::string shown_;       ///< the question's experiment that listing_ answers
  std::list<Known> known_;  ///< last used first
  int number_ = 0;          ///< of the last question

  std::mutex mutex_;
  std::condition_variable_any asked_;
  std::optional<Question> question_;  ///< waiting; only the last counts
  StudyOptions workerOptions_;        ///< for the thread
  bool newWorker_ = false;
  std::jthread thread_;
};

}  // namespace fusebench

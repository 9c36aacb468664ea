// SPDX-License-Identifier: GPL-3.0-or-later
// PyTorch variants of shipped experiments call the functions that their authors call.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "engine/language/program_source.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/gradient_options.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/files/resources.h"
#include "tests/engine/support/torch_python.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

constexpr const char* kTextScript = R"py(
import collections, sys, warnings
import torch
import torch.nn as nn
import torch.nn.functional as F
sys.path.insert(0, 'SOURCES/resources/torch')
import fusebench_programs as programs
warnings.simplefilter('ignore')
wrong = ran = 0

class Calls(torch.overrides.TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_function__(self, function, types, arguments=(), keywords=None):
        if not function.__name__.startswith('__get'):
            self.names.append(function.__name__)
        return function(*arguments, **(keywords or {}))

def called(function, inputs):
    with torch.no_grad(), Calls() as calls:
        function(*[x.clone() for x in inputs])
    return collections.Counter(calls.names)

def as_its_author_calls_it(text):
    space = {'torch': torch, 'nn': nn, 'F': F, '__name__': 'written'}
    exec(text, space)
    made = [each for each in space.values() if getattr(each, '__module__', '') == 'written']
    classes = [each for each in made if isinstance(each, type)]
    if not classes:
        return made[-1]
    one = classes[-1]()
    return one.eval() if isinstance(one, nn.Module) else one

def check(name, text, given, shapes, whole):
    global wrong, ran
    if any(name in text and not hasattr(F, name) for name in ('rms_norm', 'scaled_dot_product_attention')):
        return
    inputs = [torch.rand(shape).to(getattr(torch, dtype)) for shape, dtype in shapes]
    source = programs.Source(given)
    try:
        theirs = called(as_its_author_calls_it(text), inputs)
    except RuntimeError as error:  # torch 1.13 computes little in float16 on the CPU; the calls are the same
        if "not implemented for 'Half'" not in str(error):
            raise
        inputs = [x.float() if x.dtype == torch.float16 else x for x in inputs]
        theirs = called(as_its_author_calls_it(text), inputs)
    ours = called(source.call, inputs)
    if ours != theirs if whole else ours - theirs:
        wrong += 1
        print(name, 'calls', dict(ours), 'and its author', dict(theirs))
    ran += 1
)py";

TEST(TorchTextOfShippedExperiments, CallsWhatTheirAuthorsCall) {
  const std::string python = test::newestPythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  std::string text = kTextScript;
  const std::string place = "SOURCES";
  text.replace(text.find(place), place.size(), test::sourcePath(""));
  std::ostringstream script;
  int count = 0;
  for (const std::string& name : shippedExperiments()) {
    const Experiment experiment =
        parseExperiment(resourceText("experiments/" + name + ".json"), name);
    std::set<int> seen;
    for (const CellKey& key : cells(experiment)) {
      const Variant variant =
          placed(experiment, experiment.variants[static_cast<std::size_t>(key.variant)], key.at);
      if (!runsInTorch(variant.executor) || !seen.insert(key.variant).second) continue;
      const Program forward = forwardAt(experiment, variant, key.at);
      const std::size_t all = experiment.programOf(variant).statements.size();
      // Autocast is left out: its casts would count as calls.
      Variant plain = variant;
      plain.autocast.clear();
      script << "check('" << name << ", " << variant.name << "', r'''" << *forward.source->text
             << "''', r'''" << torchText(withSwitches(plain, forward)) << "''', [";
      const std::vector<ValueType> types = inputTypesAt(experiment, key, forward, 0);
      for (std::size_t i = 0; i < types.size(); ++i) {
        const bool held = std::ranges::any_of(
            forward.held, [&](const HeldInput& each) { return each.input == static_cast<int>(i); });
        if (!held)
          script << "(" << toString(types[i].shape) << ", '" << info(types[i].dtype).name << "'), ";
      }
      script << "], " << (forward.statements.size() == all ? "True" : "False") << ")\n";
      ++count;
    }
  }
  EXPECT_GE(count, 40);
  EXPECT_EQ(test::runPython(python, text + script.str() + "print('wrong:', wrong, ran >= 40)\n"),
            "wrong: 0 True\n");
}

}  // namespace
}  // namespace fusebench

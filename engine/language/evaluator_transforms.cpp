// SPDX-License-Identifier: GPL-3.0-or-later
// Primitives of the library's functions of functions: see library/transforms.py.
#include <algorithm>
#include <utility>

#include "engine/language/evaluator.h"
#include "engine/language/program_batching.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

Batching::Draws drawsNamed(const PythonValue& randomness, SourcePlace place) {
  if (randomness.text == "error") return Batching::Draws::error;
  if (randomness.text == "different") return Batching::Draws::different;
  if (randomness.text == "same") return Batching::Draws::same;
  failProgram(place, "torch.vmap: randomness is 'error', 'different' or 'same'");
}

/// The member of a module with this name; null: the module has none.
PythonValue* ownMember(PythonObject& module, const std::string& name) {
  if (const auto found = module.attributes.find(name); found != module.attributes.end())
    return &found->second;
  if (const auto items = module.attributes.find("_items");
      items != module.attributes.end() && items->second.kind == Kind::list)
    for (std::size_t i = 0; i < items->second.items().size(); ++i)
      if (name == std::to_string(i)) return &items->second.object->items[i];
  if (const auto table = module.attributes.find("_table");
      table != module.attributes.end() && table->second.kind == Kind::dict)
    for (auto& [key, value] : table->second.object->entries)
      if (key.text == name) return &value;
  return nullptr;
}

/// The same of a name in a state dict, such as "layers.0.weight".
PythonValue* memberNamed(const PythonValue& module, const std::string& name) {
  PythonValue* found = nullptr;
  PythonObject* owner = module.object.get();
  for (std::size_t at = 0; at <= name.size() && owner;) {
    const std::size_t dot = std::min(name.find('.', at), name.size());
    found = ownMember(*owner, name.substr(at, dot - at));
    owner = found && found->kind == Kind::instance ? found->object.get() : nullptr;
    if (dot == name.size()) return found;
    at = dot + 1;
  }
  return nullptr;
}

}  // namespace

bool Evaluator::transformCall(const std::string& path, std::vector<CallArgument>& arguments,
                              SourcePlace place, PythonValue& result) {
  if (inLibrary_ == 0) return false;
  if (path == "torch._batched")
    result = batched(arguments.at(0).value, arguments.at(1).value,
                     drawsNamed(arguments.at(2).value, place), place);
  else if (path == "torch._with_members")
    result =
        withMembers(arguments.at(0).value, arguments.at(1).value, arguments.at(2).value, place);
  else if (path == "torch._elementwise")
    result = elementwise(arguments.at(0).value, static_cast<int>(arguments.at(1).value.number),
                         iterated(arguments.at(2).value, place), place);
  else if (path == "torch._same_mask")
    result =
        PythonValue::flagOf(builder_.isSame(arguments.at(0).value.value,
                                            static_cast<std::size_t>(arguments.at(1).value.number),
                                            arguments.at(2).value.value),
                            place);
  else if (path == "torch._refuse_selection")
    failSelection(place);
  else
    return false;
  return true;
}

PythonValue Evaluator::ofEach(const PythonValue& value, SourcePlace place,
                              const std::function<PythonValue(const PythonValue&)>& change) {
  if (value.isTensor()) return change(value);
  if (value.kind == Kind::list) {
    std::vector<PythonValue> items;
    for (const PythonValue& item : iterated(value, place))
      items.push_back(ofEach(item, place, change));
    PythonValue made = PythonValue::listOf(std::move(items), value.tuple, place);
    made.object->type = value.object->type;
    return made;
  }
  if (value.kind != Kind::dict) return value;
  PythonValue made = value;
  made.object = std::make_shared<PythonObject>();
  for (const auto& [key, each] : value.object->entries)
    made.object->entries.emplace_back(key, ofEach(each, place, change));
  return made;
}

PythonValue Evaluator::batched(const PythonValue& function, const PythonValue& tensors,
                               Batching::Draws draws, SourcePlace place) {
  const auto stacked = [&](const std::vector<PythonValue>& results) {
    return call(PythonValue::pathOf("torch.stack", place),
                {{"", PythonValue::listOf(results, false, place), place}}, place);
  };
  Batching batching(program_, builder_, draws, stacked, place);
  std::vector<PythonValue> given;
  for (const PythonValue& each : iterated(tensors, place)) given.push_back(settled(each));
  const std::size_t pending = pendingTuples_.size();
  PythonValue examples = PythonValue::listOf(batching.begin(given), false, place);
  struct Inside {
    int& depth;
    ~Inside() { --depth; }
  };
  PythonValue result;
  {
    const Inside inside{++batching_};
    result = ofEach(call(function, {{"", examples, place}}, place), place,
                    [](const PythonValue& tensor) { return tensor; });
  }
  pendingTuples_.resize(std::min(pending, pendingTuples_.size()));
  batching.run();
  return ofEach(result, place,
                [&](const PythonValue& example) { return batching.batchOf(example); });
}

/// Calls a function while members of a module, by their names in its state dict, are others.
PythonValue Evaluator::withMembers(const PythonValue& module, const PythonValue& members,
                                   const PythonValue& function, SourcePlace place) {
  if (module.kind != Kind::instance || members.kind != Kind::dict)
    failProgram(place,
                "torch.func.functional_call takes a module and a dict of its parameters and "
                "buffers");
  struct Back {
    std::vector<std::pair<PythonValue*, PythonValue>> replaced;
    ~Back() {
      for (auto each = replaced.rbegin(); each != replaced.rend(); ++each)
        *each->first = std::move(each->second);
    }
  } back;
  for (const auto& [key, value] : members.object->entries) {
    PythonValue* const member = memberNamed(module, key.text);
    if (!member)
      failProgram(place, "torch.func.functional_call: the module has no parameter or buffer '" +
                             key.text + "'");
    PythonValue given = settled(value);
    back.replaced.emplace_back(member, std::exchange(*member, std::move(given)));
  }
  return call(function, {}, place);
}

}  // namespace fusebench

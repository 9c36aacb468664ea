// SPDX-License-Identifier: GPL-3.0-or-later
// What hasattr and getattr find of a value: names that Python's own types and PyTorch's have.
#include <algorithm>
#include <initializer_list>
#include <span>
#include <string_view>

#include "engine/language/evaluator.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;
using Words = std::span<const std::string_view>;

constexpr std::string_view kOfAll[] = {"__class__",       "__delattr__",
                                       "__dir__",         "__doc__",
                                       "__eq__",          "__format__",
                                       "__ge__",          "__gt__",
                                       "__hash__",        "__init__",
                                       "__le__",          "__getattribute__",
                                       "__lt__",          "__ne__",
                                       "__new__",         "__reduce__",
                                       "__reduce_ex__",   "__repr__",
                                       "__setattr__",     "__sizeof__",
                                       "__str__",         "__init_subclass__",
                                       "__subclasshook__"};
constexpr std::string_view kOfContainers[] = {"__len__", "__iter__", "__getitem__", "__contains__"};
constexpr std::string_view kOfChanged[] = {"__setitem__", "__delitem__"};
constexpr std::string_view kOfLists[] = {"append", "clear", "copy",   "count",   "extend", "index",
                                         "insert", "pop",   "remove", "reverse", "sort"};
constexpr std::string_view kOfTuples[] = {"count", "index"};
constexpr std::string_view kOfDicts[] = {"clear",      "copy",   "fromkeys", "get",
                                         "items",      "keys",   "pop",      "popitem",
                                         "setdefault", "update", "values"};
constexpr std::string_view kOfTexts[] = {
    "capitalize",   "casefold",    "center",    "count",      "encode",       "endswith",
    "expandtabs",   "find",        "format",    "format_map", "index",        "isalnum",
    "isalpha",      "isascii",     "isdecimal", "isdigit",    "isidentifier", "islower",
    "isnumeric",    "isprintable", "isspace",   "istitle",    "isupper",      "join",
    "ljust",        "lower",       "lstrip",    "maketrans",  "partition",    "removeprefix",
    "removesuffix", "replace",     "rfind",     "rindex",     "rjust",        "rpartition",
    "rsplit",       "rstrip",      "split",     "splitlines", "startswith",   "strip",
    "swapcase",     "title",       "translate", "upper",      "zfill"};
constexpr std::string_view kOfNumbers[] = {
    "as_integer_ratio", "conjugate", "imag",      "real",    "__abs__",
    "__add__",          "__bool__",  "__float__", "__int__", "__mul__",
    "__neg__",          "__pow__",   "__round__", "__sub__", "__truediv__"};
constexpr std::string_view kOfInts[] = {"bit_count", "bit_length", "denominator", "from_bytes",
                                        "numerator", "to_bytes",   "__index__"};
constexpr std::string_view kOfFloats[] = {"fromhex", "hex", "is_integer"};
constexpr std::string_view kOfFunctions[] = {"__annotations__", "__call__",     "__closure__",
                                             "__code__",        "__defaults__", "__dict__",
                                             "__get__",         "__globals__",  "__kwdefaults__",
                                             "__module__",      "__name__",     "__qualname__"};
constexpr std::string_view kOfClasses[] = {"__bases__", "__call__", "__dict__",     "__module__",
                                           "__mro__",   "__name__", "__qualname__", "mro"};
constexpr std::string_view kOfInstances[] = {"__dict__", "__module__"};
constexpr std::string_view kOfModules[] = {"__call__",
                                           "add_module",
                                           "apply",
                                           "bfloat16",
                                           "buffers",
                                           "children",
                                           "compile",
                                           "cpu",
                                           "cuda",
                                           "double",
                                           "eval",
                                           "extra_repr",
                                           "float",
                                           "forward",
                                           "get_buffer",
                                           "get_parameter",
                                           "get_submodule",
                                           "half",
                                           "load_state_dict",
                                           "modules",
                                           "named_buffers",
                                           "named_children",
                                           "named_modules",
                                           "named_parameters",
                                           "parameters",
                                           "register_buffer",
                                           "register_forward_hook",
                                           "register_forward_pre_hook",
                                           "register_full_backward_hook",
                                           "register_module",
                                           "register_parameter",
                                           "requires_grad_",
                                           "share_memory",
                                           "state_dict",
                                           "to",
                                           "to_empty",
                                           "train",
                                           "type",
                                           "zero_grad"};
/// Attributes that are written without parentheses.
constexpr std::string_view kOfTensors[] = {
    "shape", "dtype", "device", "ndim",    "grad",          "data",   "T",
    "mT",    "H",     "mH",     "is_cuda", "requires_grad", "nbytes", "itemsize"};
constexpr std::string_view kMethodsOfTensors[] = {"size",           "dim",
                                                  "ndimension",     "numel",
                                                  "nelement",       "item",
                                                  "backward",       "to",
                                                  "type",           "type_as",
                                                  "detach",         "clone",
                                                  "contiguous",     "cpu",
                                                  "cuda",           "float",
                                                  "half",           "double",
                                                  "long",           "requires_grad_",
                                                  "retain_grad",    "copy_",
                                                  "fill_",          "zero_",
                                                  "tolist",         "new_tensor",
                                                  "stride",         "is_contiguous",
                                                  "storage_offset", "data_ptr",
                                                  "element_size",   "storage",
                                                  "typed_storage",  "untyped_storage"};

bool isAmong(Words words, std::string_view name) {
  return std::ranges::find(words, name) != words.end();
}

}  // namespace

Evaluator::Attribute Evaluator::attributeKind(const PythonValue& of, const std::string& name) {
  const auto methods = [&](std::initializer_list<Words> all) {
    const bool found = std::ranges::any_of(all, [&](Words each) { return isAmong(each, name); });
    return found || isAmong(kOfAll, name) ? Attribute::method : Attribute::none;
  };
  switch (of.kind) {
    case Kind::tensor:
    case Kind::held: {
      if (isAmong(kOfTensors, name)) return Attribute::data;
      const std::string spelled = "x." + name;
      const bool written = name.size() > 1 && name.ends_with('_') && !name.ends_with("__") &&
                           ProgramBuilder::knows(spelled.substr(0, spelled.size() - 1));
      if (ProgramBuilder::knows(spelled) || written || libraryFind("torch." + name))
        return Attribute::method;
      return methods({kMethodsOfTensors, kOfContainers, kOfChanged, kOfNumbers});
    }
    case Kind::number:
    case Kind::flag:
    case Kind::size:
      return methods(
          {kOfNumbers, of.kind == Kind::number && !of.integer ? Words(kOfFloats) : Words(kOfInts)});
    case Kind::text:
      return methods({kOfTexts, kOfContainers});
    case Kind::list:
      if (of.object && of.object->type) {
        const DataClass* const data = dataOf(of.object->type);
        if (classAttribute(of.object->type, name) ||
            (data && std::ranges::find(data->fields, name, &DataField::name) != data->fields.end()))
          return Attribute::data;
        if (name == "_replace" || name == "_asdict") return Attribute::method;
      }
      // The results of max and min over a dimension are a pair with names.
      if (of.tuple && of.items().size() == 2 && (name == "values" || name == "indices"))
        return Attribute::data;
      return of.tuple ? methods({kOfTuples, kOfContainers})
                      : methods({kOfLists, kOfContainers, kOfChanged});
    case Kind::shape:
      if (name == "numel") return Attribute::method;
      return methods({kOfTuples, kOfContainers});
    case Kind::dict:
      return methods({kOfDicts, kOfContainers, kOfChanged});
    case Kind::function:
    case Kind::method:
      return name == "__name__" ? Attribute::data : methods({kOfFunctions});
    case Kind::type: {
      if (name == "__name__" || classAttribute(of.object, name)) return Attribute::data;
      PythonValue made;  // what its instances have
      made.kind = Kind::instance;
      made.object = std::make_shared<PythonObject>();
      made.object->type = of.object;
      return isModule(made) ? methods({kOfClasses, kOfModules}) : methods({kOfClasses});
    }
    case Kind::instance: {
      const PythonObject& object = *of.object;
      if (object.attributes.contains(name) || classAttribute(object.type, name) ||
          name == "__class__")
        return Attribute::data;
      const auto table = object.attributes.find("_table");
      if (table != object.attributes.end() && object.type->library &&
          std::ranges::any_of(table->second.object->entries, [&](const auto& entry) {
            return entry.first.kind == Kind::text && entry.first.text == name;
          }))
        return Attribute::data;
      if (!isModule(of)) return methods({kOfInstances});
      return name == "training" ? Attribute::data : methods({kOfInstances, kOfModules});
    }
    case Kind::path:  // what PyTorch has
      return Attribute::data;
    default:
      return methods({});
  }
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/python_object.h"

#include <gtest/gtest.h>

#include "engine/language/evaluator.h"
#include "engine/language/program_builder.h"

namespace fusebench {
namespace {

TEST(PythonObjects, OfAClassAndItsFunctionsGoWithTheProgramsNames) {
  const auto function = std::make_shared<ast::Function>();
  function->name = "forward";
  std::weak_ptr<PythonObject> type, made;
  {
    Program program;
    ProgramBuilder builder(program);
    Names names;
    Evaluator evaluator(program, builder, names);
    ast::Statement define;
    define.kind = ast::Statement::Kind::function;
    define.text = "forward";
    define.function = function;
    ast::Statement of;
    of.kind = ast::Statement::Kind::classType;
    of.text = "Module";
    of.body.push_back(std::move(define));
    evaluator.execute(of);
    type = names.bound["Module"].object;
    ASSERT_FALSE(type.expired());
    ASSERT_TRUE(type.lock()->attributes.contains("forward"));
    made = type.lock()->attributes["forward"].object;
    EXPECT_EQ(made.lock()->around.lock(), type.lock());
  }
  EXPECT_TRUE(type.expired());
  EXPECT_TRUE(made.expired());
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
// Every op and library function that takes indices: the last valid ones at both ends are read, the
// first invalid ones raise at their line, on every executor and in the reference.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "engine/run/reference.h"
#include "tests/engine/support/torch_cases.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

struct IndexRange {
  const char* body;  ///< the result of f(x, i)
  Shape input, index;
  double low, high;  ///< the range, both ends included
  const char* said;  ///< before and behind the index in the message, "#" in its place
};

std::vector<IndexRange> indexRanges() {
  const Shape table{5, 4}, one{1}, pair{1, 1}, scores{1, 5};
  return {
      {"torch.gather(x, 0, i)", table, pair, 0, 4,
       "gather: index # is out of bounds for dimension 0"},
      {"torch.gather(x, -1, i)", table, pair, 0, 3,
       "gather: index # is out of bounds for dimension 1"},
      {"torch.index_select(x, 0, i)", table, one, 0, 4, "index_select: index # is out of bounds"},
      {"torch.index_select(x, 1, i)", table, one, 0, 3, "index_select: index # is out of bounds"},
      {"x[i]", table, one, -5, 4, "x[i]: index # is out of bounds for dimension 0 with size 5"},
      {"x[:, i]", table, one, -4, 3, "x[i]: index # is out of bounds for dimension 1"},
      {"x[i, i * 0]", table, one, -5, 4, "index # is out of bounds for dimension 0"},
      {"x[i * 0, i]", table, one, -4, 3, "index # is out of bounds for dimension 0"},
      {"torch.embedding(x, i)", table, one, 0, 4, "embedding: index # is out of bounds"},
      {"F.embedding(i, x)", table, one, 0, 4, "embedding: index # is out of bounds"},
      {"F.embedding(i, x, padding_idx=1)", table, one, 0, 4, "embedding: index # is out of bounds"},
      {"F.embedding(i, x.clone(), max_norm=0.5)", table, one, 0, 4, "index # is out of bounds"},
      {"F.embedding_bag(i, x)", table, pair, 0, 4, "embedding_bag: index # is out of bounds"},
      {"F.embedding_bag(i, x, mode='max')", table, pair, 0, 4,
       "embedding_bag: index # is out of bounds"},
      {"torch.take(x, i)", table, one, -20, 19,
       "take: index # is out of bounds for dimension 0 with size 20"},
      {"torch.scatter(x, 0, i, x[:1, :1])", table, pair, 0, 4, "scatter: index # is out of bounds"},
      {"torch.scatter(x, 1, i, 2.0)", table, pair, 0, 3, "scatter: index # is out of bounds"},
      {"torch.scatter_add(x, 0, i, x[:1, :1])", table, pair, 0, 4, "index # is out of bounds"},
      {"torch.scatter_reduce(x, 0, i, x[:1, :1], 'prod')", table, pair, 0, 4,
       "index # is out of bounds"},
      {"torch.scatter_reduce(x, 0, i, x[:1, :1], 'amax')", table, pair, 0, 4,
       "index # is out of bounds"},
      {"torch.scatter_reduce(x, 0, i, x[:1, :1], 'amin')", table, pair, 0, 4,
       "index # is out of bounds"},
      {"torch.scatter_reduce(x, 0, i, x[:1, :1], 'mean')", table, pair, 0, 4,
       "index # is out of bounds"},
      {"torch.index_add(x, 0, i, x[:1])", table, one, 0, 4, "index_add: index # is out of bounds"},
      {"torch.index_add(x, 1, i, x[:, :1])", table, one, 0, 3,
       "index_add: index # is out of bounds"},
      {"torch.index_copy(x, 0, i, x[:1])", table, one, 0, 4,
       "index_copy: index # is out of bounds"},
      {"torch.index_fill(x, 0, i, 2.0)", table, one, -5, 4, "index_fill: index # is out of bounds"},
      {"torch.index_reduce(x, 0, i, x[:1], 'prod')", table, one, 0, 4, "index # is out of bounds"},
      {"torch.index_put(x, (i,), x[:1])", table, one, -5, 4, "index # is out of bounds"},
      {"torch.index_put(x, (i,), x[:1], True)", table, one, -5, 4, "index # is out of bounds"},
      {"torch.index_put(x, (i, i * 0), x[0, :1])", table, one, -5, 4, "index # is out of bounds"},
      {"torch.ops.aten.index.Tensor(x, [i])", table, one, -5, 4, "index # is out of bounds"},
      {"torch.ops.aten.embedding.default(x, i)", table, one, 0, 4, "index # is out of bounds"},
      {"F.one_hot(i, 5)", table, one, 0, 4, "one_hot: class value # is not from 0 to 4"},
      {"F.cross_entropy(x, i)", scores, one, 0, 4, "cross_entropy: target # is out of bounds"},
      {"F.cross_entropy(x, i, reduction='none')", scores, one, 0, 4, "target # is out of bounds"},
      {"F.cross_entropy(x, i, x[0])", scores, one, 0, 4, "target # is out of bounds"},
      {"F.cross_entropy(x, i, ignore_index=2)", scores, one, 0, 4, "target # is out of bounds"},
      {"F.cross_entropy(x, i, label_smoothing=0.1)", scores, one, 0, 4, "target # is out of bound"},
      {"F.cross_entropy(x[0], i[0])", scores, one, 0, 4, "target # is out of bounds"},
      {"F.nll_loss(x, i)", scores, one, 0, 4, "nll_loss: target # is out of bounds"},
      {"F.nll_loss(x, i, x[0], reduction='sum')", scores, one, 0, 4, "target # is out of bounds"},
      {"F.nll_loss(x, i, reduction='none')", {1, 5, 2}, {1, 2}, 0, 4, "target # is out of bounds"},
      {"nn.CrossEntropyLoss()(x, i)", scores, one, 0, 4, "target # is out of bounds"},
      {"nn.NLLLoss()(x, i)", scores, one, 0, 4, "target # is out of bounds"},
      {"F.multi_margin_loss(x, i)", scores, one, 0, 4, "multi_margin_loss: target # is out of"},
      {"torch.ops.aten.nll_loss_forward.default(x, i, None, 1, -100)[0]", scores, one, 0, 4,
       "target # is out of bounds"},
  };
}

std::string saidOf(const IndexRange& range, double index) {
  std::string said = range.said;
  if (const std::size_t at = said.find('#'); at != std::string::npos)
    said.replace(at, 1, std::to_string(static_cast<std::int64_t>(index)));
  return said;
}

class IndexRanges : public testing::Test {
 protected:
  Tensor indexOf(const IndexRange& range, double value) {
    return fixture_.typed(
        DType::int64, range.index,
        std::vector<double>(static_cast<std::size_t>(elementCount(range.index)), value));
  }
  EngineFixture fixture_;
};

TEST_F(IndexRanges, EndWhereThePlacesEndOnEveryExecutor) {
  for (const IndexRange& range : indexRanges()) {
    SCOPED_TRACE(range.body);
    const std::string text = "def f(x, i):\n    y = " + std::string(range.body) + "\n    return y";
    const Tensor x = fixture_.random(range.input);
    const Program program =
        parseProgram(text, hintsOf(text, std::vector<Tensor>{x, indexOf(range, range.low)}));
    for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
      SCOPED_TRACE(std::string(info.name));
      const auto executor = makeExecutor(info.name, fixture_.backend(), program);
      for (const double valid : {range.low, range.high})
        EXPECT_NO_THROW(executor->call(std::vector<Tensor>{x, indexOf(range, valid)})) << valid;
      for (const double wrong : {range.low - 1, range.high + 1}) {
        try {
          executor->call(std::vector<Tensor>{x, indexOf(range, wrong)});
          ADD_FAILURE() << wrong << " is taken";
        } catch (const ProgramError& error) {
          EXPECT_THAT(error.what(), HasSubstr(saidOf(range, wrong)));
          EXPECT_EQ(error.place().line, 2);
        }
      }
      // An error leaves the executor usable.
      EXPECT_NO_THROW(executor->call(std::vector<Tensor>{x, indexOf(range, range.high)}));
    }
  }
}

TEST_F(IndexRanges, EndThereInTheReference) {
  for (const IndexRange& range : indexRanges()) {
    SCOPED_TRACE(range.body);
    const std::string text = "def f(x, i):\n    y = " + std::string(range.body) + "\n    return y";
    const Tensor x = fixture_.random(range.input);
    const Program program =
        parseProgram(text, hintsOf(text, std::vector<Tensor>{x, indexOf(range, range.low)}));
    const auto evaluated = [&](double value) {
      const std::vector<ReferenceTensor> inputs{EngineFixture::reference(x),
                                                EngineFixture::reference(indexOf(range, value))};
      return evaluateReference(program, inputs);
    };
    for (const double valid : {range.low, range.high}) EXPECT_NO_THROW(evaluated(valid)) << valid;
    for (const double wrong : {range.low - 1, range.high + 1})
      EXPECT_THROW(evaluated(wrong), ProgramError) << wrong;
  }
}

/// A target that is ignored may be any number, and counts for nothing.
TEST_F(IndexRanges, LeaveOutTheClassThatIsIgnored) {
  const std::string text =
      "def f(x, i):\n    return F.cross_entropy(x, i, reduction='none'), F.nll_loss(x, i, "
      "reduction='sum', ignore_index=-100)";
  const std::vector<Tensor> inputs{fixture_.random({2, 5}),
                                   fixture_.typed(DType::int64, {2}, {-100, 3})};
  const Program program = parseProgram(text, hintsOf(text, inputs));
  for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
    const auto executor = makeExecutor(info.name, fixture_.backend(), program);
    const auto made = executor->call(inputs);
    EXPECT_EQ(EngineFixture::values(made[0])[0], 0) << info.name;
    EXPECT_GT(EngineFixture::values(made[0])[1], 0) << info.name;
  }
}

}  // namespace
}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/code/listing_text.h"

#include <gtest/gtest.h>

#include <QStringList>
#include <algorithm>
#include <vector>

namespace fusebench {
namespace {

const QString kAssembly = QStringLiteral(
    "\t.text\n"                                       // 0
    ".LCPI0_0:\n"                                     // 1
    "\t.long\t0x3f800000\n"                           // 2
    "kernel:\n"                                       // 3
    "\tvbroadcastss\t.LCPI0_0(%rip), %ymm2\n"         // 4
    ".LBB0_1:\n"                                      // 5
    "\txorl\t%eax, %eax\n"                            // 6
    ".LBB0_2:                                # in\n"  // 7
    "\tvfmadd231ps\t%ymm2, %ymm1, %ymm0 # note\n"     // 8
    "\tvmovups\t%ymm0, (%rdi,%rax)\n"                 // 9
    "\tjne\t.LBB0_2\n"                                // 10
    "\tjb\t.LBB0_1\n"                                 // 11
    ".LBB0_4:\n"                                      // 12
    "\tvaddss\t%xmm0, %xmm1, %xmm0\n"                 // 13
    "\tjne\t.LBB0_4\n"                                // 14
    "\tretq");                                        // 15

TEST(ListingText, HasItsOperandsInOneColumn) {
  const QStringList lines = inColumns(kAssembly).split(u'\n');
  ASSERT_EQ(lines.size(), 16);
  EXPECT_EQ(lines[4], "    vbroadcastss .LCPI0_0(%rip), %ymm2");
  EXPECT_EQ(lines[6], "    xorl         %eax, %eax");
  EXPECT_EQ(lines[8], "    vfmadd231ps  %ymm2, %ymm1, %ymm0 # note");
  EXPECT_EQ(lines[15], "    retq");
  EXPECT_EQ(lines[3], "kernel:");
  EXPECT_EQ(lines[2], "    .long 0x3f800000");
  for (const QString& line : lines) EXPECT_FALSE(line.contains(u'\t'));
}

TEST(ListingText, StandsInColumnsWithPredicates) {
  EXPECT_EQ(inColumns(QStringLiteral("\t.reg .b32 \t%r<3>;\n\tmov.u32 \t%r1, %ctaid.x;\n"
                                     "\t@%p1 bra \t$L__BB0_2;\n$L__BB0_2:\n\tret;")),
            QStringLiteral("    .reg .b32   %r<3>;\n    mov.u32  %r1, %ctaid.x;\n"
                           "    @%p1 bra $L__BB0_2;\n$L__BB0_2:\n    ret;"));
}

TEST(ListingText, BeginsAtTheLoopThatDoesTheWork) {
  std::vector<int> ops(16, -1);
  ops[8] = 0;
  ops[9] = 1;
  ops[13] = 1;
  EXPECT_EQ(innermostLoop(inColumns(kAssembly), ops), 7);
  EXPECT_EQ(innermostLoop(QStringLiteral("kernel:\n    retq"), {}), 0);
}

TEST(ListingText, LeavesOutWhatSaysNothingOfTheWork) {
  std::vector<int> ops(16, -1);
  ops[8] = 4;
  const ListingLines kept = withoutDirectives({kAssembly, ops}, "assembly");
  const QStringList lines = kept.text.split(u'\n');
  ASSERT_EQ(lines.size(), static_cast<qsizetype>(kept.ops.size()));
  EXPECT_FALSE(kept.text.contains(".text"));
  EXPECT_TRUE(kept.text.contains(".long")) << "a constant that the program reads";
  for (const char* label : {"kernel:", ".LCPI0_0:", ".LBB0_1:", ".LBB0_2:", ".LBB0_4:"})
    EXPECT_TRUE(kept.text.contains(label)) << label;
  const auto op = std::find(kept.ops.begin(), kept.ops.end(), 4);
  ASSERT_NE(op, kept.ops.end());
  EXPECT_TRUE(lines[op - kept.ops.begin()].contains("vfmadd231ps"));

  const ListingLines noisy = withoutDirectives(
      {"\t.p2align\t4, 0x90\n.Lunused:\n\t# a note\n\n\t.cfi_endproc\n\tretq", {}}, "assembly");
  EXPECT_EQ(noisy.text, "\tretq");
  EXPECT_EQ(noisy.ops, std::vector{-1});
  EXPECT_EQ(withoutDirectives({"\t.reg .b32 %r<3>;\n\t.loc 1 2 3\n\tret;", {}}, "ptx").text,
            "\tret;");
  EXPECT_EQ(withoutDirectives({"target triple = \"x\"\n; note\n  ret void", {}}, "llvm").text,
            "  ret void");
  EXPECT_EQ(withoutDirectives({"# a loop nest\n", {}}, "readable").text, "# a loop nest\n");
}

TEST(ListingText, IsComparedWithoutTheNumbersOfRegistersAndLabels) {
  const auto alike = [](const char* one, const char* other, const char* language) {
    return comparableLines(one, language) == comparableLines(other, language);
  };
  EXPECT_TRUE(alike("  vaddps 64(%r15,%r14,4), %zmm17, %zmm1",
                    "  vaddps 64(%rdi,%rax,4), %zmm3, %zmm0", "assembly"));
  EXPECT_TRUE(alike("  jl .LBB0_1", "  jl .LBB3_12", "assembly"));
  EXPECT_FALSE(alike("  vaddps %ymm1, %ymm2, %ymm3", "  vaddps %zmm1, %zmm2, %zmm3", "assembly"));
  EXPECT_FALSE(alike("  addq $32, %r14", "  addq $64, %r14", "assembly"));
  EXPECT_TRUE(alike("  fmul v0.4s, v1.4s, v2.4s", "  fmul v7.4s, v8.4s, v9.4s", "assembly"));
  EXPECT_TRUE(alike("add.f32 %f1, %f2, %f3;", "add.f32 %f9, %f8, %f7;", "ptx"));
  EXPECT_FALSE(alike("add.f32 %f1, %f2, %f3;", "add.f64 %fd1, %fd2, %fd3;", "ptx"));
  EXPECT_TRUE(alike("/*0010*/ FADD R1, R2, R3 ;", "/*0090*/ FADD R7, R8, R9 ;", "sass"));
  EXPECT_TRUE(alike("  %12 = fadd float %a, %b", "  %sum = fadd float %1, %2", "llvm"));
  EXPECT_FALSE(alike("x1 + x2", "x2 + x1", "readable")) << "names there are the program's";
}

TEST(ListingText, CountsTheLoopThatDoesTheWork) {
  const auto of = [](const char* body) {
    const QString text = QStringLiteral("kernel:\n.L1:\n%1\n    jl .L1\n    retq").arg(body);
    return loopCounts(text, std::vector<int>(static_cast<std::size_t>(text.count(u'\n')) + 1, 0));
  };
  using Bound = LoopCounts::Bound;
  const auto copy =
      of("    vmovups (%rdi,%rax), %ymm0\n    vmovups %ymm0, (%rsi,%rax)\n"
         "    addq $32, %rax\n    cmpq %rdx, %rax");
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->instructions, 5);
  EXPECT_EQ(copy->loads, 1);
  EXPECT_EQ(copy->stores, 1);
  EXPECT_EQ(copy->arithmetic, 0);
  EXPECT_EQ(copy->first, 1);
  EXPECT_EQ(copy->last, 6);
  EXPECT_EQ(copy->bound(), Bound::frontEnd);
  EXPECT_DOUBLE_EQ(copy->cycles(), 1.25);

  const auto sum = of("    vaddps (%rdi,%rax), %ymm0, %ymm0\n    addq $32, %rax");
  EXPECT_EQ(sum->chain, 4) << "each addition waits for the one of the pass before";
  EXPECT_EQ(sum->bound(), Bound::latency);
  const auto four =
      of("    vaddps (%rdi), %ymm0, %ymm4\n    vaddps %ymm4, %ymm1, %ymm4\n"
         "    vmulps %ymm4, %ymm4, %ymm4\n    vmulps %ymm4, %ymm3, %ymm5\n"
         "    vmovups %ymm5, (%rsi)");
  EXPECT_EQ(four->chain, 0) << "no register is carried into the next pass";
  EXPECT_EQ(four->arithmetic, 4);
  EXPECT_EQ(four->bound(), Bound::arithmetic);
  EXPECT_DOUBLE_EQ(four->cycles(), 2);
  const auto divided =
      of("    vmovups (%rdi), %ymm0\n    vdivps %ymm1, %ymm0, %ymm0\n"
         "    vmovups %ymm0, (%rdi)");
  EXPECT_EQ(divided->divisions, 1);
  EXPECT_EQ(divided->bound(), Bound::divisions);
  const auto added = of("    addl $1, (%rdi)\n    leaq 4(%rdi), %rdi\n    cmpl (%rsi), %eax");
  EXPECT_EQ(added->loads, 2);
  EXPECT_EQ(added->stores, 1);
  EXPECT_FALSE(loopCounts("kernel:\n    retq", {}));
  EXPECT_EQ(loopWords(*copy),
            "Innermost loop, lines 2 to 7: 5 instructions (loads: 1, stores: 1, arithmetic: 0, "
            "divisions: 0). At least 1.25 cycles per pass, limited by the number of instructions.");
}

}  // namespace
}  // namespace fusebench

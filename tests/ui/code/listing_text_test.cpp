// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/code/listing_text.h"

#include <gtest/gtest.h>

#include <QStringList>

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

}  // namespace
}  // namespace fusebench

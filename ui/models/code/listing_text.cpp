// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/code/listing_text.h"

#include <QHash>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <map>
#include <utility>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr int kIndent = 4;
constexpr qsizetype kLeastMnemonic = 8, kMostMnemonic = 24;
constexpr int kArithmeticCycles = 4, kDivisionCycles = 12;  ///< until a result can be used
constexpr double kLoadsPerCycle = 2, kArithmeticPerCycle = 2, kInstructionsPerCycle = 4;
constexpr double kCyclesPerDivision = 5;  ///< until the next one can begin

/// "\tvaddps\t%ymm0, %ymm1\t# note", "\t@%p1 bra\t$L1;"; labels and comments do not match.
const QRegularExpression& instruction() {
  static const QRegularExpression kForm(
      QStringLiteral("^[ \\t]+((?:@!?%\\w+[ \\t]+)?[.\\w][^ \\t]*)(?:[ \\t]+(.*))?$"));
  return kForm;
}

struct LoopLines {
  int from, to;
};

/// The loop that does the work, by the lines of its label and its jump.
std::optional<LoopLines> hotLoop(const QString& assembly, const std::vector<int>& lineOps) {
  static const QRegularExpression kLabel(QStringLiteral("^([.\\w$]+):"));
  static const QRegularExpression kJump(QStringLiteral(
      "^\\s+(?:j\\w+|b|b\\.\\w+|cbn?z|tbn?z)\\s+(?:.*[ ,])?([.\\w$]+)\\s*(?:#.*)?$"));
  std::vector<LoopLines> loops;
  QHash<QString, int> labels;
  const QStringList lines = assembly.split(u'\n');
  for (int i = 0; i < lines.size(); ++i) {
    if (const auto label = kLabel.match(lines[i]); label.hasMatch())
      labels.insert(label.captured(1), i);
    else if (const auto jump = kJump.match(lines[i]); jump.hasMatch())
      if (const auto target = labels.constFind(jump.captured(1)); target != labels.constEnd())
        loops.push_back({*target, i});
  }
  std::optional<LoopLines> best;
  int most = -1;
  for (const LoopLines& loop : loops) {
    const bool holdsAnother = std::any_of(loops.begin(), loops.end(), [&](const LoopLines& other) {
      return loop.from <= other.from && other.to <= loop.to &&
             (loop.from != other.from || loop.to != other.to);
    });
    if (holdsAnother) continue;
    int count = 0;
    for (int line = loop.from; line <= loop.to && line < static_cast<int>(lineOps.size()); ++line)
      count += lineOps[static_cast<std::size_t>(line)] >= 0;
    if (count > most) {
      most = count;
      best = loop;
    }
  }
  return best;
}

/// One instruction of a loop, as far as it is counted.
struct Counted {
  bool load = false, store = false, arithmetic = false, division = false;
  QStringList read, written;  ///< vector registers, by their numbers
};

/// "%ymm3" and "%xmm3" are one register, as are "v3.4s", "q3" and "s3".
QStringList vectorRegisters(const QString& operand) {
  static const QRegularExpression kRegister(
      QStringLiteral("%[xyz]mm(\\d+)|(?<![\\w.%])[vqdsz](\\d+)(?:\\.\\w+)?\\b"));
  QStringList found;
  for (auto match = kRegister.globalMatch(operand); match.hasNext();) {
    const auto one = match.next();
    found << (one.captured(1).isEmpty() ? one.captured(2) : one.captured(1));
  }
  return found;
}

/// The operands: commas within brackets divide none.
QStringList operandsOf(const QString& text) {
  QStringList operands;
  int depth = 0;
  QString current;
  for (const QChar letter : text) {
    if (letter == u'(' || letter == u'[' || letter == u'{') ++depth;
    if (letter == u')' || letter == u']' || letter == u'}') --depth;
    if (letter == u',' && depth == 0)
      operands << std::exchange(current, QString()).trimmed();
    else
      current += letter;
  }
  if (!current.trimmed().isEmpty()) operands << current.trimmed();
  return operands;
}

std::optional<Counted> countedLine(const QString& line) {
  static const QRegularExpression kLine(
      QStringLiteral("^\\s+([a-z][\\w.]*)(?:\\s+([^#]*?))?\\s*(?:#.*)?$"));
  static const QRegularExpression kArithmetic(QStringLiteral(
      "^(?:v?p?(?:add|sub|mul|max|min|and|andn|or|xor|cmp|blend|ternlog|round|rndscale|cvt|sll|srl|"
      "sra|abs|avg|mad|broadcast|perm|unpck|shuf|hadd)|vfn?m(?:add|sub)|fmla|fmls|fmadd|fmsub|fn?"
      "mul|"
      "f(?:add|sub|abs|neg|max|min|cm|cvt|rint|csel|mov))"));
  static const QRegularExpression kDivision(
      QStringLiteral("^(?:v?(?:div|sqrt)[ps][sd]|f(?:div|sqrt))"));
  const auto match = kLine.match(line);
  if (!match.hasMatch()) return std::nullopt;
  const QString name = match.captured(1);
  const QStringList operands = operandsOf(match.captured(2));
  Counted counted;
  const bool arm = name.startsWith(QLatin1String("ld")) || name.startsWith(QLatin1String("st")) ||
                   match.captured(2).contains(u'[');
  const auto inMemory = [](const QString& operand) { return operand.contains(u'('); };
  const bool address =
      name.startsWith(QLatin1String("lea")) || name.startsWith(QLatin1String("prefetch"));
  if (arm) {
    counted.load = name.startsWith(QLatin1String("ld"));
    counted.store = name.startsWith(QLatin1String("st"));
  } else if (!address) {
    for (qsizetype i = 0; i < operands.size(); ++i) {
      if (!inMemory(operands[i])) continue;
      const bool last = i + 1 == operands.size() && operands.size() > 1;
      const bool moves = name.startsWith(QLatin1String("mov")) ||
                         name.startsWith(QLatin1String("vmov")) ||
                         name.startsWith(QLatin1String("vextract"));
      const bool compares =
          name.startsWith(QLatin1String("cmp")) || name.startsWith(QLatin1String("test"));
      if (last && !compares) counted.store = true;
      if (!last || (!moves && !counted.store) || (last && !moves)) counted.load = true;
    }
  }
  counted.division = kDivision.match(name).hasMatch();
  QStringList all;
  for (const QString& operand : operands) all << vectorRegisters(operand);
  counted.arithmetic = !counted.division && kArithmetic.match(name).hasMatch() && !all.isEmpty();
  if (operands.isEmpty() || counted.store) {
    counted.read = all;
    return counted;
  }
  // AT&T's syntax writes the result last, AArch64's first.
  const bool first = !match.captured(2).contains(u'%');
  const qsizetype result = first ? 0 : operands.size() - 1;
  const bool accumulates =
      name.startsWith(QLatin1String("vfm")) || name.startsWith(QLatin1String("vfn")) ||
      name.startsWith(QLatin1String("fmla")) || name.startsWith(QLatin1String("fmls")) ||
      name.contains(QLatin1String("ternlog"));
  for (qsizetype i = 0; i < operands.size(); ++i)
    if (i != result || accumulates) counted.read << vectorRegisters(operands[i]);
  counted.written = vectorRegisters(operands[result]).mid(0, 1);
  return counted;
}

/// The longest way from a register at the start of a pass to itself at the end.
int chainOf(const std::vector<Counted>& pass) {
  QStringList registers;
  for (const Counted& each : pass) registers << each.written;
  registers.removeDuplicates();
  int longest = 0;
  for (const QString& start : registers) {
    std::map<QString, int> reached = {{start, 0}};
    for (const Counted& each : pass) {
      if (each.written.isEmpty()) continue;
      int most = -1;
      for (const QString& read : each.read)
        if (const auto found = reached.find(read); found != reached.end())
          most = std::max(most, found->second);
      const int cycles = each.division ? kDivisionCycles : each.arithmetic ? kArithmeticCycles : 0;
      if (most < 0)
        reached.erase(each.written.front());
      else
        reached[each.written.front()] = most + cycles;
    }
    if (const auto end = reached.find(start); end != reached.end())
      longest = std::max(longest, end->second);
  }
  return longest;
}

/// Which lines of a language are left out, as patterns.
std::vector<QRegularExpression> noiseOf(const QString& language) {
  const auto re = [](const char* pattern) { return QRegularExpression(QLatin1String(pattern)); };
  if (language == QLatin1String("assembly"))
    // Data that instructions read by its label stays.
    return {re("^\\s*$"), re("^\\s*[#@;].*$"), re("^\\s*//.*$"),
            re("^\\s+\\.(?!(?:long|quad|short|byte|zero|ascii|asciz|word|xword|octa|single|double)"
               "\\b)\\w+.*$")};
  if (language == QLatin1String("ptx"))
    return {re("^\\s*$"), re("^\\s*//.*$"),
            re("^\\s*\\.(?:version|target|address_size|loc|file|reg|section|pragma)\\b.*$")};
  if (language == QLatin1String("sass"))
    return {
        re("^\\s*$"), re("^\\s*//.*$"),
        re("^\\s*\\.(?:headerflags|section|sectionflags|sectioninfo|align|global|type|size|other|"
           "elftype)\\b.*$")};
  if (language == QLatin1String("llvm"))
    return {re("^\\s*$"), re("^;.*$"), re("^(?:source_filename|target|attributes|declare|!).*$")};
  return {};
}

}  // namespace

QString inColumns(const QString& assembly) {
  QStringList lines = assembly.split(u'\n');
  qsizetype widest = kLeastMnemonic;
  for (const QString& line : lines)
    if (const auto match = instruction().match(line);
        match.hasMatch() && !match.captured(1).startsWith(u'.') && !match.captured(2).isEmpty())
      widest = std::max(widest, std::min(kMostMnemonic, match.capturedLength(1)));
  for (QString& line : lines) {
    const auto match = instruction().match(line);
    if (match.hasMatch()) {
      line = QString(kIndent, u' ') + match.captured(1);
      if (!match.captured(2).isEmpty()) {
        const bool directive = match.captured(1).startsWith(u'.');
        if (!directive) line = line.leftJustified(kIndent + widest);
        line += u' ' + match.captured(2);
      }
    }
    line.replace(u'\t', QStringLiteral("  "));
    while (line.endsWith(u' ')) line.chop(1);
  }
  return lines.join(u'\n');
}

int innermostLoop(const QString& assembly, const std::vector<int>& lineOps) {
  const auto loop = hotLoop(assembly, lineOps);
  return loop ? loop->from : 0;
}

ListingLines withoutDirectives(const ListingLines& whole, const QString& language) {
  const std::vector<QRegularExpression> noise = noiseOf(language);
  if (noise.empty()) return whole;
  static const QRegularExpression kLabel(QStringLiteral("^([.$]?[\\w.$]+):"));
  const bool labels = language != QLatin1String("llvm");
  const QStringList lines = whole.text.split(u'\n');
  // A label's own line does not refer to it.
  QHash<QString, bool> used;
  static const QRegularExpression kName(QStringLiteral("[.$]?[A-Za-z_][\\w.$]*"));
  for (const QString& line : lines) {
    if (kLabel.match(line).hasMatch()) continue;
    for (auto match = kName.globalMatch(line); match.hasNext();)
      used.insert(match.next().captured(), true);
  }
  ListingLines kept;
  QStringList text;
  for (int i = 0; i < lines.size(); ++i) {
    const QString& line = lines[i];
    const auto label = kLabel.match(line);
    const bool local = label.hasMatch() &&
                       (label.captured(1).startsWith(u'.') || label.captured(1).startsWith(u'$'));
    const bool unused = labels && local && !used.contains(label.captured(1));
    if (unused || std::any_of(noise.begin(), noise.end(), [&](const QRegularExpression& each) {
          return each.match(line).hasMatch();
        }))
      continue;
    text << line;
    const auto op = static_cast<std::size_t>(i);
    kept.ops.push_back(op < whole.ops.size() ? whole.ops[op] : -1);
  }
  kept.text = text.join(u'\n');
  return kept;
}

QString listingFile(const QString& variant, std::size_t kernel, const QString& language) {
  static const QHash<QString, QString> kEndings = {
      {QStringLiteral("assembly"), QStringLiteral("s")},
      {QStringLiteral("llvm"), QStringLiteral("ll")},
      {QStringLiteral("cuda"), QStringLiteral("cu")},
      {QStringLiteral("ptx"), QStringLiteral("ptx")},
      {QStringLiteral("sass"), QStringLiteral("sass")}};
  static const QRegularExpression kOther(QStringLiteral("[^\\w+.-]+"),
                                         QRegularExpression::UseUnicodePropertiesOption);
  QString name = variant;
  name.replace(kOther, QStringLiteral("-"));
  return QStringLiteral("%1-kernel-%2.%3")
      .arg(name)
      .arg(kernel + 1)
      .arg(kEndings.value(language, QStringLiteral("txt")));
}

QStringList comparableLines(const QString& text, const QString& language) {
  const auto re = [](const char* pattern) { return QRegularExpression(QLatin1String(pattern)); };
  std::vector<std::pair<QRegularExpression, QString>> kinds;
  if (language == QLatin1String("assembly"))
    kinds = {{re("%([xyz]mm|k|mm)\\d+"), QStringLiteral("%\\1")},
             {re("%r(?:[a-d]x|[sd]i|[sb]p|\\d+)\\b"), QStringLiteral("%r")},
             {re("%(?:e(?:[a-d]x|[sd]i|[sb]p)|r\\d+d)\\b"), QStringLiteral("%e")},
             {re("(?<![\\w.%])([vqdsxwz])\\d+((?:\\.\\w+)?)\\b"), QStringLiteral("\\1\\2")},
             {re("\\.L[A-Za-z]+[\\w.]*"), QStringLiteral(".L")}};
  else if (language == QLatin1String("ptx"))
    kinds = {{re("%([a-z]+)\\d+"), QStringLiteral("%\\1")},
             {re("\\$L_\\w+"), QStringLiteral("$L")}};
  else if (language == QLatin1String("sass"))
    kinds = {{re("\\b(U?[RP])\\d+"), QStringLiteral("\\1")},
             {re("\\.L_x_\\d+"), QStringLiteral(".L")},
             {re("/\\*[0-9a-f]+\\*/"), QString()}};
  else if (language == QLatin1String("llvm"))
    kinds = {{re("%[-\\w.$]+"), QStringLiteral("%")},
             {re("#\\d+"), QStringLiteral("#")},
             {re("!\\d+"), QStringLiteral("!")}};
  QStringList lines = text.split(u'\n');
  for (QString& line : lines)
    for (const auto& [pattern, kind] : kinds) line.replace(pattern, kind);
  return lines;
}

double LoopCounts::cycles() const {
  return std::max({loads / kLoadsPerCycle, static_cast<double>(stores),
                   arithmetic / kArithmeticPerCycle, divisions * kCyclesPerDivision,
                   instructions / kInstructionsPerCycle, static_cast<double>(chain)});
}

LoopCounts::Bound LoopCounts::bound() const {
  const double least = cycles();
  if (chain >= least) return Bound::latency;
  if (divisions * kCyclesPerDivision >= least) return Bound::divisions;
  if (arithmetic / kArithmeticPerCycle >= least) return Bound::arithmetic;
  if (loads / kLoadsPerCycle >= least) return Bound::loads;
  return stores >= least ? Bound::stores : Bound::frontEnd;
}

std::optional<LoopCounts> loopCounts(const QString& assembly, const std::vector<int>& lineOps) {
  const auto loop = hotLoop(assembly, lineOps);
  if (!loop) return std::nullopt;
  const QStringList lines = assembly.split(u'\n');
  LoopCounts counts;
  counts.first = loop->from;
  counts.last = loop->to;
  std::vector<Counted> pass;
  for (int i = loop->from; i <= loop->to; ++i) {
    const auto counted = countedLine(lines[i]);
    if (!counted) continue;
    ++counts.instructions;
    counts.loads += counted->load;
    counts.stores += counted->store;
    counts.arithmetic += counted->arithmetic;
    counts.divisions += counted->division;
    pass.push_back(*counted);
  }
  if (counts.instructions == 0) return std::nullopt;
  counts.chain = chainOf(pass);
  return counts;
}

QString loopWords(const LoopCounts& counts) {
  static constexpr const char* kBounds[] = {
      uiMark("loads"),
      uiMark("stores"),
      uiMark("arithmetic"),
      uiMark("divisions"),
      uiMark("the number of instructions"),
      uiMark("the latency of a loop-carried dependency chain")};
  return uiText(
             "Innermost loop, lines %1 to %2: %3 instructions (loads: %4, stores: %5, arithmetic: "
             "%6, divisions: %7). At least %8 cycles per pass, limited by %9.")
      .arg(counts.first + 1)
      .arg(counts.last + 1)
      .arg(counts.instructions)
      .arg(counts.loads)
      .arg(counts.stores)
      .arg(counts.arithmetic)
      .arg(counts.divisions)
      .arg(counts.cycles(), 0, 'g', 3)
      .arg(uiText(kBounds[static_cast<int>(counts.bound())]));
}

}  // namespace fusebench

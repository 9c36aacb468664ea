<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>fusebench</name>
    <message>
        <source>
Written once and run %1 times: an edit changes all of them</source>
        <translation>
写一次、运行 %1 次：修改会影响所有各次</translation>
    </message>
    <message>
        <source> %1 samples were dropped: the device was %2.</source>
        <translation>丢弃了 %1 个样本：设备%2。</translation>
    </message>
    <message>
        <source> %1% of the calls fell back to eager.</source>
        <translation>%1% 的调用回退到 eager。</translation>
    </message>
    <message>
        <source> (%1 values)</source>
        <translation>（%1 个取值）</translation>
    </message>
    <message>
        <source> (inputs "%1")</source>
        <translation>（输入“%1”）</translation>
    </message>
    <message>
        <source> (for traces, %1: time by kernel)</source>
        <translation>（trace 则由 %1 写出按内核统计的时间）</translation>
    </message>
    <message>
        <source> (for traces: the timeline)</source>
        <translation>（trace 则为时间线）</translation>
    </message>
    <message>
        <source> (quick)</source>
        <translation>（快速）</translation>
    </message>
    <message>
        <source> (quick: a tenth of the time asked for)</source>
        <translation>（快速：只用所要求时间的十分之一）</translation>
    </message>
    <message>
        <source> (simulated)</source>
        <translation>（模拟）</translation>
    </message>
    <message>
        <source> (stopped early)</source>
        <translation>（提前停止）</translation>
    </message>
    <message>
        <source> An activation_memory_budget of %1 keeps it within its budget.</source>
        <translation> 用 activation_memory_budget = %1 守住了预算。</translation>
    </message>
    <message>
        <source> It differs by at most %1 from PyTorch's results on the same inputs.</source>
        <translation>与 PyTorch 在相同输入上的结果最多相差 %1。</translation>
    </message>
    <message>
        <source> Similar: %1.</source>
        <translation>相近的有：%1。</translation>
    </message>
    <message>
        <source> Preliminary: it is still being measured.</source>
        <translation>初步：仍在测量。</translation>
    </message>
    <message>
        <source> Published figures give time and memory only.</source>
        <translation>已发表的数据只有时间和内存。</translation>
    </message>
    <message>
        <source> PyTorch's variants are not traced.</source>
        <translation>PyTorch 的变体不做剖析。</translation>
    </message>
    <message>
        <source> The author reads a break-even of about %1 off the chart.</source>
        <translation>作者从图上读出的转折点约为 %1。</translation>
    </message>
    <message>
        <source> The device's bars use its own clock and come from calls recorded in another process. Recording slows the host, so all parts except kernels and copies are longer.</source>
        <translation>设备的条采用设备自己的时钟，取自另一个进程中记录的调用：记录会使主机变慢，所以除内核和拷贝以外的部分都更长。</translation>
    </message>
    <message>
        <source> The first and second halves of the samples differ: the latency drifted.</source>
        <translation>前后两半样本不同：有漂移。</translation>
    </message>
    <message>
        <source> The program is compiled in %1 pieces (graphs).</source>
        <translation> 程序分成 %1 段（图）编译。</translation>
    </message>
    <message>
        <source> The interval contains 1: the difference is within noise.</source>
        <translation>它也可能就是 1：两者的差别在噪声之内。</translation>
    </message>
    <message>
        <source> The ratio of the two latencies is %1: the machine ran at different speeds during the run, and more samples would help.</source>
        <translation>用两个耗时直接相除会得到 %1：测量期间机器的速度有变化，多取样本会有帮助。</translation>
    </message>
    <message>
        <source> To see it, open Menu, Recorded on a GPU.</source>
        <translation> 查看：打开“菜单 → GPU 上的记录”。</translation>
    </message>
    <message>
        <source> UTC</source>
        <translation> UTC</translation>
    </message>
    <message>
        <source> Device activity of %1 was not recorded: %2.</source>
        <translation>%1 的设备活动没有记录：%2。</translation>
    </message>
    <message>
        <source> With n statements, the first n of these run, starting over after the last one; then the return.</source>
        <translation>取 n 条语句时运行其中前 n 条，最后一条之后又从第一条开始，然后是 return。</translation>
    </message>
    <message>
        <source> With n statements, the first n of these run; then every value that no statement has read is returned.</source>
        <translation>取 n 条语句时运行其中前 n 条，然后返回没有被任何语句读取的所有值。</translation>
    </message>
    <message>
        <source> and </source>
        <translation>和</translation>
    </message>
    <message>
        <source> and the return</source>
        <translation>和 return</translation>
    </message>
    <message>
        <source> at the latest</source>
        <translation>（最迟）</translation>
    </message>
    <message>
        <source> before its start</source>
        <translation>（在它开始之前）</translation>
    </message>
    <message>
        <source> for each multiprocessor</source>
        <translation>（每个多处理器）</translation>
    </message>
    <message>
        <source> in place</source>
        <translation>（原地）</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source> runs</source>
        <translation>串</translation>
    </message>
    <message>
        <source> shared</source>
        <translation> 共享内存</translation>
    </message>
    <message>
        <source> · %1 dropped</source>
        <translation> · 丢弃 %1 个</translation>
    </message>
    <message>
        <source> · %1 graphs</source>
        <translation> · %1 个图</translation>
    </message>
    <message>
        <source> · %1% eager</source>
        <translation> · %1% 走 eager</translation>
    </message>
    <message>
        <source> · drift</source>
        <translation> · 漂移</translation>
    </message>
    <message>
        <source> · mean gap %1</source>
        <translation> · 平均间隙 %1</translation>
    </message>
    <message>
        <source> · notes</source>
        <translation> · 有笔记</translation>
    </message>
    <message>
        <source> · quick</source>
        <translation> · 快速</translation>
    </message>
    <message>
        <source>"%1" %2: it cannot be overlaid on this chart.</source>
        <translation>“%1” %2：它不能叠加到这张图上。</translation>
    </message>
    <message>
        <source>"Record" runs each variant of the chain ten times and shows every launch. Or open a trace, by Ctrl+O or by dropping it on the window: from the PyTorch profiler (.json, .json.gz), another Chrome trace, Perfetto (.pftrace), Nsight Systems (.sqlite), or a folder with one trace for each rank.</source>
        <translation>“记录”会用每个变体把算子链运行十次，并显示每次启动。也可以打开一个 trace（按 Ctrl+O 或把它拖到窗口上）：PyTorch 分析器的（.json、.json.gz）、其他 Chrome trace、Perfetto 的（.pftrace）、Nsight Systems 的（.sqlite），或每个 rank 各有一个 trace 的文件夹。</translation>
    </message>
    <message>
        <source>"Where the time went", in the list under the tracks, compares them.</source>
        <translation>泳道下方列表里的“时间花在哪里”把它们并排列出。</translation>
    </message>
    <message>
        <source>%1 and all later targets: nothing can be measured there now</source>
        <translation>%1 及其后各处：现在无法在那里测量</translation>
    </message>
    <message>
        <source>%1 is not available%2. Run measures on %3.</source>
        <translation>%1 不在这里%2。“运行”在 %3 上测量。</translation>
    </message>
    <message>
        <source>%1 is now a separate experiment, with the shapes that it receives in the model. Run measures it.</source>
        <translation>%1 现在是一个独立的实验，形状与它在模型中得到的相同。运行即可测量。</translation>
    </message>
    <message>
        <source>%1 of the %2 kernels with a recorded launch call. In sequences of such kernels, the host cannot keep the device busy.</source>
        <translation>能对应到调用的 %2 个中有 %1 个。这样的内核一个接一个时，主机无法让设备一直忙碌。</translation>
    </message>
    <message>
        <source>%1 samples of each of the %2 data points take about %3; the time budget of this run is %4.

With fewer samples, there are no intervals, and differences cannot be told from noise.</source>
        <translation>%2 个数据点各取 %1 个样本约需 %3；这次测量的时间预算为 %4。

样本更少时没有区间，差异无法与噪声区分。</translation>
    </message>
    <message>
        <source>%1 with too few samples</source>
        <translation>%1 个样本太少，无法判断</translation>
    </message>
    <message>
        <source>%1% of the attainable rate</source>
        <translation>设备所允许的 %1 %</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 %2 at %3</source>
        <translation>%3 时 %1 %2</translation>
    </message>
    <message>
        <source>%1 %2 from %3</source>
        <translation>%1从 %3 起%2</translation>
    </message>
    <message>
        <source>%1 %2 from %3%4</source>
        <translation>%1 从 %3%4 起%2</translation>
    </message>
    <message>
        <source>%1 slice in %2</source>
        <translation>%1 个事件，%2</translation>
    </message>
    <message>
        <source>%1 slices in %2</source>
        <translation>%1 个事件，%2</translation>
    </message>
    <message>
        <source>%1 (%2 times, %3)</source>
        <translation>%1（%2 次，%3）</translation>
    </message>
    <message>
        <source>%1 (*.json)</source>
        <translation>%1 (*.json)</translation>
    </message>
    <message>
        <source>%1 (A) against %2 (B)</source>
        <translation>%1（A）对 %2（B）</translation>
    </message>
    <message>
        <source>%1 (simulated)</source>
        <translation>%1（模拟）</translation>
    </message>
    <message>
        <source>%1 FLOP/byte</source>
        <translation>%1 FLOP/字节</translation>
    </message>
    <message>
        <source>%1 per data point</source>
        <translation>每数据点 %1 个</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%2 处 %1</translation>
    </message>
    <message>
        <source>%1 now, %2 with each sequence as one kernel, %3 with each sequence as one graph</source>
        <translation>现在 %1，每串合成一个内核为 %2，每串放进一个图为 %3</translation>
    </message>
    <message>
        <source>%1 per launch with its kernel (%2)</source>
        <translation>每次启动连同内核 %1（%2）</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 对 %2</translation>
    </message>
    <message>
        <source>%1 against %2. "Two traces compared" compares them kernel by kernel.</source>
        <translation>%1 对 %2。“两个 trace 的对比”逐个内核列出。</translation>
    </message>
    <message>
        <source>%1 at the peak: %2 (%3)</source>
        <translation>峰值 %1：%2（%3）</translation>
    </message>
    <message>
        <source>%1 blocks</source>
        <translation>%1 个块</translation>
    </message>
    <message>
        <source>%1 data points</source>
        <translation>%1 个数据点</translation>
    </message>
    <message>
        <source>%1 data points, %2 samples</source>
        <translation>%1 个数据点，%2 个样本</translation>
    </message>
    <message>
        <source>%1 compile%2</source>
        <translation>编译 %1%2</translation>
    </message>
    <message>
        <source>%1 could not be measured: %2</source>
        <translation>%1 无法测量：%2</translation>
    </message>
    <message>
        <source>%1 elements</source>
        <translation>%1 个元素</translation>
    </message>
    <message>
        <source>%1 in %2 calls</source>
        <translation>%1，%2 次调用</translation>
    </message>
    <message>
        <source>%1 of a recorded call</source>
        <translation>占一次录制调用的 %1</translation>
    </message>
    <message>
        <source>%1 to %2 in the whole trace</source>
        <translation>整个 trace 中为 %1 到 %2</translation>
    </message>
    <message>
        <source>%1 to %2 of %3</source>
        <translation>%1 到 %2，共 %3</translation>
    </message>
    <message>
        <source>%1 to %2: %3</source>
        <translation>%1 到 %2：%3</translation>
    </message>
    <message>
        <source>%1 will execute %2 with your permissions.</source>
        <translation>%1 将以你的权限执行 %2。</translation>
    </message>
    <message>
        <source>%1, %2 % of all, %3 calls</source>
        <translation>%1，占全部的 %2 %，%3 次调用</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1. The measured results are kept.</source>
        <translation>%1。已测的内容会保留。</translation>
    </message>
    <message>
        <source>%1: %2 compilations, %3 graph breaks, %4 recompilations</source>
        <translation>%1：%2 次编译，%3 处图中断，%4 次重新编译</translation>
    </message>
    <message>
        <source>%1: %2 operators can be measured, %3 cannot</source>
        <translation>%1：%2 个算子能测量，%3 个不能</translation>
    </message>
    <message>
        <source>%1: %2 to memory; rates from: %3</source>
        <translation>%1：内存带宽 %2；数据来源：%3</translation>
    </message>
    <message>
        <source>%1; the notes are in %2</source>
        <translation>%1；笔记保存在 %2</translation>
    </message>
    <message>
        <source>%1: now an experiment with the shapes of the trace. Run measures it.</source>
        <translation>%1：现在是一个实验，形状与 trace 相同。按“运行”测量。</translation>
    </message>
    <message>
        <source>%1compiling took %2 of the time</source>
        <translation>%1编译占时间的 %2</translation>
    </message>
    <message>
        <source>%1torch.compile: %2 per call</source>
        <translation>%1torch.compile：每次调用 %2</translation>
    </message>
    <message>
        <source>, by the model's error %1 – %2</source>
        <translation>，按模型误差 %1 – %2</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; consists of several operators: &lt;a style='color:%2' href='%1'&gt;write it as PyTorch text&lt;/a&gt; (Enter, or Alt+2).</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; 由几个算子组成：&lt;a style='color:%2' href='%1'&gt;写成 PyTorch 文本&lt;/a&gt;（Enter 或 Alt+2）。</translation>
    </message>
    <message>
        <source>&lt;p&gt;The machine became faster or slower while these data points were measured: the first and second halves of their samples differ by more than chance explains. Click to go to the first one.&lt;/p&gt;</source>
        <translation>&lt;p&gt;测量这些数据点时机器变快或变慢了：前一半与后一半样本的差别超出了偶然所能解释的范围。点击转到第一个。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>A Python file, or a .pt2 file of torch.export.save</source>
        <translation>Python 文件，或 torch.export.save 写出的 .pt2 文件</translation>
    </message>
    <message>
        <source>A click shows the longest call on the timeline</source>
        <translation>点击即在时间线上显示最长的一次调用</translation>
    </message>
    <message>
        <source>A click shows the longest one on the timeline</source>
        <translation>点击一行就在时间线上显示最长的一次</translation>
    </message>
    <message>
        <source>A click shows the longest one. Bytes and ranks need a trace of PyTorch's profiler, version 2.1 or newer; without them there is no bandwidth.</source>
        <translation>点击显示最长的一次。字节数和 rank 数需要 PyTorch 2.1 或更新版本的分析器 trace；没有它们就没有带宽。</translation>
    </message>
    <message>
        <source>A click shows the longest one. GB/s exclude waiting time where it is known.</source>
        <translation>点击显示最长的一次。已知等待时间时，GB/s 不计等待。</translation>
    </message>
    <message>
        <source>A click shows the time of a note. Double-click or F2 changes its text.</source>
        <translation>单击显示笔记所在的时间。双击或按 F2 修改文字。</translation>
    </message>
    <message>
        <source>Generated code (*.%1)</source>
        <translation>生成的代码 (*.%1)</translation>
    </message>
    <message>
        <source>Overview of the program</source>
        <translation>程序全览</translation>
    </message>
    <message>
        <source>Result of the export</source>
        <translation>导出结果</translation>
    </message>
    <message>
        <source>Dynamic size</source>
        <translation>动态大小</translation>
    </message>
    <message>
        <source>Dynamic shapes</source>
        <translation>动态形状</translation>
    </message>
    <message>
        <source>First value</source>
        <translation>第一个值</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>行数</translation>
    </message>
    <message>
        <source>Made constant because</source>
        <translation>变为常量的原因</translation>
    </message>
    <message>
        <source>A kernel that computes operations of several modules is divided among them, in equal parts per operation</source>
        <translation>一个内核如果计算几个模块的运算，就按运算平均分给这些模块</translation>
    </message>
    <message>
        <source>A name consists of letters, digits and _, and does not start with a digit</source>
        <translation>名称由字母、数字和 _ 组成，不能以数字开头</translation>
    </message>
    <message>
        <source>Add a note to the selected range, or else to the clicked slice, or else to the middle (B)</source>
        <translation>记下选中的范围，否则记下点击的事件，否则记下中点（B）</translation>
    </message>
    <message>
        <source>Add samples to the stopped run</source>
        <translation>为已停止的测量补充样本</translation>
    </message>
    <message>
        <source>After a run, each data point is a mark here, placed by two of its metrics, such as time and error.</source>
        <translation>有了一次测量后，它的每个数据点在这里是一个标记，位置由它的两个数决定，例如时间和误差。</translation>
    </message>
    <message>
        <source>All rows of a very deep track, or only the outer ones</source>
        <translation>很深的泳道显示全部行，或只显示外层</translation>
    </message>
    <message>
        <source>All supported files (*.fusebench *.json *.jsonl *.html *.pdf *.fblesson *.json.gz *.gz *.pftrace *.sqlite *.py *.pt2 *.log *.txt);;Experiments (*.json);;Runs and reports (*.jsonl *.html *.pdf);;Lessons (*.fblesson);;Models to capture (*.py *.pt2);;Traces (*.json *.json.gz *.gz *.pftrace *.sqlite);;Logs of torch.compile (*.log *.txt *.gz);;All files (*)</source>
        <translation>所有可打开的文件 (*.fusebench *.json *.jsonl *.html *.pdf *.fblesson *.json.gz *.gz *.pftrace *.sqlite *.py *.pt2 *.log *.txt);;实验 (*.json);;测量结果和报告 (*.jsonl *.html *.pdf);;课程 (*.fblesson);;要捕获的模型 (*.py *.pt2);;Trace (*.json *.json.gz *.gz *.pftrace *.sqlite);;torch.compile 的日志 (*.log *.txt *.gz);;所有文件 (*)</translation>
    </message>
    <message>
        <source>As in the inputs</source>
        <translation>按输入</translation>
    </message>
    <message>
        <source>At the ends of the curves</source>
        <translation>在曲线末端</translation>
    </message>
    <message>
        <source>At the first use of each shape and layout, every algorithm that the library has for a matmul or a convolution is timed, and the fastest is kept. The first call is slower, later calls may be faster. Otherwise the library chooses by a heuristic.</source>
        <translation>每种形式第一次使用时，把库里矩阵乘或卷积的各种做法都计时，留下最快的：第一次调用更贵，之后可能更便宜。不勾选则由库按经验选择。</translation>
    </message>
    <message>
        <source>Break-even map: open the curves through the point</source>
        <translation>热力图：打开经过该位置的曲线</translation>
    </message>
    <message>
        <source>Bytes per second over the links of each rank, as defined by nccl-tests; compare it with the link bandwidth</source>
        <translation>每个 rank 的链路上单位时间传输的字节数，按 nccl-tests 的定义：用来与链路速率比较</translation>
    </message>
    <message>
        <source>Call breakdown</source>
        <translation>调用剖析</translation>
    </message>
    <message>
        <source>Change a variant's calibration</source>
        <translation>更改变体求范围的方式</translation>
    </message>
    <message>
        <source>Change prefetch</source>
        <translation>更改提前取数</translation>
    </message>
    <message>
        <source>Change the maximum samples</source>
        <translation>更改最多样本数</translation>
    </message>
    <message>
        <source>Change the minimum samples</source>
        <translation>更改最少样本数</translation>
    </message>
    <message>
        <source>Change the source of inputs</source>
        <translation>更改输入的来源</translation>
    </message>
    <message>
        <source>Checks whether the compiled code fits the inputs</source>
        <translation>检查编译好的内容是否适合输入</translation>
    </message>
    <message>
        <source>Click: hide or show. Double-click or Alt+click: show alone.</source>
        <translation>点击：隐藏或显示。双击或 Alt+点击：只显示它。</translation>
    </message>
    <message>
        <source>Compiles without a cache</source>
        <translation>首次编译</translation>
    </message>
    <message>
        <source>Copy to the clipboard</source>
        <translation>放到剪贴板</translation>
    </message>
    <message>
        <source>Copying inputs to the recorded addresses</source>
        <translation>把输入拷贝到录制所读取的位置</translation>
    </message>
    <message>
        <source>Could not generate the code: %1</source>
        <translation>无法生成代码：%1</translation>
    </message>
    <message>
        <source>Counted, not measured. Assumed core: up to four instructions per cycle, of which two loads, one store and two arithmetic instructions; four cycles per addition or multiplication, five per division.</source>
        <translation>由计数得出，并非测量：假定一个核心每周期两次加载、一次存储、两条算术指令、共四条指令，加法或乘法延迟四个周期，除法每五个周期一次。</translation>
    </message>
    <message>
        <source>Create a device with the costs measured in this run</source>
        <translation>生成一个模拟设备，其各项开销与这次测量相符</translation>
    </message>
    <message>
        <source>Create an experiment from your own PyTorch model</source>
        <translation>用你自己的 PyTorch 模型生成一个实验</translation>
    </message>
    <message>
        <source>Creates an experiment from the longest call: eager, compiled and PyTorch on its shapes</source>
        <translation>用最长的一次调用制作实验：eager、编译后和 PyTorch，形状与它相同</translation>
    </message>
    <message>
        <source>Creates an experiment from the selected operators, or from all of them: eager, compiled and PyTorch on the shapes of the trace</source>
        <translation>用选中的算子（或全部）制作实验：eager、编译后和 PyTorch，形状取自 trace</translation>
    </message>
    <message>
        <source>Creates an experiment from your own PyTorch model. The file needs a function make() that returns (model, args), or a module whose inputs you describe here.</source>
        <translation>用你自己的 PyTorch 模型生成一个实验。文件里要有一个返回 (model, args) 的函数 make()，或者一个模块，其输入在这里说明。</translation>
    </message>
    <message>
        <source>Double-click or press Enter to insert the name into the query</source>
        <translation>双击或按 Enter 把名称写入查询</translation>
    </message>
    <message>
        <source>Each cell shows its offset in memory, in elements</source>
        <translation>格子里是它在内存中的位置，按元素计</translation>
    </message>
    <message>
        <source>Errors are determined by computing the program again in double precision. This run has no error data.</source>
        <translation>误差是用双精度把程序再算一遍得到的。这次运行没有误差。</translation>
    </message>
    <message>
        <source>Explore failed: %1</source>
        <translation>“边改边测”失败：%1</translation>
    </message>
    <message>
        <source>Explore stopped: %1</source>
        <translation>“边改边测”结束了：%1</translation>
    </message>
    <message>
        <source>Explore waits while a run is in progress.</source>
        <translation>测量期间暂停“边改边测”。</translation>
    </message>
    <message>
        <source>Explore waits: these results are from %1; Run measures on %2.</source>
        <translation>“边改边测”暂停：这些结果是 %1 的；“运行”在 %2 上测量。</translation>
    </message>
    <message>
        <source>Explore would replace results that are not saved; save the run, or start a new one.</source>
        <translation>“边改边测”会替换尚未保存的结果；请保存测量结果，或开始测量。</translation>
    </message>
    <message>
        <source>Export the timeline as a picture, or as a trace for Perfetto</source>
        <translation>导出所示内容：图片，或 Perfetto 可用的 trace</translation>
    </message>
    <message>
        <source>Find a command by name</source>
        <translation>按名称查找命令</translation>
    </message>
    <message>
        <source>Find an action, an operator, a view, a study, a lesson or a file by name</source>
        <translation>按名称查找操作、算子、视图、研究、课程或文件</translation>
    </message>
    <message>
        <source>Fit to the width of the panel; press again to show the whole program (Ctrl+0)</source>
        <translation>随面板的宽度而变；再按一次：整个程序（Ctrl+0）</translation>
    </message>
    <message>
        <source>Focus mode: the middle alone, or restore the layout</source>
        <translation>专注模式：只留中间部分，再按恢复</translation>
    </message>
    <message>
        <source>Fused kernels may multiply and add in one instruction: faster, but the last bits differ</source>
        <translation>融合的内核可以用一条指令完成乘加：更快，末位会不同</translation>
    </message>
    <message>
        <source>Fused kernels may use the GPU's approximate functions and division: faster but less accurate, as the relative error shows. Has no effect on the CPU.</source>
        <translation>融合的内核可以用 GPU 的近似函数和近似除法：更快，相对误差会说明精度损失多少。CPU 上没有。</translation>
    </message>
    <message>
        <source>Gradients are exchanged, and tensors are copied to the device, during computation</source>
        <translation>在计算其他部分的同时，在 rank 之间传递梯度，并把张量拷贝到设备</translation>
    </message>
    <message>
        <source>Hide directives, comments and labels that nothing jumps to</source>
        <translation>略去伪指令、注释和无人跳转的标签</translation>
    </message>
    <message>
        <source>How the program is run; each variant is one curve in the chart.</source>
        <translation>程序怎样运行；每个变体是图上的一条曲线。</translation>
    </message>
    <message>
        <source>Idle although the next kernel was already launched: the device's own delay</source>
        <translation>空闲，尽管下一个内核已经启动：设备自身的延迟</translation>
    </message>
    <message>
        <source>If the number of launches varies, a line is fitted to a variant's latency as a function of its launches per call. Its slope is the cost of one more launch; its value at zero launches is the rest of a call. The line is valid between the smallest and the largest number of launches.</source>
        <translation>启动次数有变化时，对变体的耗时与每次调用的启动次数拟合一条直线：斜率是多一次启动的代价，启动次数为零处的值是启动以外的代价。这条直线只在其中最少与最多的次数之间成立。</translation>
    </message>
    <message>
        <source>In a .safetensors file next to the experiment. Without it, weights are random numbers with the same mean and standard deviation.</source>
        <translation>存入实验旁边的 .safetensors 文件。不勾选时，权重按相同的均值和标准差抽取。</translation>
    </message>
    <message>
        <source>In brackets: 95% intervals. A break-even is where the measured curves cross, interpolated on the scale of the axis. A payback is the number of calls after which a compile with an empty cache has paid for itself.</source>
        <translation>括号内为 95% 区间。平衡点是实测曲线按坐标轴的刻度插值得到的交点；回本次数是首次编译抵掉自身代价所需的调用次数。</translation>
    </message>
    <message>
        <source>In brackets: the model's error. A break-even is where the simulated curves cross. A payback is the number of calls after which a compile with an empty cache has paid for itself.</source>
        <translation>括号内：模型误差。盈亏平衡点是模拟曲线的交点；回本次数是首次编译的开销被抵消所需的调用次数。</translation>
    </message>
    <message>
        <source>In the selected range. Point at a title to see what it counts.</source>
        <translation>在选中的范围内。把鼠标悬停在列标题上可看它统计什么。</translation>
    </message>
    <message>
        <source>In the whole trace. Point at a title to see what it counts.</source>
        <translation>在整个 trace 中。把鼠标悬停在列标题上可看它统计什么。</translation>
    </message>
    <message>
        <source>Inputs and results cannot be deleted on their own: they disappear with the ops that read or compute them</source>
        <translation>输入和结果不能单独删除：它们随读取或产生它们的算子出现和消失</translation>
    </message>
    <message>
        <source>Install Fusebench</source>
        <translation>复制过去</translation>
    </message>
    <message>
        <source>Install this version of Fusebench in your account on that machine</source>
        <translation>把这个版本的 Fusebench 复制到那台机器上您自己的文件夹里</translation>
    </message>
    <message>
        <source>The host was late with the next launch for %1 of its streams' idle time, the device itself took %2, and %3 has other reasons.</source>
        <translation>在各流空闲的时间里，有 %1 是主机的下一次启动来得太晚，%2 是设备自身，%3 是其他原因。</translation>
    </message>
    <message>
        <source>Kernel: its name. Operator: what launched it. Step: the profiler's steps, or else the ranges that the program named. Stream: the device's queue.</source>
        <translation>内核：它的名称。算子：启动它的算子。步：分析器的步，没有则取程序命名的区间。流：设备的队列。</translation>
    </message>
    <message>
        <source>Latencies are medians. Their 95% intervals are computed over sessions (one per worker process) or, within one process, over blocks of rounds. Speedups are medians of ratios paired by round. Results are checked against a reference in double precision.</source>
        <translation>耗时取中位数，95% 区间按会话（工作进程的一生）计算；只有一个进程时按轮的分块计算。加速比是按轮配对的比值的中位数。结果与双精度参考值核对。</translation>
    </message>
    <message>
        <source>Limit all tables and tracks to the ranges of one name, from record_function or NVTX, and to the kernels launched in them</source>
        <translation>把所有表格和轨道限制到同名的区间（来自 record_function 或 NVTX），以及在其中启动的内核</translation>
    </message>
    <message>
        <source>Line that is not understood</source>
        <translation>无法识别的行</translation>
    </message>
    <message>
        <source>Make baseline</source>
        <translation>设为基线</translation>
    </message>
    <message>
        <source>Maximum number of compiled versions; beyond it, calls run in eager</source>
        <translation>保留多少个编译版本；超过之后调用按 eager 运行</translation>
    </message>
    <message>
        <source>Maximum samples</source>
        <translation>最多样本数</translation>
    </message>
    <message>
        <source>Measured by Explore: the run has fewer samples of this point so far.</source>
        <translation>由“边改边测”测得：这次测量中它的样本还更少。</translation>
    </message>
    <message>
        <source>Memory limit of a call in KB; replaces the variants' budget</source>
        <translation>一次调用最多占用多少 KB，代替变体自己的预算</translation>
    </message>
    <message>
        <source>Memory limit of a call, inputs included: a number with KB, KiB, MB, MiB, GB or GiB</source>
        <translation>一次调用连同输入最多占用多少：数字加 KB、KiB、MB、MiB、GB 或 GiB</translation>
    </message>
    <message>
        <source>Minimum samples</source>
        <translation>最少样本数</translation>
    </message>
    <message>
        <source>Move back to the main window</source>
        <translation>移回主窗口</translation>
    </message>
    <message>
        <source>Move the current view to its own window, or back</source>
        <translation>当前视图的独立窗口，再按收回</translation>
    </message>
    <message>
        <source>Move the visible part</source>
        <translation>移动所显示的部分</translation>
    </message>
    <message>
        <source>Next kind of time, on a device: wall, host, device, synchronized</source>
        <translation>在设备上切换所示的时间：墙钟、主机、设备、同步</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>下一处</translation>
    </message>
    <message>
        <source>Next or previous kernel or match</source>
        <translation>下一个、上一个内核或匹配</translation>
    </message>
    <message>
        <source>Next or previous part of the window</source>
        <translation>窗口的下一部分、上一部分</translation>
    </message>
    <message>
        <source>No data point of this run has both metrics.</source>
        <translation>这次测量没有一个数据点同时有这两个数。</translation>
    </message>
    <message>
        <source>Not available: </source>
        <translation>没有：</translation>
    </message>
    <message>
        <source>Nothing is executed until you confirm.</source>
        <translation>在你确认之前不会执行任何代码。</translation>
    </message>
    <message>
        <source>Number of batches to copy in advance, during the launches; 0: copy each batch when it is needed</source>
        <translation>在启动内核的同时提前拷贝这么多批；0：需要时才拷贝</translation>
    </message>
    <message>
        <source>Number of different tensors for each name. Calls cycle through them. A shape may use i, the tensor's index starting at 0: "i + 4" makes each tensor longer than the one before.</source>
        <translation>为每个名称准备多少个不同的张量。每次调用取下一个，用完最后一个再从第一个开始。形状里可以写 i，即张量从 0 起的编号：写“i + 4”，后一个就比前一个长。</translation>
    </message>
    <message>
        <source>Number of threads that prepare batches ahead; 0: use the calling thread</source>
        <translation>提前把各行拼成批次的线程数；0：由发起调用的线程来做</translation>
    </message>
    <message>
        <source>On %1 lines of the map there are too few samples.</source>
        <translation>热力图的 %1 条线上测得太少，无法判断。</translation>
    </message>
    <message>
        <source>One of two branches: each call waits for the condition and takes this branch if it is true. The other branch is in the text.</source>
        <translation>两条路之一：每次调用先等待条件，条件如此时走这条路。另一条路在文本里。</translation>
    </message>
    <message>
        <source>Open a PyTorch execution trace (Ctrl+O): ExecutionTraceObserver().register_callback("step.json") records one.</source>
        <translation>打开 PyTorch 的执行 trace（Ctrl+O）：用 ExecutionTraceObserver().register_callback("step.json") 记录。</translation>
    </message>
    <message>
        <source>Open a PyTorch memory snapshot (Ctrl+O): torch.cuda.memory._record_memory_history() before the code, and json.dump(torch.cuda.memory._snapshot(), file) after it.</source>
        <translation>打开 PyTorch 的内存快照（Ctrl+O）：在代码之前调用 torch.cuda.memory._record_memory_history()，之后用 json.dump 把 torch.cuda.memory._snapshot() 写入文件。</translation>
    </message>
    <message>
        <source>Open a torch.compile log (Ctrl+O): the directory that TORCH_TRACE names, or the text that TORCH_LOGS="graph_breaks,recompiles" prints.</source>
        <translation>打开 torch.compile 的日志 (Ctrl+O)：TORCH_TRACE 指定的目录，或 TORCH_LOGS="graph_breaks,recompiles" 输出的文本。</translation>
    </message>
    <message>
        <source>Open an experiment to read the code generated for its kernels.</source>
        <translation>打开一个实验，看它的内核变成什么样的代码。</translation>
    </message>
    <message>
        <source>Outermost dimension first, separated by commas: numbers, names of axes, or expressions such as elements // 16. In a set of several tensors, i is the index of the tensor: 0, 1, 2 and so on.</source>
        <translation>最外层在前，用逗号隔开：数、轴的名称，或用它们写的表达式，例如 elements // 16。一组里有多个张量时，i 是张量的编号：0、1、2，依此类推。</translation>
    </message>
    <message>
        <source>Pale: not measured yet; the color is that of the nearest measured point.</source>
        <translation>浅色：尚待测量；颜色取自最近的已测位置。</translation>
    </message>
    <message>
        <source>Payback is the number of calls after which a faster variant has recovered its compile time. Add one that compiles, such as static, in Setup, Variants, and measure it together with %1.</source>
        <translation>回本是较快的变体要经过多少次调用才能抵消它的编译时间。请在“设置”的“变体”中加上一个需要编译的变体，例如 static，与 %1 一起测量。</translation>
    </message>
    <message>
        <source>Prefetch</source>
        <translation>提前取数</translation>
    </message>
    <message>
        <source>Press Run. After the times are measured, some calls are repeated with markers at each step, and their parts are shown here.</source>
        <translation>按“运行”。测完时间之后，会在每一步打上标记再调用几次，各部分就显示在这里。</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>上一处</translation>
    </message>
    <message>
        <source>PyTorch's variants run in a separate Python process, in the same rounds and on bit-identical inputs. The timed region includes Python's loop, the call and freeing the result, but not garbage collection, autograd, compiling or creating inputs. Fusebench's own variants are called from C++, so part of the difference is due to Python. PyTorch's compile time is that of the whole first call with an empty cache, without what its compiler needs once per process.</source>
        <translation>PyTorch 的变体在自己的 Python 进程中运行，在同样的轮次取样，输入逐位相同。计时区间包含 Python 的循环、调用本身和结果的释放，不含垃圾回收、autograd、编译和生成输入。Fusebench 自己的变体由 C++ 调用，所以两者差距的一部分来自 Python。PyTorch 的编译时间是缓存为空时整个第一次调用的时间；其编译器每个进程只需一次的准备不计在内。</translation>
    </message>
    <message>
        <source>Queries shipped with Fusebench, and your saved queries</source>
        <translation>Fusebench 自带的查询，以及你保存的查询</translation>
    </message>
    <message>
        <source>Record calls of the chain on the canvas with every variant, and show them here</source>
        <translation>用每个变体记录画布上算子链的调用，并在这里显示</translation>
    </message>
    <message>
        <source>Relative error compared with double precision</source>
        <translation>相对双精度的误差</translation>
    </message>
    <message>
        <source>Remove lines that are not understood</source>
        <translation>移除无法识别的行</translation>
    </message>
    <message>
        <source>Remove the lines not understood</source>
        <translation>移除无法识别的行</translation>
    </message>
    <message>
        <source>Remove the note selected in the table (Del)</source>
        <translation>删除表格中选中的笔记（Del）</translation>
    </message>
    <message>
        <source>Run B, which is compared with run A</source>
        <translation>测量 B，与第一个对比</translation>
    </message>
    <message>
        <source>Run the query (Ctrl+Enter); press again to cancel</source>
        <translation>运行查询 (Ctrl+Enter)；再按一次取消</translation>
    </message>
    <message>
        <source>Running kernels: the only part that computes</source>
        <translation>内核在运行：只有这部分在计算</translation>
    </message>
    <message>
        <source>Save this query to the list</source>
        <translation>把此查询留在列表中</translation>
    </message>
    <message>
        <source>All times</source>
        <translation>全部时间</translation>
    </message>
    <message>
        <source>Cadence</source>
        <translation>节拍</translation>
    </message>
    <message>
        <source>Cadence on the device (E) with the model's error</source>
        <translation>设备上的节拍（E），附模型误差</translation>
    </message>
    <message>
        <source>Cadence on the device (E), median with 95% interval</source>
        <translation>设备上的节拍（E），中位数及 95% 区间</translation>
    </message>
    <message>
        <source>Cadence: time per call between events on the device, including waits for the host (E)</source>
        <translation>节拍：设备上两个事件之间每次调用的时间，含等待主机的时间（E）</translation>
    </message>
    <message>
        <source>Cadence: time per call by the device's clock, between events around many calls. It includes the device's waits for the host.</source>
        <translation>节拍：按设备的时钟，包围多次调用的两个事件之间平均每次调用的时间，其中含设备等待主机的时间。</translation>
    </message>
    <message>
        <source>Device time (D) with the model's error</source>
        <translation>设备时间（D），附模型误差</translation>
    </message>
    <message>
        <source>Device time (D), median with 95% interval</source>
        <translation>设备时间（D），中位数及 95% 区间</translation>
    </message>
    <message>
        <source>Device time of a call, by the device's clock. The calls were enqueued before the device began, so it never waited for the host.</source>
        <translation>一次调用的设备时间，按设备的时钟。设备开始工作之前，所有调用已入队，因此设备从不等待主机。</translation>
    </message>
    <message>
        <source>Recorded on a GPU: %1</source>
        <translation>GPU 上的记录：%1</translation>
    </message>
    <message>
        <source>Select a line in either to mark the lines of its op in both.</source>
        <translation>点选任一边的一行，两边同一算子的行都会标出。</translation>
    </message>
    <message>
        <source>A size that becomes an axis, as in batch=0 (dimension 0 of every input) or length=ids.1</source>
        <translation>成为坐标轴的尺寸，例如 batch=0（每个输入的第 0 维）或 length=ids.1</translation>
    </message>
    <message>
        <source>Add note</source>
        <translation>添加笔记</translation>
    </message>
    <message>
        <source>Algorithm GB/s</source>
        <translation>算法 GB/s</translation>
    </message>
    <message>
        <source>All matches (%1 names)</source>
        <translation>所有匹配（%1 个名称）</translation>
    </message>
    <message>
        <source>All ranges</source>
        <translation>所有区间</translation>
    </message>
    <message>
        <source>Another variant's code next to this one, with the differences marked, or another language</source>
        <translation>旁边显示另一变体的代码并标出不同之处，或显示另一种语言</translation>
    </message>
    <message>
        <source>Arithmetic intensity, FLOP/byte</source>
        <translation>运算强度，FLOP/字节</translation>
    </message>
    <message>
        <source>The whole program. Click to go there.</source>
        <translation>整个程序。点击即可前往。</translation>
    </message>
    <message>
        <source>This code, kept while you edit</source>
        <translation>保留当前代码，供修改后对照</translation>
    </message>
    <message>
        <source>Symbol</source>
        <translation>符号</translation>
    </message>
    <message>
        <source>Several machines or devices are being measured in turn. Stop this in Setup.</source>
        <translation>正在依次测量多台机器或多个设备。可以在“设置”中停止。</translation>
    </message>
    <message>
        <source>Share of roof</source>
        <translation>占上限</translation>
    </message>
    <message>
        <source>Show everything, or the whole selection (F)</source>
        <translation>显示全部，或选中的全部（F）</translation>
    </message>
    <message>
        <source>Show the devices of this machine</source>
        <translation>那里有什么？</translation>
    </message>
    <message>
        <source>Show the middle in the whole window, or restore the layout</source>
        <translation>让中间部分占满窗口，再按恢复</translation>
    </message>
    <message>
        <source>Show the values of the mark</source>
        <translation>显示该标记的数值</translation>
    </message>
    <message>
        <source>Speedup over %1, computed round by round, so that slowdowns of both cancel out. It can therefore differ from the ratio of the two latencies; a star marks differences of more than 10%.</source>
        <translation>速度是 %1 的几倍。逐轮相除，使同时拖慢两者的因素不起作用；因此可能与两个耗时直接相除不同。相差超过十分之一时带星号。</translation>
    </message>
    <message>
        <source>Split: move the current view to the right of the others, or below them</source>
        <translation>拆分：当前视图放到其他视图右侧、下方</translation>
    </message>
    <message>
        <source>Stopped before it finished.</source>
        <translation>在完成之前停止。</translation>
    </message>
    <message>
        <source>Stopped partway: %1 kept</source>
        <translation>中途停止：保留 %1</translation>
    </message>
    <message>
        <source>Summarizing operators…</source>
        <translation>正在汇总算子…</translation>
    </message>
    <message>
        <source>Tape only</source>
        <translation>只记带</translation>
    </message>
    <message>
        <source>The Python that runs PyTorch's variants</source>
        <translation>用哪个 Python 运行 PyTorch 的变体</translation>
    </message>
    <message>
        <source>The busy time of %1 is %2 that of %3</source>
        <translation>%1 的工作时间是 %3 的 %2</translation>
    </message>
    <message>
        <source>The chart's axis is the number of statements, but this program is only complete with all of its statements. Sweep the size of its inputs instead?</source>
        <translation>图的横轴是语句条数，而这个程序的前 n 条语句并不等于程序本身。要改为改变输入的大小吗？</translation>
    </message>
    <message>
        <source>The experiment has unsaved changes. Save it before closing?</source>
        <translation>实验有改动，尚未保存。要先保存再关闭吗？</translation>
    </message>
    <message>
        <source>The experiment has unsaved changes. Save it before opening a part of it?</source>
        <translation>实验已更改但未保存。打开其中一部分之前要保存吗？</translation>
    </message>
    <message>
        <source>The experiment has unsaved changes. Save it before opening another one?</source>
        <translation>实验有改动，尚未保存。要先保存，再打开另一个吗？</translation>
    </message>
    <message>
        <source>The experiment has unsaved changes. Save it before opening this run?</source>
        <translation>实验有改动，尚未保存。要先保存，再打开这次测量吗？</translation>
    </message>
    <message>
        <source>The experiment has unsaved changes. Save it before starting a new one?</source>
        <translation>实验有改动，尚未保存。要先保存，再新建吗？</translation>
    </message>
    <message>
        <source>The intervals contain %1.</source>
        <translation>区间的含义：%1。</translation>
    </message>
    <message>
        <source>The language changes when Fusebench is restarted.</source>
        <translation>语言将在下次启动 Fusebench 时改变。</translation>
    </message>
    <message>
        <source>The launches of this run cannot be recorded: it was measured on %1, which is not available.</source>
        <translation>无法记录这次测量的启动：它是在 %1 上测的，而那个设备不在这里。</translation>
    </message>
    <message>
        <source>The map shows the speedup at each pair of values of two axes, and the line where a variant breaks even with the baseline. %1, so there is one curve and no map.</source>
        <translation>热力图显示两个轴每对取值处的加速比，以及变体与基线持平的线。%1，因此只有一条曲线，没有热力图。</translation>
    </message>
    <message>
        <source>The memory layout is not known</source>
        <translation>不知道它在内存里怎样存放</translation>
    </message>
    <message>
        <source>The notes are not saved: %1</source>
        <translation>笔记没有保存：%1</translation>
    </message>
    <message>
        <source>The previous edit is still being applied; try again in a moment</source>
        <translation>前一个编辑仍在进行；请稍候</translation>
    </message>
    <message>
        <source>The program changed in the meantime; the previous edit was not applied</source>
        <translation>程序在此期间已改变；此前的编辑未执行</translation>
    </message>
    <message>
        <source>The result is multiplied by this before its gradients are computed, and they are divided by it afterward: float16 turns small gradients into 0</source>
        <translation>求梯度之前结果乘以它，之后梯度再除以它：float16 会把小的梯度变成 0</translation>
    </message>
    <message>
        <source>The run has fewer than %1 samples of these points: until it has more, Explore's results are shown. The run is saved and exported without those results.</source>
        <translation>这次测量在这些数据点上不足 %1 个样本：在有更好的数据之前，显示“边改边测”的结果。保存和导出时不含它们。</translation>
    </message>
    <message>
        <source>The whole trace, and the visible part</source>
        <translation>整个 trace 和所显示的部分</translation>
    </message>
    <message>
        <source>The whole trace: drag the visible part, or click where to move it</source>
        <translation>整个 trace：拖动所显示的部分，或点击要显示的位置</translation>
    </message>
    <message>
        <source>These also differ and may explain the ratio:</source>
        <translation>还有哪些不同，比值可能来自它们：</translation>
    </message>
    <message>
        <source>These differ between the runs and may explain the ratio:</source>
        <translation>两者之间不相同的有这些，比值可能由此而来：</translation>
    </message>
    <message>
        <source>These parts come from calls that were repeated with markers at every step; they are not latencies. A marker costs %1, which is subtracted. The parts add up to this share of the same call without markers: %2.</source>
        <translation>这些部分取自每一步都打标记的重新调用，不是耗时。每个标记要 %1，已经扣除。各部分合计与不打标记的同一次调用之比：%2。</translation>
    </message>
    <message>
        <source>These results are from another device; Run measures on %1 and replaces them.</source>
        <translation>这些结果属于另一个设备；“运行”在 %1 上测量，并替换这些结果。</translation>
    </message>
    <message>
        <source>These results are from before the last edits of the experiment.</source>
        <translation>这些结果属于上次改动之前的实验。</translation>
    </message>
    <message>
        <source>These times come from Explore, which does not break calls down. Press Run to see where the time of a call goes.</source>
        <translation>这些时间来自“边改边测”，它不剖析调用。按“运行”看一次调用的时间花在哪里。</translation>
    </message>
    <message>
        <source>This run has no call breakdown. Press Run to measure again.</source>
        <translation>这次测量没有剖析调用。按“运行”重新测量。</translation>
    </message>
    <message>
        <source>This run was measured on %1, which is not available; Run measures on %2.</source>
        <translation>这次测量是在 %1 上做的，而它不在这里；“运行”在 %2 上测量。</translation>
    </message>
    <message>
        <source>Time and calls cover the selected range; rates and bounds cover whole calls</source>
        <translation>时间和调用按选中的一段计算；速率和限制按完整的调用计算</translation>
    </message>
    <message>
        <source>Time until the last rank arrived, if the trace contains all ranks</source>
        <translation>到最后一个 rank 到达为止（trace 中有所有 rank 时）</translation>
    </message>
    <message>
        <source>Times are measured in rounds: each round measures every data point once, in a new random order, so that drift affects all variants alike. A sample consists of as many whole passes over the data point's inputs as take at least 1 ms, after one untimed pass. The measurement runs in a separate process. Kernels are compiled before timing starts; compile time is reported separately from latency.</source>
        <translation>时间按轮测量：每轮每个数据点测一次，每轮重新打乱次序，使漂移对各变体影响相同。一个样本由若干遍完整的输入组成，至少持续 1 ms，之前先做一遍不计时的预热。测量在单独的进程中进行。内核在计时开始前就已编译；编译时间与耗时分开报告。</translation>
    </message>
    <message>
        <source>Times cover the selected range; GB/s cover whole calls, excluding waiting time where it is known. A click shows the longest call.</source>
        <translation>时间按选中的一段计算；GB/s 按完整的调用计算，等待时间已知时不计。点击显示最长的一次。</translation>
    </message>
    <message>
        <source>Time per call on the device, which does not wait for the host (D)</source>
        <translation>设备上每次调用的时间，设备不等待主机（D）</translation>
    </message>
    <message>
        <source>Time per call: solid wall (W), dashed until it returns to the host (H), dotted on the device (D; in older runs its cadence, E), dash-dotted synchronized</source>
        <translation>每次调用的时间：实线为墙钟（W），虚线为到返回主机（H），点线为设备上（D；较早的运行为节拍 E），点划线为单独一次并等待</translation>
    </message>
    <message>
        <source>Trace to query</source>
        <translation>查询哪个 trace</translation>
    </message>
    <message>
        <source>Assumed: </source>
        <translation>假定：</translation>
    </message>
    <message>
        <source>Back to the model</source>
        <translation>返回模型</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块数</translation>
    </message>
    <message>
        <source>Bookmark</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>Bus GB/s</source>
        <translation>总线 GB/s</translation>
    </message>
    <message>
        <source>Grouping of operators</source>
        <translation>算子的分组方式</translation>
    </message>
    <message>
        <source>Bytes per call divided by its time</source>
        <translation>每次调用的字节数除以时间</translation>
    </message>
    <message>
        <source>Bytes per call</source>
        <translation>每次字节数</translation>
    </message>
    <message>
        <source>Synchronized latency with the model's error</source>
        <translation>单独调用，附模型误差</translation>
    </message>
    <message>
        <source>Callers (bottom-up)</source>
        <translation>调用者（自下而上）</translation>
    </message>
    <message>
        <source>Calls (top-down)</source>
        <translation>调用（自上而下）</translation>
    </message>
    <message>
        <source>Calls were recorded in detail at %1, the nearest to the chosen point. </source>
        <translation>在 %1（离所选点最近处）查看了调用内部。</translation>
    </message>
    <message>
        <source>Calls: from modules down to kernels. Callers: from the kernels and operators that took the time up to the modules that called them.</source>
        <translation>调用：从模块向下到内核。调用者：从耗时之处向上到发起它的模块。</translation>
    </message>
    <message>
        <source>Capture a model</source>
        <translation>捕获模型</translation>
    </message>
    <message>
        <source>Capture a model…</source>
        <translation>捕获模型…</translation>
    </message>
    <message>
        <source>Captured %1 operations of %2 modules.</source>
        <translation>捕获了 %1 个算子，来自 %2 个模块。</translation>
    </message>
    <message>
        <source>Change code</source>
        <translation>修改代码</translation>
    </message>
    <message>
        <source>Change when state is reset</source>
        <translation>更改恢复状态的时机</translation>
    </message>
    <message>
        <source>Chosen device</source>
        <translation>所选设备</translation>
    </message>
    <message>
        <source>Clear pin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Code of %1</source>
        <translation>%1 的代码</translation>
    </message>
    <message>
        <source>Collective</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>Colors of the boxes</source>
        <translation>方框的颜色</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Compile log</source>
        <translation>编译日志</translation>
    </message>
    <message>
        <source>Compile time by frame</source>
        <translation>各帧的编译时间</translation>
    </message>
    <message>
        <source>Compile time by phase</source>
        <translation>各阶段的编译时间</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Copy the selected rows, or all of them, as CSV (Ctrl+C)</source>
        <translation>把选中的行（未选中则全部）复制为 CSV (Ctrl+C)</translation>
    </message>
    <message>
        <source>Counters</source>
        <translation>计数器</translation>
    </message>
    <message>
        <source>Ctrl+drag</source>
        <translation>按住 Ctrl 拖动</translation>
    </message>
    <message>
        <source>Ctrl+Enter runs the query. Times are nanoseconds; "event" is the same number in all tables.</source>
        <translation>Ctrl+Enter 运行查询。时间以纳秒计；"event" 在所有表中是同一个编号。</translation>
    </message>
    <message>
        <source>Device or GPU architecture</source>
        <translation>设备或 GPU 架构</translation>
    </message>
    <message>
        <source>Device, self</source>
        <translation>设备（自身）</translation>
    </message>
    <message>
        <source>Do not run</source>
        <translation>不运行</translation>
    </message>
    <message>
        <source>Each call</source>
        <translation>每次调用</translation>
    </message>
    <message>
        <source>Each sample</source>
        <translation>每个样本</translation>
    </message>
    <message>
        <source>Estimate: </source>
        <translation>估计：</translation>
    </message>
    <message>
        <source>Execution trace</source>
        <translation>执行 trace</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>FLOP/byte</source>
        <translation>FLOP/字节</translation>
    </message>
    <message>
        <source>FLOP/s</source>
        <translation>FLOP/s</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Find (Ctrl+F)</source>
        <translation>查找 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>查找命令</translation>
    </message>
    <message>
        <source>Find a command…</source>
        <translation>查找命令…</translation>
    </message>
    <message>
        <source>Find an op, a module or a source line in a large program</source>
        <translation>在大型程序中查找算子、模块或源代码行</translation>
    </message>
    <message>
        <source>Find in the graph</source>
        <translation>在图中查找</translation>
    </message>
    <message>
        <source>Finds ops, module paths and source lines (Ctrl+F); Enter goes to the next one</source>
        <translation>查找算子、模块路径和源代码行（Ctrl+F）；回车转到下一个</translation>
    </message>
    <message>
        <source>Flame graph of operators</source>
        <translation>算子的火焰图</translation>
    </message>
    <message>
        <source>Fold or unfold %1</source>
        <translation>折叠或展开 %1</translation>
    </message>
    <message>
        <source>Fold the model to its overview</source>
        <translation>将模型折叠为概览</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Full screen, and back</source>
        <translation>全屏，再按恢复</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Function or module</source>
        <translation>函数或模块</translation>
    </message>
    <message>
        <source>Fusebench file (*.fusebench)</source>
        <translation>Fusebench 文件 (*.fusebench)</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>Gap, with the work before and after it</source>
        <translation>间隙及其前后</translation>
    </message>
    <message>
        <source>Go from mark to mark</source>
        <translation>逐个标记移动</translation>
    </message>
    <message>
        <source>Guard that failed</source>
        <translation>失败的守卫 (guard)</translation>
    </message>
    <message>
        <source>Guards</source>
        <translation>守卫 (guard)</translation>
    </message>
    <message>
        <source>Hatched: the 95% interval includes the break-even.</source>
        <translation>阴影：95% 区间包含平衡点。</translation>
    </message>
    <message>
        <source>Allocated at the peak</source>
        <translation>峰值时占用</translation>
    </message>
    <message>
        <source>Host time (H) with the model's error</source>
        <translation>主机时间 (H)，附模型误差</translation>
    </message>
    <message>
        <source>Host, self</source>
        <translation>主机（自身）</translation>
    </message>
    <message>
        <source>How many events match; a click lists them with their sums</source>
        <translation>匹配的事件数；点击列出它们及其合计</translation>
    </message>
    <message>
        <source>How operators are shown</source>
        <translation>算子的显示方式</translation>
    </message>
    <message>
        <source>How the savings are estimated</source>
        <translation>节省量是怎样估计的</translation>
    </message>
    <message>
        <source>How?</source>
        <translation>怎么算的？</translation>
    </message>
    <message>
        <source>In the selected range: %1</source>
        <translation>选中的一段：%1</translation>
    </message>
    <message>
        <source>Innermost loop, lines %1 to %2: %3 instructions (loads: %4, stores: %5, arithmetic: %6, divisions: %7). At least %8 cycles per pass, limited by %9.</source>
        <translation>最内层循环（第 %1 至 %2 行）：%3 条指令（加载 %4、存储 %5、算术 %6、除法 %7）。每次迭代至少 %8 个周期，取决于%9。</translation>
    </message>
    <message>
        <source>Inputs and layers</source>
        <translation>输入与层</translation>
    </message>
    <message>
        <source>It cannot run yet: %1</source>
        <translation>它还不能运行：%1</translation>
    </message>
    <message>
        <source>Add a note to the selected range or slice</source>
        <translation>为选中的范围或事件记一条笔记</translation>
    </message>
    <message>
        <source>Keep the weights' values</source>
        <translation>保留权重的值</translation>
    </message>
    <message>
        <source>Keyboard focus</source>
        <translation>键盘焦点</translation>
    </message>
    <message>
        <source>Language of the code next to it</source>
        <translation>第二份代码的语言</translation>
    </message>
    <message>
        <source>Largest block</source>
        <translation>最大的块</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Line numbers</source>
        <translation>行号</translation>
    </message>
    <message>
        <source>Lines of Python that compute the elements with torch, F and math. The last line is an expression, such as torch.rand(4, 8) * 2.</source>
        <translation>计算元素的几行 Python，可用 torch、F 和数学函数。最后一行是一个表达式，例如 torch.rand(4, 8) * 2。</translation>
    </message>
    <message>
        <source>Logarithmic axis</source>
        <translation>对数横轴</translation>
    </message>
    <message>
        <source>Logarithmic values</source>
        <translation>对数纵轴</translation>
    </message>
    <message>
        <source>Trace whose matches are shown</source>
        <translation>哪个 trace 的搜索结果</translation>
    </message>
    <message>
        <source>Measure between the edges of slices</source>
        <translation>在事件的边缘之间测量</translation>
    </message>
    <message>
        <source>Measure the slice, then the time to another one</source>
        <translation>测量事件，再测量到另一个事件的时间</translation>
    </message>
    <message>
        <source>Measure this</source>
        <translation>测量这些</translation>
    </message>
    <message>
        <source>Measure this part: %1</source>
        <translation>测量此部分：%1</translation>
    </message>
    <message>
        <source>Device whose memory is shown</source>
        <translation>哪个设备的内存</translation>
    </message>
    <message>
        <source>Memory snapshot</source>
        <translation>内存快照</translation>
    </message>
    <message>
        <source>Memory, utilization and other values over time, below the tracks</source>
        <translation>内存、利用率等随时间变化的值，画在轨道下方</translation>
    </message>
    <message>
        <source>Move the current view to the other group of tabs</source>
        <translation>把当前视图移到另一组标签页</translation>
    </message>
    <message>
        <source>Move the view to the other group of tabs, or reset all views</source>
        <translation>把视图移到另一组标签页、全部放回</translation>
    </message>
    <message>
        <source>Move to the other group</source>
        <translation>移到另一组</translation>
    </message>
    <message>
        <source>No collectives are recorded here: they appear in traces of programs that use several ranks.</source>
        <translation>这里没有记录集合通信：使用多个 rank 的程序的 trace 里才有。</translation>
    </message>
    <message>
        <source>No notes yet. Select a range or click a slice, then press B. [ and ] go from note to note.</source>
        <translation>还没有笔记。选择一个范围或点击一个事件，再按 B。[ 和 ] 在笔记之间跳转。</translation>
    </message>
    <message>
        <source>No operator with known arithmetic is recorded here. Record shapes with record_shapes=True.</source>
        <translation>这里没有已知运算量的算子。用 record_shapes=True 记录形状。</translation>
    </message>
    <message>
        <source>No operators or kernels are recorded here.</source>
        <translation>这里没有记录算子或内核。</translation>
    </message>
    <message>
        <source>Not enough memory for this query; ask for less</source>
        <translation>内存不足以完成此查询；请减少查询的内容</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>Notes: %1</source>
        <translation>笔记：%1</translation>
    </message>
    <message>
        <source>No slice with that name starts here.</source>
        <translation>这里没有该名称的事件开始。</translation>
    </message>
    <message>
        <source>Filter by a named range of the program</source>
        <translation>按程序中命名的区间筛选</translation>
    </message>
    <message>
        <source>Own window</source>
        <translation>独立窗口</translation>
    </message>
    <message>
        <source>Point at a row to read the calls that allocated its largest block</source>
        <translation>把鼠标悬停在一行上，可以看到分配其中最大一块的调用</translation>
    </message>
    <message>
        <source>Read by %1</source>
        <translation>被 %1 读取</translation>
    </message>
    <message>
        <source>Reading the memory snapshot…</source>
        <translation>正在读取内存快照…</translation>
    </message>
    <message>
        <source>Reads %1</source>
        <translation>读取 %1</translation>
    </message>
    <message>
        <source>Remove note</source>
        <translation>删除笔记</translation>
    </message>
    <message>
        <source>Save the notes as a table</source>
        <translation>把笔记保存为表格</translation>
    </message>
    <message>
        <source>Selected %1</source>
        <translation>选中 %1</translation>
    </message>
    <message>
        <source>Share as one file…</source>
        <translation>存为一个文件共享…</translation>
    </message>
    <message>
        <source>Share experiment, run, notes and view as one file</source>
        <translation>把实验、测量结果、笔记和视图存为一个文件共享</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Operators of an execution trace</source>
        <translation>执行 trace 的算子</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>区段</translation>
    </message>
    <message>
        <source>Reading the execution trace…</source>
        <translation>正在读取执行 trace…</translation>
    </message>
    <message>
        <source>Select consecutive operators, then Measure this</source>
        <translation>选中连续的算子，再按“测量这些”</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>On the host %1</source>
        <translation>主机上 %1</translation>
    </message>
    <message>
        <source>Only for a module without example arguments: its tensors, separated by spaces, as in x=1,3,224,224:float32 ids=1,16:int64:0..999</source>
        <translation>只用于没有示例参数的模块：它的张量，用空格分隔，例如 x=1,3,224,224:float32 ids=1,16:int64:0..999</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Operators and what bounds them</source>
        <translation>算子和限制它们的因素</translation>
    </message>
    <message>
        <source>Trace whose operators are shown</source>
        <translation>哪个 trace 的算子</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Progress of the capture</source>
        <translation>捕获进度</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Queries ▾</source>
        <translation>查询 ▾</translation>
    </message>
    <message>
        <source>Query (SQL)</source>
        <translation>查询 (SQL)</translation>
    </message>
    <message>
        <source>Query in SQL</source>
        <translation>SQL 查询</translation>
    </message>
    <message>
        <source>Reading the compile log…</source>
        <translation>正在读取编译日志…</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Recompilations</source>
        <translation>重新编译</translation>
    </message>
    <message>
        <source>Remove this query from the list</source>
        <translation>从列表中移除此查询</translation>
    </message>
    <message>
        <source>Reset state</source>
        <translation>恢复状态</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>立即重新启动</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>屋顶线图</translation>
    </message>
    <message>
        <source>Roofline of operators</source>
        <translation>算子的屋顶线图</translation>
    </message>
    <message>
        <source>Trace whose roofline is drawn</source>
        <translation>哪个 trace 的屋顶线图</translation>
    </message>
    <message>
        <source>Rows of the query</source>
        <translation>查询结果</translation>
    </message>
    <message>
        <source>Run file and capture</source>
        <translation>运行文件并捕获</translation>
    </message>
    <message>
        <source>Run measures on %1. Setup lists the other devices.</source>
        <translation>“运行”在 %1 上测量。“设置”列出其他设备。</translation>
    </message>
    <message>
        <source>Run query</source>
        <translation>运行查询</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>SASS</source>
        <translation>SASS</translation>
    </message>
    <message>
        <source>Same language</source>
        <translation>同一语言</translation>
    </message>
    <message>
        <source>Save CSV…</source>
        <translation>保存 CSV…</translation>
    </message>
    <message>
        <source>Save all rows as a CSV file</source>
        <translation>把所有行保存为 CSV 文件</translation>
    </message>
    <message>
        <source>Search by a regular expression</source>
        <translation>按正则表达式搜索</translation>
    </message>
    <message>
        <source>Search matches</source>
        <translation>搜索结果</translation>
    </message>
    <message>
        <source>Share of a recorded call of %1:</source>
        <translation>占 %1 一次录制调用的比例：</translation>
    </message>
    <message>
        <source>Share of the rate that the device can attain at this FLOP/byte</source>
        <translation>在此运算强度下占设备上限的比例</translation>
    </message>
    <message>
        <source>Show %1 more of %2 tensors</source>
        <translation>再显示 %1 个（共 %2 个张量）</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Show more tensors</source>
        <translation>显示更多张量</translation>
    </message>
    <message>
        <source>Show the current view below the others</source>
        <translation>把当前视图显示在其他视图下方</translation>
    </message>
    <message>
        <source>Show the current view right of the others</source>
        <translation>把当前视图显示在其他视图右侧</translation>
    </message>
    <message>
        <source>Show the whole trace</source>
        <translation>显示整个 trace</translation>
    </message>
    <message>
        <source>Simulated time per call; speedup over %1</source>
        <translation>每次调用的模拟时间；相对 %1 的加速比</translation>
    </message>
    <message>
        <source>Simulated, nothing was measured · bands are the model's error</source>
        <translation>模拟结果，未做测量 · 阴影带为模型误差</translation>
    </message>
    <message>
        <source>Sizes that vary</source>
        <translation>可变的尺寸</translation>
    </message>
    <message>
        <source>Split below</source>
        <translation>向下拆分</translation>
    </message>
    <message>
        <source>Split right</source>
        <translation>向右拆分</translation>
    </message>
    <message>
        <source>Starting Python…</source>
        <translation>正在启动 Python…</translation>
    </message>
    <message>
        <source>Stop capture</source>
        <translation>停止捕获</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Strip above the timeline</source>
        <translation>时间线上方的总览条</translation>
    </message>
    <message>
        <source>TFLOP/s</source>
        <translation>TFLOP/s</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>Tables and columns</source>
        <translation>表和列</translation>
    </message>
    <message>
        <source>The Python that executes the file; it needs PyTorch 2</source>
        <translation>执行文件的 Python；需要 PyTorch 2</translation>
    </message>
    <message>
        <source>The experiment to write</source>
        <translation>要写出的实验</translation>
    </message>
    <message>
        <source>The function that returns (model, args), or the module</source>
        <translation>返回 (model, args) 的函数，或者模块</translation>
    </message>
    <message>
        <source>The model returns a loss; gradients of all parameters are computed</source>
        <translation>模型返回损失；对所有参数求梯度</translation>
    </message>
    <message>
        <source>The model's time, with its error. One sample is enough: another one would be the same.</source>
        <translation>模型给出的值及其误差。一个样本就够：再取一个也相同。</translation>
    </message>
    <message>
        <source>The peak rates of this device are not known: no roof is drawn</source>
        <translation>不知道此设备的峰值速率：不画上限</translation>
    </message>
    <message>
        <source>The program returns the sum of its input x.&lt;br&gt;Drop an op here, press &lt;b&gt;/&lt;/b&gt; to search,&lt;br&gt;or paste PyTorch code</source>
        <translation>程序返回输入 x 的总和。&lt;br&gt;把算子拖到这里，按 &lt;b&gt;/&lt;/b&gt; 搜索，&lt;br&gt;或粘贴 PyTorch 代码</translation>
    </message>
    <message>
        <source>The run begins once the program has been read.</source>
        <translation>程序读取完毕后开始运行。</translation>
    </message>
    <message>
        <source>The simulated device does not model what determines these times.</source>
        <translation>模拟设备没有对决定这些时间的因素建模。</translation>
    </message>
    <message>
        <source>The simulated device does not model what determines this time; see the findings.</source>
        <translation>模拟设备没有对决定这个时间的因素建模；见结论。</translation>
    </message>
    <message>
        <source>Next view (Alt+Right)</source>
        <translation>下一个视图 (Alt+Right)</translation>
    </message>
    <message>
        <source>Previous view (Alt+Left)</source>
        <translation>上一个视图 (Alt+Left)</translation>
    </message>
    <message>
        <source>These notes are lost when the recording is closed. Export it as a trace and open that to keep notes.</source>
        <translation>关闭这次录制时，这些笔记会丢失。要保留笔记，请把它导出为 trace 再打开。</translation>
    </message>
    <message>
        <source>Time by operator</source>
        <translation>按算子统计的时间</translation>
    </message>
    <message>
        <source>Time per call with the model's error</source>
        <translation>每次调用的时间，附模型误差</translation>
    </message>
    <message>
        <source>Times are those of the host, whose peak rates are not known: no roof is drawn</source>
        <translation>时间是主机的，主机的峰值速率未知：不画上限</translation>
    </message>
    <message>
        <source>Previous or next note</source>
        <translation>到前一条或后一条笔记</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>Traces</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>Training mode, with gradients</source>
        <translation>训练模式，带梯度</translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>Turn full screen on or off</source>
        <translation>全屏显示窗口，再按恢复</translation>
    </message>
    <message>
        <source>Type a name into the search above to total its matches here. ".*" next to it enables regular expressions.</source>
        <translation>在上面的搜索框中输入名称：找到的事件在这里汇总。旁边的“.*”表示按正则表达式搜索。</translation>
    </message>
    <message>
        <source>Type some letters: an action, an op, a view, a study, a lesson, a file</source>
        <translation>输入几个字母：操作、算子、视图、研究、课程、文件</translation>
    </message>
    <message>
        <source>Unchanged</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>Undo (shared with the chain)</source>
        <translation>撤销，与算子链共用历史</translation>
    </message>
    <message>
        <source>Undo all splits, and close separate view windows</source>
        <translation>撤销所有拆分，并关闭单个视图的窗口</translation>
    </message>
    <message>
        <source>Reset all views</source>
        <translation>重置所有视图</translation>
    </message>
    <message>
        <source>Value range</source>
        <translation>取值范围</translation>
    </message>
    <message>
        <source>Uses your own ssh or Slurm, with your keys; Enter adds the machine to the list</source>
        <translation>调用您自己的 ssh 或 Slurm，用您的密钥；按回车把这台机器加入列表</translation>
    </message>
    <message>
        <source>Variants whose executor is torch, torch-static, torch-dynamic or torch-replay are run by PyTorch, in this Python. Enter the path of an interpreter that has torch; if empty, FUSEBENCH_PYTHON or else python3 is used.</source>
        <translation>执行器为 torch、torch-static、torch-dynamic 或 torch-replay 的变体由 PyTorch 在这个 Python 中运行。请给出装有 torch 的解释器路径；留空：FUSEBENCH_PYTHON，否则 python3。</translation>
    </message>
    <message>
        <source>Views next to the results</source>
        <translation>结果旁的视图</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Weak scaling: each rank has a whole batch. Otherwise, all ranks share one batch.</source>
        <translation>弱扩展：每个 rank 和单独运行时一样多。不勾选则所有 rank 分一个批量。</translation>
    </message>
    <message>
        <source>What fusing would save</source>
        <translation>融合能节省多少</translation>
    </message>
    <message>
        <source>Part of the compile log that is shown</source>
        <translation>显示编译日志的哪一部分</translation>
    </message>
    <message>
        <source>Assumptions of the estimate</source>
        <translation>估计的假设</translation>
    </message>
    <message>
        <source>Allocated by</source>
        <translation>分配的代码位置</translation>
    </message>
    <message>
        <source>Compile log that is shown</source>
        <translation>哪个编译日志</translation>
    </message>
    <message>
        <source>Where it pays off</source>
        <translation>哪里划算</translation>
    </message>
    <message>
        <source>Which Python has PyTorch, and what is installed there</source>
        <translation>哪个 Python 装有 PyTorch，以及在那里找到了什么</translation>
    </message>
    <message>
        <source>Which time of a call the chart shows (T)</source>
        <translation>画出调用的哪种时间（T）</translation>
    </message>
    <message>
        <source>Which tracks are shown: filter, hide, show again</source>
        <translation>画出哪些泳道：筛选、隐藏、重新显示</translation>
    </message>
    <message>
        <source>Whole numbers separated by commas; 4k, 1M and 2^20 are accepted</source>
        <translation>用逗号隔开的整数；可写 4k、1M 和 2^20</translation>
    </message>
    <message>
        <source>Why sampling stopped, and the number of samples. converged: the interval is as narrow as requested. cap: the maximum number of samples was reached. budget: the time budget was used up. coarse: measured by Explore.</source>
        <translation>采样为何结束，以及有多少样本。收敛：区间达到要求的宽度。上限：样本数已到上限。预算：时间用完。粗测：“边改边测”留下的结果。</translation>
    </message>
    <message>
        <source>Write experiment, run, notes and view to one .fusebench file</source>
        <translation>把实验、测量结果、笔记和视图写入一个 .fusebench 文件</translation>
    </message>
    <message>
        <source>Write this code to a file</source>
        <translation>把这段代码写入文件</translation>
    </message>
    <message>
        <source>Write the run shown to a separate file</source>
        <translation>把所示的测量结果写到单独的文件</translation>
    </message>
    <message>
        <source>Written for %1 without a GPU: it is not measured.</source>
        <translation>为 %1 而写，无需 GPU：其中没有任何测量。</translation>
    </message>
    <message>
        <source>Written here for %1, the architecture of the GPU that the run was recorded on.</source>
        <translation>为 %1 生成，即录制这次运行的 GPU 的架构；代码在本机生成。</translation>
    </message>
    <message>
        <source>a click shows a row on the timeline</source>
        <translation>点击一行就在时间线上显示</translation>
    </message>
    <message>
        <source>a rate that the device can sustain</source>
        <translation>设备能达到的速率</translation>
    </message>
    <message>
        <source>all activations are saved</source>
        <translation>全部保留</translation>
    </message>
    <message>
        <source>before it finished</source>
        <translation>在完成之前</translation>
    </message>
    <message>
        <source>everything that was recorded</source>
        <translation>全部记录</translation>
    </message>
    <message>
        <source>cadence</source>
        <translation>节拍</translation>
    </message>
    <message>
        <source>failed allocations: %1</source>
        <translation>没有得到内存的分配：%1</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>算术</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>attention: %1</source>
        <translation>注意力：%1</translation>
    </message>
    <message>
        <source>bound by %1</source>
        <translation>受限于%1</translation>
    </message>
    <message>
        <source>break-even</source>
        <translation>平衡点</translation>
    </message>
    <message>
        <source>by lines of Python</source>
        <translation>用几行 Python</translation>
    </message>
    <message>
        <source>cannot be measured: %1</source>
        <translation>无法测量：%1</translation>
    </message>
    <message>
        <source>computed</source>
        <translation>计算得出</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>divisions</source>
        <translation>除法</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>first calls with an empty cache, timed for the payback; 0: none</source>
        <translation>为算回本而计时的无缓存首次调用次数；0 表示不测</translation>
    </message>
    <message>
        <source>has no data at %1 %2</source>
        <translation>在 %1 %2 处没有数据</translation>
    </message>
    <message>
        <source>invalid events: %1</source>
        <translation>没有意义的事件：%1</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>从 %1</translation>
    </message>
    <message>
        <source>from make(); otherwise for example x=1,3,224,224:float32</source>
        <translation>取自 make()；否则例如 x=1,3,224,224:float32</translation>
    </message>
    <message>
        <source>integers from %1 to %2</source>
        <translation>%1 到 %2 的整数</translation>
    </message>
    <message>
        <source>invalid lines: %1</source>
        <translation>无法理解的行：%1</translation>
    </message>
    <message>
        <source>loads</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>make, or the only module</source>
        <translation>make，或唯一的模块</translation>
    </message>
    <message>
        <source>matmul</source>
        <translation>矩阵乘</translation>
    </message>
    <message>
        <source>matmuls in %1, by PyTorch's list for the CPU</source>
        <translation>矩阵乘用 %1，按 PyTorch 的 CPU 列表</translation>
    </message>
    <message>
        <source>maximum samples</source>
        <translation>最多样本数</translation>
    </message>
    <message>
        <source>maximum samples per data point, however wide its interval</source>
        <translation>区间再宽，每个数据点也最多取这么多样本</translation>
    </message>
    <message>
        <source>measure %1</source>
        <translation>测量 %1</translation>
    </message>
    <message>
        <source>memory over time: no work is recorded</source>
        <translation>内存随时间的变化：没有记录工作</translation>
    </message>
    <message>
        <source>minimum samples</source>
        <translation>最少样本数</translation>
    </message>
    <message>
        <source>minimum samples per data point, however narrow its interval</source>
        <translation>区间再窄，每个数据点也至少取这么多样本</translation>
    </message>
    <message>
        <source>model's error</source>
        <translation>模型误差</translation>
    </message>
    <message>
        <source>module %1</source>
        <translation>模块 %1</translation>
    </message>
    <message>
        <source>must be a number</source>
        <translation>这不是数</translation>
    </message>
    <message>
        <source>must be a whole number</source>
        <translation>这不是整数</translation>
    </message>
    <message>
        <source>must be a whole number, such as 4096, 4k, 1M or 2^20</source>
        <translation>这不是整数；4k、1M 和 2^20 可以</translation>
    </message>
    <message>
        <source>must be whole numbers separated by commas</source>
        <translation>需要用逗号隔开的整数</translation>
    </message>
    <message>
        <source>newly mapped by the system at each call, and touched for the first time</source>
        <translation>每次调用都向系统要新的，第一次被触碰</translation>
    </message>
    <message>
        <source>no shapes are recorded (use record_shapes=True); not drawn: operators with unknown arithmetic (%1), %2 of the time</source>
        <translation>没有记录形状（请用 record_shapes=True）；未画出：运算量未知的算子（%1 个），占时间的 %2</translation>
    </message>
    <message>
        <source>no value yet at %1</source>
        <translation>%1 处还没有值</translation>
    </message>
    <message>
        <source>none; for example batch=0</source>
        <translation>无；例如 batch=0</translation>
    </message>
    <message>
        <source>not a regular expression: %1</source>
        <translation>不是正则表达式：%1</translation>
    </message>
    <message>
        <source>not checked yet</source>
        <translation>还没有查看过</translation>
    </message>
    <message>
        <source>not drawn: operators with unknown arithmetic (%1), %2 of the time</source>
        <translation>未画出：运算量未知的算子（%1 个），占时间的 %2</translation>
    </message>
    <message>
        <source>not drawn: operators that only move data (%1), %2 of the time</source>
        <translation>未画出：只搬运数据的算子（%1 个），占时间的 %2</translation>
    </message>
    <message>
        <source>not modeled</source>
        <translation>未建模</translation>
    </message>
    <message>
        <source>Opening %1…</source>
        <translation>正在打开 %1…</translation>
    </message>
    <message>
        <source>The kernels are being planned</source>
        <translation>正在规划内核</translation>
    </message>
    <message>
        <source>The program is still being read; wait for it</source>
        <translation>程序仍在读取中；请稍候</translation>
    </message>
    <message>
        <source>nothing is saved for gradients, as inside torch.no_grad()</source>
        <translation>不为梯度保留任何东西，如同在 torch.no_grad() 里</translation>
    </message>
    <message>
        <source>open the model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>operators %1 to %2</source>
        <translation>算子 %1 到 %2</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>pointwise</source>
        <translation>逐元素</translation>
    </message>
    <message>
        <source>processes that share the batch; replaces the variants' ranks</source>
        <translation>分担批量的进程数，代替各变体的 rank</translation>
    </message>
    <message>
        <source>recomputes as little as possible within this budget</source>
        <translation>在守住这么多字节的前提下，重算最少</translation>
    </message>
    <message>
        <source>reduction, normalization</source>
        <translation>归约、归一化</translation>
    </message>
    <message>
        <source>replaces the variants' number of threads</source>
        <translation>代替各变体要求的线程数</translation>
    </message>
    <message>
        <source>requested precision</source>
        <translation>要求的精度</translation>
    </message>
    <message>
        <source>seconds of sampling for all data points together. A quick run takes a tenth of it and may leave out points. In other runs, every data point gets at least %1 samples</source>
        <translation>所有数据点合计的采样秒数；快速测量只用十分之一，并会略去一些点。其他测量中，不论如何每个数据点都会取 %1 个样本</translation>
    </message>
    <message>
        <source>select ... from kernels</source>
        <translation>select ... from kernels</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>split the program</source>
        <translation>把程序分开</translation>
    </message>
    <message>
        <source>statements per recomputed segment; replaces the variants' setting; 0: everything is saved</source>
        <translation>一起重算的语句条数，代替变体自己的；0：全部保留</translation>
    </message>
    <message>
        <source>statements per segment, which is recomputed for the gradients</source>
        <translation>每段的语句条数；求梯度时重新计算该段</translation>
    </message>
    <message>
        <source>simulated cadence</source>
        <translation>模拟节拍</translation>
    </message>
    <message>
        <source>stores</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>tensors that gradients would need are saved, as in training</source>
        <translation>保留梯度所需的内容，如同训练</translation>
    </message>
    <message>
        <source>tensors that the program writes are restored before each call, which is timed separately</source>
        <translation>程序写入的张量在每次调用之前恢复初值，并逐次单独计时</translation>
    </message>
    <message>
        <source>tensors that the program writes are restored before each sample</source>
        <translation>程序写入的张量在每个样本之前恢复初值</translation>
    </message>
    <message>
        <source>that lose the least accuracy</source>
        <translation>损失最少的范围</translation>
    </message>
    <message>
        <source>the cursor</source>
        <translation>光标</translation>
    </message>
    <message>
        <source>the cursor, pinned</source>
        <translation>光标，已固定</translation>
    </message>
    <message>
        <source>the end of %1</source>
        <translation>%1 的结束</translation>
    </message>
    <message>
        <source>the first %1 are shown</source>
        <translation>只显示前 %1 个</translation>
    </message>
    <message>
        <source>the first n statements, repeated if the program is a chain</source>
        <translation>前 n 条语句；程序是链条时循环往复</translation>
    </message>
    <message>
        <source>the latency of a loop-carried dependency chain</source>
        <translation>跨迭代依赖链的延迟</translation>
    </message>
    <message>
        <source>the number of instructions</source>
        <translation>指令条数</translation>
    </message>
    <message>
        <source>the peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>the program is still being read; wait for it</source>
        <translation>程序仍在读取中；请稍候</translation>
    </message>
    <message>
        <source>the start of %1</source>
        <translation>%1 的开始</translation>
    </message>
    <message>
        <source>they are already on the device</source>
        <translation>数据就在设备上</translation>
    </message>
    <message>
        <source>to %1</source>
        <translation>到 %1</translation>
    </message>
    <message>
        <source>wall</source>
        <translation>墙钟</translation>
    </message>
    <message>
        <source>Recording single calls</source>
        <translation>正在录制单次调用</translation>
    </message>
    <message>
        <source>nothing was recorded there</source>
        <translation>那里没有录制任何东西</translation>
    </message>
    <message>
        <source>nothing starts here</source>
        <translation>这里没有任何启动</translation>
    </message>
    <message>
        <source>from Explore</source>
        <translation>来自“边改边测”</translation>
    </message>
    <message>
        <source>one tensor</source>
        <translation>一个张量</translation>
    </message>
    <message>
        <source>%1 tensors in turn</source>
        <translation>轮流用 %1 个张量</translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation>找到 %1 处</translation>
    </message>
    <message>
        <source>%1 from %2 to %3</source>
        <translation>%1，从 %2 到 %3</translation>
    </message>
    <message>
        <source>%1 from float32</source>
        <translation>与 float32 相差 %1</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 has no parameters</source>
        <translation>%1 没有参数</translation>
    </message>
    <message>
        <source>%1 in %2 executions, %3 each on average.</source>
        <translation>%2 次执行共 %1，平均每次 %3。</translation>
    </message>
    <message>
        <source>%1 is %2 at all %3 points</source>
        <translation>%1 在全部 %3 处都%2</translation>
    </message>
    <message>
        <source>%1 is %2. Enter accepts, Escape cancels</source>
        <translation>%1 为 %2。Enter 确认，Esc 离开</translation>
    </message>
    <message>
        <source>%1 is (%2), %3</source>
        <translation>%1 为 (%2)，%3</translation>
    </message>
    <message>
        <source>%1 is a whole number, such as %2</source>
        <translation>%1 是整数，例如 %2</translation>
    </message>
    <message>
        <source>%1 is faster at %2 of %3 points, slower at %4</source>
        <translation>%1 在 %3 处中有 %2 处更快，%4 处更慢</translation>
    </message>
    <message>
        <source>%1 was not found</source>
        <translation>那里没有 %1</translation>
    </message>
    <message>
        <source>%1 is out of range; %2 takes %3</source>
        <translation>%1 超出范围；%2 取%3</translation>
    </message>
    <message>
        <source>%1 tracks</source>
        <translation>%1 个泳道</translation>
    </message>
    <message>
        <source>%1 launches</source>
        <translation>%1 次启动</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的 %1</translation>
    </message>
    <message>
        <source>%1 of %2 %3</source>
        <translation>%1 / %2 %3</translation>
    </message>
    <message>
        <source>%1 of %2 data points from Explore</source>
        <translation>%2 个数据点中的 %1 个来自“边改边测”</translation>
    </message>
    <message>
        <source>%1 of %2 tracks</source>
        <translation>%2 个泳道中的 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2 lines are in this one only (≠).</source>
        <translation>%2 行中有 %1 行只在这一个里（≠）。</translation>
    </message>
    <message>
        <source>%1 of %2 · %3</source>
        <translation>%1 / %2 · %3</translation>
    </message>
    <message>
        <source>%1 of %2%3</source>
        <translation>第 %1 处，共 %2 处%3</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>第 %1 处，共 %2 处：%3</translation>
    </message>
    <message>
        <source>%1 of at least %2</source>
        <translation>%1，至少 %2</translation>
    </message>
    <message>
        <source>%1 of at most %2</source>
        <translation>%1，至多 %2</translation>
    </message>
    <message>
        <source>%1 self time, without nested calls, in %2 calls. No device activity is recorded in this trace.</source>
        <translation>自身 %1（不含它调用的部分），共 %2 次调用。这个 trace 没有记录设备的工作。</translation>
    </message>
    <message>
        <source>%1 on the device</source>
        <translation>%1（在设备上）</translation>
    </message>
    <message>
        <source>%1 on “%2”, %3 thread%4</source>
        <translation>%1，输入“%2”，%3 个线程%4</translation>
    </message>
    <message>
        <source>%1 on “%2”, %3 threads%4</source>
        <translation>%1，输入“%2”，%3 个线程%4</translation>
    </message>
    <message>
        <source>%1 only in A</source>
        <translation>%1 个只在 A 中</translation>
    </message>
    <message>
        <source>%1 only in B</source>
        <translation>%1 个只在 B 中</translation>
    </message>
    <message>
        <source>%1 ops</source>
        <translation>%1 个算子</translation>
    </message>
    <message>
        <source>%1 ops, 1 launch</source>
        <translation>%1 个算子，1 次启动</translation>
    </message>
    <message>
        <source>%1 over %2, one curve for each of: %3.</source>
        <translation>%1 沿 %2 的变化，每项一条曲线：%3。</translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation>%1 个问题</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 个 rank</translation>
    </message>
    <message>
        <source>%1 reads %2. Arrows choose, Enter connects%3, Escape cancels</source>
        <translation>%1 读取 %2。方向键选择，Enter 连接%3，Esc 离开</translation>
    </message>
    <message>
        <source>%1 registers</source>
        <translation>%1 个寄存器</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>%1 samples of each of the %2 data points take about %3, more than the budget of %4. They are taken anyway.</source>
        <translation>%2 个数据点各取 %1 个样本约需 %3，超过要求的 %4。仍会照此测量。</translation>
    </message>
    <message>
        <source>%1 slices, %2</source>
        <translation>%1 个事件，%2</translation>
    </message>
    <message>
        <source>%1 statements</source>
        <translation>%1 条语句</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 个线程</translation>
    </message>
    <message>
        <source>%1 times the baseline's speed (%2 to %3): in each round the two are measured shortly after each other and divided; this is the median of these ratios.</source>
        <translation>速度是基线的 %1 倍（%2 到 %3）：每一轮里两者先后紧接着测量并相除，这里是这些比值的中位数。</translation>
    </message>
    <message>
        <source>%1 to %2 per data point</source>
        <translation>每数据点 %1 到 %2 个</translation>
    </message>
    <message>
        <source>%1 to %2 samples per data point, until the interval is within ±%3%, or %4 s in total%5: the budget, after which a data point keeps the interval that it has</source>
        <translation>每数据点 %1 到 %2 个样本，直到区间在 ±%3% 以内，或总共 %4 秒%5：这是时间预算，用完后数据点保留当时的区间</translation>
    </message>
    <message>
        <source>%1 traces: %2 slices, up to %3</source>
        <translation>%1 个 trace：%2 个事件，最长 %3</translation>
    </message>
    <message>
        <source>%1 warps</source>
        <translation>%1 个线程束</translation>
    </message>
    <message>
        <source>%1 was not recorded: %2</source>
        <translation>%1 没有记录：%2</translation>
    </message>
    <message>
        <source>%1 · %2 %3, %4 %5</source>
        <translation>%1 · %2 %3，%4 %5</translation>
    </message>
    <message>
        <source>%1 · %2 at %3</source>
        <translation>%1 · %2，于 %3</translation>
    </message>
    <message>
        <source>%1 · %2 ops</source>
        <translation>%1 · %2 个算子</translation>
    </message>
    <message>
        <source>part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>1 sample</source>
        <translation>1 个样本</translation>
    </message>
    <message>
        <source>%1 · %2 samples</source>
        <translation>%1 · %2 个样本</translation>
    </message>
    <message>
        <source>%1 · return</source>
        <translation>%1 · return</translation>
    </message>
    <message>
        <source>%1 · statement %2</source>
        <translation>%1 · 语句 %2</translation>
    </message>
    <message>
        <source>%1 · statements %2 – %3</source>
        <translation>%1 · 语句 %2 – %3</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 像素</translation>
    </message>
    <message>
        <source>%1 – Fusebench</source>
        <translation>%1 – Fusebench</translation>
    </message>
    <message>
        <source>%1% · %2 left</source>
        <translation>%1% · 还需 %2</translation>
    </message>
    <message>
        <source>%1%2 devices: idle %3 to %4</source>
        <translation>%1%2 个设备：空闲 %3 到 %4</translation>
    </message>
    <message>
        <source>%1%2 of the kernels are shorter than their launch</source>
        <translation>%1%2 的内核比启动它的调用还短</translation>
    </message>
    <message>
        <source>%1%2 takes most</source>
        <translation>%1%2 用时最多</translation>
    </message>
    <message>
        <source>%1%2 takes most: %3</source>
        <translation>%1%2 用时最多：%3</translation>
    </message>
    <message>
        <source>%1, %2 and %3 more</source>
        <translation>%1、%2 和另外 %3 个</translation>
    </message>
    <message numerus="yes">
        <source>%1, in %n phases</source>
        <translation><numerusform>%1，分 %n 个阶段</numerusform></translation>
    </message>
    <message>
        <source>%1, other ones</source>
        <translation>%1，内容不同</translation>
    </message>
    <message>
        <source>%1, published</source>
        <translation>%1，已发表</translation>
    </message>
    <message>
        <source>%1. Source: %2; device: %3. Measured elsewhere and in another way: compare its shape with the curves above, not its figures.</source>
        <translation>%1。来源：%2；设备：%3。在别处、用别的方法测得：请对照上面的曲线看它的形状，不要看具体数值。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: %2 runs compared</source>
        <translation>%1：%2 次测量的对比</translation>
    </message>
    <message>
        <source>%1: %2 slices, %3</source>
        <translation>%1：%2 个事件，%3</translation>
    </message>
    <message>
        <source>%1: %2, at %3 %4.</source>
        <translation>%1：%2，%3 %4。</translation>
    </message>
    <message>
        <source>%1: %2. Takes %3.</source>
        <translation>%1：%2。取值：%3。</translation>
    </message>
    <message>
        <source>%1: cannot be restored: %2</source>
        <translation>%1：无法恢复：%2</translation>
    </message>
    <message>
        <source>%1: cannot be deleted: %2</source>
        <translation>%1：无法删除：%2</translation>
    </message>
    <message>
        <source>%1: cannot be created</source>
        <translation>%1：无法创建</translation>
    </message>
    <message>
        <source>%1: idle %2 of %3</source>
        <translation>%1：%3 中有 %2 空闲</translation>
    </message>
    <message>
        <source>%1: median with its 95% interval</source>
        <translation>%1：中位数及其 95% 区间</translation>
    </message>
    <message>
        <source>%1: the folder for runs cannot be created</source>
        <translation>%1：无法创建测量记录的文件夹</translation>
    </message>
    <message>
        <source>%1fusing or graphs would save about %2</source>
        <translation>%1融合或使用图大约能省 %2</translation>
    </message>
    <message>
        <source>%1longest gap: %2</source>
        <translation>%1最长的间隙：%2</translation>
    </message>
    <message>
        <source>(%1 – %2: range)</source>
        <translation>（%1 – %2：范围）</translation>
    </message>
    <message>
        <source>+ Add</source>
        <translation>+ 添加</translation>
    </message>
    <message>
        <source>, 95% interval %1 – %2</source>
        <translation>，95% 区间 %1 – %2</translation>
    </message>
    <message>
        <source>, C for the next operand, or type a number</source>
        <translation>，C 换到下一个操作数，或直接输入数</translation>
    </message>
    <message>
        <source>, a view of %1</source>
        <translation>，%1 的视图</translation>
    </message>
    <message>
        <source>, synchronized</source>
        <translation>，同步</translation>
    </message>
    <message>
        <source>, and %1 others like it</source>
        <translation>，另有 %1 个与它相同</translation>
    </message>
    <message>
        <source>, and another like it</source>
        <translation>，另有一个与它相同</translation>
    </message>
    <message>
        <source>, device</source>
        <translation>，设备</translation>
    </message>
    <message>
        <source>, from disk</source>
        <translation>，从磁盘</translation>
    </message>
    <message>
        <source>, host</source>
        <translation>，主机</translation>
    </message>
    <message>
        <source>, in host memory</source>
        <translation>，在主机内存里</translation>
    </message>
    <message>
        <source>, in memory</source>
        <translation>，在内存中</translation>
    </message>
    <message>
        <source>, in pinned memory</source>
        <translation>，在锁页内存里</translation>
    </message>
    <message>
        <source>, largest relative difference from PyTorch's results on the same inputs, which it computes in double precision where it can</source>
        <translation>、与 PyTorch 在相同输入上的结果相比的最大相对差（PyTorch 一侧尽可能用双精度）</translation>
    </message>
    <message>
        <source>, least %1</source>
        <translation>，最小 %1</translation>
    </message>
    <message>
        <source>, limited by </source>
        <translation>，受限于 </translation>
    </message>
    <message>
        <source>--completion %1: bash, zsh or fish</source>
        <translation>--completion %1：应为 bash、zsh 或 fish</translation>
    </message>
    <message>
        <source>--device %1: %2; there are %3</source>
        <translation>--device %1：%2；现有 %3</translation>
    </message>
    <message>
        <source>--legend %1: ends, top, bottom or none</source>
        <translation>--legend %1：应为 ends、top、bottom 或 none</translation>
    </message>
    <message>
        <source>--preset %1: one of %2</source>
        <translation>--preset %1：应为 %2 之一</translation>
    </message>
    <message>
        <source>--scale %1: a number from 0.1 to 20</source>
        <translation>--scale %1：应为 0.1 到 20 的数</translation>
    </message>
    <message>
        <source>--size %1: a width and a height from %2x%3 to %4x%4, such as 960x540</source>
        <translation>--size %1：应为宽和高，从 %2x%3 到 %4x%4，例如 960x540</translation>
    </message>
    <message>
        <source>--theme %1: light, dark or gray</source>
        <translation>--theme %1：应为 light、dark 或 grey</translation>
    </message>
    <message>
        <source>.</source>
        <translation>。</translation>
    </message>
    <message>
        <source>. Largest: %1 at %2.</source>
        <translation>。最大：%2 处 %1。</translation>
    </message>
    <message>
        <source>/ or Insert</source>
        <translation>/ 或 Insert</translation>
    </message>
    <message>
        <source>1 element</source>
        <translation>1 个元素</translation>
    </message>
    <message>
        <source>1 launch</source>
        <translation>1 次启动</translation>
    </message>
    <message>
        <source>1 problem</source>
        <translation>1 个问题</translation>
    </message>
    <message>
        <source>95% interval</source>
        <translation>95% 区间</translation>
    </message>
    <message>
        <source>; %1 are not measured</source>
        <translation>；%1 处没有测量</translation>
    </message>
    <message>
        <source>; %1 within noise</source>
        <translation>；%1 处无法判断</translation>
    </message>
    <message>
        <source>; %1 have too few samples</source>
        <translation>；%1 处样本太少</translation>
    </message>
    <message>
        <source>; %1 is not measured</source>
        <translation>；%1 处没有测量</translation>
    </message>
    <message>
        <source>; %1 smaller ones are left out</source>
        <translation>；另有 %1 个较小的没有列出</translation>
    </message>
    <message>
        <source>; a new one continues</source>
        <translation>；由新的进程继续</translation>
    </message>
    <message>
        <source>; mark size: %1</source>
        <translation>；标记大小：%1</translation>
    </message>
    <message>
        <source>; of %1</source>
        <translation>；属于 %1</translation>
    </message>
    <message>
        <source>; the baseline</source>
        <translation>；基线</translation>
    </message>
    <message>
        <source>&lt;p&gt;Shows where kernel fusion pays off and what kernel launches cost.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later. It comes with no warranty. You may pass it on and change it under the terms of that license.&lt;/p&gt;&lt;p&gt;Built on Qt %1 (LGPL 3), QCustomPlot 2.1 by Emanuel Eichhammer (GPL 3) and LLVM 19 (Apache 2.0 with LLVM exceptions).&lt;/p&gt;</source>
        <translation>&lt;p&gt;展示内核融合在什么地方划算，以及启动内核的代价。&lt;/p&gt;&lt;p&gt;自由软件，按 GNU 通用公共许可证第 3 版或更新版本发布。不提供任何担保。您可以在该许可证的条款下传播和修改它。&lt;/p&gt;&lt;p&gt;基于 Qt %1（LGPL 3）、Emanuel Eichhammer 的 QCustomPlot 2.1（GPL 3）和 LLVM 19（Apache 2.0，含 LLVM 例外条款）。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>A result has no value to branch from</source>
        <translation>结果没有可供分支的值</translation>
    </message>
    <message>
        <source>A result has nothing to edit</source>
        <translation>结果没有可编辑的内容</translation>
    </message>
    <message>
        <source>A result is a tensor; connect another value to it</source>
        <translation>结果是张量；请把另一个值连到它</translation>
    </message>
    <message>
        <source>A study is being measured. Stop it and close? What was measured so far is kept.</source>
        <translation>正在测量。要停止并关闭吗？已测的内容会保留。</translation>
    </message>
    <message>
        <source>A worker process died: %1. The points are kept%2.</source>
        <translation>丢失了一个工作进程：%1。已有的点会保留%2。</translation>
    </message>
    <message>
        <source>A, D or Left, Right</source>
        <translation>A、D 或左、右方向键</translation>
    </message>
    <message>
        <source>A: %1</source>
        <translation>A：%1</translation>
    </message>
    <message>
        <source>A: %1 samples, %2. B: %3 samples, %4.</source>
        <translation>A：%1 个样本，%2。B：%3 个样本，%4。</translation>
    </message>
    <message>
        <source>A: %1. B: %2. Total times, in %3.</source>
        <translation>A：%1。B：%2。%3中的总时间。</translation>
    </message>
    <message>
        <source>About Fusebench</source>
        <translation>关于 Fusebench</translation>
    </message>
    <message>
        <source>About and license</source>
        <translation>关于与许可</translation>
    </message>
    <message>
        <source>Above</source>
        <translation>上方</translation>
    </message>
    <message>
        <source>Add a machine</source>
        <translation>添加机器</translation>
    </message>
    <message>
        <source>Add a second axis</source>
        <translation>添加第二个轴</translation>
    </message>
    <message>
        <source>Add a variant like the last one</source>
        <translation>添加一个和最后一个一样的变体</translation>
    </message>
    <message>
        <source>Add an input set</source>
        <translation>添加输入集</translation>
    </message>
    <message>
        <source>Add axis</source>
        <translation>添加轴</translation>
    </message>
    <message>
        <source>Add input set</source>
        <translation>添加输入集</translation>
    </message>
    <message>
        <source>Add ssh:user@host or slurm:partition</source>
        <translation>添加 ssh:user@host 或 slurm:partition</translation>
    </message>
    <message>
        <source>Add variant</source>
        <translation>添加变体</translation>
    </message>
    <message>
        <source>Against</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>Compared with this run: %1.</source>
        <translation>与这次测量相比：%1。</translation>
    </message>
    <message>
        <source>All devices</source>
        <translation>所有设备</translation>
    </message>
    <message>
        <source>Whole trace</source>
        <translation>整个 trace</translation>
    </message>
    <message>
        <source>The whole recording, from the first event to the last, by what the time was spent on</source>
        <translation>它的全部记录，从第一个事件到最后一个：时间用在了什么上</translation>
    </message>
    <message>
        <source>All together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>All at once, after all gradients are computed</source>
        <translation>全部梯度算完后一起传</translation>
    </message>
    <message>
        <source>All variants</source>
        <translation>所有变体</translation>
    </message>
    <message>
        <source>Allow contraction</source>
        <translation>允许收缩</translation>
    </message>
    <message>
        <source>Allow fast math</source>
        <translation>允许快速数学</translation>
    </message>
    <message>
        <source>Synchronized</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>X axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Along the arrow, from call to kernel and back</source>
        <translation>沿着箭头，在调用与内核之间往返</translation>
    </message>
    <message>
        <source>Alt+Down</source>
        <translation>Alt+Down</translation>
    </message>
    <message>
        <source>Alt+Up</source>
        <translation>Alt+Up</translation>
    </message>
    <message>
        <source>Alt+Up, Alt+Down</source>
        <translation>Alt+Up、Alt+Down</translation>
    </message>
    <message>
        <source>An estimate: %1 now, %2 with each sequence of small kernels fused, %3 with each as one graph. Most is in %4 of %5 kernels: %6.</source>
        <translation>这是估计：现在 %1，把每串小内核融合后 %2，放进一个图 %3。最多的一处在 %5 个内核的 %4：%6。</translation>
    </message>
    <message>
        <source>An input reads nothing; connect to an op</source>
        <translation>输入不读取任何东西；请连接到算子</translation>
    </message>
    <message>
        <source>An input reads nothing; start at an op</source>
        <translation>输入不读取任何东西；请从算子开始</translation>
    </message>
    <message>
        <source>Another run, drawn thinner</source>
        <translation>另一次测量，线较细</translation>
    </message>
    <message>
        <source>Another run: it has no values at this point</source>
        <translation>另一次测量：它在这里没有数值</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Anywhere</source>
        <translation>任何地方</translation>
    </message>
    <message>
        <source>Append %1</source>
        <translation>追加 %1</translation>
    </message>
    <message>
        <source>Append an op</source>
        <translation>追加算子</translation>
    </message>
    <message>
        <source>Arrows, Tab</source>
        <translation>方向键、Tab</translation>
    </message>
    <message>
        <source>As</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>As a graph</source>
        <translation>以图表示</translation>
    </message>
    <message>
        <source>Fit to its contents</source>
        <translation>按内容调整高度</translation>
    </message>
    <message>
        <source>Reset to the device</source>
        <translation>恢复为设备的参数</translation>
    </message>
    <message>
        <source>As written</source>
        <translation>按程序</translation>
    </message>
    <message>
        <source>Assembly</source>
        <translation>汇编</translation>
    </message>
    <message>
        <source>At</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>At %1.</source>
        <translation>%1 时。</translation>
    </message>
    <message>
        <source>At the end of the axes, for %1; %2 kernel.</source>
        <translation>在各轴的末端，针对 %1；%2 个内核。</translation>
    </message>
    <message>
        <source>At the end of the axes, for %1; %2 kernels.</source>
        <translation>在各轴的末端，针对 %1；%2 个内核。</translation>
    </message>
    <message>
        <source>Autocast</source>
        <translation>Autocast</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Axis %1</source>
        <translation>轴 %1</translation>
    </message>
    <message>
        <source>Axis %1: remove</source>
        <translation>轴 %1：移除</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>B / A</source>
        <translation>B / A</translation>
    </message>
    <message>
        <source>B is</source>
        <translation>B 比 A</translation>
    </message>
    <message>
        <source>B is faster at %1 of %2 data points</source>
        <translation>%2 个数据点中 B 有 %1 个更快</translation>
    </message>
    <message>
        <source>B: %1</source>
        <translation>B：%1</translation>
    </message>
    <message>
        <source>Back end</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Bars show the time</source>
        <translation>条的长度表示用时</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Batches</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Before the first launch call, and after the last kernel until the call returns</source>
        <translation>向驱动提出之前，以及最后一个内核之后到主机返回</translation>
    </message>
    <message>
        <source>Begin, end, fit</source>
        <translation>开头、末尾、适应</translation>
    </message>
    <message>
        <source>Being compared…</source>
        <translation>正在对比…</translation>
    </message>
    <message>
        <source>Below</source>
        <translation>下方</translation>
    </message>
    <message>
        <source>Add trace to compare…</source>
        <translation>添加要比较的 trace…</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>并排</translation>
    </message>
    <message>
        <source>Compared with PyTorch</source>
        <translation>与 PyTorch 比较</translation>
    </message>
    <message>
        <source>Idle: next kernel not yet launched</source>
        <translation>空闲：下一个内核还没有启动</translation>
    </message>
    <message>
        <source>Launch-bound</source>
        <translation>启动开销受限</translation>
    </message>
    <message>
        <source>Branch from %1</source>
        <translation>从 %1 分支</translation>
    </message>
    <message>
        <source>Branch off here, replace the operator</source>
        <translation>从这里分支、替换算子</translation>
    </message>
    <message>
        <source>Branch to %1</source>
        <translation>分支到 %1</translation>
    </message>
    <message>
        <source>Branch…</source>
        <translation>分支…</translation>
    </message>
    <message>
        <source>Break-even</source>
        <translation>盈亏平衡点</translation>
    </message>
    <message>
        <source>Break-even and payback</source>
        <translation>平衡点与回本</translation>
    </message>
    <message>
        <source>Break-even and payback, in words with their intervals</source>
        <translation>平衡点和回本，用文字写出并带区间</translation>
    </message>
    <message>
        <source>Break-even map</source>
        <translation>盈亏平衡图</translation>
    </message>
    <message>
        <source>Break-even: %1 is %2 than %3 at %4 or more %5%6</source>
        <translation>平衡点：%1 从 %4 %5 起比 %3 %2%6</translation>
    </message>
    <message>
        <source>Break-even: %1 has %2 bandwidth than %3 at %4 or more %5%6</source>
        <translation>平衡点：%1 从 %4 %5 起每秒搬运的字节比 %3 %2%6</translation>
    </message>
    <message>
        <source>a lower</source>
        <translation>少</translation>
    </message>
    <message>
        <source>a higher</source>
        <translation>多</translation>
    </message>
    <message>
        <source>Break-evens</source>
        <translation>平衡点</translation>
    </message>
    <message>
        <source>Buckets</source>
        <translation>桶</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>Budget, s</source>
        <translation>时间预算，秒</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>By device</source>
        <translation>按设备</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>By position</source>
        <translation>按位置</translation>
    </message>
    <message>
        <source>Grouping of the comparison</source>
        <translation>按什么比较两个 trace</translation>
    </message>
    <message>
        <source>C</source>
        <translation>C</translation>
    </message>
    <message>
        <source>CPU threads; a GPU ignores it</source>
        <translation>CPU 线程数；GPU 不理会</translation>
    </message>
    <message>
        <source>CSV data</source>
        <translation>CSV 数据</translation>
    </message>
    <message>
        <source>CUDA C++</source>
        <translation>CUDA C++</translation>
    </message>
    <message>
        <source>CUPTI</source>
        <translation>CUPTI</translation>
    </message>
    <message>
        <source>CUPTI %1: launches are not recorded</source>
        <translation>CUPTI %1：不记录启动</translation>
    </message>
    <message>
        <source>CUPTI could not be tried</source>
        <translation>CUPTI 无法试用</translation>
    </message>
    <message>
        <source>CUPTI degraded: some launches are recorded</source>
        <translation>CUPTI 受限：只记录部分启动</translation>
    </message>
    <message>
        <source>CUPTI on: launches are recorded</source>
        <translation>CUPTI 可用：启动会被记录</translation>
    </message>
    <message>
        <source>CUPTI: not tried yet</source>
        <translation>CUPTI：尚未试用</translation>
    </message>
    <message>
        <source>Caches</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Synchronized latency, median with 95% interval</source>
        <translation>单独一次调用，中位数及 95% 区间</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Calls after which the compile is repaid, with 95% interval</source>
        <translation>编译回本所需的调用次数，带 95% 区间</translation>
    </message>
    <message>
        <source>Calls until the compile is repaid</source>
        <translation>编译回本所需的调用次数</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Caption</source>
        <translation>图注</translation>
    </message>
    <message>
        <source>Data points of both runs</source>
        <translation>两次测量的数据点</translation>
    </message>
    <message>
        <source>Change a variant's autocast</source>
        <translation>更改变体的 autocast</translation>
    </message>
    <message>
        <source>Change a variant's budget</source>
        <translation>更改变体的预算</translation>
    </message>
    <message>
        <source>Change a variant's checkpoints</source>
        <translation>更改变体的检查点</translation>
    </message>
    <message>
        <source>Change a variant's gradients</source>
        <translation>更改变体的梯度</translation>
    </message>
    <message>
        <source>Change a variant's inputs</source>
        <translation>更改变体的输入</translation>
    </message>
    <message>
        <source>Change a variant's loss scale</source>
        <translation>更改变体的损失缩放</translation>
    </message>
    <message>
        <source>Change a variant's program</source>
        <translation>更改变体的程序</translation>
    </message>
    <message>
        <source>Change a variant's type</source>
        <translation>更改变体的类型</translation>
    </message>
    <message>
        <source>Change baseline</source>
        <translation>更改基线</translation>
    </message>
    <message>
        <source>Change batches</source>
        <translation>更改批次</translation>
    </message>
    <message>
        <source>Change buckets</source>
        <translation>更改桶</translation>
    </message>
    <message>
        <source>Change color</source>
        <translation>更改颜色</translation>
    </message>
    <message>
        <source>Change executor</source>
        <translation>更改执行器</translation>
    </message>
    <message>
        <source>Change extents</source>
        <translation>更改大小</translation>
    </message>
    <message>
        <source>Change fill</source>
        <translation>更改填充</translation>
    </message>
    <message>
        <source>Change layout</source>
        <translation>更改布局</translation>
    </message>
    <message>
        <source>Change number of entries</source>
        <translation>更改项数</translation>
    </message>
    <message>
        <source>At an if on a tensor&apos;s values the host waits for the condition; each branch is compiled separately</source>
        <translation>遇到依赖张量值的 if 时，主机等待条件，然后用这条路自己的程序继续</translation>
    </message>
    <message>
        <source>Change graph breaks</source>
        <translation>更改图中断</translation>
    </message>
    <message>
        <source>Change memory pages</source>
        <translation>更改内存页</translation>
    </message>
    <message>
        <source>Choose others above. Errors are known once results were checked: those of a run that was recorded elsewhere may be missing.</source>
        <translation>请在上面另选。结果核对过才知道误差：在别处录下的测量可能没有误差。</translation>
    </message>
    <message>
        <source>Each selected machine or device measures this experiment, one after another; then the runs are compared.</source>
        <translation>勾选的每一处依次测量这个实验，然后比较各次测量记录。</translation>
    </message>
    <message>
        <source>How long devices were busy and idle</source>
        <translation>各设备忙碌和空闲的时间</translation>
    </message>
    <message>
        <source>Measure on %1, too</source>
        <translation>也在 %1 上测量</translation>
    </message>
    <message>
        <source>Measure on several machines or devices, and compare the runs</source>
        <translation>在多台机器或多个设备上测量，并比较这些测量记录</translation>
    </message>
    <message>
        <source>Memory pages</source>
        <translation>内存页</translation>
    </message>
    <message>
        <source>No launches to show yet</source>
        <translation>还没有可显示的启动</translation>
    </message>
    <message>
        <source>Back to %1</source>
        <translation>正在回到 %1</translation>
    </message>
    <message>
        <source>it was measured on %1, a device of another kind</source>
        <translation>它是在 %1 上测量的，属于另一类设备</translation>
    </message>
    <message>
        <source>Not measured everywhere. %1</source>
        <translation>并非每一处都已测量。%1</translation>
    </message>
    <message>
        <source>Run on all %1</source>
        <translation>在全部 %1 处运行</translation>
    </message>
    <message>
        <source>Run on each</source>
        <translation>在每一处运行</translation>
    </message>
    <message>
        <source>Several in turn</source>
        <translation>依次测量多处</translation>
    </message>
    <message>
        <source>Show the runs</source>
        <translation>显示测量记录</translation>
    </message>
    <message>
        <source>The experiment was changed: the rest was not measured.</source>
        <translation>实验已被修改：其余各处没有测量。</translation>
    </message>
    <message>
        <source>The run was stopped before its first sample was taken. The earlier results are shown again.</source>
        <translation>测量在取得第一个样本之前已停止。重新显示之前的测量结果。</translation>
    </message>
    <message>
        <source>Under Runs, select two or more and press Compare. The oldest is then compared with each of the others: the times of both for every variant and size, and the ratio of the later one&apos;s time, with its interval.</source>
        <translation>在“测量记录”里选中两次或更多测量，然后按“对比”。最早的一次会和其他各次逐一对比：列出两次测量中每个变体、每种大小的时间，以及较晚的一次用时是几倍，并给出区间。</translation>
    </message>
    <message>
        <source>What does a gain cost?</source>
        <translation>提速的代价是什么？</translation>
    </message>
    <message>
        <source>Which run is faster, and where?</source>
        <translation>哪次测量更快，快在哪里？</translation>
    </message>
    <message>
        <source>every call takes the next one</source>
        <translation>每次调用取下一个</translation>
    </message>
    <message>
        <source>fresh</source>
        <translation>全新</translation>
    </message>
    <message>
        <source>newly mapped huge pages</source>
        <translation>全新的大页</translation>
    </message>
    <message>
        <source>fresh pages</source>
        <translation>全新的页</translation>
    </message>
    <message>
        <source>fresh, huge</source>
        <translation>全新，大页</translation>
    </message>
    <message>
        <source>huge pages</source>
        <translation>大页</translation>
    </message>
    <message>
        <source>it is no longer in the list</source>
        <translation>它已不在列表中</translation>
    </message>
    <message>
        <source>memory is reused from call to call</source>
        <translation>内存在各次调用之间重复使用</translation>
    </message>
    <message>
        <source>newly mapped at each call, in 2 MiB pages where one fits</source>
        <translation>每次调用都是新的，放得下时用 2 MiB 的页</translation>
    </message>
    <message>
        <source>used again</source>
        <translation>重复使用</translation>
    </message>
    <message>
        <source>reused, huge pages</source>
        <translation>重复使用，大页</translation>
    </message>
    <message>
        <source>reused, in 2 MiB pages where one fits</source>
        <translation>重复使用，放得下时用 2 MiB 的页</translation>
    </message>
    <message>
        <source>%1 more reasons are in the table of results.</source>
        <translation>另有 %1 个原因，见结果表。</translation>
    </message>
    <message>
        <source>A speedup is the baseline&apos;s time divided by another variant&apos;s at the same point. It needs samples of %1 and of one more variant.</source>
        <translation>加速比是基线的时间除以同一处另一变体的时间。它需要 %1 和另外一个变体的样本。</translation>
    </message>
    <message>
        <source>Bandwidth is the bytes that a call reads and writes according to its plan, or copies from host memory to the device, divided by its time. Fusebench counts those of its own variants. Add eager or static in Setup, Variants, or run it again.</source>
        <translation>带宽是一次调用按其执行计划读写的、或从主机内存取到设备的字节数除以它的耗时。Fusebench 只统计自己的变体。请在“设置”的“变体”中加入 eager 或 static，或者重新运行。</translation>
    </message>
    <message>
        <source>Every measurement failed.</source>
        <translation>每次测量都失败了。</translation>
    </message>
    <message>
        <source>Fusebench counts the launches of its own variants, not those of PyTorch. Add eager or static in Setup, Variants, to see them.</source>
        <translation>Fusebench 统计自己的变体的启动次数，不统计 PyTorch 的。请在“设置”的“变体”中加上 eager 或 static。</translation>
    </message>
    <message>
        <source>Fusebench counts the memory of its own variants. Add eager or static in Setup, Variants, or run it again.</source>
        <translation>Fusebench 统计自己的变体的内存。请在“设置”的“变体”中加上 eager 或 static，或者再运行一次。</translation>
    </message>
    <message>
        <source>Memory was not counted in this run.</source>
        <translation>这次运行没有统计内存。</translation>
    </message>
    <message>
        <source>No bytes were counted in this run.</source>
        <translation>这次运行没有统计字节数。</translation>
    </message>
    <message>
        <source>No launches were counted.</source>
        <translation>没有统计启动次数。</translation>
    </message>
    <message>
        <source>No results were compared.</source>
        <translation>没有比较结果。</translation>
    </message>
    <message>
        <source>None of these variants can be measured here.</source>
        <translation>这些变体在这里都不能测量。</translation>
    </message>
    <message>
        <source>Nothing was compiled.</source>
        <translation>什么也没有编译。</translation>
    </message>
    <message>
        <source>Nothing was measured at this point.</source>
        <translation>这一处什么也没有测量。</translation>
    </message>
    <message>
        <source>Nothing was measured.</source>
        <translation>什么也没有测量。</translation>
    </message>
    <message>
        <source>Open Setup</source>
        <translation>打开“设置”</translation>
    </message>
    <message>
        <source>Run it again</source>
        <translation>再运行一次</translation>
    </message>
    <message>
        <source>The run ended before its first sample was taken: its time budget was too short. Increase it in Setup, Time.</source>
        <translation>运行在取得第一个样本之前就结束了：给它的时间太短。可在“设置”的“时间”中加长。</translation>
    </message>
    <message>
        <source>The run has samples elsewhere. Choose another value of the second axis above the chart, or measure more in Setup.</source>
        <translation>这次运行在别处有样本。请在图上方选择第二个轴的另一个值，或者在“设置”中测量更多。</translation>
    </message>
    <message>
        <source>The run was stopped before its first sample was taken.</source>
        <translation>运行在取得第一个样本之前就被停止了。</translation>
    </message>
    <message>
        <source>There is no compile to pay back.</source>
        <translation>没有需要回本的编译。</translation>
    </message>
    <message>
        <source>There is nothing to compare yet.</source>
        <translation>还没有可比较的。</translation>
    </message>
    <message>
        <source>These variants run without a compile. Add one that compiles, such as static or dynamic, in Setup, Variants.</source>
        <translation>这些变体运行时不需要编译。请在“设置”的“变体”中加上一个需要编译的，例如 static 或 dynamic。</translation>
    </message>
    <message>
        <source>Graph breaks</source>
        <translation>图中断</translation>
    </message>
    <message>
        <source>Show all tracks</source>
        <translation>显示全部泳道</translation>
    </message>
    <message>
        <source>The trace called A</source>
        <translation>称为 A 的 trace</translation>
    </message>
    <message>
        <source>The trace called B</source>
        <translation>称为 B 的 trace</translation>
    </message>
    <message>
        <source>There is no break-even between the points measured.</source>
        <translation>已测的位置之间没有平衡点。</translation>
    </message>
    <message>
        <source>Within a budget</source>
        <translation>在预算之内</translation>
    </message>
    <message>
        <source>by torch.compile's activation_memory_budget: as many activations are saved as the budget allows</source>
        <translation>由 torch.compile 的 activation_memory_budget：一次调用的字节数容得下多少就保留多少</translation>
    </message>
    <message>
        <source>copy of 4 KiB</source>
        <translation>4 KiB 拷贝</translation>
    </message>
    <message>
        <source>Change overlap</source>
        <translation>更改重叠</translation>
    </message>
    <message>
        <source>Change ranks</source>
        <translation>更改 rank 数</translation>
    </message>
    <message>
        <source>Change recompile limit</source>
        <translation>更改重新编译上限</translation>
    </message>
    <message>
        <source>Change results</source>
        <translation>更改结果</translation>
    </message>
    <message>
        <source>Change scaling</source>
        <translation>更改扩展方式</translation>
    </message>
    <message>
        <source>Change the compile repeats</source>
        <translation>更改编译次数</translation>
    </message>
    <message>
        <source>Change the device cache</source>
        <translation>更改设备缓存</translation>
    </message>
    <message>
        <source>Change the guide</source>
        <translation>更改说明</translation>
    </message>
    <message>
        <source>Change the note</source>
        <translation>更改备注</translation>
    </message>
    <message>
        <source>Change the precision</source>
        <translation>更改精度</translation>
    </message>
    <message>
        <source>Change the question</source>
        <translation>更改问题</translation>
    </message>
    <message>
        <source>Change the reference</source>
        <translation>更改参考数据</translation>
    </message>
    <message>
        <source>Change the seed</source>
        <translation>更改随机种子</translation>
    </message>
    <message>
        <source>Change the time budget</source>
        <translation>更改时间预算</translation>
    </message>
    <message>
        <source>Change the title</source>
        <translation>更改标题</translation>
    </message>
    <message>
        <source>Change threads</source>
        <translation>更改线程数</translation>
    </message>
    <message>
        <source>Change type</source>
        <translation>更改类型</translation>
    </message>
    <message>
        <source>Change unit</source>
        <translation>更改单位</translation>
    </message>
    <message>
        <source>Change values</source>
        <translation>更改取值</translation>
    </message>
    <message>
        <source>Change the dtype of a variant's layers</source>
        <translation>更改变体各层的计算类型</translation>
    </message>
    <message>
        <source>Change its memory</source>
        <translation>更改所在位置</translation>
    </message>
    <message>
        <source>Change workers</source>
        <translation>更改工作线程</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Chart and map</source>
        <translation>图和热力图</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Choose Python…</source>
        <translation>选择 Python…</translation>
    </message>
    <message>
        <source>Choose an op</source>
        <translation>选择算子</translation>
    </message>
    <message>
        <source>Choose the Python for PyTorch</source>
        <translation>选择 PyTorch 用的 Python</translation>
    </message>
    <message>
        <source>Choose what an operand reads</source>
        <translation>选择操作数读取什么</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Chrome trace of all launches, for Perfetto</source>
        <translation>所有启动的 Chrome trace，供 Perfetto 使用</translation>
    </message>
    <message>
        <source>Click a point for the curves through it.</source>
        <translation>点击一个位置，看经过它的曲线。</translation>
    </message>
    <message>
        <source>Click the shape to change it</source>
        <translation>点击形状可以修改</translation>
    </message>
    <message>
        <source>Click to fold</source>
        <translation>点击折叠</translation>
    </message>
    <message>
        <source>Clock when started</source>
        <translation>开始时的频率</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>关闭查找</translation>
    </message>
    <message>
        <source>Close this notice; deleted runs stay in the trash</source>
        <translation>关闭提示；删除的测量记录留在回收站里</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Collapse all tracks</source>
        <translation>折叠所有泳道</translation>
    </message>
    <message>
        <source>Collapse the slice's track to one row, or all tracks; again: all rows</source>
        <translation>把该泳道折叠成一行、折叠所有泳道；再按：全部行</translation>
    </message>
    <message>
        <source>Collapse to one row</source>
        <translation>折叠成一行</translation>
    </message>
    <message>
        <source>Collectives ran, and no other kernel overlapped them</source>
        <translation>在运行集合通信，同时没有其他内核</translation>
    </message>
    <message>
        <source>Collectives that nothing overlaps take %1; %2 of all their time is hidden behind other kernels.</source>
        <translation>没有其他工作同时进行的集合通信用时 %1；它们全部时间的 %2 隐藏在其他内核之后。</translation>
    </message>
    <message>
        <source>Color</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Colors</source>
        <translation>配色</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Compare the oldest of the selected runs with the others</source>
        <translation>把选中测量中最早的一次与其他各次对比</translation>
    </message>
    <message>
        <source>Compare the selected runs</source>
        <translation>对比选中的测量</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Comparison: the curves overlaid, the ratio of every data point; then each run</source>
        <translation>对比：曲线互相叠加，每个数据点的比值；然后是各次测量</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>Compile repeats</source>
        <translation>编译次数</translation>
    </message>
    <message>
        <source>Compile time</source>
        <translation>编译时间</translation>
    </message>
    <message>
        <source>Compile time: solid with no cache, dashed from disk, dotted in memory</source>
        <translation>编译时间：实线为无缓存，虚线为从磁盘，点线为在内存中</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>编译器</translation>
    </message>
    <message>
        <source>Complete the operator's name</source>
        <translation>补全算子名称</translation>
    </message>
    <message>
        <source>Computed</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Connect to %1</source>
        <translation>连接到 %1</translation>
    </message>
    <message>
        <source>Connect to the result</source>
        <translation>连接到结果</translation>
    </message>
    <message>
        <source>Connect…</source>
        <translation>连接…</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Contract</source>
        <translation>收缩</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>Copies to and from a device</source>
        <translation>与设备之间的拷贝</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy all rows</source>
        <translation>复制所有行</translation>
    </message>
    <message>
        <source>Copy as PyTorch</source>
        <translation>复制为 PyTorch</translation>
    </message>
    <message>
        <source>Copy results as text</source>
        <translation>把结果复制为文本</translation>
    </message>
    <message>
        <source>Copy selected rows</source>
        <translation>复制选中的行</translation>
    </message>
    <message>
        <source>Copy the program to %1</source>
        <translation>把程序复制到 %1</translation>
    </message>
    <message>
        <source>Copy the rows that are selected</source>
        <translation>复制选中的行</translation>
    </message>
    <message>
        <source>Copy the whole text</source>
        <translation>复制全文</translation>
    </message>
    <message>
        <source>Copy, cut, paste as PyTorch text</source>
        <translation>以 PyTorch 文本复制、剪切、粘贴</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>核心数</translation>
    </message>
    <message>
        <source>Cost of reading the clock</source>
        <translation>读时钟的代价</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Count A</source>
        <translation>A 的次数</translation>
    </message>
    <message>
        <source>Count B</source>
        <translation>B 的次数</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Crossed out: cannot be measured; point at it for the reason.</source>
        <translation>打叉：无法测量；指向它可看到原因。</translation>
    </message>
    <message>
        <source>Curve %1</source>
        <translation>曲线 %1</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Curves of each variant. Left and right arrows move the cursor along the axis, Shift with arrows pans, plus and minus zoom, F shows everything, L switches the vertical axis between logarithmic and linear, 1 to 7 choose what is shown.</source>
        <translation>各变体的曲线。左右方向键沿轴移动光标，Shift 加方向键平移，加减号缩放，F 显示全部，L 切换纵轴的对数与线性，1 到 7 选择显示什么。</translation>
    </message>
    <message>
        <source>Curves: latency, speedup, launches, compile, payback</source>
        <translation>曲线：耗时、加速比、启动次数、编译、回本</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Dark or light</source>
        <translation>深色或浅色</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>Delete; can be undone (Delete)</source>
        <translation>删除；可以撤销（Delete）</translation>
    </message>
    <message>
        <source>Deleted %1</source>
        <translation>已删除 %1</translation>
    </message>
    <message>
        <source>Deleted %1 runs</source>
        <translation>已删除 %1 次测量</translation>
    </message>
    <message>
        <source>Details of variant %1</source>
        <translation>变体 %1 的细节</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Device cache</source>
        <translation>设备缓存</translation>
    </message>
    <message>
        <source>Device recorded by CUPTI</source>
        <translation>CUPTI 记录的设备</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>Dimension %1 is given twice</source>
        <translation>维度 %1 出现了两次</translation>
    </message>
    <message>
        <source>Discard the edits</source>
        <translation>丢弃改动</translation>
    </message>
    <message>
        <source>Discard them</source>
        <translation>丢弃这些改动</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Dismiss the message</source>
        <translation>关闭消息</translation>
    </message>
    <message>
        <source>Drag an op to the canvas, or press Enter to append it.</source>
        <translation>把算子拖到画布上，或按 Enter 追加到末尾。</translation>
    </message>
    <message>
        <source>Drawing…</source>
        <translation>正在绘制…</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制一份</translation>
    </message>
    <message>
        <source>Duplicate %1</source>
        <translation>复制 %1</translation>
    </message>
    <message>
        <source>Duplicate input set</source>
        <translation>复制输入集</translation>
    </message>
    <message>
        <source>Duplicate variant</source>
        <translation>复制变体</translation>
    </message>
    <message>
        <source>Each as soon as it is computed</source>
        <translation>一算出来就传</translation>
    </message>
    <message>
        <source>Each data point: launches per call, compile times, memory, largest relative error against the reference in double precision</source>
        <translation>每个数据点：每次调用的启动次数、编译时间、内存、与双精度参考值相比的最大相对误差</translation>
    </message>
    <message>
        <source>Each run that finishes is kept here, with its date and result. Open an earlier one, overlay several on the chart, or compare them point by point.

Run a study to make the first.</source>
        <translation>完成的每次测量都保存在这里，带有日期和结果。可以打开以前的测量，把几次叠加到图上，或者逐个数据点对比。

先运行一项研究，得到第一次测量。</translation>
    </message>
    <message>
        <source>Edit a parameter</source>
        <translation>编辑参数</translation>
    </message>
    <message>
        <source>Edit the program</source>
        <translation>编辑程序</translation>
    </message>
    <message>
        <source>Empty program</source>
        <translation>空程序</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Enter opens, Space overlays on the chart, F2 renames, Delete deletes</source>
        <translation>Enter 打开，空格叠加到图上，F2 重命名，Delete 删除</translation>
    </message>
    <message>
        <source>Enter or F2</source>
        <translation>Enter 或 F2</translation>
    </message>
    <message>
        <source>Enter searches the kernel</source>
        <translation>Enter 查找这个内核</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Error against double precision on the same values: root mean square, relative</source>
        <translation>同样数值下相对双精度的误差：均方根，相对值</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Bars show shares of the call</source>
        <translation>条表示占一次调用的比例</translation>
    </message>
    <message>
        <source>Every measured data point will be listed here: latency with its interval, speedup, launches and error.</source>
        <translation>每个测过的数据点都会列在这里：耗时及其区间、加速比、启动次数和误差。</translation>
    </message>
    <message>
        <source>Every slice with all its details, as Chrome trace events, independent of the range that is shown: for Perfetto, chrome://tracing, or this timeline.</source>
        <translation>每个事件及其全部信息，写成 Chrome trace 事件，与当前所见的时间范围无关：供 Perfetto、chrome://tracing 或这里的时间线使用。</translation>
    </message>
    <message>
        <source>Executor</source>
        <translation>执行器</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Explore</source>
        <translation>边改边测</translation>
    </message>
    <message>
        <source>Explore mode on or off</source>
        <translation>开关“边改边测”</translation>
    </message>
    <message>
        <source>Explored</source>
        <translation>已测完</translation>
    </message>
    <message>
        <source>Explored; measuring compile times…</source>
        <translation>已粗测；正在测编译时间…</translation>
    </message>
    <message>
        <source>Exploring…</source>
        <translation>正在粗测…</translation>
    </message>
    <message>
        <source>Exploring… %1 of %2 data points</source>
        <translation>正在粗测… %2 个数据点中的 %1 个</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export a comparison of the selected runs: report, chart, table, data</source>
        <translation>导出选中测量的对比：报告、图、表格、数据</translation>
    </message>
    <message>
        <source>Export comparison</source>
        <translation>导出对比</translation>
    </message>
    <message>
        <source>Export comparison…</source>
        <translation>导出对比…</translation>
    </message>
    <message>
        <source>Export memory</source>
        <translation>导出内存</translation>
    </message>
    <message>
        <source>Export the results: report, chart, table, data</source>
        <translation>导出结果：报告、图、表格、数据</translation>
    </message>
    <message>
        <source>Export the run: report, chart, table, data</source>
        <translation>导出这次测量：报告、图、表格、数据</translation>
    </message>
    <message>
        <source>Export the run, or a comparison of several</source>
        <translation>导出这次测量；选中多次时导出对比</translation>
    </message>
    <message>
        <source>Export timeline</source>
        <translation>导出时间线</translation>
    </message>
    <message>
        <source>Export: report, chart, table, data</source>
        <translation>导出：报告、图、表格、数据</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Failed; %1 kept</source>
        <translation>失败；保留 %1</translation>
    </message>
    <message>
        <source>Fast math</source>
        <translation>快速数学</translation>
    </message>
    <message>
        <source>Device whose figures are shown</source>
        <translation>哪个设备的数字</translation>
    </message>
    <message>
        <source>Fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Fills</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter the tracks by name</source>
        <translation>按名称筛选泳道</translation>
    </message>
    <message>
        <source>Filter the results</source>
        <translation>筛选结果</translation>
    </message>
    <message>
        <source>Filter: static 30, budget, n&gt;=10</source>
        <translation>筛选：static 30、预算、n&gt;=10</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find a kernel</source>
        <translation>查找内核</translation>
    </message>
    <message>
        <source>Find in this code</source>
        <translation>在代码中查找</translation>
    </message>
    <message>
        <source>Find in this code (Ctrl+F)</source>
        <translation>在代码中查找（Ctrl+F）</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Findings, setup, runs, guide and course</source>
        <translation>结论、设置、测量记录、说明和课程</translation>
    </message>
    <message>
        <source>Finished: %1%2</source>
        <translation>完成：%1%2</translation>
    </message>
    <message>
        <source>First at</source>
        <translation>首次出现</translation>
    </message>
    <message>
        <source>First step, after the last</source>
        <translation>第一步、最后一步之后</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适应</translation>
    </message>
    <message>
        <source>Fit to the run</source>
        <translation>按测量拟合</translation>
    </message>
    <message>
        <source>Fit, 100%, zoom</source>
        <translation>适应、100%、缩放</translation>
    </message>
    <message>
        <source>Fitted line T = a + b × launches, with the cost of a launch</source>
        <translation>拟合直线 T = a + b × 启动次数，含每次启动的代价</translation>
    </message>
    <message>
        <source>Fitted lines</source>
        <translation>拟合直线</translation>
    </message>
    <message>
        <source>Floats</source>
        <translation>浮点类型</translation>
    </message>
    <message>
        <source>Flushed</source>
        <translation>清空</translation>
    </message>
    <message>
        <source>Focus mode</source>
        <translation>专注模式</translation>
    </message>
    <message>
        <source>Fold or unfold</source>
        <translation>折叠或展开</translation>
    </message>
    <message>
        <source>Fold or unfold the function, module or round of a loop</source>
        <translation>折叠或展开函数、模块或循环的一轮</translation>
    </message>
    <message>
        <source>Folded: %1</source>
        <translation>已折叠：%1</translation>
    </message>
    <message>
        <source>Forbid contraction</source>
        <translation>禁止收缩</translation>
    </message>
    <message>
        <source>Forbid fast math</source>
        <translation>禁止快速数学</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>From the first launch call to the start of its kernel, without copies</source>
        <translation>从向驱动提出第一次启动到该内核开始，拷贝不计</translation>
    </message>
    <message>
        <source>Where does it break even, and for which sizes?</source>
        <translation>从哪里起划算，对哪些大小？</translation>
    </message>
    <message>
        <source>Functions that fit</source>
        <translation>匹配的函数</translation>
    </message>
    <message>
        <source>Fusebench</source>
        <translation>Fusebench</translation>
    </message>
    <message>
        <source>Fusebench did not close properly. Your edits are restored.</source>
        <translation>Fusebench 上次没有正常关闭。您的改动已恢复。</translation>
    </message>
    <message>
        <source>Fusebench did not close properly. Your edits are restored. </source>
        <translation>Fusebench 上次没有正常关闭。您的改动已恢复。</translation>
    </message>
    <message>
        <source>Fusebench exited while measuring. %1 unfinished runs are listed under Runs.</source>
        <translation>Fusebench 在测量途中结束。“测量记录”里有 %1 次未完成的测量。</translation>
    </message>
    <message>
        <source>Fusebench exited while measuring. The results so far are listed under Runs.</source>
        <translation>Fusebench 在测量途中结束。已测的内容列在“测量记录”里。</translation>
    </message>
    <message>
        <source>Fusebench is still looking for devices. Press Run again in a moment.</source>
        <translation>Fusebench 还在寻找设备。请稍后再按“运行”。</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Gap %1</source>
        <translation>间隙 %1</translation>
    </message>
    <message>
        <source>Gaps</source>
        <translation>间隙</translation>
    </message>
    <message>
        <source>Generated code</source>
        <translation>生成的代码</translation>
    </message>
    <message>
        <source>Generated code of the other variant</source>
        <translation>旁边变体生成的代码</translation>
    </message>
    <message>
        <source>Go from step to step</source>
        <translation>逐步移动</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Resume measuring</source>
        <translation>继续测量</translation>
    </message>
    <message>
        <source>Resume with a new worker</source>
        <translation>换新的工作进程继续</translation>
    </message>
    <message>
        <source>Resume a stopped run</source>
        <translation>继续已停止的测量</translation>
    </message>
    <message>
        <source>Go to the row's point in the chart</source>
        <translation>转到该行在图中的位置</translation>
    </message>
    <message>
        <source>Governor</source>
        <translation>调频策略</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Gray</source>
        <translation>灰度</translation>
    </message>
    <message>
        <source>H</source>
        <translation>H</translation>
    </message>
    <message>
        <source>HTML report, one page</source>
        <translation>HTML 报告，单个网页</translation>
    </message>
    <message>
        <source>Launch call (until it returns)</source>
        <translation>启动调用（到返回为止）</translation>
    </message>
    <message>
        <source>Hardware threads</source>
        <translation>硬件线程数</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Hide all others</source>
        <translation>隐藏其他所有泳道</translation>
    </message>
    <message>
        <source>Hide or show the left column, the right one, the results</source>
        <translation>显示或隐藏左栏、右栏、结果</translation>
    </message>
    <message>
        <source>Hide the slice's track, show all tracks</source>
        <translation>隐藏该泳道、显示所有泳道</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>Home or F</source>
        <translation>Home 或 F</translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation>Home、End</translation>
    </message>
    <message>
        <source>Home, End, F</source>
        <translation>Home、End、F</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Host time (H), median with 95% interval</source>
        <translation>主机时间（H），中位数及 95% 区间</translation>
    </message>
    <message>
        <source>Host time: until a call returns to the program.</source>
        <translation>主机时间：到调用返回程序为止。</translation>
    </message>
    <message>
        <source>Host wait</source>
        <translation>主机等待</translation>
    </message>
    <message>
        <source>Hot</source>
        <translation>热</translation>
    </message>
    <message>
        <source>How it was measured</source>
        <translation>怎样测量</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Idle because the host had not launched the next kernel yet</source>
        <translation>空闲，因为主机还没有启动下一个内核</translation>
    </message>
    <message>
        <source>Idle before work whose launch was not recorded</source>
        <translation>空闲，之后的工作没有记录由谁启动</translation>
    </message>
    <message>
        <source>Input %1</source>
        <translation>输入 %1</translation>
    </message>
    <message>
        <source>Input set %1: duplicate, remove</source>
        <translation>输入集 %1：复制、移除</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Inputs from</source>
        <translation>输入来自</translation>
    </message>
    <message>
        <source>Inputs “%1”</source>
        <translation>输入“%1”</translation>
    </message>
    <message>
        <source>Insert %1</source>
        <translation>插入 %1</translation>
    </message>
    <message>
        <source>Insert after…</source>
        <translation>在此之后插入…</translation>
    </message>
    <message>
        <source>Insert an operator after this one (Shift+Insert: before)</source>
        <translation>在此之后插入算子（Shift+Insert：之前）</translation>
    </message>
    <message>
        <source>Insert before…</source>
        <translation>在此之前插入…</translation>
    </message>
    <message>
        <source>Insert between %1 and %2</source>
        <translation>在 %1 与 %2 之间插入</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>Its curves do not cross.</source>
        <translation>它们的曲线不相交。</translation>
    </message>
    <message>
        <source>JSON data</source>
        <translation>JSON 数据</translation>
    </message>
    <message>
        <source>Journal, double column (176 mm)</source>
        <translation>期刊，双栏（176 mm）</translation>
    </message>
    <message>
        <source>Journal, single column (85 mm)</source>
        <translation>期刊，单栏（85 mm）</translation>
    </message>
    <message>
        <source>Pin the slice's track to the top, or unpin it</source>
        <translation>把该泳道固定在顶部，或取消</translation>
    </message>
    <message>
        <source>Keep this variant and point, whatever the canvas and the chart show</source>
        <translation>不管画布和图上显示什么，都保持这个变体和位置</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Kernel launches per call</source>
        <translation>每次调用的内核启动次数</translation>
    </message>
    <message>
        <source>Kernel launches per call, counted: %1 to %2.</source>
        <translation>每次调用的内核启动次数，按计数：%1 到 %2。</translation>
    </message>
    <message>
        <source>Kernel launches per call, counted: mean, with least and most</source>
        <translation>每次调用的内核启动次数，按计数：平均、最少和最多</translation>
    </message>
    <message>
        <source>Kernel of the other variant</source>
        <translation>旁边变体的内核</translation>
    </message>
    <message>
        <source>Kernel wait</source>
        <translation>内核等待</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Kernels launched per call, counted.</source>
        <translation>每次调用启动的内核数，按计数。</translation>
    </message>
    <message>
        <source>Kernels of %1</source>
        <translation>%1 的内核</translation>
    </message>
    <message>
        <source>Kernels of %1 %2. Count and total are those of one call</source>
        <translation>%1 的内核（%2）。次数和总计：一次调用</translation>
    </message>
    <message>
        <source>Kernels other than collectives ran</source>
        <translation>在运行非集合通信的内核</translation>
    </message>
    <message>
        <source>Kernels are shown once the inputs' shapes are known</source>
        <translation>知道输入的形状之后才显示内核</translation>
    </message>
    <message>
        <source>Kernels are shown once the problems are solved</source>
        <translation>解决问题之后才显示内核</translation>
    </message>
    <message>
        <source>Kernels that %1 launches (%2)</source>
        <translation>%1 启动的内核（%2）</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Keys…</source>
        <translation>快捷键…</translation>
    </message>
    <message>
        <source>KiB of gradients that pass between the ranks together; 0: each by itself</source>
        <translation>rank 之间一次传递多少 KiB 梯度；0：各自单独传</translation>
    </message>
    <message>
        <source>LLVM IR</source>
        <translation>LLVM IR</translation>
    </message>
    <message>
        <source>LaTeX table</source>
        <translation>LaTeX 表格</translation>
    </message>
    <message>
        <source>Tracks</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Tracks %1/%2</source>
        <translation>泳道 %1/%2</translation>
    </message>
    <message>
        <source>Tracks that are drawn</source>
        <translation>画出的泳道</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Largest error of an element of the results, relative to its value in double precision, or for a sum relative to the sum of its terms' magnitudes. Charts and Scatter show the root mean square over whole results.</source>
        <translation>结果中单个元素的最大误差，相对于用双精度算出的值；对求和结果，则相对于各项绝对值之和。图表和散点图显示的是整个结果的均方根误差。</translation>
    </message>
    <message>
        <source>Largest error of an element against the double-precision reference; for a sum, relative to the sum of its terms' magnitudes.</source>
        <translation>单个元素与双精度参考值的最大误差；对求和结果，则相对于各项绝对值之和。</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>Latency per call: median with its 95% interval</source>
        <translation>每次调用的耗时：中位数及其 95% 区间</translation>
    </message>
    <message>
        <source>Launch %1 of %2: %3</source>
        <translation>启动 %1/%2：%3</translation>
    </message>
    <message>
        <source>Launch delay</source>
        <translation>启动延迟</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Launches and fusion</source>
        <translation>启动与融合</translation>
    </message>
    <message>
        <source>Launches over time, from %1 to %2.</source>
        <translation>各次启动的时间，从 %1 到 %2。</translation>
    </message>
    <message>
        <source>Not launch-bound: its kernels take the time.</source>
        <translation>启动再快也没有多少收益：时间用在内核上。</translation>
    </message>
    <message>
        <source>Overlay on the chart (Space)</source>
        <translation>叠加到图上（空格）</translation>
    </message>
    <message>
        <source>Overlay on the chart, or remove</source>
        <translation>叠加到图上，或取消</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Leave the editor</source>
        <translation>离开编辑器</translation>
    </message>
    <message>
        <source>Left column</source>
        <translation>左栏</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>左、右方向键</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Clear the cursor</source>
        <translation>放开光标</translation>
    </message>
    <message>
        <source>Clear selection</source>
        <translation>取消选择</translation>
    </message>
    <message>
        <source>Clear selection (Esc)</source>
        <translation>取消选择（Esc）</translation>
    </message>
    <message>
        <source>Let libraries choose algorithms</source>
        <translation>由库选择算法</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>Line: break-even. Hatched: the 95% interval includes it.</source>
        <translation>线：平衡点。阴影：95% 区间包含它。</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Lines that used them then use their first operand instead</source>
        <translation>用到这些行的地方改用它们的第一个操作数</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Load, 1, 5 and 15 minutes</source>
        <translation>负载（1、5、15 分钟）</translation>
    </message>
    <message>
        <source>Log x</source>
        <translation>对数 x</translation>
    </message>
    <message>
        <source>Log y</source>
        <translation>对数 y</translation>
    </message>
    <message>
        <source>Log, by decade</source>
        <translation>对数，按十倍</translation>
    </message>
    <message>
        <source>Log, by octave</source>
        <translation>对数，按倍频程</translation>
    </message>
    <message>
        <source>Logarithmic horizontal axis</source>
        <translation>横轴用对数</translation>
    </message>
    <message>
        <source>Logarithmic vertical axis</source>
        <translation>纵轴用对数</translation>
    </message>
    <message>
        <source>Longest gaps</source>
        <translation>最长的间隙</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Rescan</source>
        <translation>重新扫描</translation>
    </message>
    <message>
        <source>Look at %1</source>
        <translation>查看 %1</translation>
    </message>
    <message>
        <source>Look for devices again</source>
        <translation>重新寻找设备</translation>
    </message>
    <message>
        <source>Look for devices again, for example after installing a driver</source>
        <translation>重新寻找设备：例如装好驱动之后</translation>
    </message>
    <message>
        <source>Looking for GPUs…</source>
        <translation>正在寻找 GPU…</translation>
    </message>
    <message>
        <source>Looking for PyTorch…</source>
        <translation>正在寻找 PyTorch…</translation>
    </message>
    <message>
        <source>Recording inside calls stopped early: %1. The measured times are not affected.</source>
        <translation>剖析提前结束了：%1。已测的时间不受影响。</translation>
    </message>
    <message>
        <source>Loop nest</source>
        <translation>循环嵌套</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Machine and method</source>
        <translation>机器与方法</translation>
    </message>
    <message>
        <source>Machine and method, with the experiment</source>
        <translation>机器与方法，附实验</translation>
    </message>
    <message>
        <source>The recorded machine, program and settings are the same. The intervals cover the noise within each run, but not what changes between two starts.</source>
        <translation>两者记录的机器、程序和设置相同。区间包含每次测量之内的噪声，不包含从一次启动到下一次启动的变化。</translation>
    </message>
    <message>
        <source>Generating the code</source>
        <translation>正在生成代码</translation>
    </message>
    <message>
        <source>Generating the code…</source>
        <translation>正在生成代码…</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>正在规划…</translation>
    </message>
    <message>
        <source>Markdown table</source>
        <translation>Markdown 表格</translation>
    </message>
    <message>
        <source>Matmuls and networks</source>
        <translation>矩阵乘与网络</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Mean gap</source>
        <translation>平均间隙</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Measure after every edit, coarsely at first</source>
        <translation>每次改动之后就测，先粗后细</translation>
    </message>
    <message>
        <source>Measure the experiment</source>
        <translation>测量这个实验</translation>
    </message>
    <message>
        <source>Measure variant %1; a click removes it</source>
        <translation>测量变体 %1；点击即移除</translation>
    </message>
    <message>
        <source>Measure with %1, too</source>
        <translation>同时测量 %1</translation>
    </message>
    <message>
        <source>Measured before your edits</source>
        <translation>测量在您改动之前</translation>
    </message>
    <message>
        <source>Measured coarsely, with few samples.</source>
        <translation>粗测，样本很少。</translation>
    </message>
    <message>
        <source>Measured on %1</source>
        <translation>测于 %1</translation>
    </message>
    <message>
        <source>Measured on %1; Run measures on %2</source>
        <translation>测于 %1；“运行”在 %2 上测量</translation>
    </message>
    <message>
        <source>Measured: median with its 95% interval</source>
        <translation>实测：中位数及其 95% 区间</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>测量方式</translation>
    </message>
    <message>
        <source>Measuring, round %1</source>
        <translation>正在测量，第 %1 轮</translation>
    </message>
    <message>
        <source>Median of %1 samples with its 95% interval %2, per call.</source>
        <translation>%1 个样本的中位数及其 95% 区间 %2，每次调用。</translation>
    </message>
    <message>
        <source>Median of %1 samples: too few for an interval, so the range is shown in brackets.</source>
        <translation>%1 个样本的中位数：太少，给不出区间，因此在括号里给出范围。</translation>
    </message>
    <message>
        <source>Median time per call with its 95% interval; speedup over %1, paired by round</source>
        <translation>每次调用时间的中位数及其 95% 区间；相对 %1 的加速比，按轮配对</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory by step</source>
        <translation>各步的内存</translation>
    </message>
    <message>
        <source>Allocating and freeing results</source>
        <translation>分配和释放结果的内存</translation>
    </message>
    <message>
        <source>Memory is copied or filled</source>
        <translation>正在拷贝或填充内存</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Min-max</source>
        <translation>最小–最大</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model, axes, fit</source>
        <translation>模型、坐标轴、适应</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Move in the chain</source>
        <translation>在链中移动</translation>
    </message>
    <message>
        <source>Move the cursor along the axis</source>
        <translation>沿轴移动光标</translation>
    </message>
    <message>
        <source>Move the slice's track</source>
        <translation>移动该泳道</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move variant</source>
        <translation>移动变体</translation>
    </message>
    <message>
        <source>N, P or F3, Shift+F3</source>
        <translation>N、P 或 F3、Shift+F3</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新实验</translation>
    </message>
    <message>
        <source>New, open, save</source>
        <translation>新建、打开、保存</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>最新的在前</translation>
    </message>
    <message>
        <source>Next (Enter, F3)</source>
        <translation>下一处（Enter、F3）</translation>
    </message>
    <message>
        <source>Next (N, F3)</source>
        <translation>下一个（N、F3）</translation>
    </message>
    <message>
        <source>Next part</source>
        <translation>下一部分</translation>
    </message>
    <message>
        <source>No data point was measured in both runs: no variant has the same name and the same point on the axes.</source>
        <translation>没有一个数据点在两次测量中都测过：没有名称和位置都相同的变体。</translation>
    </message>
    <message>
        <source>All devices are idle from %1 to %2, %3 of the time.</source>
        <translation>从 %1 到 %2 没有设备在工作，占时间的 %3。</translation>
    </message>
    <message>
        <source>No kernel could be matched to the call that launched it.</source>
        <translation>没有一个内核能对应到启动它的调用。</translation>
    </message>
    <message>
        <source>A payback cannot be drawn. </source>
        <translation>没有可画的回本次数。</translation>
    </message>
    <message>
        <source>No operator matches “%1”.</source>
        <translation>没有匹配“%1”的算子。</translation>
    </message>
    <message>
        <source>No run matches "%1".</source>
        <translation>没有匹配“%1”的测量。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>None is known.</source>
        <translation>没有数据。</translation>
    </message>
    <message>
        <source>Not measured: %1</source>
        <translation>没有测量：%1</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Note: </source>
        <translation>备注：</translation>
    </message>
    <message>
        <source>Notes on the run</source>
        <translation>这次测量的笔记</translation>
    </message>
    <message>
        <source>Notes: what was changed, what to look at</source>
        <translation>笔记：改了什么，要看什么</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Nothing comes before an input</source>
        <translation>输入之前不能有东西</translation>
    </message>
    <message>
        <source>Nothing is measured yet.</source>
        <translation>还没有测量结果。</translation>
    </message>
    <message>
        <source>There is no memory to show here.</source>
        <translation>这里内存中什么也没有。</translation>
    </message>
    <message>
        <source>Nothing ran</source>
        <translation>什么也没有运行</translation>
    </message>
    <message>
        <source>Nothing to save: no sequences of launch-bound kernels, or their calls are not known.</source>
        <translation>没有可省的：没有连续多个比启动还短的内核，或者不知道它们的调用。</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Number of %1</source>
        <translation>%1 的数</translation>
    </message>
    <message>
        <source>Of %1; values that they do not read are returned</source>
        <translation>取 %1；其中没有被读取的值作为返回</translation>
    </message>
    <message>
        <source>One call with %1, according to its plan; memory that a library uses internally is not included.</source>
        <translation>取自一次调用（%1）的执行计划；库自己使用的内存不在其中。</translation>
    </message>
    <message>
        <source>Oldest first</source>
        <translation>最早的在前</translation>
    </message>
    <message>
        <source>On another machine, %1: by interpolation of the table %2 %3.</source>
        <translation>在另一台机器（%1）上：由表格插值，%2 %3。</translation>
    </message>
    <message>
        <source>On the device:</source>
        <translation>在设备上：</translation>
    </message>
    <message>
        <source>One axis is swept</source>
        <translation>只改变了一个轴</translation>
    </message>
    <message>
        <source>Synchronized latency: one call with the wait for it.</source>
        <translation>单独一次调用，含等待。</translation>
    </message>
    <message>
        <source>One call at %1.</source>
        <translation>%1 时的一次调用。</translation>
    </message>
    <message>
        <source>One graph</source>
        <translation>一个图</translation>
    </message>
    <message>
        <source>One kernel</source>
        <translation>一个内核</translation>
    </message>
    <message>
        <source>One latency curve for each of %1, over the number of %2, with its 95% interval and the points where the curves cross. It takes about %3.</source>
        <translation>为 %1 各画一条耗时曲线（横轴：%2），带 95% 区间和曲线的交点。大约需要 %3。</translation>
    </message>
    <message>
        <source>One sample: too few for an interval or a range.</source>
        <translation>只有一个样本：给不出区间或范围。</translation>
    </message>
    <message>
        <source>The only axis is %1</source>
        <translation>只有一个轴：%1</translation>
    </message>
    <message>
        <source>Only copies and fills ran</source>
        <translation>只在做拷贝和填充</translation>
    </message>
    <message>
        <source>Only tracks whose name contains…</source>
        <translation>只显示名称中含有…的泳道</translation>
    </message>
    <message>
        <source>Only one dimension can be given, or all</source>
        <translation>只能给一个维度，或 all</translation>
    </message>
    <message>
        <source>Occurrences</source>
        <translation>出现次数</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open a second trace under this one, on the same time scale</source>
        <translation>在这个 trace 下面再打开一个，用同一时间尺度</translation>
    </message>
    <message>
        <source>Open a trace</source>
        <translation>打开 trace</translation>
    </message>
    <message>
        <source>Open an experiment or a run</source>
        <translation>打开实验或测量结果</translation>
    </message>
    <message>
        <source>Open an experiment to see what is in memory while a call of it runs.</source>
        <translation>打开一个实验，就能看到一次调用期间内存里有什么。</translation>
    </message>
    <message>
        <source>Open the run (Enter)</source>
        <translation>打开这次测量（Enter）</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Operating system</source>
        <translation>操作系统</translation>
    </message>
    <message>
        <source>Operator chain</source>
        <translation>算子链</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Ops</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Order of the runs</source>
        <translation>测量记录的次序</translation>
    </message>
    <message>
        <source>Other wait</source>
        <translation>其他等待</translation>
    </message>
    <message>
        <source>Dashed outline: not measured.</source>
        <translation>空框加短横：没有测量。</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>PDF chart</source>
        <translation>PDF 图</translation>
    </message>
    <message>
        <source>PDF report, to print</source>
        <translation>PDF 报告，用于打印</translation>
    </message>
    <message>
        <source>PNG chart</source>
        <translation>PNG 图</translation>
    </message>
    <message>
        <source>PTX</source>
        <translation>PTX</translation>
    </message>
    <message>
        <source>PYTHON is an interpreter that has torch.</source>
        <translation>PYTHON 是装有 torch 的解释器。</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>平移</translation>
    </message>
    <message>
        <source>Parts of a call</source>
        <translation>调用的各部分</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Paste PyTorch</source>
        <translation>粘贴 PyTorch</translation>
    </message>
    <message>
        <source>Paste a PyTorch function, or type one:

def program(x):
    x = torch.exp(x)
    return x.sum()</source>
        <translation>粘贴一个 PyTorch 函数，或直接输入：

def program(x):
    x = torch.exp(x)
    return x.sum()</translation>
    </message>
    <message>
        <source>Paste a program</source>
        <translation>粘贴程序</translation>
    </message>
    <message>
        <source>Paste as new program</source>
        <translation>粘贴为新程序</translation>
    </message>
    <message>
        <source>Payback</source>
        <translation>回本</translation>
    </message>
    <message>
        <source>Compile payback, with no cache</source>
        <translation>编译的回本次数（无缓存）</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>Bytes read, written or copied from host memory per second (more is better): median with its 95% interval</source>
        <translation>每秒读写、或从主机内存拷贝的字节数（越大越好）：中位数及其 95% 区间</translation>
    </message>
    <message>
        <source>Bytes moved divided by the call&apos;s time</source>
        <translation>搬运的字节数除以调用耗时</translation>
    </message>
    <message>
        <source>Peak memory of a call</source>
        <translation>一次调用的内存峰值</translation>
    </message>
    <message>
        <source>Peak memory of a call with its inputs, counted</source>
        <translation>一次调用（含输入）的内存峰值，按计数</translation>
    </message>
    <message>
        <source>Per decade</source>
        <translation>每十倍</translation>
    </message>
    <message>
        <source>Per octave</source>
        <translation>每倍频程</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Pin to the top</source>
        <translation>固定在顶部</translation>
    </message>
    <message>
        <source>Point on the axis</source>
        <translation>轴上的位置</translation>
    </message>
    <message>
        <source>Point on the first axis</source>
        <translation>第一个轴上的位置</translation>
    </message>
    <message>
        <source>Precision, %</source>
        <translation>精度，%</translation>
    </message>
    <message>
        <source>Preparing: compiling and checking the data points</source>
        <translation>准备中：编译并核对各数据点</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Previous (P, Shift+F3)</source>
        <translation>上一个（P、Shift+F3）</translation>
    </message>
    <message>
        <source>Previous (Shift+Enter, Shift+F3)</source>
        <translation>上一处（Shift+Enter、Shift+F3）</translation>
    </message>
    <message>
        <source>Previous part</source>
        <translation>上一部分</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Problems in the program</source>
        <translation>程序中的问题</translation>
    </message>
    <message>
        <source>Processes that run it together, started with mpirun: each on its part of the batch, gradients averaged over them</source>
        <translation>用 mpirun 启动、一起运行的进程：各算批量的一部分，梯度在它们之间取平均</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Program as PyTorch text</source>
        <translation>以 PyTorch 文本表示的程序</translation>
    </message>
    <message>
        <source>Program as a graph</source>
        <translation>以图表示的程序</translation>
    </message>
    <message>
        <source>Program shown</source>
        <translation>显示的程序</translation>
    </message>
    <message>
        <source>Program: PyTorch text and graph</source>
        <translation>程序：PyTorch 文本和图</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>已发表</translation>
    </message>
    <message>
        <source>Published curves</source>
        <translation>已发表的曲线</translation>
    </message>
    <message>
        <source>Published, for comparison</source>
        <translation>已发表的数据，供比较</translation>
    </message>
    <message>
        <source>Published: %1</source>
        <translation>已发表：%1</translation>
    </message>
    <message>
        <source>Published: %1; another machine, another metric: %2</source>
        <translation>已发表：%1；另一台机器、另一种指标：%2</translation>
    </message>
    <message>
        <source>PyTorch</source>
        <translation>PyTorch</translation>
    </message>
    <message>
        <source>PyTorch runs this variant: its kernels are not known here</source>
        <translation>这个变体由 PyTorch 运行：这里不知道它的内核</translation>
    </message>
    <message>
        <source>PyTorch runs this variant: its generated code is not shown here.</source>
        <translation>这个变体由 PyTorch 运行：它生成的代码不在这里显示。</translation>
    </message>
    <message>
        <source>PyTorch script</source>
        <translation>PyTorch 脚本</translation>
    </message>
    <message>
        <source>PyTorch text</source>
        <translation>PyTorch 文本</translation>
    </message>
    <message>
        <source>PyTorch's CUDA</source>
        <translation>PyTorch 的 CUDA</translation>
    </message>
    <message>
        <source>PyTorch's Python</source>
        <translation>PyTorch 的 Python</translation>
    </message>
    <message>
        <source>PyTorch's vector unit</source>
        <translation>PyTorch 的向量单元</translation>
    </message>
    <message>
        <source>Python for PyTorch</source>
        <translation>PyTorch 用的 Python</translation>
    </message>
    <message>
        <source>Python for PyTorch…</source>
        <translation>PyTorch 用的 Python…</translation>
    </message>
    <message>
        <source>Python interpreter</source>
        <translation>Python 解释器</translation>
    </message>
    <message>
        <source>Python…</source>
        <translation>Python…</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Question and answer</source>
        <translation>问题与答案</translation>
    </message>
    <message>
        <source>Peak queue</source>
        <translation>排队最多</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>快速</translation>
    </message>
    <message>
        <source>Quick on or off</source>
        <translation>开关“快速”</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Ranges</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Ranks up to</source>
        <translation>rank 最多到</translation>
    </message>
    <message>
        <source>Ratio of the two runs over the axis</source>
        <translation>两次测量之比沿轴的变化</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读</translation>
    </message>
    <message>
        <source>Reading the folder of runs…</source>
        <translation>正在读取测量记录的文件夹…</translation>
    </message>
    <message>
        <source>Reading the trace</source>
        <translation>正在读取 trace</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>Recently used</source>
        <translation>最近用过</translation>
    </message>
    <message>
        <source>Recompile limit</source>
        <translation>重新编译上限</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Record ten calls of each variant here, several times, and show every launch of the recording with the median time on one clock</source>
        <translation>在这里反复记录每个变体的十次调用，把用时居中的那次记录的每一次启动显示在同一个时间轴上</translation>
    </message>
    <message>
        <source>Record, open and export</source>
        <translation>记录、打开和导出</translation>
    </message>
    <message>
        <source>Recorded on a GPU</source>
        <translation>GPU 上的记录</translation>
    </message>
    <message>
        <source>Recording… Cancel</source>
        <translation>正在记录… 取消</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参考数据</translation>
    </message>
    <message>
        <source>Refining… round %1</source>
        <translation>正在细化… 第 %1 轮</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Remove axis</source>
        <translation>移除轴</translation>
    </message>
    <message>
        <source>Remove input set</source>
        <translation>移除输入集</translation>
    </message>
    <message>
        <source>Remove lines not understood</source>
        <translation>移除无法识别的行</translation>
    </message>
    <message>
        <source>Remove tensor</source>
        <translation>移除张量</translation>
    </message>
    <message>
        <source>Remove tensor %1</source>
        <translation>移除张量 %1</translation>
    </message>
    <message>
        <source>Remove variant</source>
        <translation>移除变体</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename %1 to %2</source>
        <translation>把 %1 改名为 %2</translation>
    </message>
    <message>
        <source>Rename input set</source>
        <translation>重命名输入集</translation>
    </message>
    <message>
        <source>Rename the run (F2)</source>
        <translation>重命名这次测量（F2）</translation>
    </message>
    <message>
        <source>Rename variant</source>
        <translation>重命名变体</translation>
    </message>
    <message>
        <source>Rename, delete</source>
        <translation>重命名、删除</translation>
    </message>
    <message>
        <source>Repeat it</source>
        <translation>重复测量</translation>
    </message>
    <message>
        <source>Repeats cannot be connected. Connect the ops where they are first written</source>
        <translation>重复部分不能连接。请在首次写出的地方连接算子</translation>
    </message>
    <message>
        <source>Replace %1 with</source>
        <translation>替换 %1 为</translation>
    </message>
    <message>
        <source>Replace %1 with %2</source>
        <translation>用 %2 替换 %1</translation>
    </message>
    <message>
        <source>Replace…</source>
        <translation>替换…</translation>
    </message>
    <message>
        <source>Result: %1</source>
        <translation>结果：%1</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Results table</source>
        <translation>结果表格</translation>
    </message>
    <message>
        <source>Right column</source>
        <translation>右栏</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run by PyTorch</source>
        <translation>由 PyTorch 运行</translation>
    </message>
    <message>
        <source>Kernel sequence</source>
        <translation>内核串</translation>
    </message>
    <message>
        <source>Run the study</source>
        <translation>运行这项研究</translation>
    </message>
    <message>
        <source>Run with a tenth of the time: wider intervals</source>
        <translation>只用十分之一的时间：区间更宽</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>测量记录</translation>
    </message>
    <message>
        <source>Runs in</source>
        <translation>运行环境</translation>
    </message>
    <message>
        <source>Runs unchanged in PyTorch, after import torch.</source>
        <translation>加上 import torch 即可原样在 PyTorch 中运行。</translation>
    </message>
    <message>
        <source>SVG chart</source>
        <translation>SVG 图</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>保存 %1</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Save elsewhere</source>
        <translation>另存到别处</translation>
    </message>
    <message>
        <source>Save run as…</source>
        <translation>测量结果另存为…</translation>
    </message>
    <message>
        <source>Save the experiment below as %1, then:</source>
        <translation>把下面的实验保存为 %1，然后：</translation>
    </message>
    <message>
        <source>Save the experiment under another name</source>
        <translation>用另一个名称保存实验</translation>
    </message>
    <message>
        <source>Save the experiment; runs are saved automatically</source>
        <translation>保存实验；测量结果会自动保存</translation>
    </message>
    <message>
        <source>Save under another name</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>Saves</source>
        <translation>节省</translation>
    </message>
    <message>
        <source>Scale of PNG</source>
        <translation>PNG 的缩放</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>扩展方式</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>散点图</translation>
    </message>
    <message>
        <source>Search for the fastest algorithms</source>
        <translation>搜索最快的算法</translation>
    </message>
    <message>
        <source>Search ops</source>
        <translation>搜索算子</translation>
    </message>
    <message>
        <source>Search ops: name, spelling or what it does</source>
        <translation>搜索算子：名称、写法或作用</translation>
    </message>
    <message>
        <source>Search runs</source>
        <translation>搜索测量记录</translation>
    </message>
    <message>
        <source>Section %1</source>
        <translation>“%1”部分</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Select one op to replace it</source>
        <translation>请选中一个算子来替换</translation>
    </message>
    <message>
        <source>Select several, all</source>
        <translation>选中几个、全部</translation>
    </message>
    <message>
        <source>Select the slice's time, clear the selection</source>
        <translation>选中该事件的时间、取消选择</translation>
    </message>
    <message>
        <source>Select two or more runs (Ctrl+click) to compare them</source>
        <translation>选中两次或更多测量（Ctrl+点击）以便对比</translation>
    </message>
    <message>
        <source>Selected %1 · </source>
        <translation>选中 %1 · </translation>
    </message>
    <message>
        <source>Self</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>Series %1</source>
        <translation>系列 %1</translation>
    </message>
    <message>
        <source>Setup</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Settings of the experiment</source>
        <translation>实验的设置</translation>
    </message>
    <message>
        <source>Several processes</source>
        <translation>多个进程</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Shape of %1</source>
        <translation>%1 的形状</translation>
    </message>
    <message>
        <source>Dispatch: shapes and dtypes of each op, and kernel lookup</source>
        <translation>分派：各算子的形状和类型，以及查找内核</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Share of the collectives' time that other kernels overlapped</source>
        <translation>集合通信的时间里，同时有其他内核在运行的比例</translation>
    </message>
    <message>
        <source>Share of the kernels that are shorter than the call that launched them</source>
        <translation>比启动它的调用还短的内核所占的比例</translation>
    </message>
    <message>
        <source>Share of the range</source>
        <translation>占范围的比例</translation>
    </message>
    <message>
        <source>Shift+C</source>
        <translation>Shift+C</translation>
    </message>
    <message>
        <source>Shift+H</source>
        <translation>Shift+H</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show %1 more</source>
        <translation>再显示 %1 条</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Show all findings</source>
        <translation>显示全部结论</translation>
    </message>
    <message>
        <source>Show all tracks (%1 left out)</source>
        <translation>显示所有泳道（现隐藏 %1 个）</translation>
    </message>
    <message>
        <source>Show all rows</source>
        <translation>显示全部行</translation>
    </message>
    <message>
        <source>Show all rows of all tracks</source>
        <translation>显示所有泳道的全部行</translation>
    </message>
    <message>
        <source>Show another program</source>
        <translation>显示另一个程序</translation>
    </message>
    <message>
        <source>Show everything (F)</source>
        <translation>显示全部（F）</translation>
    </message>
    <message>
        <source>Show the tensor&apos;s memory layout</source>
        <translation>显示张量在内存里怎样存放</translation>
    </message>
    <message>
        <source>Show it in the chart</source>
        <translation>在图上显示</translation>
    </message>
    <message>
        <source>Show it on the timeline</source>
        <translation>在时间线上显示</translation>
    </message>
    <message>
        <source>Show its layout in memory</source>
        <translation>显示它的内存布局</translation>
    </message>
    <message>
        <source>Show or hide findings, setup, runs, guide and course</source>
        <translation>显示或隐藏结论、设置、测量记录、说明和课程</translation>
    </message>
    <message>
        <source>Show or hide the chain and its text</source>
        <translation>显示或隐藏算子链及其文本</translation>
    </message>
    <message>
        <source>Show or hide the table of results</source>
        <translation>显示或隐藏结果表格</translation>
    </message>
    <message>
        <source>Show published curves next to these: another machine, measured in another way</source>
        <translation>在旁边显示已发表的曲线：另一台机器，用别的方法测得</translation>
    </message>
    <message>
        <source>Show the speedup of %1</source>
        <translation>显示 %1 的加速比</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Shows the rows that match all words: part of a variant's name, why it stopped, a value of an axis, or a condition such as n&gt;=10 (Ctrl+F)</source>
        <translation>显示符合所有词的行：变体名称的一部分、停止的原因、轴的取值，或 n&gt;=10 这样的条件（Ctrl+F）</translation>
    </message>
    <message>
        <source>Simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>Simulated device</source>
        <translation>模拟设备</translation>
    </message>
    <message>
        <source>Simulated, nothing was measured · </source>
        <translation>模拟，什么也没有实测 · </translation>
    </message>
    <message>
        <source>Simulated: %1.</source>
        <translation>模拟：%1。</translation>
    </message>
    <message>
        <source>Simulated: %1: %2</source>
        <translation>模拟：%1：%2</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Space hides and shows it, Enter shows it alone. </source>
        <translation>空格隐藏或显示它，Enter 只显示它。</translation>
    </message>
    <message>
        <source>Space toggles %1, Enter accepts</source>
        <translation>空格切换 %1，Enter 确认</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Speedup of %1 over %2</source>
        <translation>%1 相对 %2 的加速比</translation>
    </message>
    <message>
        <source>Speedup over %1</source>
        <translation>相对 %1 的加速比</translation>
    </message>
    <message>
        <source>Speedup over %1: median of paired rounds with its 95% interval</source>
        <translation>相对 %1 的加速比：逐轮配对的中位数及其 95% 区间</translation>
    </message>
    <message>
        <source>Start with an empty chain</source>
        <translation>从空的算子链开始</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始于</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步长</translation>
    </message>
    <message>
        <source>Still being measured.</source>
        <translation>仍在测量。</translation>
    </message>
    <message>
        <source>Still measuring</source>
        <translation>仍在测量</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>停止并关闭</translation>
    </message>
    <message>
        <source>Stop now</source>
        <translation>立即停止</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>停止记录</translation>
    </message>
    <message>
        <source>Stop the run to choose another device</source>
        <translation>请先停止测量，再选择另一个设备</translation>
    </message>
    <message>
        <source>Stop; what was measured is kept</source>
        <translation>停止；已测的内容会保留</translation>
    </message>
    <message>
        <source>Stopped at the largest number of samples.</source>
        <translation>达到样本数上限，因此停止。</translation>
    </message>
    <message>
        <source>Stopped because the interval was narrow enough.</source>
        <translation>区间已足够窄，因此停止。</translation>
    </message>
    <message>
        <source>Stopped because the study's time was used up.</source>
        <translation>测量的时间用完，因此停止。</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Strong: %1. Thin, with hollow marks: the others.</source>
        <translation>粗线：%1。细线、空心标记：其他各次。</translation>
    </message>
    <message>
        <source>Studies</source>
        <translation>研究</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>交换</translation>
    </message>
    <message>
        <source>Swap axes</source>
        <translation>交换轴</translation>
    </message>
    <message>
        <source>Swap the axes</source>
        <translation>交换两个轴</translation>
    </message>
    <message>
        <source>Sweep %1</source>
        <translation>改变 %1</translation>
    </message>
    <message>
        <source>Sweep %1, too</source>
        <translation>同时改变 %1</translation>
    </message>
    <message>
        <source>Sweep a second axis: %1</source>
        <translation>再改变第二个轴：%1</translation>
    </message>
    <message>
        <source>Sweep size</source>
        <translation>改变大小</translation>
    </message>
    <message>
        <source>Sweep the number of elements of the inputs: it becomes the first axis, and the shapes follow it</source>
        <translation>改变输入的元素个数：它成为第一个轴，形状随之变化</translation>
    </message>
    <message>
        <source>Sweep the size</source>
        <translation>改变大小</translation>
    </message>
    <message>
        <source>Switch between dark and light</source>
        <translation>在深色与浅色之间切换</translation>
    </message>
    <message>
        <source>T</source>
        <translation>T</translation>
    </message>
    <message>
        <source>Tab, Shift+Tab</source>
        <translation>Tab、Shift+Tab</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Tabs that do not fit</source>
        <translation>放不下的标签页</translation>
    </message>
    <message>
        <source>Remove it from the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Tensors in turn</source>
        <translation>轮换的张量</translation>
    </message>
    <message>
        <source>The axis "%1": the measured point.</source>
        <translation>轴“%1”：测量的位置。</translation>
    </message>
    <message>
        <source>The clipboard has no text. Copy ops here, or PyTorch code elsewhere</source>
        <translation>剪贴板里没有文本。请在这里复制算子，或在别处复制 PyTorch 代码</translation>
    </message>
    <message>
        <source>The event that was clicked</source>
        <translation>点选的事件</translation>
    </message>
    <message>
        <source>The experiment:</source>
        <translation>实验：</translation>
    </message>
    <message>
        <source>The file cannot be opened: %1.</source>
        <translation>文件无法打开：%1。</translation>
    </message>
    <message>
        <source>The file is empty.</source>
        <translation>文件是空的。</translation>
    </message>
    <message>
        <source>The file is gone.</source>
        <translation>文件不在了。</translation>
    </message>
    <message>
        <source>The inputs follow the axis %1: %2.</source>
        <translation>输入随轴 %1 而变：%2。</translation>
    </message>
    <message>
        <source>The kernels of %1 are not distinguished</source>
        <translation>%1 的内核没有分开记录</translation>
    </message>
    <message>
        <source>The kernels of %1 were not recorded: %2</source>
        <translation>%1 的内核没有记录：%2</translation>
    </message>
    <message>
        <source>The kernels themselves: the only part that computes</source>
        <translation>内核本身：只有这部分在计算</translation>
    </message>
    <message>
        <source>The launches could not be recorded: %1</source>
        <translation>无法记录启动：%1</translation>
    </message>
    <message>
        <source>The longest idle times between two kernels or calls. A click shows one.</source>
        <translation>两个内核或调用之间什么也没有运行的最长时间。点一下就显示其中一个。</translation>
    </message>
    <message>
        <source>The median latency is in this range with 95% confidence. In brackets: with too few samples for that, the range of the samples.</source>
        <translation>耗时的中位数以 95% 的置信度落在这个范围内。方括号：样本太少时给出样本的范围。</translation>
    </message>
    <message>
        <source>Peak queue depth</source>
        <translation>队列的最大深度</translation>
    </message>
    <message>
        <source>The program as a graph of %1 ops; outlines are the kernels of %2</source>
        <translation>以图表示的程序，共 %1 个算子；轮廓是 %2 的内核</translation>
    </message>
    <message>
        <source>The run's experiment is damaged.</source>
        <translation>测量中的实验已损坏。</translation>
    </message>
    <message>
        <source>The runs sweep different axes: A %1, B %2. Compare runs over the same axes.</source>
        <translation>两次测量改变的轴不同：A 为 %1，B 为 %2。请对比轴相同的测量。</translation>
    </message>
    <message>
        <source>The same as numbers: time per call and its share</source>
        <translation>同样内容的数字：每次调用的时间及占比</translation>
    </message>
    <message>
        <source>The same text.</source>
        <translation>文本相同。</translation>
    </message>
    <message>
        <source>The study failed.</source>
        <translation>测量失败。</translation>
    </message>
    <message>
        <source>The study was stopped. The results so far are kept.</source>
        <translation>测量已停止。已测的内容会保留。</translation>
    </message>
    <message>
        <source>The system's</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>The two runs</source>
        <translation>两次测量</translation>
    </message>
    <message>
        <source>The two runs and their differences</source>
        <translation>两次测量及其不同</translation>
    </message>
    <message>
        <source>There are no gaps.</source>
        <translation>没有间隙。</translation>
    </message>
    <message>
        <source>There is no break-even within these points.</source>
        <translation>这些位置之内没有平衡点。</translation>
    </message>
    <message>
        <source>There is no dimension %1: the operand is a single number</source>
        <translation>没有维度 %1：操作数是单个数</translation>
    </message>
    <message>
        <source>There is no dimension %1; there are 0 to %2</source>
        <translation>没有维度 %1；只有 0 到 %2</translation>
    </message>
    <message>
        <source>There is no variant</source>
        <translation>没有变体</translation>
    </message>
    <message>
        <source>There are no gaps between kernels or calls here.</source>
        <translation>这里没有两个内核或调用之间的间隙。</translation>
    </message>
    <message>
        <source>There is one trace. "Add trace to compare…" adds a second one below it: then each kernel's time in both is shown here.</source>
        <translation>只有一个 trace。“在下方打开…”会在它下面再放一个：之后这里列出每个内核在两边的时间。</translation>
    </message>
    <message>
        <source>These points were measured on %1, so %2 cannot add to them. Choose %1 in Setup again, or press Run to start a new run.</source>
        <translation>这些点是在 %1 上测的，%2 不能补充。请在“设置”里重新选择 %1，或按“运行”重新开始。</translation>
    </message>
    <message>
        <source>This cannot be recorded yet: %1</source>
        <translation>现在还无法记录：%1</translation>
    </message>
    <message>
        <source>This cannot be run yet: %1</source>
        <translation>现在还无法运行：%1</translation>
    </message>
    <message>
        <source>This cannot run yet; the problems say why.</source>
        <translation>现在还不能运行；原因见“问题”。</translation>
    </message>
    <message>
        <source>This edit cannot be made</source>
        <translation>这项改动无法完成</translation>
    </message>
    <message>
        <source>This experiment sweeps two axes. When it runs, its map is filled here from coarse to fine: the color is the speedup, a line marks the break-even.</source>
        <translation>这个实验改变两个轴。运行时，热力图由粗到细填满：颜色是加速比，线标出平衡点。</translation>
    </message>
    <message>
        <source>This is a repeat of the chain. Edit the op where it is first written</source>
        <translation>这是链条的重复部分。请在首次写出的地方编辑算子</translation>
    </message>
    <message>
        <source>This is a repeat. Connect the op where it is first written</source>
        <translation>这是重复部分。请在首次写出的地方连接算子</translation>
    </message>
    <message>
        <source>This is not a Fusebench run, or the file is damaged.</source>
        <translation>这不是 Fusebench 的测量结果，或者文件已损坏。</translation>
    </message>
    <message>
        <source>This is not a run: the name of a run ends in .jsonl.</source>
        <translation>这不是测量结果：测量结果的文件名以 .jsonl 结尾。</translation>
    </message>
    <message>
        <source>This is the code for %1. The run was measured on %2, where other code ran; it can only be generated on that device.</source>
        <translation>这是 %1 的代码。测量是在 %2 上做的：那里运行的是另一份代码，只有在那个设备所在的机器上才能生成。</translation>
    </message>
    <message>
        <source>This is already the first op</source>
        <translation>这已是第一个算子</translation>
    </message>
    <message>
        <source>This is already the last op</source>
        <translation>这已是最后一个算子</translation>
    </message>
    <message>
        <source>This is not in a function, module or loop</source>
        <translation>它不在任何函数、模块或循环里</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>This page contains the experiment and every sample of the run: open it in Fusebench to continue from here.</source>
        <translation>本页含有实验和测量的全部样本：用 Fusebench 打开即可接着做。</translation>
    </message>
    <message>
        <source>This run has the baseline only. Add a variant to compare with it, and run again.</source>
        <translation>这次测量只有基线。请添加一个变体作比较，再运行一次。</translation>
    </message>
    <message>
        <source>This takes longer</source>
        <translation>这需要更长时间</translation>
    </message>
    <message>
        <source>This variant launches no kernel here.</source>
        <translation>这个变体在这里不启动内核。</translation>
    </message>
    <message>
        <source>This version of Fusebench is not installed there (%1)</source>
        <translation>那里没有这个版本的 Fusebench（%1）</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Time by kernel</source>
        <translation>按内核统计的时间</translation>
    </message>
    <message>
        <source>Time by kernel, and on a device launch delays and gaps, of the variant that was clicked last</source>
        <translation>最后点选的变体按内核统计的时间；在设备上还有启动延迟和间隙</translation>
    </message>
    <message>
        <source>Time by kernel, launch delays and gaps</source>
        <translation>按内核统计的时间、启动延迟和间隙</translation>
    </message>
    <message>
        <source>Time by kernel, whole trace.</source>
        <translation>按内核统计的时间，全部。</translation>
    </message>
    <message>
        <source>Time by kernel, selected range.</source>
        <translation>按内核统计的时间，选中部分。</translation>
    </message>
    <message>
        <source>Synchronized latency: one call with the wait for it</source>
        <translation>单独一次调用的时间，含等待</translation>
    </message>
    <message>
        <source>Time per call</source>
        <translation>每次调用的时间</translation>
    </message>
    <message>
        <source>Time per call of B over that of A, with 95% intervals: above 1 B is slower.</source>
        <translation>B 与 A 的每次调用时间之比，带 95% 区间：大于 1 表示 B 较慢。</translation>
    </message>
    <message>
        <source>Time per call, B / A</source>
        <translation>每次调用的时间，B / A</translation>
    </message>
    <message>
        <source>Time per call, median with 95% interval</source>
        <translation>每次调用的时间，中位数及 95% 区间</translation>
    </message>
    <message>
        <source>Time per call, published</source>
        <translation>每次调用的时间，已发表</translation>
    </message>
    <message>
        <source>Time per call, pipelined and synchronized</source>
        <translation>每次调用的时间，排队与单独</translation>
    </message>
    <message>
        <source>Time per call: solid pipelined, with one wait (W), dash-dotted synchronized</source>
        <translation>每次调用的时间：实线为多次排队、等待一次（W），点划线为单独一次并等待</translation>
    </message>
    <message>
        <source>Time shown</source>
        <translation>所示的时间</translation>
    </message>
    <message>
        <source>Time until a call returns to the host (H)</source>
        <translation>到调用返回主机为止的时间（H）</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Timeline of launches</source>
        <translation>启动的时间线</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Title from the file's name</source>
        <translation>用文件名作标题</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>True or False</source>
        <translation>True 或 False</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再试一次</translation>
    </message>
    <message>
        <source>Tune</source>
        <translation>调优</translation>
    </message>
    <message>
        <source>Turbo</source>
        <translation>睿频</translation>
    </message>
    <message>
        <source>Two traces compared</source>
        <translation>两个 trace 的对比</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Types, layouts and views</source>
        <translation>类型、布局与视图</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo deleting</source>
        <translation>撤销删除</translation>
    </message>
    <message>
        <source>Undo, redo</source>
        <translation>撤销、重做</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的改动</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>上、下方向键</translation>
    </message>
    <message>
        <source>Y axis</source>
        <translation>纵轴</translation>
    </message>
    <message>
        <source>Value of the second axis</source>
        <translation>第二个轴的取值</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>取值</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Variant %1: duplicate, move, remove</source>
        <translation>变体 %1：复制、移动、移除</translation>
    </message>
    <message>
        <source>Variant above</source>
        <translation>上方的变体</translation>
    </message>
    <message>
        <source>Variant below</source>
        <translation>下方的变体</translation>
    </message>
    <message>
        <source>Other variant</source>
        <translation>旁边的变体</translation>
    </message>
    <message>
        <source>Variant whose kernels are shown</source>
        <translation>显示哪个变体的内核</translation>
    </message>
    <message>
        <source>Variant “%1”</source>
        <translation>变体“%1”</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Vector units</source>
        <translation>向量单元</translation>
    </message>
    <message>
        <source>Vertical axis logarithmic or linear</source>
        <translation>纵轴用对数或线性</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Waiting for other threads or for the device</source>
        <translation>等待其他线程或设备</translation>
    </message>
    <message>
        <source>Walk along the edges</source>
        <translation>沿着边走</translation>
    </message>
    <message>
        <source>Walk through the rows</source>
        <translation>逐行移动</translation>
    </message>
    <message>
        <source>Wall</source>
        <translation>墙钟</translation>
    </message>
    <message>
        <source>Wall and synchronized</source>
        <translation>墙钟与同步</translation>
    </message>
    <message>
        <source>Wall time of a call: the median over the samples. A sample is the mean of many calls in a row with one wait at the end.</source>
        <translation>一次调用的墙钟时间：各样本的中位数。一个样本是连续多次调用、最后等待一次的平均值。</translation>
    </message>
    <message>
        <source>Wall, host, device and synchronized</source>
        <translation>墙钟、主机、设备与同步</translation>
    </message>
    <message>
        <source>Ways to edit the chain</source>
        <translation>编辑算子链的方式</translation>
    </message>
    <message>
        <source>What an empty launch, a copy and other basic steps cost on this device, measured before the run</source>
        <translation>在这个设备上一次空启动、一次拷贝等基本步骤的代价，在测量之前测得</translation>
    </message>
    <message>
        <source>What differs between the runs</source>
        <translation>两次测量有什么不同</translation>
    </message>
    <message>
        <source>Further results</source>
        <translation>数据还说明了什么</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <source>What was found there</source>
        <translation>在那里找到了什么</translation>
    </message>
    <message>
        <source>Memory contents during a call</source>
        <translation>一次调用期间内存里有什么</translation>
    </message>
    <message>
        <source>What the chart shows</source>
        <translation>图上显示什么</translation>
    </message>
    <message>
        <source>What the chart shows: latency, speedup, launches, …</source>
        <translation>图上显示什么：耗时、加速比、启动次数…</translation>
    </message>
    <message>
        <source>What the comparison shows</source>
        <translation>对比显示什么</translation>
    </message>
    <message>
        <source>What the figure shows</source>
        <translation>图中显示什么</translation>
    </message>
    <message>
        <source>What the map shows</source>
        <translation>热力图显示什么</translation>
    </message>
    <message>
        <source>What the op does</source>
        <translation>算子的作用</translation>
    </message>
    <message>
        <source>What the table shows</source>
        <translation>表格的内容</translation>
    </message>
    <message>
        <source>For the open experiment: what to look at, what to change, what to expect</source>
        <translation>关于眼前这一项：看什么，改什么，会怎样</translation>
    </message>
    <message>
        <source>The last session cannot be read. It is kept in %1.</source>
        <translation>上次打开的内容无法读取，保存在 %1。</translation>
    </message>
    <message>
        <source>What would fusing save?</source>
        <translation>融合能省多少？</translation>
    </message>
    <message>
        <source>Device for Run, Explore, the code and the launches; kept for the next start</source>
        <translation>“运行”“边改边测”、代码和启动记录都来自这里；下次启动时保持不变</translation>
    </message>
    <message>
        <source>Where a call's time goes</source>
        <translation>一次调用的时间花在哪里</translation>
    </message>
    <message>
        <source>The call breakdown is recorded after all times are measured.</source>
        <translation>所有时间测完之后，才看一次调用的时间花在哪里。</translation>
    </message>
    <message>
        <source>Where a call's time goes, a bar for each variant</source>
        <translation>一次调用的时间花在哪里，每个变体一条</translation>
    </message>
    <message>
        <source>Break-evens, the cost of a launch and compile payback will be shown here.</source>
        <translation>曲线在哪里相交、一次启动要多少时间、编译在多少次调用之后回本，都会写在这里。</translation>
    </message>
    <message>
        <source>Where the time went</source>
        <translation>时间花在哪里</translation>
    </message>
    <message>
        <source>Which slice of the second axis the chart shows</source>
        <translation>图上显示第二个轴的哪一片</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作线程</translation>
    </message>
    <message>
        <source>Autograd tape: recording and reading back</source>
        <translation>自动微分的梯度带：记录与回读</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在写入…</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>写</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>Your edits cannot be saved for recovery: %1</source>
        <translation>您的改动无法保存以备恢复：%1</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom in (+)</source>
        <translation>放大（+）</translation>
    </message>
    <message>
        <source>Zoom in, out</source>
        <translation>放大、缩小</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Zoom out (-)</source>
        <translation>缩小（-）</translation>
    </message>
    <message>
        <source>Zoom to 100 % (Ctrl+1)</source>
        <translation>缩放到 100 %（Ctrl+1）</translation>
    </message>
    <message>
        <source>a PyTorch script</source>
        <translation>PyTorch 脚本</translation>
    </message>
    <message>
        <source>a batch is a part of the data set</source>
        <translation>每批是数据集中的一段</translation>
    </message>
    <message>
        <source>a data point is done when its interval is this narrow: plus or minus</source>
        <translation>区间收窄到正负这么多时，数据点就算测完</translation>
    </message>
    <message>
        <source>a chart</source>
        <translation>图</translation>
    </message>
    <message>
        <source>a name used in shapes, or a parameter of the program</source>
        <translation>形状中用到的名称，或程序的参数</translation>
    </message>
    <message>
        <source>a number in place of a tensor</source>
        <translation>代替张量的数</translation>
    </message>
    <message>
        <source>a repeat, edited where it is first written</source>
        <translation>重复部分，请在首次写出的地方编辑</translation>
    </message>
    <message>
        <source>a report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>a table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>a whole batch for each rank</source>
        <translation>每个 rank 一整个批量</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>achieved occupancy %1%, estimated by the profiler</source>
        <translation>实际占用率 %1%（分析器估计）</translation>
    </message>
    <message>
        <source>after step %1</source>
        <translation>第 %1 步之后</translation>
    </message>
    <message>
        <source>after the last step</source>
        <translation>最后一步之后</translation>
    </message>
    <message>
        <source>ahead</source>
        <translation>领先</translation>
    </message>
    <message>
        <source>all dims</source>
        <translation>所有维度</translation>
    </message>
    <message>
        <source>all launches of traces</source>
        <translation>trace 的所有启动</translation>
    </message>
    <message>
        <source>synchronized</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>anatomy</source>
        <translation>调用剖析</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>and stays</source>
        <translation>一直保留</translation>
    </message>
    <message>
        <source>another</source>
        <translation>另一个</translation>
    </message>
    <message>
        <source>another run</source>
        <translation>另一次测量</translation>
    </message>
    <message>
        <source>any device</source>
        <translation>任一设备</translation>
    </message>
    <message>
        <source>as measured</source>
        <translation>与测量时相同</translation>
    </message>
    <message>
        <source>as the program says</source>
        <translation>按程序所写</translation>
    </message>
    <message>
        <source>at the end</source>
        <translation>在最后</translation>
    </message>
    <message>
        <source>axis</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>a·b + c in one step</source>
        <translation>a·b + c 一步完成</translation>
    </message>
    <message>
        <source>backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>behind</source>
        <translation>落后</translation>
    </message>
    <message>
        <source>being read…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>during computation</source>
        <translation>与计算同时进行</translation>
    </message>
    <message>
        <source>budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>busy %1 (%2%) · idle %3 · %4</source>
        <translation>忙碌 %1（%2%）· 空闲 %3 · %4</translation>
    </message>
    <message>
        <source>by %1</source>
        <translation>按%1</translation>
    </message>
    <message>
        <source>by PyTorch's list for CUDA</source>
        <translation>按 PyTorch 的 CUDA 列表</translation>
    </message>
    <message>
        <source>caches</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>次调用</translation>
    </message>
    <message>
        <source>cap</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>chain</source>
        <translation>算子链</translation>
    </message>
    <message>
        <source>channels last</source>
        <translation>通道在后</translation>
    </message>
    <message>
        <source>chart</source>
        <translation>图</translation>
    </message>
    <message>
        <source>click: collapse or open · drag: move · right click: more</source>
        <translation>点击：折叠或展开 · 拖动：移动 · 右键：更多</translation>
    </message>
    <message>
        <source>coarse</source>
        <translation>粗测</translation>
    </message>
    <message>
        <source>code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>cold: the cache is emptied before each call; on a GPU only</source>
        <translation>冷：每次调用前清空缓存；仅限 GPU</translation>
    </message>
    <message>
        <source>collective: %1</source>
        <translation>集合通信：%1</translation>
    </message>
    <message>
        <source>column-major</source>
        <translation>按列存放</translation>
    </message>
    <message>
        <source>commit it was built from</source>
        <translation>编译所用的提交</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>compiler</source>
        <translation>编译器</translation>
    </message>
    <message>
        <source>compiles measured</source>
        <translation>测量的编译次数</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>context %1</source>
        <translation>上下文 %1</translation>
    </message>
    <message>
        <source>converged</source>
        <translation>收敛</translation>
    </message>
    <message>
        <source>copied at each call from pageable memory</source>
        <translation>每次调用都从普通内存拷贝</translation>
    </message>
    <message>
        <source>copied at each call from pinned memory</source>
        <translation>每次调用都从设备能直接读取的内存拷贝</translation>
    </message>
    <message>
        <source>copied back at each call</source>
        <translation>每次调用都拷回主机</translation>
    </message>
    <message>
        <source>copy: %1</source>
        <translation>拷贝：%1</translation>
    </message>
    <message>
        <source>copying the program…</source>
        <translation>正在复制程序…</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>核心数</translation>
    </message>
    <message>
        <source>correlation %1</source>
        <translation>关联号 %1</translation>
    </message>
    <message>
        <source>course</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>设备 %1</translation>
    </message>
    <message>
        <source>device costs</source>
        <translation>设备的代价</translation>
    </message>
    <message>
        <source>device: </source>
        <translation>设备：</translation>
    </message>
    <message>
        <source>device: together</source>
        <translation>设备：合计</translation>
    </message>
    <message>
        <source>dim </source>
        <translation>维度 </translation>
    </message>
    <message>
        <source>dimensions such as 0, 1, or all</source>
        <translation>维度，例如 0, 1，或 all</translation>
    </message>
    <message>
        <source>disk %1</source>
        <translation>磁盘 %1</translation>
    </message>
    <message>
        <source>does not run at the marked point</source>
        <translation>在标记的位置不运行</translation>
    </message>
    <message>
        <source>does not sweep %1</source>
        <translation>没有改变 %1</translation>
    </message>
    <message>
        <source>drag: move · right click: more</source>
        <translation>拖动：移动 · 右键：更多</translation>
    </message>
    <message>
        <source>each by itself</source>
        <translation>各自单独</translation>
    </message>
    <message>
        <source>empty launch</source>
        <translation>空启动</translation>
    </message>
    <message>
        <source>empty launch with a wait</source>
        <translation>带等待的空启动</translation>
    </message>
    <message>
        <source>end</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>结束原因</translation>
    </message>
    <message>
        <source>equal ratios, with this many points per doubling</source>
        <translation>等比，每翻一倍取若干点</translation>
    </message>
    <message>
        <source>equal ratios, with this many points per power of ten</source>
        <translation>等比，每十倍取若干点</translation>
    </message>
    <message>
        <source>equal steps</source>
        <translation>等差</translation>
    </message>
    <message>
        <source>event pair</source>
        <translation>事件对</translation>
    </message>
    <message>
        <source>event time</source>
        <translation>事件时间</translation>
    </message>
    <message>
        <source>every other element</source>
        <translation>每隔一个元素</translation>
    </message>
    <message>
        <source>explored</source>
        <translation>粗测</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>falls behind</source>
        <translation>落后</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>快</translation>
    </message>
    <message>
        <source>findings</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>first step</source>
        <translation>第一步</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>frequency governor</source>
        <translation>调频策略</translation>
    </message>
    <message>
        <source>from 0 to 1</source>
        <translation>从 0 到 1</translation>
    </message>
    <message>
        <source>from before the call</source>
        <translation>从调用之前</translation>
    </message>
    <message>
        <source>from step %1</source>
        <translation>从第 %1 步</translation>
    </message>
    <message>
        <source>from the first call</source>
        <translation>从第一次调用起</translation>
    </message>
    <message>
        <source>from the smallest to the largest</source>
        <translation>从最小到最大</translation>
    </message>
    <message>
        <source>full</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>gathered rows</source>
        <translation>逐行收集</translation>
    </message>
    <message>
        <source>gives %1</source>
        <translation>得到 %1</translation>
    </message>
    <message>
        <source>google/benchmark JSON</source>
        <translation>google/benchmark JSON</translation>
    </message>
    <message>
        <source>gradients of the first result are computed and returned, too</source>
        <translation>同时计算并返回第一个结果的梯度</translation>
    </message>
    <message>
        <source>graph node</source>
        <translation>图节点</translation>
    </message>
    <message>
        <source>grid %1 × %2 × %3, block %4 × %5 × %6</source>
        <translation>网格 %1 × %2 × %3，块 %4 × %5 × %6</translation>
    </message>
    <message>
        <source>hardware threads</source>
        <translation>硬件线程数</translation>
    </message>
    <message>
        <source>has no such point</source>
        <translation>没有这个位置</translation>
    </message>
    <message>
        <source>held by the program</source>
        <translation>程序持有</translation>
    </message>
    <message>
        <source>host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>idle %1</source>
        <translation>空闲 %1</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>在 %1 中</translation>
    </message>
    <message>
        <source>in Slurm's queue for %1 s</source>
        <translation>已在 Slurm 队列中等待 %1 秒</translation>
    </message>
    <message>
        <source>in host memory</source>
        <translation>在主机内存里</translation>
    </message>
    <message>
        <source>in pinned memory</source>
        <translation>在锁页内存里</translation>
    </message>
    <message>
        <source>in pinned host memory; also copied</source>
        <translation>在主机内存里，设备能自己读取；同样要拷贝</translation>
    </message>
    <message>
        <source>in the host's memory; the program copies it: x.to('cuda')</source>
        <translation>在主机内存里；由程序拷贝：x.to('cuda')</translation>
    </message>
    <message>
        <source>in the inputs' own types</source>
        <translation>用输入自己的类型</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>inputs that are floats become %1</source>
        <translation>浮点输入改为 %1</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>is ahead</source>
        <translation>领先</translation>
    </message>
    <message>
        <source>kernel of the system</source>
        <translation>系统内核</translation>
    </message>
    <message>
        <source>kernel time</source>
        <translation>内核时间</translation>
    </message>
    <message>
        <source>quick or full</source>
        <translation>快速或完整</translation>
    </message>
    <message>
        <source>last two dims swapped</source>
        <translation>最后两维互换</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>launched by %1, %2 before</source>
        <translation>由 %1 启动，早 %2</translation>
    </message>
    <message>
        <source>launches</source>
        <translation>启动次数</translation>
    </message>
    <message>
        <source>less than a second</source>
        <translation>不到一秒</translation>
    </message>
    <message>
        <source>guide</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>library: %1</source>
        <translation>库：%1</translation>
    </message>
    <message>
        <source>line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>load of the machine</source>
        <translation>机器的负载</translation>
    </message>
    <message>
        <source>looking…</source>
        <translation>正在查看…</translation>
    </message>
    <message>
        <source>map</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>mean 0, deviation 1</source>
        <translation>均值 0，标准差 1</translation>
    </message>
    <message>
        <source>measured on %1</source>
        <translation>在 %1 上实测</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>测量中</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>中位数 %1</translation>
    </message>
    <message>
        <source>median %1, 95% below %2, %3 in all</source>
        <translation>中位数 %1，95% 低于 %2，共 %3 个</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>内存 %1</translation>
    </message>
    <message>
        <source>name of a help page</source>
        <translation>帮助页的名称</translation>
    </message>
    <message>
        <source>name of published data</source>
        <translation>公开数据的名称</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>no gaps, dimensions in another order</source>
        <translation>没有空隙，维度次序不同</translation>
    </message>
    <message>
        <source>no such device</source>
        <translation>没有这个设备</translation>
    </message>
    <message>
        <source>no host or device activity is recorded here</source>
        <translation>这里没有记录主机或设备的工作</translation>
    </message>
    <message>
        <source>no device activity is recorded · %1, busy for %2 of %3</source>
        <translation>没有记录设备的工作 · %1，%3 中有 %2 在忙</translation>
    </message>
    <message>
        <source>no device activity is recorded · nothing starts here, busy for %1 of %2</source>
        <translation>没有记录设备的工作 · 这里没有新的开始，%2 中有 %1 在忙</translation>
    </message>
    <message>
        <source>node %1 of graph %2</source>
        <translation>图 %2 的节点 %1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>none here</source>
        <translation>这里没有</translation>
    </message>
    <message>
        <source>not decided</source>
        <translation>尚无定论</translation>
    </message>
    <message>
        <source>not drawn: </source>
        <translation>没有画出：</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>没有测量</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>没有记录</translation>
    </message>
    <message>
        <source>not recorded: %1</source>
        <translation>没有记录：%1</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>没有</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>nothing measured</source>
        <translation>没有测量结果</translation>
    </message>
    <message>
        <source>occupancy at most %1%</source>
        <translation>占用率至多 %1%</translation>
    </message>
    <message>
        <source>on a GPU</source>
        <translation>在 GPU 上</translation>
    </message>
    <message>
        <source>on the device</source>
        <translation>在设备上</translation>
    </message>
    <message>
        <source>on the device, in all recorded calls</source>
        <translation>在设备上，所有已记录的调用</translation>
    </message>
    <message>
        <source>on the host; times of one execution are medians</source>
        <translation>在主机上；一次执行的时间取中位数</translation>
    </message>
    <message>
        <source>one</source>
        <translation>一个</translation>
    </message>
    <message>
        <source>one by one</source>
        <translation>逐个列出</translation>
    </message>
    <message>
        <source>one dimension, or all</source>
        <translation>一个维度，或 all</translation>
    </message>
    <message>
        <source>one row</source>
        <translation>一行</translation>
    </message>
    <message>
        <source>one run</source>
        <translation>一串</translation>
    </message>
    <message>
        <source>only in A</source>
        <translation>只在 A 中</translation>
    </message>
    <message>
        <source>only in B</source>
        <translation>只在 B 中</translation>
    </message>
    <message>
        <source>operating system</source>
        <translation>操作系统</translation>
    </message>
    <message>
        <source>operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>other kernels</source>
        <translation>其他内核</translation>
    </message>
    <message>
        <source>over %1 sessions</source>
        <translation>共 %1 个会话</translation>
    </message>
    <message>
        <source>overlay</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>partial: </source>
        <translation>不完整：</translation>
    </message>
    <message>
        <source>perhaps never</source>
        <translation>也许永远不会</translation>
    </message>
    <message>
        <source>pinned memory</source>
        <translation>锁页内存</translation>
    </message>
    <message>
        <source>problem: </source>
        <translation>问题：</translation>
    </message>
    <message>
        <source>processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>program </source>
        <translation>程序 </translation>
    </message>
    <message>
        <source>queued</source>
        <translation>入队</translation>
    </message>
    <message>
        <source>quick</source>
        <translation>快速</translation>
    </message>
    <message>
        <source>reads %1</source>
        <translation>读取 %1</translation>
    </message>
    <message>
        <source>reads %1, writes %2</source>
        <translation>读 %1，写 %2</translation>
    </message>
    <message>
        <source>rel. error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>ret</source>
        <translation>ret</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>row-major</source>
        <translation>按行存放</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>rows are shuffled, and the host gathers them</source>
        <translation>各行次序打乱，由主机拼到一起</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>测量记录</translation>
    </message>
    <message>
        <source>runs inside</source>
        <translation>运行环境</translation>
    </message>
    <message>
        <source>same class %1%</source>
        <translation>类别相同 %1%</translation>
    </message>
    <message>
        <source>saved for gradients</source>
        <translation>为梯度保存</translation>
    </message>
    <message>
        <source>scatter</source>
        <translation>散点图</translation>
    </message>
    <message>
        <source>search for the fastest</source>
        <translation>搜索最快的</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>setup</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>launches %1 kernels, %2 in total</source>
        <translation>引发 %1 个内核，共 %2</translation>
    </message>
    <message>
        <source>launches 1 kernel of %1</source>
        <translation>引发 1 个内核，%1</translation>
    </message>
    <message>
        <source>shown once there is a run</source>
        <translation>有了测量结果之后显示</translation>
    </message>
    <message>
        <source>simulated synchronized</source>
        <translation>模拟同步</translation>
    </message>
    <message>
        <source>simulated device</source>
        <translation>模拟设备</translation>
    </message>
    <message>
        <source>simulated host</source>
        <translation>模拟主机</translation>
    </message>
    <message>
        <source>simulated latency</source>
        <translation>模拟耗时</translation>
    </message>
    <message>
        <source>slices</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>慢</translation>
    </message>
    <message>
        <source>slower at %1</source>
        <translation>%1 个更慢</translation>
    </message>
    <message>
        <source>speedup</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>statement %1</source>
        <translation>语句 %1</translation>
    </message>
    <message>
        <source>statement %1: %2</source>
        <translation>语句 %1：%2</translation>
    </message>
    <message>
        <source>statements %1 to %2</source>
        <translation>语句 %1 到 %2</translation>
    </message>
    <message>
        <source>step %1 of %2 · %3</source>
        <translation>第 %1 步，共 %2 步 · %3</translation>
    </message>
    <message>
        <source>stopped early</source>
        <translation>提前停止</translation>
    </message>
    <message>
        <source>strides %1: %2</source>
        <translation>步长 %1：%2</translation>
    </message>
    <message>
        <source>submitted</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>sweeps %1, not %2</source>
        <translation>改变的是 %1，不是 %2</translation>
    </message>
    <message>
        <source>sweeps %1, too</source>
        <translation>还改变了 %1</translation>
    </message>
    <message>
        <source>sweeps nothing</source>
        <translation>没有改变任何轴</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>the baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>the device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>the inputs' own types</source>
        <translation>输入自己的类型</translation>
    </message>
    <message>
        <source>the program computes nothing; add a statement</source>
        <translation>程序什么也没有计算；请加一条语句</translation>
    </message>
    <message>
        <source>the result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>the return</source>
        <translation>return</translation>
    </message>
    <message>
        <source>the same elements read several times</source>
        <translation>同样的元素被看到多次</translation>
    </message>
    <message>
        <source>the same run</source>
        <translation>同一次测量</translation>
    </message>
    <message>
        <source>the same seed gives the same inputs and the same order of measuring</source>
        <translation>种子相同，输入和测量次序就相同</translation>
    </message>
    <message>
        <source>there</source>
        <translation>有</translation>
    </message>
    <message>
        <source>thin: </source>
        <translation>细线：</translation>
    </message>
    <message>
        <source>this must be a size such as 64 MB or 2 GiB</source>
        <translation>这不是 64 MB 或 2 GiB 这样的大小</translation>
    </message>
    <message>
        <source>this must be a whole number of 0 or more</source>
        <translation>应为不小于 0 的整数</translation>
    </message>
    <message>
        <source>this is too large</source>
        <translation>太大了</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>this program branches: the first n of its %1 statements, each once. Values that they do not read are returned; its own return runs at %1 only</source>
        <translation>这个程序有分支：取 %1 条语句中的前 n 条，各一次。没有被读取的值作为返回；它自己的 return 只在 %1 条时运行</translation>
    </message>
    <message>
        <source>this run</source>
        <translation>这次测量</translation>
    </message>
    <message>
        <source>time budget in seconds</source>
        <translation>时间预算（秒）</translation>
    </message>
    <message>
        <source>time to enqueue</source>
        <translation>入队时间</translation>
    </message>
    <message>
        <source>timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>too few samples</source>
        <translation>样本太少</translation>
    </message>
    <message>
        <source>turbo</source>
        <translation>睿频</translation>
    </message>
    <message>
        <source>unavailable</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>until step %1</source>
        <translation>到第 %1 步</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>vector units</source>
        <translation>向量单元</translation>
    </message>
    <message>
        <source>version of Fusebench</source>
        <translation>Fusebench 版本</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>wall time</source>
        <translation>墙钟时间</translation>
    </message>
    <message>
        <source>warm: a call finds what the one before it left in the cache</source>
        <translation>热：调用能用到上一次留在缓存里的内容</translation>
    </message>
    <message>
        <source>what if</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <source>what is selected</source>
        <translation>选中部分</translation>
    </message>
    <message>
        <source>where the program computes</source>
        <translation>在程序计算的地方</translation>
    </message>
    <message>
        <source>with gaps</source>
        <translation>有空隙</translation>
    </message>
    <message>
        <source>within noise</source>
        <translation>在噪声之内</translation>
    </message>
    <message>
        <source>within noise at %1</source>
        <translation>%1 个在噪声之内</translation>
    </message>
    <message>
        <source>within one process</source>
        <translation>只在一个进程内</translation>
    </message>
    <message>
        <source>without marks</source>
        <translation>不打标记</translation>
    </message>
    <message>
        <source>written once and run %1 times: an edit changes all</source>
        <translation>写一次、运行 %1 次：修改会影响所有各次</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>“%1” is not a dimension; write 0, or 0, 1, or all</source>
        <translation>“%1”不是维度；请写 0，或 0, 1，或 all</translation>
    </message>
    <message>
        <source>“%1” is not a number</source>
        <translation>“%1”不是数</translation>
    </message>
    <message>
        <source>“%1” is not a number; %2 takes %3</source>
        <translation>“%1”不是数；%2 取%3</translation>
    </message>
    <message>
        <source>“%1” of %2</source>
        <translation>%2 的“%1”</translation>
    </message>
    <message>
        <source>… %1 more lines, in the window's Code view</source>
        <translation>… 还有 %1 行，见窗口的“代码”视图</translation>
    </message>
    <message>
        <source>√n segments of √n statements; each is recomputed for the gradients</source>
        <translation>√n 段，每段 √n 条语句；求梯度时逐段重新计算</translation>
    </message>
    <message>
        <source>∿ drift in %1 of %2</source>
        <translation>∿ %2 个中 %1 个有漂移</translation>
    </message>
    <message>
        <source>▸ %1 deeper rows</source>
        <translation>▸ 还有更深的 %1 行</translation>
    </message>
    <message>
        <source>▾ rows below: fold</source>
        <translation>▾ 下面还有行：折叠</translation>
    </message>
    <message>
        <source>A run is being measured. To %1 now, stop it: what it has measured is kept.</source>
        <translation>正在测量。要现在%1，请先停下；已测到的都会保留。</translation>
    </message>
    <message>
        <source>Stop it and %1</source>
        <translation>停下并%1</translation>
    </message>
    <message>
        <source>open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>begin a new chain</source>
        <translation>新建一条链</translation>
    </message>
    <message>
        <source>measure “%1”</source>
        <translation>测量“%1”</translation>
    </message>
    <message>
        <source>open “%1”</source>
        <translation>打开“%1”</translation>
    </message>
    <message>
        <source>choose %1</source>
        <translation>选用 %1</translation>
    </message>
    <message>
        <source>A run is being measured</source>
        <translation>正在测量</translation>
    </message>
    <message>
        <source>A run is being measured; this is about the next one</source>
        <translation>正在测量；这一项关系到下一次</translation>
    </message>
    <message>
        <source>[picture not shown: %1]</source>
        <translation>[未显示的图片：%1]</translation>
    </message>
    <message>
        <source>Open link</source>
        <translation>打开链接</translation>
    </message>
    <message>
        <source>Open this address outside Fusebench?</source>
        <translation>在 Fusebench 之外打开此地址？</translation>
    </message>
    <message>
        <source>This is a pipe or a device, not a file.</source>
        <translation>这是管道或设备，不是文件。</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>浮点运算</translation>
    </message>
    <message>
        <source>Time by module</source>
        <translation>按模块统计的时间</translation>
    </message>
    <message>
        <source>(the model)</source>
        <translation>（模型）</translation>
    </message>
    <message>
        <source>Modules in a recorded call of %1, each with the modules within it. Double-click one to show it on the canvas.</source>
        <translation>%1 的一次记录调用里的模块，每个包括它里面的模块。双击一个模块，在画布上查看</translation>
    </message>
    <message>
        <source>Bytes and FLOPs of %1 are not known: %2</source>
        <translation>%1 的字节和浮点运算未知：%2</translation>
    </message>
    <message>
        <source>Read and written by the steps of the plan</source>
        <translation>执行计划的各步读写的字节</translation>
    </message>
    <message>
        <source>Time, launches, bytes and FLOPs by module, of the variant that was clicked last</source>
        <translation>最后点选的变体按模块统计的时间、启动次数、字节和浮点运算</translation>
    </message>
</context>
</TS>

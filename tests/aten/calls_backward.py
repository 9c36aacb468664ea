# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of backward operations."""
from aten_calls import calls

BY_INPUT = ('sigmoid_backward', 'tanh_backward', 'silu_backward', 'hardswish_backward', 'hardsigmoid_backward')
calls(' '.join(BY_INPUT), 'g, x; g 2x3, x 2x3', 'g, x; g 5, x 5', 'g, x; g 4, x 4=-4,-3,3,4')
calls('gelu_backward', 'g, x; g 2x3, x 2x3', "g, x, approximate='tanh'; g 5, x 5; f32", 'g, x; g 3, x 3=0,-5,5; f32')
calls('threshold_backward', 'g, x, 0; g 2x3, x 2x3', 'g, x, 0.5; g 5, x 5', 'g, x, 0; g 2, x 2=0,-0.0')
calls('leaky_relu_backward', 'g, x, 0.01, False; g 2x3, x 2x3', 'g, x, 0.2, False; g 5, x 5', 'g, x, 0.1, True; g 2, x 2=0,-1')
calls('hardtanh_backward', 'g, x, -1, 1; g 2x3, x 2x3', 'g, x, 0, 6; g 5, x 5', 'g, x, -1, 1; g 2, x 2=-1,1')
calls('elu_backward', 'g, 1, 1, 1, False, x; g 2x3, x 2x3', 'g, 2, 1.5, 1, True, x; g 5, x 5u', 'g, 1, 1, 2, False, x; g 2, x 2=0,-1')
calls('softplus_backward', 'g, x, 1, 20; g 2x3, x 2x3', 'g, x, 2, 1; g 5, x 5', 'g, x, 1, 20; g 2, x 2=0,100')
calls('log_sigmoid_backward', *[f'g, x, b; {each}; pre a, b = torch.ops.aten.log_sigmoid_forward(x)' for each in ('g 2x3, x 2x3', 'g 5, x 5', 'g 2, x 2=0,30')])
calls('glu_backward', 'g, x, 1; g 2x2, x 2x4', 'g, x, 0; g 2x1, x 4x1', 'g, x, -1; g 1, x 2')
calls('_softmax_backward_data _log_softmax_backward_data', 'g, y, 1, torch.float32; g 2x3, y 2x3+; f32', 'g, y, -1, torch.float64; g 2x4:float64, y 2x4+:float64; f32', 'g, y, 0, torch.float32; g 3, y 3+; f32')
calls('native_layer_norm_backward', 'g, x, [3], m, s, w, b, [True, True, True]; g 2x3, x 2x3, m 2x1, s 2x1+, w 3, b 3', 'g, x, [4], m, s, None, None, [True, False, False]; g 2x2x4, x 2x2x4, m 2x2x1, s 2x2x1+; ret r[0]',
      'g, x, [2], m, s, w, None, [True, True, False]; g 3x2, x 3x2, m 3x1, s 3x1+, w 2; ret (r[0], r[1])')
calls('_fused_rms_norm_backward', 'g, x, [3], s, w, [True, True]; g 2x3, x 2x3, s 2x1+, w 3', 'g, x, [4], s, w, [True, True]; g 2x2x4, x 2x2x4, s 2x2x1+, w 4', 'g, x, [2], s, w, [True, True]; g 1x2, x 1x2, s 1x1+, w 2')
calls('native_group_norm_backward', 'g, x, m, s, w, 2, 4, 3, 2, [True, True, True]; g 2x4x3, x 2x4x3, m 2x2, s 2x2+, w 4', 'g, x, m, s, None, 1, 2, 4, 1, [True, False, False]; g 1x2x2x2, x 1x2x2x2, m 1x1, s 1x1+; ret r[0]',
      'g, x, m, s, w, 1, 3, 2, 3, [True, True, True]; g 1x3x2, x 1x3x2, m 1x3, s 1x3+, w 3')
calls('native_batch_norm_backward', 'g, x, w, None, None, m, s, True, 1e-5, [True, True, True]; g 2x3x2, x 2x3x2, w 3, m 3, s 3+', 'g, x, w, m, v, None, None, False, 1e-5, [True, True, True]; g 4x2, x 4x2, w 2, m 2, v 2+',
      'g, x, w, None, None, m, s, True, 1e-5, [True, True, True]; g 3x1, x 3x1, w 1, m 1, s 1+')
calls('native_dropout_backward', 'g, m, 2.0; g 2x3, m 2x3b', 'g, m, 1.5; g 5, m 5b', 'g, m, 1.0; g -, m -b')
calls('embedding_dense_backward', 'g, i, 5, -1, False; g 2x2x3, i 2x2i5', 'g, i, 4, 1, False; g 3x2, i 3i4', 'g, i, 3, 0, False; g 2x1, i 2=0,0:int64')
calls('convolution_backward', 'g, x, w, [3], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True, True, True]; g 1x3x4x3, x 1x2x4x3, w 3x2x3x3',
      'g, x, w, [2], [2], [1], [1], False, [0], 1, [True, True, True]; g 2x2x3, x 2x1x5, w 2x1x3',
      'g, x, w, [4], [1, 1], [0, 0], [2, 1], False, [0, 0], 2, [True, True, True]; g 1x4x2x2, x 1x2x4x3, w 4x1x2x2',
      'g, x, w, [3], [2, 1], [1, 0], [1, 1], True, [1, 0], 1, [True, True, True]; g 1x3x4x4, x 1x2x2x3, w 2x3x3x2')
calls('avg_pool2d_backward', 'g, x, [2, 2], [2, 2], [0, 0], False, True, None; g 1x2x2x2, x 1x2x4x4', 'g, x, [3, 2], [2, 1], [1, 0], False, False, None; g 1x1x3x2, x 1x1x5x3',
      'g, x, [2, 2], [], [0, 0], False, True, 3; g 1x1x2x1, x 1x1x4x2')
calls('max_pool2d_with_indices_backward', 'g, x, [2, 2], [2, 2], [0, 0], [1, 1], False, i; g 1x1x2x2, x 1x1x4x4, i 1x1x2x2=0,3,9,14:int64', 'g, x, [2, 1], [2, 1], [0, 0], [1, 1], False, i; g 1x2x1x2, x 1x2x2x2, i 1x2x1x2=0,1,2,3:int64',
      'g, x, [2, 2], [1, 1], [0, 0], [1, 1], False, i; g 1x1x1x2, x 1x1x2x3, i 1x1x1x2=1,1:int64')
calls('_adaptive_avg_pool2d_backward', 'g, x; g 1x2x1x1, x 1x2x3x2', 'g, x; g 1x1x2x2, x 1x1x4x2', 'g, x; g 1x1x1x2, x 1x1x1x2')
calls('mse_loss_backward', 'g, x, y, 1; g -, x 2x3, y 2x3', 'g, x, y, 2; g -, x 5, y 5', 'g, x, y, 0; g 2x1, x 2x1, y 2x1')
calls('nll_loss_backward', 'g, x, t, None, 1, -100, n; g -, x 2x3, t 2i3, n -=2', 'g, x, t, w, 2, -100, n; g -, x 3x4, t 3i4, w 4+, n -=3', 'g, x, t, None, 0, 0, n; g 3, x 3x3, t 3=0,1,2:int64, n -=2')
calls('nll_loss2d_backward', 'g, x, t, None, 1, -100, n; g -, x 1x3x1x2, t 1x1x2i3, n -=2', 'g, x, t, w, 2, -100, n; g -, x 2x2x1x2, t 2x1x2i2, w 2+, n -=3', 'g, x, t, None, 1, 0, n; g -, x 1x2x1x3, t 1x1x3=0,1,1:int64, n -=2')
calls('slice_backward', 'g, [4, 2], 0, 1, 3, 1; g 2x2', 'g, [2, 5], 1, 0, 9223372036854775807, 2; g 2x3', 'g, [3], 0, 0, 3, 1; g 3')
calls('select_backward', 'g, [4, 2], 0, 1; g 2', 'g, [2, 5], 1, -1; g 2', 'g, [3], 0, 0; g -')
calls('diagonal_backward', 'g, [3, 3], 0, 0, 1; g 3', 'g, [2, 4], 1, 0, 1; g 2', 'g, [2, 2, 2], 0, 1, 2; g 2x2')
ATTENTION = 'pre a, e = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, {})'
calls('_scaled_dot_product_flash_attention_for_cpu_backward', f"g, q, k, v, a, e, 0.0, False; g 1x2x3x4, q 1x2x3x4, k 1x2x3x4, v 1x2x3x4; {ATTENTION.format('False')}",
      f"g, q, k, v, a, e, 0.0, True; g 1x1x2x2, q 1x1x2x2, k 1x1x2x2, v 1x1x2x2; {ATTENTION.format('True')}",
      f"g, q, k, v, a, e, 0.0, False, scale=0.5; g 1x1x3x2, q 1x1x3x2, k 1x1x2x2, v 1x1x2x2; {ATTENTION.format('False, scale=0.5')}")
calls('mish_backward', 'g, x; g 2x3, x 2x3', 'g, x; g 5, x 5', 'g, x; g 2, x 2=0,-10')
calls('softshrink_backward hardshrink_backward', 'g, x, 0.5; g 2x3, x 2x3', 'g, x, 1; g 5, x 5', 'g, x, 0.5; g 2, x 2=0.5,-0.5')
calls('logit_backward', 'g, x; g 2x2, x 2x2=0.1,0.5,0.9,0.3', 'g, x, 0.2; g 3, x 3=0.1,0.5,0.9', 'g, x, 0.1; g 1, x 1=0.05')
calls('smooth_l1_loss_backward huber_loss_backward', 'g, x, y, 1, 1.0; g -, x 2x3, y 2x3', 'g, x, y, 2, 0.5; g -, x 5, y 5', 'g, x, y, 0, 1.0; g 2x1, x 2x1, y 2x1')
calls('upsample_nearest2d_backward', 'g, [4, 5], [1, 2, 3, 2]; g 1x2x4x5', 'g, [4, 4], [2, 1, 2, 2]; g 2x1x4x4', 'g, [1, 2], [1, 1, 3, 2]; g 1x1x1x2')
calls('upsample_bilinear2d_backward', 'g, [4, 5], [1, 2, 3, 2], False; g 1x2x4x5', 'g, [4, 4], [2, 1, 2, 2], True; g 2x1x4x4', 'g, [2, 2], [1, 1, 3, 2], False; g 1x1x2x2')
calls('reflection_pad1d_backward replication_pad1d_backward', 'g, x, [1, 2]; g 2x6, x 2x3', 'g, x, [0, 1]; g 1x2x5, x 1x2x4', 'g, x, [0, 0]; g 1x3, x 1x3')
calls('reflection_pad2d_backward replication_pad2d_backward', 'g, x, [1, 2, 0, 1]; g 2x4x6, x 2x3x3', 'g, x, [0, 1, 1, 0]; g 1x2x3x5, x 1x2x2x4', 'g, x, [0, 0, 0, 0]; g 1x3x2, x 1x3x2')
calls('unfold_backward', 'g, [2, 4], 1, 2, 1; g 2x3x2', 'g, [7], 0, 3, 2; g 3x3', 'g, [2, 2], -1, 1, 1; g 2x2x1')

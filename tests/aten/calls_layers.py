# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of matrix products, convolutions, norms, attention, pooling, losses, and layers over time."""
from aten_calls import calls

calls('mm', 'x, y; x 2x3, y 3x4; half', 'x, y; x 1x5, y 5x1', 'x, y.t(); x 3x2, y 4x2')
calls('bmm', 'x, y; x 2x2x3, y 2x3x4; half', 'x, y; x 1x1x5, y 1x5x1', 'x, y; x 3x2x2, y 3x2x2')
calls('matmul', 'x, y; x 2x3, y 3x4', 'x, y; x 2x2x3, y 3', 'x, y; x 5, y 5')
calls('mv', 'x, y; x 2x3, y 3', 'x, y; x 1x5, y 5', 'x, y; x 4x1, y 1')
calls('dot', 'x, y; x 3, y 3', 'x, y; x 7, y 7', 'x, y; x 1, y 1')
calls('outer', 'x, y; x 3, y 2', 'x, y; x 1, y 5', 'x, y; x 4, y 1')
calls('addmm', 'b, x, y; b 4, x 2x3, y 3x4; half', 'b, x, y, beta=0.5, alpha=2; b 1x1, x 1x5, y 5x1', 'b, x, y; b 3x4, x 3x2, y 2x4')
calls('_grouped_mm', 'x, y, o; x 6x8, y 3x8x8, o 3=2,2,6:int32; half', 'x, y, o; x 3x8, y 2x8x8, o 2=0,3:int32; half', 'x, y; x 2x3x8, y 2x8x8; half',
      'x, y, o; x 1x8, y 1x8x8, o 1=1:int32; half')
calls('baddbmm', 'b, x, y; b 2x2x4, x 2x2x3, y 2x3x4', 'b, x, y, beta=0.5, alpha=2; b 1x1x1, x 1x1x5, y 1x5x1', 'b, x, y; b 4, x 3x2x2, y 3x2x4')
calls('addmv', 'b, x, y; b 2, x 2x3, y 3', 'b, x, y, beta=0.5, alpha=2; b 1, x 1x5, y 5', 'b, x, y; b -, x 4x1, y 1')
calls('addbmm', 'b, x, y; b 2x4, x 2x2x3, y 2x3x4', 'b, x, y, beta=0.5, alpha=2; b 1x1, x 1x1x5, y 1x5x1', 'b, x, y; b 4, x 3x2x2, y 3x2x4')
calls('linear', 'x, w, b; x 2x3, w 4x3, b 4; half', 'x, w; x 2x1x5, w 2x5', 'x, w, None; x 3, w 2x3')
calls('bilinear', 'x, y, w, b; x 2x3, y 2x4, w 2x3x4, b 2', 'x, y, w; x 1x2, y 1x2, w 1x2x2', 'x, y, w, None; x 3x1, y 3x1, w 2x1x1')
calls('_weight_norm', 'v, g; v 3x2, g 3x1', 'v, g, 1; v 2x4, g 1x4', 'v, g, 1; v 2x3, g 1x3')
calls('_weight_norm_interface', 'v, g; v 3x2, g 3x1', 'v, g, 0; v 2x4, g 2x1', 'v, g, 1; v 2x2, g 1x2')
calls('einsum', "'ij,jk->ik', [x, y]; x 2x3, y 3x4", "'bij,bij->b', [x, y]; x 2x2x3, y 2x2x3", "'ij->ji', [x]; x 1x3")
calls('tensordot', 'x, y, [1], [0]; x 2x3, y 3x4', 'x, y, [0, 1], [1, 0]; x 2x3, y 3x2', 'x, y, [-1], [-1]; x 2x3, y 4x3')
calls('_int_mm', 'x, y; x 17x8i5:int8, y 8x8i7:int8; f32', 'x, y; x 32x16i3:int8, y 16x8i4:int8; f32', 'x, y; x 17x8i2:int8, y 8x16i2:int8; f32')
calls('convolution', 'x, w, b, [1, 1], [1, 1], [1, 1], False, [0, 0], 1; x 1x2x4x3, w 3x2x3x3, b 3',
      'x, w, None, [2], [0], [1], False, [0], 1; x 2x2x5, w 1x2x2', 'x, w, b, [1, 1], [0, 0], [2, 1], False, [0, 0], 2; x 1x4x4x3, w 2x2x2x2, b 2',
      'x, w, b, [2, 1], [1, 0], [1, 1], True, [1, 0], 1; x 1x2x2x3, w 2x3x3x2, b 3', 'x, w, None, [1, 1, 1], [1, 0, 0], [1, 1, 1], False, [0, 0, 0], 1; x 1x1x3x2x2, w 2x1x2x2x1')
calls('_convolution', 'x, w, b, [1, 1], [1, 1], [1, 1], False, [0, 0], 1, False, False, True, True; x 1x2x4x3, w 3x2x3x3, b 3',
      'x, w, None, [2], [0], [1], False, [0], 1, False, False, True, True; x 2x2x5, w 1x2x2',
      'x, w, b, [2, 1], [1, 0], [1, 1], True, [1, 0], 1, False, False, True, True; x 1x2x2x3, w 2x3x3x2, b 3')
calls('conv1d', 'x, w, b; x 1x2x5, w 3x2x3, b 3', 'x, w, None, [2], [1]; x 2x2x4, w 1x2x2', 'x, w, b, [1], [0], [2], 2; x 1x4x5, w 2x2x2, b 2')
calls('conv1d.padding', "x, w, b; x 1x2x5, w 3x2x3, b 3", "x, w, None, [1], 'same'; x 2x2x4, w 1x2x3", "x, w, b, [1], 'valid', [2], 2; x 1x4x5, w 2x2x2, b 2")
calls('conv2d', 'x, w, b; x 1x2x4x3, w 3x2x3x3, b 3; half', 'x, w, None, [2, 1], [1, 0]; x 2x2x4x4, w 1x2x2x2', 'x, w, b, [1, 1], [0, 1], [2, 1], 2; x 1x4x4x3, w 2x2x2x2, b 2')
calls('conv2d.padding', "x, w, b; x 1x2x4x3, w 3x2x3x3, b 3", "x, w, None, [1, 1], 'same'; x 2x2x4x4, w 1x2x3x3", "x, w, b, [1, 1], 'valid', [2, 1], 2; x 1x4x4x3, w 2x2x2x2, b 2")
calls('conv3d', 'x, w, b; x 1x2x3x3x3, w 2x2x2x2x2, b 2', 'x, w, None, [2, 1, 1], [1, 0, 1]; x 1x1x4x2x2, w 1x1x2x2x3', 'x, w, b, [1, 1, 1], [0, 0, 0], [2, 1, 1], 2; x 1x2x3x2x2, w 2x1x2x1x1, b 2')
calls('conv_transpose1d', 'x, w, b; x 1x2x4, w 2x3x3, b 3', 'x, w, None, [2], [1], [1]; x 2x2x3, w 2x1x3', 'x, w, b, [1], [0], [0], 2, [2]; x 1x4x3, w 4x2x2, b 4')
calls('conv_transpose2d.input', 'x, w, b; x 1x2x2x3, w 2x3x2x2, b 3', 'x, w, None, [2, 1], [1, 0], [1, 0]; x 2x2x3x2, w 2x1x3x2', 'x, w, b, [1, 1], [0, 0], [0, 0], 2, [2, 1]; x 1x4x2x2, w 4x2x2x1, b 4')
calls('conv_transpose3d.input', 'x, w, b; x 1x2x2x2x2, w 2x3x2x2x2, b 3', 'x, w, None, [2, 1, 1], [1, 0, 0], [1, 0, 0]; x 1x1x2x2x1, w 1x1x3x1x2', 'x, w, b, [1, 1, 1], [0, 0, 0], [0, 0, 0], 2; x 1x2x1x2x2, w 2x1x2x1x1, b 2')
calls('linalg_vecdot', 'x, y; x 2x3, y 2x3', 'x, y, dim=0; x 4x2, y 4x1', 'x, y; x 1x3, y 2x3')
calls('linalg_multi_dot', '[x, y]; x 2x3, y 3x2', '[x, y, z]; x 4x2, y 2x5, z 5x1', '[x, y, z]; x 3, y 3x2, z 2')
calls('linalg_cross', 'x, y; x 2x3, y 2x3', 'x, y, dim=0; x 3x4, y 3x4', 'x, y; x 1x3, y 2x3')
calls('cdist', 'x, y; x 2x3, y 4x3', 'x, y, 1; x 2x3x2, y 2x2x2', 'x, y; x 1x3, y 1x3')
calls('_cdist_forward', 'x, y, 2, None; x 2x3, y 4x3', 'x, y, 1, None; x 2x3x2, y 2x2x2', 'x, y, 2, 1; x 1x3, y 1x3')
calls('_euclidean_dist', 'x, y; x 2x3, y 4x3', 'x, y; x 2x3x2, y 2x2x2', 'x, y; x 1x1, y 2x1')
calls('_pdist_forward', 'x; x 3x2', 'x, 1.0; x 4x3', 'x; x 2x1')
# Norms and attention.
calls('_softmax _log_softmax', 'x, 1, False; x 2x3; half', 'x, -1, False; x 2x2x4', 'x, 0, False; x 4=nan,1,2,inf')
calls('softmax.int log_softmax.int', 'x, 1; x 2x3; half', 'x, -1; x 2x2x4', 'x, 0, torch.float64; x 4; f32')
calls('_safe_softmax', 'x, 1; x 2x3', 'x, -1; x 2x2x4', 'x, 0; x 3=-inf,-inf,-inf', 'x, 1, torch.float64; x 2x2; f32')
calls('native_layer_norm', 'x, [3], w, b, 1e-5; x 2x3, w 3, b 3', 'x, [2, 4], None, None, 1e-6; x 3x2x4', 'x, [4], w, None, 1e-5; x 2x2x4, w 4')
calls('layer_norm', 'x, [3], w, b; x 2x3, w 3, b 3; half', 'x, [2, 4]; x 3x2x4', 'x, [4], w, None, 1e-3; x 2x2x4, w 4')
calls('rms_norm', 'x, [3], w; x 2x3, w 3', 'x, [2, 4]; x 3x2x4', 'x, [4], w, 1e-3; x 2x2x4, w 4')
calls('_fused_rms_norm', 'x, [3], w, 1e-6; x 2x3, w 3', 'x, [2, 4], None, None; x 3x2x4', 'x, [4], w, 1e-3; x 2x2x4, w 4')
calls('native_group_norm', 'x, w, b, 2, 4, 3, 2, 1e-5; x 2x4x3, w 4, b 4', 'x, None, None, 1, 2, 4, 1, 1e-5; x 1x2x2x2', 'x, w, None, 1, 3, 2, 3, 1e-5; x 1x3x2, w 3')
calls('group_norm', 'x, 2, w, b; x 2x4x3, w 4, b 4', 'x, 1; x 1x2x2x2', 'x, 3, w, None, 1e-3; x 1x3x2, w 3')
calls('instance_norm', 'x, w, b, None, None, True, 0.1, 1e-5, False; x 2x4x3, w 4, b 4', 'x, None, None, None, None, True, 0.1, 1e-5, False; x 1x2x2x2',
      'x, w, None, None, None, True, 0.1, 1e-3, False; x 1x3x2, w 3')
calls('batch_norm', 'x, w, b, m, v, False, 0.1, 1e-5, False; x 2x3x2, w 3, b 3, m 3, v 3+', 'x, None, None, None, None, True, 0.1, 1e-5, False; x 4x2',
      'x, w, b, m, v, True, 0.1, 1e-5, False; x 3x1x2, w 1, b 1, m 1, v 1+; ret (r, m, v)')
calls('native_batch_norm _native_batch_norm_legit', 'x, w, b, m, v, False, 0.1, 1e-5; x 2x3x2, w 3, b 3, m 3, v 3+; ret r[0]',
      'x, None, None, m, v, True, 0.1, 1e-5; x 4x2, m 2, v 2+; ret (r[0], r[1], r[2], m, v)', 'x, w, b, m, v, True, 0.5, 1e-5; x 3x1x2, w 1, b 1, m 1, v 1+')
calls('_native_batch_norm_legit.no_stats', 'x, w, b, True, 0.1, 1e-5; x 2x3x2, w 3, b 3', 'x, None, None, True, 0.1, 1e-5; x 4x2', 'x, w, b, True, 0.5, 1e-3; x 3x1x2, w 1, b 1')
calls('_native_batch_norm_legit_no_training', 'x, w, b, m, v, 0.1, 1e-5; x 2x3x2, w 3, b 3, m 3, v 3+; ret r[0]', 'x, None, None, m, v, 0.1, 1e-5; x 4x2, m 2, v 2+; ret r[0]',
      'x, w, b, m, v, 0.1, 1e-3; x 1x1, w 1, b 1, m 1, v 1+; ret r[0]')
calls('_native_batch_norm_legit_functional', 'x, w, b, m, v, True, 0.1, 1e-5; x 2x3x2, w 3, b 3, m 3, v 3+', 'x, None, None, m, v, True, 0.2, 1e-5; x 4x2, m 2, v 2+',
      'x, w, b, m, v, False, 0.1, 1e-5; x 3x1x2, w 1, b 1, m 1, v 1+; ret (r[0], r[3], r[4])')
calls('scaled_dot_product_attention', 'q, k, v; q 1x2x3x4, k 1x2x3x4, v 1x2x3x4', 'q, k, v, None, 0.0, True; q 2x3x2, k 2x3x2, v 2x3x2',
      'q, k, v, m; q 1x1x2x4, k 1x1x3x4, v 1x1x3x4, m 2x3', 'q, k, v, scale=0.5, enable_gqa=True; q 1x4x2x2, k 1x2x3x2, v 1x2x3x2')
calls('_scaled_dot_product_flash_attention_for_cpu', 'q, k, v; q 1x2x3x4, k 1x2x3x4, v 1x2x3x4; ret r[0]', 'q, k, v, 0.0, True; q 1x1x3x2, k 1x1x3x2, v 1x1x3x2',
      'q, k, v, attn_mask=m, scale=0.5; q 1x1x2x4, k 1x1x3x4, v 1x1x3x4, m 1x1x2x3; ret r[0]')
calls('_scaled_dot_product_attention_math', 'q, k, v; q 1x2x3x4, k 1x2x3x4, v 1x2x3x4', 'q, k, v, None, 0.0, True; q 1x1x3x2, k 1x1x3x2, v 1x1x3x2',
      'q, k, v, m, scale=0.5; q 1x1x2x4, k 1x1x3x4, v 1x1x3x4, m 2x3')
calls('dropout feature_dropout alpha_dropout', 'x, 0.5, False; x 2x3', 'x, 0.1, False; x 4x5x2', 'x, 0.0, True; x 3x2')
calls('native_dropout', 'x, 0.5, False; x 2x3', 'x, 0.1, False; x 4x5', 'x, 0.0, False; x 3')
calls('dropout_', 'x, 0.5, False; x 2x3', 'x, 0.1, False; x 4x5', 'x, 0.0, False; x 3')
# Pooling and resampling.
calls('adaptive_avg_pool1d', 'x, [2]; x 1x2x4', 'x, [1]; x 2x1x5', 'x, [3]; x 1x2x3')
calls('adaptive_avg_pool2d _adaptive_avg_pool2d', 'x, [2, 1]; x 1x2x4x3', 'x, [1, 1]; x 2x1x5x2', 'x, [3, 2]; x 1x2x5x4')
calls('_adaptive_avg_pool3d adaptive_avg_pool3d', 'x, [2, 1, 2]; x 1x1x4x3x2', 'x, [1, 1, 1]; x 2x1x2x2x3', 'x, [2, 2, 1]; x 1x1x3x2x2')
calls('adaptive_max_pool1d', 'x, [2]; x 1x2x4', 'x, [1]; x 2x1x5', 'x, [3]; x 1x2x3')
calls('adaptive_max_pool2d', 'x, [2, 1]; x 1x2x4x3', 'x, [1, 1]; x 2x1x6x2', 'x, [3, 2]; x 1x2x3x4')
calls('avg_pool1d', 'x, [2]; x 1x2x4', 'x, [3], [2], [1]; x 2x1x5', 'x, [2], [2], [0], True, False; x 1x2x3')
calls('avg_pool2d', 'x, [2, 2]; x 1x2x4x4', 'x, [3, 2], [2, 1], [1, 0]; x 2x1x5x3', 'x, [2, 2], [2, 2], [1, 1], True, False; x 1x2x3x4', 'x, [2, 2], [2, 2], [0, 0], False, True, 3; x 1x1x4x2')
calls('avg_pool3d', 'x, [2, 2, 1]; x 1x1x4x4x2', 'x, [3, 2, 1], [2, 1, 1], [1, 0, 0]; x 1x1x5x3x2', 'x, [2, 2, 2], [2, 2, 2], [1, 1, 0], True, False; x 1x1x3x4x2')
calls('max_pool1d', 'x, [2]; x 1x2x4', 'x, [3], [2], [1]; x 2x1x5', 'x, [2], [2], [0], [2], True; x 1x2x6')
calls('max_pool2d', 'x, [2, 2]; x 1x2x4x4', 'x, [3, 2], [2, 1], [1, 0]; x 2x1x5x3', 'x, [2, 2], [2, 2], [1, 1], [1, 1], True; x 1x2x3x4')
calls('max_pool3d', 'x, [2, 2, 1]; x 1x1x4x4x2', 'x, [3, 2, 1], [2, 1, 1], [1, 0, 0]; x 1x2x5x3x2', 'x, [2, 2, 2], [2, 2, 2], [1, 1, 0], [1, 1, 1], True; x 1x1x3x4x2')
calls('max_pool2d_with_indices', 'x, [2, 2]; x 1x2x4x4', 'x, [3, 2], [2, 1], [1, 0]; x 2x1x5x3', 'x, [2, 2], [2, 2], [1, 1], [1, 1], True; x 1x2x3x4', 'x, [2, 2]; x 1x2x4x4; ret r[0]')
calls('max_pool3d_with_indices', 'x, [2, 2, 1]; x 1x1x4x4x2', 'x, [3, 2, 1], [2, 1, 1], [1, 0, 0]; x 1x2x5x3x2', 'x, [2, 2, 2], [2, 2, 2], [1, 1, 0], [1, 1, 1], True; x 1x1x3x4x2')
calls('upsample_nearest1d.vec', 'x, [5], None; x 1x2x3', 'x, None, [2.0]; x 2x1x2', 'x, [1], None; x 1x1x3')
calls('upsample_nearest2d.vec', 'x, [4, 5], None; x 1x2x3x2', 'x, None, [2.0, 2.0]; x 2x1x2x2', 'x, [1, 2], None; x 1x1x3x2')
calls('_upsample_nearest_exact2d.vec', 'x, [4, 5], None; x 1x2x3x2', 'x, None, [2.0, 2.0]; x 2x1x2x2', 'x, [1, 2], None; x 1x1x3x2')
calls('upsample_nearest2d', 'x, [4, 5]; x 1x2x3x2', 'x, [4, 4]; x 2x1x2x2', 'x, [1, 2]; x 1x1x3x2')
calls('upsample_linear1d.vec', 'x, [5], False, None; x 1x2x3', 'x, None, False, [2.0]; x 2x1x2', 'x, [4], True, None; x 1x1x3')
calls('upsample_bilinear2d.vec', 'x, [4, 5], False, None; x 1x2x3x2', 'x, None, False, [2.0, 2.0]; x 2x1x2x2', 'x, [3, 4], True, None; x 1x1x2x2')
calls('upsample_bilinear2d', 'x, [4, 5], False; x 1x2x3x2', 'x, [4, 4], False; x 2x1x2x2', 'x, [3, 4], True; x 1x1x2x2')
calls('upsample_bicubic2d.vec', 'x, [6, 5], False, None; x 1x2x4x4', 'x, None, False, [2.0, 2.0]; x 2x1x2x3', 'x, [3, 4], True, None; x 1x1x4x4')
calls('_upsample_bilinear2d_aa', 'x, [3, 4], False; x 1x2x5x7', 'x, [9, 4], False; x 2x1x4x4', 'x, [3, 4], True; x 1x1x7x3')
calls('_upsample_bilinear2d_aa.vec', 'x, [3, 4], False, None; x 1x2x5x7', 'x, None, False, [2.0, 0.5]; x 2x1x2x6', 'x, [1, 1], False, None; x 1x1x3x4')
calls('_upsample_bicubic2d_aa', 'x, [3, 4], False; x 1x2x5x7', 'x, [9, 4], False; x 2x1x4x4', 'x, [3, 4], True; x 1x1x7x3')
calls('_upsample_bicubic2d_aa.vec', 'x, [3, 4], False, None; x 1x2x5x7', 'x, None, False, [2.0, 0.5]; x 2x1x2x6', 'x, [1, 1], False, None; x 1x1x3x4')
calls('_upsample_lanczos2d_aa', 'x, [3, 4], False; x 1x2x5x7', 'x, [9, 4], False; x 2x1x4x4', 'x, [3, 4], True; x 1x1x7x3')
calls('_upsample_lanczos2d_aa.vec', 'x, [3, 4], False, None; x 1x2x5x7', 'x, None, False, [2.0, 0.5]; x 2x1x2x6', 'x, [1, 1], False, None; x 1x1x3x4')
calls('upsample_nearest3d.vec', 'x, [2, 4, 5], None; x 1x2x1x3x2', 'x, None, [2.0, 2.0, 1.0]; x 2x1x2x2x1', 'x, [1, 1, 2], None; x 1x1x1x3x2')
calls('upsample_trilinear3d.vec', 'x, [2, 4, 5], False, None; x 1x2x2x3x2', 'x, None, False, [2.0, 2.0, 2.0]; x 2x1x2x2x1', 'x, [2, 2, 3], True, None; x 1x1x2x3x2')
calls('upsample_bicubic2d', 'x, [6, 5], False; x 1x2x4x4', 'x, [4, 6], False; x 2x1x2x3', 'x, [3, 4], True; x 1x1x4x4')
calls('grid_sampler_2d grid_sampler', 'x, g, 0, 0, False; x 1x2x3x4, g 1x2x2x2u', 'x, g, 0, 1, True; x 2x1x2x2, g 2x1x3x2', 'x, g, 1, 0, False; x 1x1x3x3, g 1x2x2x2',
      'x, g, 0, 2, False; x 1x1x3x3, g 1x3x2x2', 'x, g, 0, 2, True; x 1x1x3x3, g 1x3x2x2',
      'x, g, 2, 0, False; x 1x2x4x3, g 1x2x3x2u', 'x, g, 2, 1, True; x 1x1x4x4, g 1x2x2x2', 'x, g, 2, 2, False; x 2x1x3x5, g 2x2x2x2')
calls('grid_sampler_3d', 'x, g, 0, 0, False; x 1x2x2x3x2, g 1x2x1x2x3u', 'x, g, 0, 1, True; x 2x1x2x2x3, g 2x1x2x1x3', 'x, g, 1, 2, False; x 1x1x3x2x2, g 1x1x2x2x3',
      'x, g, 0, 2, True; x 1x1x3x1x2, g 1x1x2x2x3')
calls('affine_grid_generator', 't, [2, 3, 4, 5], False; t 2x2x3', 't, [1, 1, 1, 3], True; t 1x2x3', 't, [1, 2, 3, 2, 4], True; t 1x3x4')
calls('_embedding_bag _embedding_bag_forward_only embedding_bag.padding_idx', 'w, i, o; w 5x3, i 4i5, o 2=0,2:int64; ret r[0]', 'w, i, o, False, 1; w 4x2, i 6i4, o 3=0,2,3:int64; ret r[0]',
      'w, i, o, False, 0, False, p; w 4x2, i 3i4, o 1=0:int64, p 3; ret r[0]')
calls('embedding_bag.padding_idx', 'w, i, o, False, 0, False, None, False, None; w 5x3, i 4i5, o 2=0,2:int64; ret r[0]',
      'w, i, o, False, 1, False, None, False, None; w 4x2, i 6i4, o 3=0,2,3:int64; ret r[0]', 'w, i, o, False, 0, False, p, False, None; w 4x2, i 3i4, o 1=0:int64, p 3; ret r[0]')
calls('histc', 'x, 4, -1, 1; x 12', 'x, 3; x 2x5', 'x, 5, 0, 1; x 3=0,1,0.5')
# Losses.
for name in ('mse_loss', 'l1_loss', 'smooth_l1_loss', 'huber_loss'):
    calls(name, 'x, y; x 2x3, y 2x3', 'x, y, 2; x 5, y 5', 'x, y, 0; x 4x1, y 4x1')
calls('binary_cross_entropy', 'x, y; x 2x2=0.1,0.5,0.9,0.3, y 2x2=1,0,1,0', 'x, y, w, 2; x 3=0.2,0.4,0.6, y 3=0,1,0.5, w 3+', 'x, y, None, 0; x 2=0,1, y 2=0,1')
calls('binary_cross_entropy_with_logits', 'x, y; x 2x2, y 2x2=1,0,1,0', 'x, y, w, p, 2; x 3, y 3=0,1,0.5, w 3+, p 3+', 'x, y, None, None, 0; x 2=100,-100, y 2=0,1')
calls('cross_entropy_loss', 'x, t; x 2x3, t 2i3', 'x, t, w, 2; x 3x4, t 3i4, w 4+', 'x, t, None, 1, 0, 0.1; x 3x3, t 3=0,1,2:int64', 'x, t, None, 0; x 1x2x3, t 1x3i2')
calls('nll_loss_nd', 'x, t; x 2x3, t 2i3', 'x, t, w, 2; x 3x4, t 3i4, w 4+', 'x, t, None, 0; x 1x2x3, t 1x3i2')
calls('nll_loss_forward', 'x, t, None, 1, -100; x 2x3, t 2i3', 'x, t, w, 2, -100; x 3x4, t 3i4, w 4+', 'x, t, w, 1, 0; x 3x3, t 3=0,1,2:int64, w 3+')
calls('nll_loss2d_forward', 'x, t, None, 1, -100; x 1x3x1x2, t 1x1x2i3', 'x, t, w, 2, -100; x 2x2x1x2, t 2x1x2i2, w 2+', 'x, t, None, 1, 0; x 1x2x1x3, t 1x1x3=0,1,1:int64')
calls('kl_div', 'x, y; x 2x3, y 2x3+', 'x, y, 2; x 5, y 5+', 'x, y, 0, log_target=True; x 3, y 3')
calls('cosine_similarity', 'x, y; x 2x3, y 2x3', 'x, y, 0; x 5, y 5', 'x, y, -1, 0.1; x 2x1x2, y 2x1x2')
# Layers over time.
LSTM = 'x 2x3x2, h 1x3x4, c 1x3x4, w 16x2, u 16x4, b 16, d 16'
calls('lstm.input', f'x, [h, c], [w, u, b, d], True, 1, 0.0, False, False, False; {LSTM}', 'x, [h, c], [w, u], False, 1, 0.0, False, False, True; x 2x3x2, h 1x2x1, c 1x2x1, w 4x2, u 4x1',
      'x, [h, c], [w, u, w, u], False, 1, 0.0, False, True, False; x 2x1x2, h 2x1x2, c 2x1x2, w 8x2, u 8x2')
calls('lstm.input', 'x, [h, c], [w, u, b, d, p], True, 1, 0.0, False, False, False; x 2x3x2, h 1x3x1, c 1x3x2, w 8x2, u 8x1, b 8, d 8, p 1x2',
      'x, [h, c], [w, u, p, w, u, p], False, 1, 0.0, False, True, True; x 2x3x2, h 2x2x1, c 2x2x3, w 12x2, u 12x1, p 1x3')
calls('gru.input', 'x, h, [w, u, b, d], True, 1, 0.0, False, False, False; x 2x3x2, h 1x3x4, w 12x2, u 12x4, b 12, d 12', 'x, h, [w, u], False, 1, 0.0, False, False, True; x 2x3x2, h 1x2x1, w 3x2, u 3x1',
      'x, h, [w, u, v, u], False, 2, 0.0, False, False, False; x 2x1x2, h 2x1x2, w 6x2, u 6x2, v 6x2')
calls('rnn_tanh.input rnn_relu.input', 'x, h, [w, u, b, d], True, 1, 0.0, False, False, False; x 2x3x2, h 1x3x4, w 4x2, u 4x4, b 4, d 4',
      'x, h, [w, u], False, 1, 0.0, False, False, True; x 2x3x2, h 1x2x1, w 1x2, u 1x1', 'x, h, [w, u, w, u], False, 1, 0.0, False, True, False; x 2x1x2, h 2x1x2, w 2x2, u 2x2')

# SPDX-License-Identifier: GPL-3.0-or-later
"""Small models of many families, made by configuration with random weights; nothing is downloaded.

Each function returns what `fusebench-cli capture` takes: (model, args) or (model, args, kwargs). FAMILIES says what each
stands for; names that begin with `train_` return a loss, and are captured with --train.
"""
import torch
from torch import nn

FAMILIES = {}


def family(name):
    def add(function):
        FAMILIES[function.__name__] = name
        return function
    return add


def image(size=32, channels=3):
    return (torch.randn(1, channels, size, size),)


def ids(length=16, vocabulary=200):
    return torch.randint(0, vocabulary, (1, length))


# ---- timm: each row is a name, the size of its image, and arguments ----

TIMM = [
    ("CNN", "test_resnet", 64, {}), ("CNN", "test_byobnet", 64, {}), ("CNN", "test_convnext", 64, {}),
    ("CNN", "test_convnext2", 64, {}), ("CNN", "test_efficientnet", 64, {}), ("CNN", "test_efficientnet_gn", 64, {}),
    ("CNN", "test_efficientnet_ln", 64, {}), ("CNN", "test_nfnet", 64, {}), ("CNN", "test_mambaout", 64, {}),
    ("CNN", "lcnet_035", 32, {}), ("CNN", "mnasnet_small", 32, {}), ("CNN", "tinynet_e", 32, {}),
    ("CNN", "ghostnet_050", 32, {}), ("CNN", "mobilenetv3_small_050", 32, {}), ("CNN", "regnetx_002", 32, {}),
    ("CNN", "hardcorenas_a", 32, {}), ("CNN", "dla46x_c", 32, {}), ("CNN", "edgenext_xx_small", 64, {}),
    ("CNN", "repghostnet_050", 32, {}),
    ("vision transformer", "test_vit", 64, {"img_size": 64}), ("vision transformer", "test_vit2", 64, {"img_size": 64}),
    ("vision transformer", "test_vit3", 160, {}), ("vision transformer", "mobilevit_xxs", 64, {}),
    ("vision transformer", "levit_128s", 224, {}), ("vision transformer", "xcit_nano_12_p16_224", 64, {"depth": 2}),
    ("vision transformer", "swin_tiny_patch4_window7_224", 56, {"img_size": 56, "embed_dim": 24, "depths": (2, 2),
                                                               "num_heads": (2, 4), "window_size": 7}),
    ("vision transformer", "deit_tiny_patch16_224", 32, {"img_size": 32, "depth": 2, "embed_dim": 48, "num_heads": 3}),
]


def _of_timm(name, size, arguments):
    def make():
        import timm
        return timm.create_model(name, pretrained=False, num_classes=10, **arguments), image(size)
    return make


@family("MLP mixer")
def mlp_mixer():
    from timm.models.mlp_mixer import MlpMixer
    return MlpMixer(num_classes=10, img_size=64, patch_size=16, num_blocks=2, embed_dim=32), image(64)


@family("MLP mixer")
def gmlp():
    from timm.layers import GatedMlp
    from timm.models.mlp_mixer import MlpMixer, SpatialGatingBlock
    return MlpMixer(num_classes=10, img_size=64, patch_size=16, num_blocks=2, embed_dim=32, mlp_ratio=6,
                    block_layer=SpatialGatingBlock, mlp_layer=GatedMlp), image(64)


for _family, _name, _size, _arguments in TIMM:
    globals()[_name] = _of_timm(_name, _size, _arguments)
    FAMILIES[_name] = _family


@family("vision transformer")
def metaformer():
    from timm.models.metaformer import MetaFormer
    return MetaFormer(depths=(1, 1, 1, 1), dims=(16, 32, 40, 64), num_classes=10), image(32)


# ---- torchvision ----

def _of_torchvision(name, size, arguments):
    def make():
        import torchvision
        return getattr(torchvision.models, name)(weights=None, **arguments), image(size)
    return make


for _name, _size, _arguments in [("resnet18", 32, {"num_classes": 10}), ("squeezenet1_1", 64, {"num_classes": 10}),
                                 ("mobilenet_v2", 32, {"num_classes": 10, "width_mult": 0.25}),
                                 ("shufflenet_v2_x0_5", 32, {"num_classes": 10}),
                                 ("mnasnet0_5", 32, {"num_classes": 10})]:
    globals()["tv_" + _name] = _of_torchvision(_name, _size, _arguments)
    FAMILIES["tv_" + _name] = "CNN"


@family("CNN")
def tv_densenet():
    from torchvision.models import DenseNet
    return DenseNet(8, (2, 2, 2), 16, num_classes=10), image(32)


@family("vision transformer")
def tv_vit():
    from torchvision.models import VisionTransformer
    return VisionTransformer(32, 8, 2, 2, 32, 64, num_classes=10), image(32)


@family("segmentation")
def tv_lraspp():
    from torchvision.models.segmentation import lraspp_mobilenet_v3_large
    return lraspp_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=3), image(64)


@family("optical flow")
def tv_raft():
    from torchvision.models.optical_flow import raft_small
    return raft_small(weights=None), (torch.rand(1, 3, 128, 128), torch.rand(1, 3, 128, 128)), {"num_flow_updates": 2}


# ---- transformers: language models ----

SMALL = dict(vocab_size=200, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
             max_position_embeddings=64)


def _language(name, kind, **more):
    def make():
        import transformers
        config = getattr(transformers, name + "Config")(**dict(SMALL, **more))
        model = getattr(transformers, name + kind)(config)
        given = {"input_ids": ids()}
        if kind == "ForCausalLM":
            given["use_cache"] = False
        return model, (), given
    return make


for _family, _key, _name, _kind, _more in [
        ("language model", "bert", "Bert", "Model", {}), ("language model", "roberta", "Roberta", "Model", {"pad_token_id": 1}),
        ("language model", "electra", "Electra", "Model", {}),
        ("language model", "llama", "Llama", "ForCausalLM", {"num_key_value_heads": 2}),
        ("language model", "mistral", "Mistral", "ForCausalLM", {"num_key_value_heads": 2}),
        ("language model", "qwen2", "Qwen2", "ForCausalLM", {"num_key_value_heads": 2}),
        ("language model", "gemma", "Gemma", "ForCausalLM", {"num_key_value_heads": 2, "head_dim": 8, "pad_token_id": 0}),
        ("language model", "phi", "Phi", "ForCausalLM", {}), ("language model", "gpt_neox", "GPTNeoX", "ForCausalLM", {}),
        ("mixture of experts", "mixtral", "Mixtral", "ForCausalLM", {"num_key_value_heads": 2, "num_local_experts": 4})]:
    globals()[_key] = _language(_name, _kind, **_more)
    FAMILIES[_key] = _family


@family("language model")
def gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel
    config = GPT2Config(vocab_size=200, n_positions=64, n_embd=32, n_layer=2, n_head=4)
    return GPT2LMHeadModel(config), (), {"input_ids": ids(), "use_cache": False}


@family("language model")
def distilbert():
    from transformers import DistilBertConfig, DistilBertModel
    return DistilBertModel(DistilBertConfig(vocab_size=200, dim=32, hidden_dim=64, n_layers=2, n_heads=4)), (), {
        "input_ids": ids()}


@family("language model")
def t5():
    from transformers import T5Config, T5ForConditionalGeneration
    config = T5Config(vocab_size=200, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4)
    return T5ForConditionalGeneration(config), (), {"input_ids": ids(), "decoder_input_ids": ids(8), "use_cache": False}


@family("state space")
def mamba():
    from transformers import MambaConfig, MambaForCausalLM
    config = MambaConfig(vocab_size=200, hidden_size=16, state_size=4, num_hidden_layers=1, expand=2, conv_kernel=4)
    return MambaForCausalLM(config), (), {"input_ids": ids(8), "use_cache": False}


@family("speech")
def whisper():
    from transformers import WhisperConfig, WhisperModel
    config = WhisperConfig(vocab_size=200, d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=4,
                           decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, num_mel_bins=16,
                           max_source_positions=32, max_target_positions=32, pad_token_id=0, bos_token_id=1, eos_token_id=2,
                           decoder_start_token_id=1)
    return WhisperModel(config), (), {"input_features": torch.randn(1, 16, 64), "decoder_input_ids": ids(8),
                                      "use_cache": False}


@family("speech")
def wav2vec2():
    from transformers import Wav2Vec2Config, Wav2Vec2Model
    config = Wav2Vec2Config(hidden_size=32, num_hidden_layers=1, num_attention_heads=4, intermediate_size=64,
                            conv_dim=(16, 16), conv_stride=(5, 2), conv_kernel=(10, 3), num_feat_extract_layers=2,
                            num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4)
    return Wav2Vec2Model(config), (torch.randn(1, 400),)


@family("segmentation")
def segformer():
    from transformers import SegformerConfig, SegformerForSemanticSegmentation
    config = SegformerConfig(depths=[1, 1, 1, 1], hidden_sizes=[8, 16, 24, 32], num_attention_heads=[1, 2, 3, 4],
                             decoder_hidden_size=16, num_labels=3)
    return SegformerForSemanticSegmentation(config), image(64)


@family("vision and text")
def clip():
    from transformers import CLIPConfig, CLIPModel
    text = dict(vocab_size=200, hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4,
                max_position_embeddings=32)
    vision = dict(hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4, image_size=32,
                  patch_size=8)
    return CLIPModel(CLIPConfig(text_config=text, vision_config=vision, projection_dim=16)), (), {
        "input_ids": ids(), "pixel_values": torch.randn(1, 3, 32, 32)}


# ---- diffusers ----

@family("diffusion")
def unet2d():
    from diffusers import UNet2DModel
    model = UNet2DModel(sample_size=16, layers_per_block=1, block_out_channels=(16, 32), norm_num_groups=8,
                        down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D"))
    return model, (torch.randn(1, 3, 16, 16), torch.tensor([3]))


@family("diffusion")
def unet_condition():
    from diffusers import UNet2DConditionModel
    model = UNet2DConditionModel(sample_size=8, in_channels=4, out_channels=4, layers_per_block=1, norm_num_groups=8,
                                 block_out_channels=(16, 32), cross_attention_dim=16, attention_head_dim=8,
                                 down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
                                 up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"))
    return model, (torch.randn(1, 4, 8, 8), torch.tensor([3]), torch.randn(1, 6, 16))


@family("diffusion")
def vae():
    from diffusers import AutoencoderKL
    model = AutoencoderKL(block_out_channels=(16,), norm_num_groups=8, latent_channels=4, sample_size=16)
    return model.decoder, (torch.randn(1, 4, 8, 8),)


# ---- written here: families without a library of their own ----

class _Recommendation(nn.Module):
    """Dense features, and bags of categories, that interact pairwise (DLRM)."""

    def __init__(self):
        super().__init__()
        self.bags = nn.ModuleList(nn.EmbeddingBag(50, 8, mode="sum") for _ in range(3))
        self.dense = nn.Sequential(nn.Linear(13, 16), nn.ReLU(), nn.Linear(16, 8), nn.ReLU())
        self.top = nn.Sequential(nn.Linear(14, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())

    def forward(self, dense, a, b, c):
        features = [self.dense(dense)] + [bag(x) for bag, x in zip(self.bags, (a, b, c))]
        stacked = torch.stack(features, 1)
        crossed = torch.bmm(stacked, stacked.transpose(1, 2))
        rows, columns = torch.tril_indices(4, 4, -1)
        return self.top(torch.cat([features[0], crossed[:, rows, columns]], 1))


@family("recommendation")
def dlrm():
    return _Recommendation(), (torch.randn(4, 13),) + tuple(torch.randint(0, 50, (4, 5)) for _ in range(3))


class _Graph(nn.Module):
    """Two graph convolutions over a list of edges."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(8, 16), nn.Linear(16, 4)

    def forward(self, x, source, target):
        for layer in (self.first, self.second):
            sums = torch.zeros_like(x).index_add(0, target, x[source])
            x = layer(x + sums).relu()
        return x


@family("graph network")
def graph_convolution():
    return _Graph(), (torch.randn(10, 8), torch.randint(0, 10, (30,)), torch.randint(0, 10, (30,)))


class _Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.layer, self.head = kind(8, 16, num_layers=2, batch_first=True), nn.Linear(16, 4)

    def forward(self, x):
        return self.head(self.layer(x)[0][:, -1])


@family("RNN")
def lstm():
    return _Recurrent(nn.LSTM), (torch.randn(2, 6, 8),)


@family("RNN")
def gru():
    return _Recurrent(nn.GRU), (torch.randn(2, 6, 8),)


@family("language model")
def torch_transformer():
    layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), (torch.randn(1, 10, 32),)


@family("detection")
def yolo_head():
    """A backbone with a grid of boxes, as in YOLO."""
    return nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.SiLU(), nn.Conv2d(8, 16, 3, 2, 1),
                         nn.BatchNorm2d(16), nn.SiLU(), nn.Conv2d(16, 18, 1), nn.Sigmoid()), image(32)


# ---- training steps ----

class _Loss(nn.Module):
    def __init__(self, model, loss):
        super().__init__()
        self.model, self.loss = model, loss

    def forward(self, x, target):
        return self.loss(self.model(x), target)


def _classes(batch=4, classes=10):
    return torch.randint(0, classes, (batch,))


@family("training step")
def train_mlp():
    model = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 10))
    return _Loss(model, nn.CrossEntropyLoss()), (torch.randn(4, 16), _classes())


@family("training step")
def train_regression():
    return _Loss(nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1)), nn.MSELoss()), (torch.randn(4, 8),
                                                                                              torch.randn(4, 1))


@family("training step")
def train_cnn():
    model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 8, 3, padding=1),
                          nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10))
    return _Loss(model, nn.CrossEntropyLoss()), (torch.randn(4, 3, 16, 16), _classes())


@family("training step")
def train_batch_norm():
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 36, 10))
    return _Loss(model, nn.CrossEntropyLoss()), (torch.randn(4, 3, 8, 8), _classes())


@family("training step")
def train_attention():
    layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
    return _Loss(nn.Sequential(layer, nn.Flatten(), nn.Linear(96, 10)), nn.CrossEntropyLoss()), (torch.randn(4, 6, 16),
                                                                                                _classes())


@family("training step")
def train_embedding():
    model = nn.Sequential(nn.Embedding(50, 8), nn.Flatten(), nn.Linear(48, 10))
    return _Loss(model, nn.CrossEntropyLoss()), (torch.randint(0, 50, (4, 6)), _classes())

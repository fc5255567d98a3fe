"""Rewrites the EfficientNet-Lite0 checkpoint as ONNX and its class names as plain text.

    convert.py CHECKPOINT.pth CLASS_NAMES.py OUTPUT_DIRECTORY

writes `efficientnet-lite0.onnx` (input `image`, 1x3x224x224; outputs `features`, 1x1280, and
`logits`, 1x1000) and `labels.txt` (one class name a line, in the order of the logits).

The one thing to know: a tensor of the checkpoint is a view, with an offset and strides of its own, into a
flat storage. Reading the storage as if it lay in the tensor's order fits every shape and gives a network
that answers the same for every picture.

Neither file is trusted: the checkpoint is unpickled with a closed list of names, and the names are read
as a literal, never run. Needs numpy and onnx, no torch.
"""

import ast
import collections
import math
import os
import pickle
import struct
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# The first object of a checkpoint in torch's format of before 1.6.
LEGACY_MAGIC = 0x1950A86A20F9469CFC6C
RESOLUTION = 224
FEATURES = 1280
CLASSES = 1000
EPSILON = 1e-3

# Stages of EfficientNet-Lite0: repeats, kernel, stride of the first block, expansion, channels in, channels out.
Stage = collections.namedtuple("Stage", "repeats kernel stride expansion inputs outputs")
STAGES = [
    Stage(1, 3, 1, 1, 32, 16),
    Stage(2, 3, 2, 6, 16, 24),
    Stage(2, 5, 2, 6, 24, 40),
    Stage(3, 3, 2, 6, 40, 80),
    Stage(3, 5, 1, 6, 80, 112),
    Stage(4, 5, 2, 6, 112, 192),
    Stage(1, 3, 1, 6, 192, 320),
]

Storage = collections.namedtuple("Storage", "key dtype count")
View = collections.namedtuple("View", "storage offset shape strides")


def view_of(storage, offset, shape, strides, *_ignored):
    """Stands for torch's function that lays a tensor over a storage."""
    return View(storage, offset, tuple(shape), tuple(strides))


class Unpickler(pickle.Unpickler):
    """Unpickles tensors and nothing else."""

    ALLOWED = {
        ("collections", "OrderedDict"): collections.OrderedDict,
        ("torch._utils", "_rebuild_tensor_v2"): view_of,
        ("torch", "FloatStorage"): np.dtype("<f4"),
        ("torch", "LongStorage"): np.dtype("<i8"),
    }

    def find_class(self, module, name):
        try:
            return self.ALLOWED[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"the checkpoint asks for {module}.{name}") from None

    def persistent_load(self, reference):
        kind, dtype, key, _device, count = reference[:5]
        if kind != "storage" or not isinstance(dtype, np.dtype):
            raise pickle.UnpicklingError("the checkpoint refers to something that is no storage")
        return Storage(key, dtype, count)


def read_checkpoint(path):
    """Reads the checkpoint at `path` into arrays that are contiguous, by tensor name."""
    with open(path, "rb") as file:
        if Unpickler(file).load() != LEGACY_MAGIC:
            raise ValueError("not a checkpoint in the format of before torch 1.6")
        Unpickler(file).load()  # protocol version
        Unpickler(file).load()  # sizes and byte order of the writer
        views = Unpickler(file).load()
        order = Unpickler(file).load()
        known = {view.storage.key: view.storage for view in views.values()}
        flat = {}
        for key in order:
            (count,) = struct.unpack("<q", file.read(8))
            storage = known[key]
            if count != storage.count:
                raise ValueError(f"storage {key} holds {count} numbers instead of {storage.count}")
            data = file.read(count * storage.dtype.itemsize)
            flat[key] = np.frombuffer(data, storage.dtype, count)
    return {name: gather(flat[view.storage.key], view) for name, view in views.items()}


def gather(flat, view):
    """Copies the numbers that `view` selects out of `flat`, bounds checked, in row order."""
    index = np.full(view.shape, view.offset, dtype=np.int64)
    for axis, (length, stride) in enumerate(zip(view.shape, view.strides)):
        along = [1] * len(view.shape)
        along[axis] = length
        index += (np.arange(length) * stride).reshape(along)
    if index.size and index.min() < 0:
        raise ValueError("a tensor begins before its storage")
    return flat[index]


class Network:
    """Collects nodes and weights; every tensor may be taken once."""

    def __init__(self, tensors):
        self.tensors = tensors
        self.nodes = []
        self.weights = []

    def take(self, name, shape):
        tensor = self.tensors.pop(name)
        if tensor.shape != shape:
            raise ValueError(f"{name} has the shape {tensor.shape} instead of {shape}")
        return tensor.astype(np.float32)

    def weight(self, name, values):
        self.weights.append(numpy_helper.from_array(np.asarray(values, np.float32), name))
        return name

    def node(self, operator, inputs, output, **attributes):
        self.nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def convolution(self, source, size, name, norm, shape, stride, groups=1, relu6=True):
        """Adds a convolution with its batch norm folded in; answers its output and that one's size."""
        kernel = self.take(f"{name}.weight", shape)
        channels = (shape[0],)
        gamma = self.take(f"{norm}.weight", channels)
        beta = self.take(f"{norm}.bias", channels)
        mean = self.take(f"{norm}.running_mean", channels)
        variance = self.take(f"{norm}.running_var", channels)
        self.tensors.pop(f"{norm}.num_batches_tracked", None)
        scale = gamma / np.sqrt(variance + EPSILON)

        # "Same" padding as TensorFlow trained it: what is odd goes to the right and the bottom.
        result_size = math.ceil(size / stride)
        padding = max((result_size - 1) * stride + shape[2] - size, 0)
        before, after = padding // 2, padding - padding // 2
        result = self.node(
            "Conv",
            [
                source,
                self.weight(f"{name}.kernel", kernel * scale[:, None, None, None]),
                self.weight(f"{name}.shift", beta - mean * scale),
            ],
            f"{name}.out",
            kernel_shape=list(shape[2:]),
            strides=[stride, stride],
            pads=[before, before, after, after],
            group=groups,
        )
        if relu6:
            result = self.node("Clip", [result, "zero", "six"], f"{name}.active")
        return result, result_size

    def block(self, source, size, name, stage, inputs, stride):
        """Adds an inverted residual block."""
        wide = inputs * stage.expansion
        kernel = stage.kernel
        result, result_size = source, size
        if stage.expansion != 1:
            result, result_size = self.convolution(
                result, result_size, f"{name}._expand_conv", f"{name}._bn0", (wide, inputs, 1, 1), 1
            )
        result, result_size = self.convolution(
            result, result_size, f"{name}._depthwise_conv", f"{name}._bn1", (wide, 1, kernel, kernel), stride, wide
        )
        result, result_size = self.convolution(
            result, result_size, f"{name}._project_conv", f"{name}._bn2", (stage.outputs, wide, 1, 1), 1, relu6=False
        )
        if stride == 1 and inputs == stage.outputs:
            result = self.node("Add", [result, source], f"{name}.sum")
        return result, result_size


def build(tensors):
    """Builds the ONNX model out of the checkpoint's tensors, and refuses to leave one unused."""
    network = Network(dict(tensors))
    network.weight("zero", 0.0)
    network.weight("six", 6.0)
    result, size = network.convolution("image", RESOLUTION, "_conv_stem", "_bn0", (32, 3, 3, 3), 2)
    number = 0
    for stage in STAGES:
        for repeat in range(stage.repeats):
            inputs = stage.outputs if repeat else stage.inputs
            stride = 1 if repeat else stage.stride
            result, size = network.block(result, size, f"_blocks.{number}", stage, inputs, stride)
            number += 1
    result, size = network.convolution(result, size, "_conv_head", "_bn1", (FEATURES, STAGES[-1].outputs, 1, 1), 1)
    result = network.node("GlobalAveragePool", [result], "pooled")
    result = network.node("Flatten", [result], "features", axis=1)
    classifier = network.weight("classifier", network.take("_fc.weight", (CLASSES, FEATURES)))
    bias = network.weight("bias", network.take("_fc.bias", (CLASSES,)))
    network.node("Gemm", [result, classifier, bias], "logits", transB=1)
    if network.tensors:
        raise ValueError(f"the checkpoint holds more than the network: {sorted(network.tensors)}")

    def described(name, shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

    graph = helper.make_graph(
        network.nodes,
        "efficientnet-lite0",
        [described("image", [1, 3, RESOLUTION, RESOLUTION])],
        [described("features", [1, FEATURES]), described("logits", [1, CLASSES])],
        network.weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    return model


def read_class_names(path):
    """Reads the literal list `imagenet_classnames` of a Python source without running it."""
    with open(path, encoding="utf-8") as file:
        module = ast.parse(file.read())
    for statement in module.body:
        if isinstance(statement, ast.Assign) and [ast.unparse(t) for t in statement.targets] == ["imagenet_classnames"]:
            names = ast.literal_eval(statement.value)
            break
    else:
        raise ValueError("the source has no list of class names")
    if len(names) != CLASSES or any(not isinstance(n, str) or not n.strip() or "\n" in n for n in names):
        raise ValueError(f"expected {CLASSES} class names of one line each")
    return names


def main():
    checkpoint, names_source, out = sys.argv[1:]
    onnx.save(build(read_checkpoint(checkpoint)), os.path.join(out, "efficientnet-lite0.onnx"))
    with open(os.path.join(out, "labels.txt"), "w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{name}\n" for name in read_class_names(names_source))


if __name__ == "__main__":
    main()

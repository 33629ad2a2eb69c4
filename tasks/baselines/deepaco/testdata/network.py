"""DeepACO's network in PyTorch, written from its description. Go's tests expect its numbers.

usage: network.py                     writes torch.json and tiny.pt next to this file
       network.py CHECKPOINT.pt       compares with the cases of net.json for that checkpoint

The numbers are from PyTorch 1.13.1 on a CPU, in float64. The weights for torch.json come from a
formula that is also in net_test.go, so they need no file.
"""

import json
import math
import sys
from collections import OrderedDict
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.functional import silu

WIDTH, DEPTH = 32, 12
HERE = Path(__file__).parent


class Norm(nn.Module):
    """Batch normalisation over all cities or edges."""

    def __init__(self) -> None:
        super().__init__()
        self.module = nn.BatchNorm1d(WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        return self.module(x)


def linears(n: int) -> nn.ModuleList:
    return nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(n))


class Trunk(nn.Module):
    """Twelve rounds of gated messages between cities and edges."""

    def __init__(self) -> None:
        super().__init__()
        self.v_lin0, self.e_lin0 = nn.Linear(2, WIDTH), nn.Linear(1, WIDTH)
        self.v_lins1, self.v_lins2, self.v_lins3, self.v_lins4 = (
            linears(DEPTH) for _ in range(4)
        )
        self.e_lins0 = linears(DEPTH)
        self.v_bns, self.e_bns = (
            nn.ModuleList(Norm() for _ in range(DEPTH)) for _ in range(2)
        )

    def forward(
        self, coords: Tensor, start: Tensor, end: Tensor, lengths: Tensor, k: int
    ) -> list[tuple[Tensor, Tensor]]:
        """Returns the features of cities (n, 32) and edges (n*k, 32) after each layer."""
        h, e = silu(self.v_lin0(coords)), silu(self.e_lin0(lengths[:, None]))
        states = [(h, e)]
        for i in range(DEPTH):
            message = torch.sigmoid(e) * self.v_lins2[i](h)[end]
            mean = torch.zeros_like(h).index_add_(0, start, message) / k
            h2 = h + silu(self.v_bns[i](self.v_lins1[i](h) + mean))
            e = e + silu(
                self.e_bns[i](
                    self.e_lins0[i](e)
                    + self.v_lins3[i](h)[start]
                    + self.v_lins4[i](h)[end]
                )
            )
            h = h2
            states.append((h, e))
        return states


class Head(nn.Module):
    """Rates edges by their features."""

    def __init__(self) -> None:
        super().__init__()
        self._dummy = nn.Parameter(torch.empty(0))
        self.lins = nn.ModuleList(
            [nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 1)]
        )

    def forward(self, e: Tensor) -> Tensor:
        e = silu(self.lins[1](silu(self.lins[0](e))))
        return torch.sigmoid(self.lins[2](e)).flatten()


class Network(nn.Module):
    """The whole network. Its parts have the names of the published checkpoints."""

    def __init__(self) -> None:
        super().__init__()
        self.emb_net, self.par_net_phe, self.par_net_heu = Trunk(), Head(), Head()


def mix(x: int) -> int:
    """Returns one step of SplitMix64."""
    x = (x + 0x9E3779B97F4A7C15) % 2**64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
    return x ^ x >> 31


def bounds(name: str) -> tuple[float, float]:
    """Returns the range of a tensor's weights. Its width is a power of two, exact in float32."""
    if name.endswith("running_var"):
        return 0.5, 2.5
    if name.endswith("running_mean"):
        return -1, 1
    if "_bns." in name and name.endswith(".weight"):
        return 0.5, 1.5
    return (-0.0625, 0.0625) if name.endswith("lins.0.weight") else (-0.25, 0.25)


def formula(names: dict[str, Tensor]) -> dict[str, Tensor]:
    """Fills the float tensors, in the order of their names, with numbers of 20 bits."""
    state, count = {}, 0
    for name, t in sorted(names.items()):
        state[name] = t
        if t.is_floating_point():
            low, high = bounds(name)
            values = [
                low + (high - low) * (mix(count + i) >> 44) / 2**20
                for i in range(t.numel())
            ]
            state[name] = torch.tensor(values, dtype=torch.float32).reshape(t.shape)
            count += t.numel()
    return state


def run(
    net: Network, coords: list[float], neighbours: list[list[int]], lengths: list[float]
) -> dict:
    """Returns the entry of net.json for a case, in float64."""
    net = net.double().eval()
    k = len(neighbours[0])
    start = torch.arange(len(neighbours)).repeat_interleave(k)
    end = torch.tensor(neighbours).flatten()
    with torch.no_grad():
        xy = torch.tensor(coords, dtype=torch.float32).double().reshape(-1, 2)
        states = net.emb_net(
            xy, start, end, torch.tensor(lengths, dtype=torch.float32).double(), k
        )
        layers = {
            str(i): {
                "x_node0_first4": states[i][0][0, :4].tolist(),
                "x_sum": states[i][0].sum().item(),
                "e_edge0_first4": states[i][1][0, :4].tolist(),
                "e_sum": states[i][1].sum().item(),
            }
            for i in (0, 1, 6, 12)
        }
        return {
            "heuristic_f64": net.par_net_heu(states[-1][1]).tolist(),
            "layers_f64": layers,
        }


def graph(n: int, k: int) -> tuple[list[float], list[list[int]], list[float]]:
    """Returns float32 coordinates from a formula, k nearest cities of each city, and distances."""
    coords = torch.tensor(
        [math.modf((i + 1) * 0.6180339887498949)[0] for i in range(2 * n)]
    ).reshape(-1, 2)
    difference = coords[:, None] - coords[None]
    d = (difference[..., 0] ** 2 + difference[..., 1] ** 2).sqrt() + torch.eye(n) * 1e9
    lengths, neighbours = d.sort(dim=1, stable=True)
    return (
        coords.flatten().tolist(),
        neighbours[:, :k].tolist(),
        lengths[:, :k].flatten().tolist(),
    )


def write() -> None:
    net = Network()
    net.load_state_dict(formula(net.state_dict()))
    cases = []
    for n, k in ((12, 5), (30, 10)):
        coords, neighbours, lengths = graph(n, k)
        case = {
            "name": f"formula_n{n}_k{k}",
            "n": n,
            "k_sparse": k,
            "coords_f32": coords,
        }
        case |= {"neighbour_index": neighbours, "edge_length_f32": lengths}
        cases.append(case | run(net, coords, neighbours, lengths))
    made = f"tasks/baselines/deepaco/testdata/network.py, PyTorch {torch.__version__}, CPU, float64"
    lines = ",\n".join(json.dumps(case) for case in cases)
    (HERE / "torch.json").write_text(
        f'{{"made_by": {json.dumps(made)}, "cases": [\n{lines}\n]}}\n'
    )
    tiny = {
        "lin.weight": torch.tensor([[1.0, -2.5, 3.25], [0.1, 1e-30, -0.0]]),
        "lin.bias": torch.tensor([0.5, 7.0]),
        "bn.num_batches_tracked": torch.tensor(640),
        "_dummy": torch.empty(0),
        "scale": torch.tensor(1.5),
    }
    torch.save(OrderedDict(tiny), HERE / "tiny.pt", pickle_protocol=2)


def compare(checkpoint: Path) -> None:
    net = Network()
    net.load_state_dict(torch.load(checkpoint, map_location="cpu"))
    for case in json.loads((HERE / "net.json").read_text())["cases"]:
        if case["checkpoint"] == checkpoint.name:
            got = run(
                net,
                case["coords_f32"],
                case["neighbour_index"],
                case["edge_length_f32"],
            )
            worst = max(
                abs(a / b - 1)
                for a, b in zip(
                    got["heuristic_f64"], case["heuristic_f64"], strict=True
                )
            )
            print(f"{case['name']}: largest relative difference {worst:.1e}")


if __name__ == "__main__":
    compare(Path(sys.argv[1])) if len(sys.argv) > 1 else write()

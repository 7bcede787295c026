"""Prints as JSON how many milliseconds PyTorch takes for softmax(q kT / sqrt(d)) v on one thread; argument: the rounds."""
import json
import statistics
import sys
import time

import torch

torch.set_num_threads(1)
torch.manual_seed(1)
rounds = int(sys.argv[1])
times = {}
with torch.no_grad():
    for n in (1024, 2048):
        q, k, v = (torch.randn(n, 64) for _ in range(3))
        seconds = []
        for _ in range(rounds + 3):  # the first three warm up
            start = time.perf_counter()
            torch.softmax((q @ k.T) * 64**-0.5, dim=1) @ v
            seconds.append(time.perf_counter() - start)
        times[f"attention {n}"] = statistics.median(seconds[3:]) * 1e3
print(json.dumps({"version": torch.__version__, "times": times}))

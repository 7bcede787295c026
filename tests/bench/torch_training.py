"""Prints as JSON how many milliseconds PyTorch takes on one thread for the training step of training.h; argument: the rounds."""
import json
import statistics
import sys
import time

import torch
from torch import nn

PAIRS, WORDS, VOCABULARY, EMBEDDING, HIDDEN = 32, 10, 64, 32, 64

torch.set_num_threads(1)
torch.manual_seed(1)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.source, self.target = nn.Embedding(VOCABULARY, EMBEDDING), nn.Embedding(VOCABULARY, EMBEDDING)
        self.encoder = nn.GRU(EMBEDDING, HIDDEN, bidirectional=True)
        self.first_state = nn.Linear(HIDDEN, HIDDEN)
        self.query, self.key = nn.Linear(HIDDEN, HIDDEN, bias=False), nn.Linear(2 * HIDDEN, HIDDEN, bias=False)
        self.v = nn.Linear(HIDDEN, 1, bias=False)
        self.decoder = nn.GRUCell(EMBEDDING + 2 * HIDDEN, HIDDEN)
        self.output = nn.Linear(3 * HIDDEN, VOCABULARY)

    def forward(self, source, previous):
        states, _ = self.encoder(self.source(source))
        keys = self.key(states)
        s = torch.tanh(self.first_state(states[0, :, HIDDEN:]))
        words, steps = self.target(previous), []
        for word in words:
            weights = torch.softmax(self.v(torch.tanh(self.query(s)[None] + keys)), dim=0)
            context = (weights * states).sum(0)
            s = self.decoder(torch.cat([word, context], dim=1), s)
            steps.append(torch.cat([s, context], dim=1))
        return self.output(torch.stack(steps))


model = Model()
optimiser = torch.optim.Adam(model.parameters(), lr=1e-3)
source = torch.randint(0, VOCABULARY, (WORDS, PAIRS))
target = torch.randint(0, VOCABULARY, (WORDS, PAIRS))


def step():
    optimiser.zero_grad()
    loss = nn.functional.cross_entropy(model(source, target).view(-1, VOCABULARY), target.view(-1))
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()


milliseconds = []
for _ in range(int(sys.argv[1]) + 3):  # the first three warm up
    start = time.process_time()
    for _ in range(5):
        step()
    milliseconds.append((time.process_time() - start) * 1e3 / 5)
print(json.dumps({'version': torch.__version__, 'milliseconds': statistics.median(milliseconds[3:])}))

"""Serves a model with llama.cpp's own server on 127.0.0.1: serve.py WEIGHTS NAME PORT. It ends with its parent."""
import ctypes
import signal
import sys

import xllamacpp

PR_SET_PDEATHSIG = 1
CONTEXT_TOKENS = 8192

weights, name, port = sys.argv[1:]
# A shell starts its background processes without Ctrl-C.
signal.signal(signal.SIGINT, signal.SIG_DFL)
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)

parameters = xllamacpp.CommonParams()
parameters.model.path = weights
parameters.model_alias = {name}
parameters.hostnames = ["127.0.0.1"]
parameters.port = int(port)
parameters.n_ctx = CONTEXT_TOKENS
# One request at a time gets both cores and the whole context; others wait in line.
parameters.n_parallel = 1
# Between two batches of a prompt the server says how far it is, and sees that nobody waits for the answer any more.
parameters.n_batch = 256
# Prompts that are kept for the next question, in MiB of memory.
parameters.cache_ram_mib = 512
parameters.endpoint_metrics = True
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
while True:
    signal.pause()

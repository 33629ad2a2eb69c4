"""Serve one model with llama.cpp until standard input closes. scripts/small-model runs this.

Arguments: WEIGHTS NAME PORT THREADS CONTEXT.
"""

import sys

import xllamacpp


def main() -> None:
    """Serve on loopback."""
    path, name, port, threads, context = sys.argv[1:]
    p = xllamacpp.CommonParams()
    p.model.path = path
    p.model_alias = {name}
    p.hostnames = ["127.0.0.1"]
    p.port = int(port)
    p.n_parallel = 1
    p.n_ctx = int(context)
    # llama.cpp's threads wait in busy loops, so on a busy machine several are slower than one.
    p.cpuparams.n_threads = int(threads)
    p.cpuparams_batch.n_threads = int(threads)
    p.cache_prompt = True
    p.sampling.seed = 0  # for requests without a seed
    server = xllamacpp.Server(p)
    print(server.listening_address, flush=True)
    sys.stdin.buffer.read()


if __name__ == "__main__":
    main()

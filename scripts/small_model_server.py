"""Serve one model with OpenVINO until standard input closes. scripts/small-model runs this.

Arguments: WEIGHTS NAME PORT THREADS CONTEXT PARALLEL. The server speaks the part of OpenAI's
protocol that pacebench needs: POST /v1/chat/completions with text, not streamed. Requests that
come together are computed together, which is several times faster than one after the other.
"""

import http.server
import itertools
import json
import os
import queue
import select
import socket
import sys
import threading
import time
import traceback
from typing import Any

import openvino_genai as genai

MOST_BYTES = 1 << 24  # of a request
LONGEST_CYCLE = 128  # tokens; see cycles


class Refused(Exception):
    """A request that the server cannot answer."""


class Job:
    """A request that is being answered."""

    def __init__(
        self, prompt: Any, config: genai.GenerationConfig, stop_repeats: bool
    ) -> None:
        """Keep the tokens of the prompt and the settings."""
        self.prompt, self.config, self.stop_repeats = prompt, config, stop_repeats
        self.handle: Any = None
        self.written: list[int] = []  # the tokens of the answer so far
        self.cut = False  # at max_tokens, or because the answer repeats itself
        self.done = threading.Event()
        self.dropped = False  # whether the client has gone
        self.came = self.began = self.ended = time.monotonic()


class Engine:
    """One model. It computes the next token of all its jobs in one step."""

    def __init__(self, path: str, threads: int, context: int, parallel: int) -> None:
        """Load the weights. 0 threads means all cores."""
        scheduler = genai.SchedulerConfig()
        scheduler.max_num_seqs = parallel
        scheduler.enable_prefix_caching = True
        properties = {"INFERENCE_NUM_THREADS": threads} if threads else {}
        self.pipeline = genai.ContinuousBatchingPipeline(
            path, scheduler, "CPU", properties
        )
        self.tokenizer = self.pipeline.get_tokenizer()
        self.context = context
        self.new: queue.SimpleQueue[Job] = queue.SimpleQueue()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        """Compute jobs until the process ends. An error ends the process."""
        numbers = itertools.count()
        jobs: list[Job] = []
        try:
            while True:
                while not jobs or not self.new.empty():
                    job = self.new.get()
                    job.handle = self.pipeline.add_request(
                        next(numbers), job.prompt, job.config
                    )
                    jobs.append(job)
                self.pipeline.step()
                for job in jobs:
                    self.look(job)
                jobs = [job for job in jobs if not job.done.is_set()]
        finally:
            traceback.print_exc()
            os._exit(1)

    def look(self, job: Job) -> None:
        """Collect the new tokens of a job, note its times, and stop it if need be.

        A job is stopped if its client has gone, or if its answer repeats itself and the request
        asked for this check.
        """
        now = time.monotonic()
        while job.handle.can_read():
            if not job.written:
                job.began = now
            for output in job.handle.read().values():
                job.written += output.generated_ids
                job.cut = output.finish_reason == genai.GenerationFinishReason.LENGTH
        repeats = job.stop_repeats and cycles(job.written)
        if job.dropped or repeats:
            job.handle.stop()
        if repeats or job.handle.get_status() != genai.GenerationStatus.RUNNING:
            job.cut = job.cut or repeats
            job.ended = now
            job.done.set()

    def job(self, body: dict[str, Any]) -> Job:
        """Queue a request, and return its job."""
        if body.get("stream"):
            raise Refused("this server does not stream")
        text = self.tokenizer.apply_chat_template(messages(body), True)
        prompt = self.tokenizer.encode(text, add_special_tokens=False).input_ids
        room = self.context - prompt.shape[1]
        if room < 1:
            raise Refused(f"the prompt exceeds the context of {self.context} tokens")
        config = self.pipeline.get_config()
        config.max_new_tokens = min(int(body.get("max_tokens") or room), room)
        temperature = float(body.get("temperature", 1))
        config.do_sample = temperature > 0
        if config.do_sample:
            config.temperature = temperature
            config.top_p = float(body.get("top_p", 1))
            config.rng_seed = int(body.get("seed") or 0)
        job = Job(prompt, config, bool(body.get("stop_repeats")))
        self.new.put(job)
        return job

    def answer(self, job: Job, name: str) -> dict[str, Any]:
        """Return the answer of a job that is done."""
        read, written = job.prompt.shape[1], len(job.written)
        seconds = max(job.began - job.came, 1e-9), max(job.ended - job.began, 1e-9)
        content = self.tokenizer.decode(job.written)
        return {
            "object": "chat.completion",
            "created": int(time.time()),
            "model": name,
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": content},
                    "finish_reason": "length" if job.cut else "stop",
                }
            ],
            "usage": {
                "prompt_tokens": read,
                "completion_tokens": written,
                "total_tokens": read + written,
            },
            "timings": {
                "prompt_per_second": read / seconds[0],
                "predicted_per_second": (written - 1) / seconds[1],
            },
        }


def cycles(tokens: list[int]) -> bool:
    """Report whether the end of an answer is four times the same text of at least 24 tokens.

    The text may itself be a repetition of something shorter. It has at most LONGEST_CYCLE tokens.
    """
    for cycle in range(24, min(LONGEST_CYCLE, len(tokens) // 4) + 1):
        if tokens[-3 * cycle :] == tokens[-4 * cycle : -cycle]:
            return True
    return False


def messages(body: dict[str, Any]) -> list[dict[str, str]]:
    """Return the messages of a request, each with its text in one piece."""
    found = []
    for message in body["messages"]:
        content = message["content"]
        if not isinstance(content, str):
            if any(part["type"] != "text" for part in content):
                raise Refused("this model reads text only")
            content = "".join(part["text"] for part in content)
        found.append({"role": str(message["role"]), "content": content})
    return found


def gone(connection: socket.socket) -> bool:
    """Report whether the client has closed the connection."""
    try:
        readable, _, _ = select.select([connection], [], [], 0)
        return bool(readable) and not connection.recv(1, socket.MSG_PEEK)
    except OSError:
        return True


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers requests. The class attributes are set before the server starts."""

    protocol_version = "HTTP/1.1"
    engine: Engine
    name: str

    def log_message(self, *_: object) -> None:
        """Log nothing."""

    def send(self, status: int, body: dict[str, Any]) -> None:
        """Send JSON."""
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self) -> None:
        """Answer a chat completion."""
        try:
            size = int(self.headers.get("Content-Length") or 0)
            if self.path != "/v1/chat/completions" or not 0 < size <= MOST_BYTES:
                raise Refused("not a chat completion, or larger than 16 MiB")
            job = self.engine.job(json.loads(self.rfile.read(size)))
        except (Refused, ValueError, TypeError, KeyError, AttributeError) as e:
            self.close_connection = True
            self.send(400, {"error": {"message": str(e)}})
            return
        while not job.done.wait(0.5):
            job.dropped = job.dropped or gone(self.connection)
        if job.dropped:
            self.close_connection = True
        elif job.handle.get_status() == genai.GenerationStatus.IGNORED:
            self.send(400, {"error": {"message": "the request needs too much memory"}})
        else:
            self.send(200, self.engine.answer(job, self.name))


def main() -> None:
    """Serve on loopback."""
    path, Handler.name, port, threads, context, parallel = sys.argv[1:]
    address = ("127.0.0.1", int(port))
    with http.server.ThreadingHTTPServer(address, Handler) as server:
        Handler.engine = Engine(path, int(threads), int(context), int(parallel))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.buffer.read()
        os._exit(0)  # without waiting for the engine


if __name__ == "__main__":
    main()

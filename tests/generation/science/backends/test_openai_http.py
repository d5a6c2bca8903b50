"""The OpenAI-compatible back end: against a real server, and against scripted faults."""

import http.server
import json
import os
import socket
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest

from generation.science.backends.openai_http import OpenAIBackend
from generation.science.backends.protocol import Failure, OptionsError, Output

CACHE = Path("unused")


@pytest.fixture(scope="module")
def real_server(tiny_model, tmp_path_factory):
    """`transformers serve` on the tiny model, its own process."""
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        pytest.skip("no server to test against: pip install 'transformers[serving]'")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = str(Path(sys.executable).with_name("transformers"))
    command = [program, "serve", str(tiny_model), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    log = tmp_path_factory.mktemp("serve") / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT)
    address = f"http://127.0.0.1:{port}/v1"
    try:
        deadline = time.monotonic() + 90
        while True:
            try:
                httpx.get(f"{address}/models", timeout=5).raise_for_status()
                break
            except httpx.HTTPError:
                if server.poll() is not None or time.monotonic() > deadline:
                    pytest.fail(f"the server did not start:\n{log.read_text()[-3000:]}", pytrace=False)
                time.sleep(0.3)
        yield address
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


@pytest.mark.xdist_group("language models")
class TestRealServer:
    def test_texts_are_written_with_their_usage(self, real_server, tiny_model, request_at):
        options = {"base_url": real_server, "model": str(tiny_model), "concurrency": 1, "timeout": 60}
        backend = OpenAIBackend.from_options(options, cache=CACHE)
        first, second = backend.generate(request_at(1.0), [1, 2])
        assert isinstance(first, Output), first
        assert first.text != second.text
        assert first.prompt_tokens > 5
        assert 0 < first.tokens <= 24
        assert first.finish_reason in {"stop", "length"}
        assert first.details["temperature_honoured"] is True
        assert first.seconds > 0

    def test_a_model_it_does_not_have_is_a_failure(self, real_server, request_at):
        options = {"base_url": real_server, "model": "no/such-model", "attempts": 1}
        (outcome,) = OpenAIBackend.from_options(options, cache=CACHE).generate(request_at(0.0), [1])
        assert isinstance(outcome, Failure)
        assert real_server in outcome.error


def completion(text="A text.", **fields):
    message = {"role": "assistant", "content": text}
    return 200, {}, {"choices": [{"message": message, "finish_reason": "stop"}]} | fields


@pytest.fixture
def scripted():
    """A server that gives the next answer of a script, or calls it with the request; `None` drops the connection."""
    script, seen = [], []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.append((self.path, dict(self.headers), body))
            answer = script.pop(0) if len(script) > 1 else script[0]
            answer = answer(body) if callable(answer) else answer
            if answer is None:
                self.connection.close()
                return
            status, headers, content = answer
            payload = content.encode() if isinstance(content, str) else json.dumps(content).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def serve(*answers, **options):
        script[:] = answers
        base = {"base_url": f"http://127.0.0.1:{server.server_port}/v1/", "model": "m", "concurrency": 1}
        backend = OpenAIBackend.from_options(base | options, cache=CACHE)
        backend.first_wait = 0.001
        return backend, seen

    yield serve
    server.shutdown()
    server.server_close()


def test_what_is_asked(scripted, request_at, monkeypatch):
    monkeypatch.setenv("LAB_API_KEY", "sk-secret")
    backend, seen = scripted(completion(usage={"prompt_tokens": 7, "completion_tokens": 3}), api_key_env="LAB_API_KEY")
    (outcome,) = backend.generate(request_at(0.0), [42])
    path, headers, body = seen[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == "Bearer sk-secret"
    assert body == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "You write."},
            {"role": "user", "content": "How do tailings settle?"},
        ],
        "temperature": 0.0,
        "seed": 42,
        "max_tokens": 24,
        "stream": False,
    }
    assert (outcome.text, outcome.prompt_tokens, outcome.tokens) == ("A text.", 7, 3)
    assert "sk-secret" not in json.dumps(backend.describe()) + str(outcome)


def test_no_key_is_sent_where_none_is_named(scripted, request_at):
    backend, seen = scripted(completion(), token_limit_field="max_completion_tokens")
    backend.generate(request_at(0.0), [1])
    assert "Authorization" not in seen[0][1]
    assert seen[0][2]["max_completion_tokens"] == 24
    assert "max_tokens" not in seen[0][2]


@pytest.mark.parametrize(
    "fault", [(429, {"Retry-After": "0"}, {}), (503, {}, "busy"), (500, {}, "<html>"), None], ids=str
)
def test_passing_faults_are_tried_again(scripted, request_at, fault):
    backend, seen = scripted(fault, fault, completion())
    (outcome,) = backend.generate(request_at(0.0), [1])
    assert isinstance(outcome, Output)
    assert len(seen) == 3


def test_a_fault_that_stays_is_a_transient_failure_that_says_how_often(scripted, request_at):
    backend, seen = scripted((503, {}, "overloaded"), attempts=3)
    (outcome,) = backend.generate(request_at(0.0), [1])
    assert outcome.is_transient
    assert "answered 503: overloaded (3 tries)" in outcome.error
    assert len(seen) == 3


@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_a_refusal_is_final(scripted, request_at, status):
    backend, seen = scripted((status, {}, {"error": {"message": "no such model"}}))
    (outcome,) = backend.generate(request_at(0.0), [1])
    assert not outcome.is_transient
    assert "no such model" in outcome.error
    assert len(seen) == 1


@pytest.mark.parametrize(
    "content",
    ["<html>hello</html>", {}, {"choices": []}, {"choices": [{}]}, [1], {"choices": [{"message": {"content": None}}]}],
    ids=str,
)
def test_an_answer_that_is_none_is_a_failure(scripted, request_at, content):
    backend, _ = scripted((200, {}, content))
    (outcome,) = backend.generate(request_at(0.0), [1])
    assert isinstance(outcome, Failure)
    assert outcome.error.startswith("the server's answer")


def test_one_failing_run_leaves_the_others(scripted, request_at):
    backend, _ = scripted(lambda body: (400, {}, "bad") if body["seed"] == 2 else completion(f"Seed {body['seed']}."))
    outcomes = backend.generate(request_at(0.0), [1, 2, 3])
    assert [getattr(outcome, "text", None) for outcome in outcomes] == ["Seed 1.", None, "Seed 3."]


def test_outcomes_stand_in_the_order_of_the_seeds_however_long_each_takes(scripted, request_at):
    def slower_first(body):
        time.sleep(0.2 if body["seed"] == 1 else 0)
        return completion(f"Seed {body['seed']}.")

    backend, _ = scripted(slower_first, concurrency=4)
    outcomes = backend.generate(request_at(0.0), [1, 2, 3, 4])
    assert [outcome.text for outcome in outcomes] == ["Seed 1.", "Seed 2.", "Seed 3.", "Seed 4."]


def test_a_server_that_ignores_temperature_is_found_out_and_named(scripted, request_at, caplog):
    backend, seen = scripted(completion("Always the same."))
    (outcome,) = backend.generate(request_at(0.7), [5])
    assert outcome.details["temperature_honoured"] is False
    assert "ignores temperature or seed" in caplog.text
    assert [body["seed"] for _, _, body in seen] == [1, 2, 5]
    assert [body["temperature"] for _, _, body in seen] == [1.0, 1.0, 0.7]
    backend.generate(request_at(0.7), [6])
    assert len(seen) == 4


def test_a_server_that_heeds_it_is_asked_once(scripted, request_at):
    backend, _ = scripted(lambda body: completion(f"Seed {body['seed']}."))
    assert backend.generate(request_at(0.7), [5])[0].details["temperature_honoured"] is True


def test_temperature_zero_needs_no_probe(scripted, request_at):
    backend, seen = scripted(completion())
    backend.generate(request_at(0.0), [5])
    assert len(seen) == 1


def test_a_server_that_is_not_there_is_a_transient_failure(request_at):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    backend = OpenAIBackend(base_url=f"http://127.0.0.1:{port}/v1", model="m", attempts=2, first_wait=0.001)
    (outcome,) = backend.generate(request_at(0.0), [1])
    assert outcome.is_transient
    assert "ConnectError" in outcome.error


def test_waits_double_up_to_a_limit_and_obey_the_server():
    backend = OpenAIBackend(base_url="http://x/v1", model="m", first_wait=1.0)
    assert all(0.5 * 2**n <= backend._wait(n, None) <= 2**n for n in range(5))
    assert backend._wait(20, None) == 60
    assert backend._wait(0, "7") == 7
    assert backend._wait(0, "100000") == 60
    assert backend._wait(0, "Wed, 21 Oct 2026 07:28:00 GMT") <= 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "option base_url must be given"),
        ({"base_url": "http://x/v1"}, "option model must be given"),
        ({"base_url": "file:///etc/passwd", "model": "m"}, "must begin with http"),
        ({"base_url": "http://u:p@x/v1", "model": "m"}, "hold no password"),
        ({"base_url": "http://x/v1", "model": "m", "api_key_env": "SECRET_KEY"}, "ends in _API_KEY"),
        ({"base_url": "http://x/v1", "model": "m", "api_key": "sk-1"}, "unknown option api_key"),
        ({"base_url": "http://x/v1", "model": "m", "timeout": 0}, "option timeout must be"),
        ({"base_url": "http://x/v1", "model": "m", "token_limit_field": "n"}, "token_limit_field must be"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, said):
    with pytest.raises(OptionsError, match=said):
        OpenAIBackend.from_options(options, cache=CACHE)

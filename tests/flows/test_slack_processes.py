"""Web process, workers and `brain up` as processes: light, forkable, quiet, unkillable, and gone after Ctrl-C."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from assistant.graph.servers.sockets import folder as runtime_folder
from tests.fakes import slack_requests as made
from tests.fakes.slack_server import TOKEN, FakeSlack, running
from tests.fakes.storm import ROOT, Pipeline, free_port, storm, wait_for

HEAVY = ("torch", "sentence_transformers", "litellm", "transformers", "assistant.embed", "assistant.agent", "numpy")
WEB = f"""
import sys
from pathlib import Path
from assistant.settings import Settings
from assistant.graph.servers.embedded import Servers
from workers.web import serve
serve.web_app(Settings(slack_bot_token="x", slack_signing_secret="s"), Servers("unix:///no/g", "unix:///no/q"))
status = Path("/proc/self/status")  # unlike getrusage, it starts anew for a program that a large one started
peak = status.read_text().split("VmHWM:")[1].split()[0] if status.exists() else 0
print(int(peak) / 1024, sorted(set({HEAVY!r}) & set(sys.modules)))
"""
CANARY = "purplewalrus"


def test_the_web_process_is_light() -> None:
    done = subprocess.run([sys.executable, "-c", WEB], cwd=ROOT, capture_output=True, text=True, check=True)
    megabytes, heavy = done.stdout.strip().split(" ", 1)
    assert heavy == "[]"
    assert float(megabytes) <= 120


def test_a_worker_with_the_model_loaded_forks_and_answers(filled_home: Path) -> None:
    pipeline = Pipeline(filled_home, 1, embed=True)
    with pipeline.running():
        ts = f"{int(time.time())}.000001"
        assert pipeline.send(made.envelope(made.mention("What is the trial threshold?", ts, channel="C7")))[0] == 200
        end = time.monotonic() + 120
        while not any(message.get("updates") for message in pipeline.messages().get("C7", ())):
            assert time.monotonic() < end
            time.sleep(0.2)
        [answer] = pipeline.messages()["C7"]
        assert "31" in answer["text"]


def test_under_fire_nothing_is_lost_nothing_doubled_and_nothing_said_is_logged(filled_home: Path) -> None:
    pipeline = Pipeline(filled_home, 2, embed=False, drop=0.1)
    with pipeline.running():
        outcome = storm(pipeline, events=40, rate=8, duplicates=0.1, kill_every=2.0, patience=150)
        said = made.envelope(made.mention(f"what about {CANARY}?", f"{int(time.time())}.5", channel="C8"))
        pipeline.send(said)
        time.sleep(2.0)
    assert (outcome.lost, outcome.double, outcome.refused) == (0, 0, 0), outcome.line()
    assert outcome.kills >= 2
    logs = "".join(file.read_text(errors="replace") for file in filled_home.glob("*.log"))
    assert [word for word in (CANARY, TOKEN, made.SECRET, "trial threshold") if word in logs] == []


def test_up_runs_everything_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    port = free_port()
    with running(FakeSlack()) as slack:
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("BRAIN_", "SLACK_"))},
            "BRAIN_HOME": str(tmp_path),
            "BRAIN_CACHE": str(tmp_path / "cache"),
            "BRAIN_PORT": str(port),
            "SLACK_BOT_TOKEN": TOKEN,
            "SLACK_SIGNING_SECRET": made.SECRET,
            "SLACK_API_URL": slack.url,
        }
        log = (tmp_path / "up.log").open("wb")
        command = [sys.executable, "-m", "workers.cli", "up"]
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            wait_for(f"http://127.0.0.1:{port}/healthz")
            pipeline = Pipeline(tmp_path, 0, embed=False, port=port)
            assert pipeline.send(made.envelope(made.mention("anything?", "100.1")))[0] == 200
            end = time.monotonic() + 120
            while not any(message.get("updates") for message in slack.by_us(made.CHANNEL)):
                assert time.monotonic() < end
                time.sleep(0.2)
            assert "nothing is known yet" in slack.by_us(made.CHANNEL)[0]["text"]
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
        finally:
            process.kill()
            process.wait()
            log.close()
    left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(tmp_path) not in left
    assert list(runtime_folder(tmp_path / "servers").glob("*.sock")) == []

"""A server of the checkout on a free port, for as long as a block lasts."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
BINARY = ROOT / "target/debug/image-memory"
FIXTURES = ROOT / "target/debug/examples/mcp_fixtures"


class Server:
    """A program that says where it listens, and keeps its key in its data directory."""

    def __init__(self, command: list[str | Path], data: Path, **env: str) -> None:
        self.command = command
        self.data = data
        self.env = {name: value for name, value in os.environ.items() if "IMAGE_MEMORY" not in name} | env
        self.log = data.with_name(f"{data.name}.log")

    @classmethod
    def real(cls, data: Path, **env: str) -> "Server":
        """The product."""
        return cls([BINARY, "--data-dir", data, "dev", "--listen", "127.0.0.1:0"], data, **env)

    @classmethod
    def fixtures(cls, data: Path, **env: str) -> "Server":
        """The fixtures of the conformance suite behind the product's front."""
        return cls([FIXTURES, data], data, **env)

    def __enter__(self) -> "Server":
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                self.command, cwd=ROOT, env=self.env, stdout=subprocess.PIPE, stderr=log, text=True
            )
        for line in self.process.stdout:
            if "listens on " in line:
                self.url = line.split("listens on ")[1].split(". ")[0]
                self.key = (self.data / "demo-key").read_text().strip()
                return self
        self.process.wait()
        sys.exit(f"{self.command[0]} did not start:\n{self.log.read_text()}")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.stdout.close()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            sys.exit(f"{self.command[0]} did not stop within a minute of being asked to")

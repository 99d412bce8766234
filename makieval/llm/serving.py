"""A model file served to other machines, until the process is ended: the compose file's `model`.

What `embedded` does for one run on loopback, in this process and at an address of one's choice.
The key is not optional: whoever reaches the port may use the processors.
"""

import os
import threading
from pathlib import Path

from makieval.errors import InputError
from makieval.llm.embedded import check_installed, native_server, served_name

KEY_VARIABLE = "MAKIEVAL_MODEL_KEY"


def serve(path: Path, *, host: str, port: int, threads: int) -> None:
    """Serves the GGUF file at `path` for ever; InputError where the environment holds no key."""
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if not key:
        raise InputError(f"serving a model needs a key that clients send: set {KEY_VARIABLE}")
    check_installed()
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    name = served_name(path)
    server = native_server(path, name=name, host=host, port=port, key=key, threads=threads)
    print(f"{name} at {server.listening_address}/v1", flush=True)
    threading.Event().wait()

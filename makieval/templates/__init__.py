"""Study files to start from: the commented one of `makieval init`, and the demo's."""

from pathlib import Path

_FOLDER = Path(__file__).parent

STUDY = (_FOLDER / "study.toml").read_text(encoding="utf-8")
DEMO = (_FOLDER / "demo.toml").read_text(encoding="utf-8")

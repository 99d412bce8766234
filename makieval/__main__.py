"""`python -m makieval` is `makieval`."""

from makieval.cli import main

main()

"""`python -m workers.cli`, for processes that a command starts."""

from workers.cli import main

main()

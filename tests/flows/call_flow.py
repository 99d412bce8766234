"""Calls the flow as a function with a Study, in a process of its own: STUDY STORE.

The retries of an outage come after a moment instead of half a minute.
"""

import json
import sys

from flows import study as flows
from makieval.study import Study

if __name__ == "__main__":
    for staged in flows.TASKS.values():
        staged.retry_delay_seconds = 0.1
    print(json.dumps(flows.study_flow(Study.load(sys.argv[1]), sys.argv[2])))

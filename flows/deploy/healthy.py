"""Exit code 0 if the address answers 200: the health check of services that speak HTTP."""

import sys
import urllib.request

if __name__ == "__main__":
    try:
        with urllib.request.urlopen(sys.argv[1], timeout=4) as reply:
            sys.exit(0 if reply.status == 200 else 1)
    except OSError as error:
        sys.exit(f"{sys.argv[1]}: {error}")

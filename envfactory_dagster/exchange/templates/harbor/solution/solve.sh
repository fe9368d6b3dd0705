#!/bin/sh
set -eu
exec python3 "$(dirname "$0")/play.py" "${WORLD:-http://world:8000/mcp}"

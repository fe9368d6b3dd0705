"""What a runtime may be told: limits on workers and sessions, and the one switch that turns the sandbox off."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RuntimeSettings:
    sessions_per_worker: int = 256
    """How many sessions of one environment share a process. 1 for code nobody vetted: none then reaches another."""
    call_seconds: float = 5.0
    """How much processor time one tool call, or making one database, may take before its worker is killed."""
    program_seconds: float = 30.0
    """How much processor time a solution program or a verifier may take. Whoever only waits is given several times as
    long."""
    program_calls: int = 500
    """How many tool calls one solution program may make."""
    worker_memory_bytes: int = 1_073_741_824
    most_sessions: int = 100_000
    allow_unsandboxed: bool = False
    """Run untrusted code without the sandbox where this machine offers none. Only for code you wrote yourself."""

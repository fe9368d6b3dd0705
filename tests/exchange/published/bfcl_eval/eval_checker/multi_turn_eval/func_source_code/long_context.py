"""Text that other modules take from here, as BFCL's do."""

GREETING = "Thank you for your patience."

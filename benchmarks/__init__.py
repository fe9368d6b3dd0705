"""Programs that print figures as one JSON object. Nothing here is a test, and no test asserts a time."""

"""The transactional outbox: from rows written with their event to messages acknowledged by the broker."""

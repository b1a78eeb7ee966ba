"""The message bus: streams, consumers and the handling of messages on NATS JetStream."""

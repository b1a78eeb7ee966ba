"""The adapters that come with Arreio: programs of their own that know the contracts, NATS, and one platform each."""

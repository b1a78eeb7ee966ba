CREATE INDEX session_events_probes ON arreio.session_events (recorded_at) WHERE type = 'model.probed';

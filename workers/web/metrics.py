"""What the web process counts, in Prometheus' text format."""

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 3.0)
"""Bounds of the buckets; Slack waits 3 seconds."""


class Metrics:
    """Counters and times of one web process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.requests = Counter(
            "brain_slack_requests", "Requests from Slack by the status they got.", ["status"], registry=self._registry
        )
        self.jobs = Counter(
            "brain_jobs", "Jobs by what became of them: queued, known, failed.", ["outcome"], registry=self._registry
        )
        self.seconds = Histogram(
            "brain_slack_seconds", "Seconds until Slack had its reply.", buckets=SECONDS, registry=self._registry
        )

    def text(self) -> bytes:
        """All of it, as /metrics shows it."""
        return generate_latest(self._registry)

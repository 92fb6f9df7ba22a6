"""A peer that keeps what is sent to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from dorosim.endpoint.ros.outgoing_message import OutgoingMessage


@dataclass
class Ear:
    """A transport that remembers what it gets."""

    topics: set[str] | None = None
    posts: list[OutgoingMessage] = field(default_factory=list)
    changes: int = 0

    def wants(self, topic: str) -> bool:
        return self.topics is None or topic in self.topics

    def send(self, post: OutgoingMessage) -> None:
        self.posts.append(post)

    def change(self) -> None:
        self.changes += 1

    def close(self) -> None:
        pass

    def of(self, topic: str) -> list:
        return [post.message for post in self.posts if post.topic == topic]

"""What RaftOS 0.2.6 takes for granted and Python 3.10 and later do not have. The package itself is not touched."""

import asyncio
import asyncio.futures


class Queue(asyncio.Queue):
    """`asyncio.Queue` took an event loop up to Python 3.9; RaftOS gives it the one that runs anyway."""

    def __init__(self, maxsize=0, *, loop=None):
        super().__init__(maxsize)


asyncio.Queue = Queue
asyncio.queues.Queue = Queue

# Caught by the package where it was before Python 3.8.
asyncio.futures.InvalidStateError = asyncio.InvalidStateError

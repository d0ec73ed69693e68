"""Threads of CPython: a busy one must give way, locks and events have time-outs, asyncio sleeps."""
import asyncio
import queue
import threading
import time


def show(*words):
    print(*words, flush=True)


counter = 0
stop = False


def spin():
    global counter
    while not stop:
        counter += 1


busy = threading.Thread(target=spin)
busy.start()
while counter < 1000:
    pass
stop = True
busy.join()
show("the busy thread gave way")

event = threading.Event()
before = time.monotonic_ns()
show("event", event.wait(0.05), time.monotonic_ns() - before >= 50_000_000)
lock = threading.Lock()
lock.acquire()
show("lock", lock.acquire(timeout=0.03))
threading.Timer(0.02, event.set).start()
show("timer", event.wait(5))
items = queue.Queue()
try:
    items.get(timeout=0.04)
except queue.Empty:
    show("queue empty")


async def main():
    start = time.monotonic_ns()
    await asyncio.gather(asyncio.sleep(0.1), asyncio.sleep(0.2))
    show("asyncio", time.monotonic_ns() - start >= 200_000_000)
    try:
        await asyncio.wait_for(asyncio.Event().wait(), 0.05)
    except asyncio.TimeoutError:
        show("asyncio time-out")


asyncio.run(main())
time.sleep(0.01)
show("done")

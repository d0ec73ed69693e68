"""A node that tells its peers a random number now and then, and prints what it hears."""
import asyncio
import random
import sys

name, port, peers = sys.argv[1], int(sys.argv[2]), [int(peer) for peer in sys.argv[3:]]


def show(*words):
    print(*words, flush=True)


async def hear(reader, writer):
    try:
        while line := await reader.readline():
            show(name, "heard", line.decode().strip())
    except ConnectionError:
        show(name, "lost a peer")
    writer.close()


async def tell(peer):
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", peer)
            while True:
                await asyncio.sleep(random.uniform(0.1, 0.3))
                writer.write(f"{name} {random.randrange(1000)}\n".encode())
                await writer.drain()
        except OSError:
            await asyncio.sleep(0.5)


async def main():
    await asyncio.start_server(hear, "127.0.0.1", port)
    await asyncio.gather(*(tell(peer) for peer in peers))


asyncio.run(main())

"""pools.py METHOD END FOLDER: a pool of workers, each of which writes files; its end is waited for, or it is terminated."""

import multiprocessing
import sys


def write(path):
    with open(path, "wb") as file:
        for _ in range(10):
            file.write(b"x" * 65536)


if __name__ == "__main__":
    method, end, folder = sys.argv[1:]
    paths = [f"{folder}/p{number}.bin" for number in range(16)]
    pool = multiprocessing.get_context(method).Pool(4)
    pool.map(write, paths)
    pool.terminate() if end == "terminated" else pool.close()
    pool.join()

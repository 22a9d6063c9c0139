"""Ways of Python to write or read a file again and again; each marks its line."""

import concurrent.futures
import json
import multiprocessing
import sqlite3
import sys
import threading


def lines(name="out.dat"):
    with open(name, "w") as out:
        for i in range(300):
            print("line", i, file=out, flush=True)  # lines


def thread():
    other = threading.Thread(target=lines)
    other.start()
    other.join()


def pool():
    with multiprocessing.get_context("fork").Pool(2) as workers:
        workers.map(lines, ["out.dat"])


def executor():
    with concurrent.futures.ThreadPoolExecutor(2) as workers:
        list(workers.map(lines, ["out.dat"]))


def library():
    with open("out.dat", "w") as out:
        out.write("[1, 2]")
    for _ in range(300):
        with open("out.dat") as source:  # library
            json.load(source)


def numpy():
    import numpy
    rows = numpy.ones((300, 8))
    with open("out.dat", "wb") as out:
        for row in rows:
            row.tofile(out)  # numpy


def h5py():
    import h5py
    with h5py.File("out.dat", "w") as file:
        data = file.create_dataset("table", (300, 64), chunks=(1, 64))
        for i in range(300):
            data[i] = i  # h5py


def callback():
    import h5py
    with h5py.File("out.dat", "w") as file:
        for i in range(40):
            file[f"group{i}/table"] = [i] * 64
    found = []

    def visit(name, thing):
        if isinstance(thing, h5py.Dataset):
            found.append(thing[0])  # callback

    with h5py.File("out.dat") as file:
        file.visititems(visit)


def database():
    connection = sqlite3.connect("out.dat", isolation_level=None)
    connection.execute("create table t(a)")
    for i in range(40):
        connection.execute("insert into t values (?)", (i,))  # database


if __name__ == "__main__":
    globals()[sys.argv[1]]()

"""A Slurm of its own on this machine: two nodes, each a daemon with another port, and nothing outside one folder."""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "sinfo")
NODES = ("n1", "n2")


def missing():
    """Why there is none; empty: it can be started."""
    where = os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/sbin"])
    absent = [name for name in PROGRAMS if shutil.which(name, path=where) is None]
    if absent:
        return f"no {absent[0]}: scripts/install-deps installs it"
    return "" if os.geteuid() == 0 else "its daemons run as root"


def free_ports(count):
    with contextlib.ExitStack() as open_ones:
        sockets = [open_ones.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def configuration(folder):
    host = socket.gethostname().split(".")[0]
    control, *ports = free_ports(1 + len(NODES))
    nodes = [f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=8"
             for name, port in zip(NODES, ports)]
    return "\n".join([
        "ClusterName=trikal", f"SlurmctldHost={host}(127.0.0.1)", f"SlurmctldPort={control}", "SlurmUser=root", "SlurmdUser=root",
        "AuthType=auth/munge", f"AuthInfo=socket={folder}/munge.socket", "CredType=cred/munge",
        f"StateSaveLocation={folder}/state", f"SlurmdSpoolDir={folder}/spool.%n", f"SlurmctldPidFile={folder}/slurmctld.pid",
        f"SlurmdPidFile={folder}/slurmd.%n.pid", f"SlurmctldLogFile={folder}/slurmctld.log",
        f"SlurmdLogFile={folder}/slurmd.%n.log", "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none",
        "MpiDefault=none", "SlurmdParameters=config_overrides", "ReturnToService=2", "SwitchType=switch/none",
        "SelectType=select/cons_tres", *nodes, f"PartitionName=all Nodes={','.join(NODES)} Default=YES State=UP", ""])


class Slurm:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.chmod(0o755)
        for name in ("state", *(f"spool.{node}" for node in NODES)):
            (self.folder / name).mkdir()
        (self.folder / "slurm.conf").write_text(configuration(self.folder))
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf"),
                            "PATH": os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/sbin"])}
        self.start("munged", "--force", f"--socket={folder}/munge.socket", f"--key-file={key}", f"--pid-file={folder}/munged.pid",
                   f"--log-file={folder}/munged.log", f"--seed-file={folder}/munge.seed")
        self.start("slurmctld")
        for node in NODES:
            self.start("slurmd", "-N", node)
        self.wait_until_idle()

    def start(self, *command):
        """Each goes into the background by itself, and leaves its process id in a file."""
        subprocess.run(command, env=self.environment, check=True, capture_output=True, timeout=60)

    def wait_until_idle(self):
        for _ in range(600):
            told = subprocess.run(["sinfo", "-h", "-N", "-o", "%T"], env=self.environment, capture_output=True, text=True)
            if told.stdout.split() == ["idle"] * len(NODES):
                return
            time.sleep(0.1)
        raise RuntimeError(f"the nodes are {told.stdout.split()}: {(self.folder / 'slurmctld.log').read_text()[-2000:]}")

    def run(self, *command, check=True, environment=None, **more):
        """A command, srun or what starts it, in this Slurm's environment."""
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=180,
                              env={**self.environment, **(environment or {})}, **more)
        assert not check or done.returncode == 0, done.stderr
        return done

    def stop(self):
        for name in (*(f"slurmd.{node}" for node in NODES), "slurmctld", "munged"):
            with contextlib.suppress(OSError, ValueError):
                os.kill(int((self.folder / f"{name}.pid").read_text()), signal.SIGTERM)
        for _ in range(100):
            if not any(self.folder.glob("*.pid")):
                break
            time.sleep(0.1)

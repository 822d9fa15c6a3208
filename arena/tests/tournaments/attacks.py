"""An engine that tries what the sandbox must prevent, and writes down what came of it.

Arguments: the file for the report, and a file of an opponent. The report has one line per attack:
its name, the row of the guide's table that rules it out, and `denied` or what it reached, separated
by tabs. Every attack is harmless where it succeeds: it sets what is set already, or asks for nothing.
"""

import ctypes
import errno
import fcntl
import os
import platform
import signal
import socket
import stat
import struct
import sys
import threading

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long
ARM = platform.machine() == "aarch64"
DENIED = {"EPERM", "EACCES", "ENOSYS"}

# Calls by their numbers on x86-64 and on 64-bit ARM.
CALLS = {
    "acct": (163, 89), "add_key": (248, 217), "adjtimex": (159, 171), "bpf": (321, 280),
    "chroot": (161, 51), "clock_adjtime": (305, 266), "clock_settime": (227, 112),
    "clone3": (435, 435), "delete_module": (176, 106), "fanotify_init": (300, 262),
    "finit_module": (313, 273), "fsconfig": (431, 431), "fsmount": (432, 432),
    "fsopen": (430, 430), "fspick": (433, 433), "init_module": (175, 105), "ioperm": (173, None),
    "iopl": (172, None), "kcmp": (312, 272), "kexec_file_load": (320, 294),
    "kexec_load": (246, 104), "keyctl": (250, 219), "lookup_dcookie": (212, 18),
    "memfd_secret": (447, 447), "mount": (165, 40), "mount_setattr": (442, 442),
    "move_mount": (429, 429), "mq_open": (240, 180), "mq_unlink": (241, 181),
    "open_by_handle_at": (304, 265), "open_tree": (428, 428), "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438), "pivot_root": (155, 41), "process_madvise": (440, 440),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "reboot": (169, 142),
    "request_key": (249, 218), "setdomainname": (171, 162), "sethostname": (170, 161),
    "setns": (308, 268), "settimeofday": (164, 170), "swapoff": (168, 225), "swapon": (167, 224),
    "syslog": (103, 116), "umount2": (166, 39), "unshare": (272, 97), "userfaultfd": (323, 282),
    "vhangup": (153, 58),
}
MORE_CALLS = {"close_range": (436, 436), "personality": (135, 92), "clone": (56, 220)}


def call(name, *args):
    """The result of a system call; raises OSError."""
    number = {**CALLS, **MORE_CALLS}[name][ARM]
    args = [ctypes.c_long(arg) if isinstance(arg, int) else arg for arg in args]
    ctypes.set_errno(0)
    result = LIBC.syscall(ctypes.c_long(number), *args)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def forbidden(name):
    """A call with arguments that no kernel accepts. Where it is refused, they are not looked at."""
    return lambda: call(name, -1, -1, -1, -1, -1, -1)


def block_device():
    os.mknod("device", 0o600 | stat.S_IFBLK, os.makedev(7, 0))


def character_device():
    os.mknod("device", 0o600 | stat.S_IFCHR, os.makedev(0, 0))


def address():
    """Gives the loopback interface one more address, by netlink."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as netlink:
        ip = socket.inet_aton("127.77.77.77")
        data = struct.pack("BBBBI", socket.AF_INET, 8, 0, 254, 1)
        data += struct.pack("HH4s", 8, 2, ip) + struct.pack("HH4s", 8, 1, ip)
        netlink.send(struct.pack("IHHII", 16 + len(data), 20, 5, 1, 0) + data)
        error = struct.unpack("i", netlink.recv(4096)[16:20])[0]
        if error not in (0, -17):
            raise OSError(-error, os.strerror(-error))


def interface():
    """Sets the size of packets on the loopback interface to the present one, by a Unix socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as unix:
        request = fcntl.ioctl(unix, 0x8921, struct.pack("16si12x", b"lo", 0))
        fcntl.ioctl(unix, 0x8922, request)


def host_name():
    name = os.uname().nodename.encode()
    call("sethostname", name, len(name))


def kernel_log():
    call("syslog", 3, ctypes.create_string_buffer(4096), 4096)


def program_of_the_kernel():
    code = struct.pack("<BBhi", 0xB7, 0, 0, 0) + struct.pack("<BBhi", 0x95, 0, 0, 0)
    code, licence = ctypes.create_string_buffer(code), ctypes.create_string_buffer(b"GPL")
    attribute = struct.pack("IIQQ", 1, 2, ctypes.addressof(code), ctypes.addressof(licence))
    attribute = ctypes.create_string_buffer(attribute.ljust(128, b"\0"), 128)
    call("bpf", 5, attribute, 128)


def mark():
    """Asks to be asked before any process opens a file in the home."""
    os.close(call("fanotify_init", 4, os.O_RDONLY))


def environment(process):
    def attack():
        with open(f"/proc/{process()}/environ", "rb") as file:
            if not file.read():
                raise PermissionError(1, "empty")
    return attack


def memory():
    open("/proc/%d/mem" % os.getppid(), "rb").close()


def descriptors():
    os.readlink("/proc/%d/fd/0" % os.getppid())


def real_time(policy):
    return lambda: os.sched_setscheduler(0, policy, os.sched_param(1))


def nicer():
    os.setpriority(os.PRIO_PROCESS, 0, -5)


def another_user():
    child = os.fork()
    if child == 0:
        try:
            os.setresuid(12345, 12345, 12345)
        except OSError:
            os._exit(0)
        os._exit(1)
    if os.waitpid(child, 0)[1]:
        return
    raise PermissionError(1, "denied")


def capabilities():
    for word in ("Inh", "Prm", "Eff", "Bnd", "Amb"):
        text = open("/proc/self/status").read().split(f"Cap{word}:\t")[1].split()[0]
        # Root keeps the right to read; the bounding set of other users gives them nothing.
        if int(text, 16) & ~4 and not (word == "Bnd" and os.getuid() != 0):
            return f"{word} {text}"
    raise PermissionError(1, "none")


def lease(kind):
    def attack():
        file = os.open(sys.argv[2], os.O_RDONLY)
        try:
            fcntl.fcntl(file, fcntl.F_SETLEASE, kind)
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        finally:
            os.close(file)
    return attack


def own_descriptors():
    """Descriptors that no list of the process shows."""
    raised = []

    def attack():
        try:
            call("unshare", 0x400)
        except OSError as why:
            raised.append(why)

    thread = threading.Thread(target=attack)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]


def own_descriptors_by_closing():
    call("close_range", 1 << 20, 1 << 21, 2)


def namespace(flag):
    def attack():
        child = os.fork()
        if child == 0:
            try:
                call("unshare", flag)
            except OSError:
                os._exit(0)
            os._exit(1)
        if os.waitpid(child, 0)[1] == 0:
            raise PermissionError(1, "denied")
    return attack


def cloned_namespace(flag):
    def attack():
        child = call("clone", flag | signal.SIGCHLD, 0, 0, 0, 0)
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
    return attack


def queue():
    call("mq_open", b"arena-attack", os.O_CREAT | os.O_RDWR, 0o600, 0)
    call("mq_unlink", b"arena-attack")


def key():
    call("add_key", b"user", b"arena-attack", b"x", 1, -4)


def other_personality():
    call("personality", 0x0400000)


NAMESPACES = {"mount": 0x20000, "cgroup": 0x2000000, "uts": 0x4000000, "ipc": 0x8000000,
              "user": 0x10000000, "pid": 0x20000000, "net": 0x40000000}

DEVICES = "make device files"
ROOT = "use rights of root"
CONTAINERS = "create namespaces"
LEASES = "take leases"
OTHERS = "read the memory, environment or descriptors"
PRIORITY = "raise its own priority"
KEPT = "keep shared memory, queues or semaphores"
LIMITS = "than its limits"

ATTACKS = [
    ("block-device", DEVICES, block_device),
    ("character-device", DEVICES, character_device),
    ("address", ROOT, address),
    ("interface", ROOT, interface),
    ("host-name", ROOT, host_name),
    ("another-user", ROOT, another_user),
    ("capabilities", ROOT, capabilities),
    ("kernel-log", CONTAINERS, kernel_log),
    ("bpf-program", CONTAINERS, program_of_the_kernel),
    ("fanotify", CONTAINERS, mark),
    ("key", CONTAINERS, key),
    ("personality", CONTAINERS, other_personality),
    ("environment-of-1", OTHERS, environment(lambda: 1)),
    ("environment-of-parent", OTHERS, environment(os.getppid)),
    ("memory-of-parent", OTHERS, memory),
    ("descriptors-of-parent", OTHERS, descriptors),
    ("sched-fifo", PRIORITY, real_time(os.SCHED_FIFO)),
    ("sched-rr", PRIORITY, real_time(os.SCHED_RR)),
    ("nicer", PRIORITY, nicer),
    ("write-lease", LEASES, lease(fcntl.F_WRLCK)),
    ("read-lease", LEASES, lease(fcntl.F_RDLCK)),
    ("descriptor-table", LIMITS, own_descriptors),
    ("descriptor-table-by-closing", LIMITS, own_descriptors_by_closing),
    ("queue", KEPT, queue),
    *((f"unshare-{name}", CONTAINERS, namespace(flag))
      for name, flag in {**NAMESPACES, "time": 0x80}.items()),
    *((f"clone-{name}", CONTAINERS, cloned_namespace(flag)) for name, flag in NAMESPACES.items()),
    *((f"call-{name}", CONTAINERS, forbidden(name))
      for name, numbers in CALLS.items() if numbers[ARM] is not None),
]


def outcome(attack):
    try:
        return f"reached {attack() or ''}".strip()
    except OSError as why:
        name = errno.errorcode.get(why.errno, "no number")
        return f"denied {name}" if name in DENIED else f"reached {name}"


def main():
    report, sys.argv[2] = (os.path.abspath(path) for path in sys.argv[1:])
    os.chdir(os.environ["HOME"])
    with open(report, "w") as file:
        for name, row, attack in ATTACKS:
            print(name, row, outcome(attack), sep="\t", file=file, flush=True)
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["ugi"]:
            print("ugiok", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:1] == ["go"]:
            print("bestmove", words[words.index("searchmoves") + 1], flush=True)
        elif words[:1] == ["quit"]:
            break


if __name__ == "__main__":
    main()

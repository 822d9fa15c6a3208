"""An engine that exceeds a limit where it is hard to see. The argument names the way."""

import array
import ctypes
import mmap
import os
import socket
import sys
import threading
import time

LIBC = ctypes.CDLL(None, use_errno=True)
MIB = 1 << 20
KEPT = []


def open_files(count):
    KEPT.extend(os.open("/dev/null", os.O_RDONLY) for _ in range(count))


def many_descriptors():
    """More than the limit together, but not in any process."""
    for _ in range(3):
        if os.fork() == 0:
            open_files(50)
            time.sleep(600)


def undumpable():
    """Other processes of the user cannot list the descriptors of such a process."""
    LIBC.prctl(4, 0, 0, 0, 0)
    many_descriptors()


def without_first_thread(action):
    """The directory of the process in /proc is that of its first thread."""
    threading.Thread(target=lambda: (time.sleep(1), action(), time.sleep(600))).start()
    LIBC.pthread_exit(None)


def descriptors_without_first_thread():
    if os.fork():
        open_files(60)
    else:
        without_first_thread(lambda: open_files(60))


def memory_without_first_thread():
    without_first_thread(lambda: KEPT.append(b"x" * (300 * MIB)))


def in_flight():
    """Descriptors that have been sent and not received."""
    open_files(40)
    KEPT.extend(socket.socketpair())
    data = array.array("i", [0] * 80)
    KEPT[-1].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, data)])


def address_of(size, protection, flags, file=-1):
    mapping = LIBC.mmap
    mapping.restype = ctypes.c_void_p
    return mapping(None, ctypes.c_size_t(size), protection, flags, file, ctypes.c_long(0))


WRITABLE = mmap.PROT_READ | mmap.PROT_WRITE


def mapped(file):
    """A file without a name or a descriptor, for as long as it is mapped."""
    os.ftruncate(file, 40 * MIB)
    address = address_of(40 * MIB, WRITABLE, mmap.MAP_SHARED, file)
    os.close(file)
    ctypes.memset(ctypes.c_void_p(address), 1, 40 * MIB)


def unnamed():
    mapped(os.open(os.environ["HOME"], os.O_TMPFILE | os.O_RDWR, 0o600))


def unlinked():
    path = os.environ["HOME"] + "/file"
    file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    os.unlink(path)
    mapped(file)


def page_tables():
    """A page of the tables for every two mebibytes, which all show the same empty page."""
    size = 160 << 30
    no_reserve = 0x4000
    address = address_of(size, mmap.PROT_READ, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | no_reserve)
    LIBC.madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), 15)
    for place in range(address, address + size, 2 * MIB):
        ctypes.c_char.from_address(place).value


def given_back():
    """Shared memory that is in no page table any more, but keeps what is in it."""
    address = address_of(300 * MIB, WRITABLE, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    for place in range(address, address + 300 * MIB, MIB):
        ctypes.memset(ctypes.c_void_p(place), 1, MIB)
        LIBC.madvise(ctypes.c_void_p(place), ctypes.c_size_t(MIB), 4)


def main():
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["ugi"]:
            print("ugiok", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:1] == ["go"]:
            globals()[sys.argv[1]]()
            time.sleep(600)
        elif words[:1] == ["quit"]:
            break


if __name__ == "__main__":
    main()

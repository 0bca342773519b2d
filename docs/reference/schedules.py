"""Reference schedules: FCFS, EASY and conservative backfilling of a log in the standard workload format.

    python3 schedules.py LOG.swf[.gz] fcfs|easy|conservative [user|perfect]
    python3 schedules.py LOG.swf[.gz] jobs
    python3 schedules.py --of SIMULATED.swf

prints the SHA-256 of the start times: a line "JOB START" for each simulated job, in the order of
submission, with START in seconds from the log's start; then the number of jobs and their mean wait
in seconds. "jobs" prints the SHA-256 of what is simulated, and --of that of the starts in fields 1
to 3 of a log that a simulator wrote. schedules.md, beside this file, defines every case.
"""
import bisect, gzip, hashlib, heapq, sys

DAY = 86400


def read(path):
    """Returns the machine's processors, and (number, submission, run, size, estimate) of each job."""
    jobs, processors = [], 0
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", errors="replace") as log:
        for line in log:
            if line.startswith(";"):
                key, _, value = line[1:].strip().partition(":")
                if key == "MaxProcs" or key == "MaxNodes" and not processors:
                    processors = int(value.split()[0])
                continue
            f = [float(x) for x in line.split()]
            if not f:
                continue
            size = next((int(n) for n in (f[4], f[7]) if n > 0), 0)
            if f[1] >= 0 and f[3] >= 0 and 0 < size <= processors:
                jobs.append((int(f[0]), f[1], f[3], size, f[8] if f[8] > 0 else DAY))
    jobs.sort(key=lambda j: j[1])  # stable: ties stay in the order of the log
    return processors, jobs


class Machine:
    """The events that all policies share. A job is its place in the order of submission."""

    def __init__(self, processors, jobs, perfect):
        self.jobs, self.free, self.now = jobs, processors, 0.0
        self.run = [j[2] for j in jobs]
        self.size = [j[3] for j in jobs]
        self.estimate = [j[2] if perfect else j[4] for j in jobs]
        self.start, self.expected = [None] * len(jobs), [0.0] * len(jobs)
        self.waiting, self.running = [], set()
        self.ends, self.wakes = [], []  # heaps of (time, job)
        self.processors = processors

    def simulate(self):
        submitted = 0
        while submitted < len(self.jobs) or self.running:
            times = [h[0][0] for h in (self.ends, self.wakes) if h]
            if submitted < len(self.jobs):
                times.append(self.jobs[submitted][1])
            self.now = min(times)
            while self.ends and self.ends[0][0] <= self.now:
                self.finish(heapq.heappop(self.ends)[1])
            while self.wakes and self.wakes[0][0] <= self.now:
                _, job = heapq.heappop(self.wakes)
                while job in self.running and self.expected[job] <= self.now:
                    self.estimate[job] *= 2
                    self.expected[job] = self.start[job] + self.estimate[job]
                    self.exceeded(job)
                    heapq.heappush(self.wakes, (self.expected[job], job))
            while submitted < len(self.jobs) and self.jobs[submitted][1] == self.now:
                self.submit(submitted)
                submitted += 1
            while (job := self.choose()) is not None:
                self.begin(job)

    def begin(self, job):
        assert self.size[job] <= self.free
        self.waiting.remove(job)
        self.start[job], self.expected[job] = self.now, self.now + self.estimate[job]
        self.free -= self.size[job]
        self.running.add(job)
        if self.run[job] == 0:  # its processors are free again before the next start
            self.finish(job)
            return
        heapq.heappush(self.ends, (self.now + self.run[job], job))
        if self.expected[job] < self.now + self.run[job]:
            heapq.heappush(self.wakes, (self.expected[job], job))

    def finish(self, job):
        self.running.remove(job)
        self.free += self.size[job]

    def exceeded(self, job): pass

    def submit(self, job): self.waiting.append(job)

    def choose(self):  # first come, first served
        if self.waiting and self.size[self.waiting[0]] <= self.free:
            return self.waiting[0]


class EASY(Machine):
    def choose(self):
        if (head := super().choose()) is not None or not self.waiting or not self.free:
            return head
        # The head's reservation: the first expected end after which it fits, and what is left over.
        free, shadow = self.free, self.now
        for shadow, job in sorted((self.expected[j], j) for j in self.running):
            if free >= self.size[self.waiting[0]] and shadow > before:
                break
            free, before = free + self.size[job], shadow
        else:
            before = shadow
        extra = free - self.size[self.waiting[0]]
        for job in self.waiting[1:]:
            if self.size[job] <= self.free and (self.now + self.estimate[job] <= before or self.size[job] <= extra):
                return job


class Conservative(Machine):
    """Every waiting job has a reservation; at[i] is from when free processors are left[i]."""

    def __init__(self, *args):
        super().__init__(*args)
        self.at, self.left = [float("-inf")], [self.processors]
        self.plan, self.freed, self.revised = {}, False, False

    def length(self, job): return self.estimate[job] or 1

    def edge(self, t):
        i = bisect.bisect_left(self.at, t)
        if i == len(self.at) or self.at[i] != t:
            self.at.insert(i, t)
            self.left.insert(i, self.left[i - 1])
        return i

    def take(self, size, begin, end):
        if begin < end:
            for i in range(self.edge(begin), self.edge(end)):
                self.left[i] -= size

    def earliest(self, job):
        size, length, i = self.size[job], self.length(job), bisect.bisect_right(self.at, self.now) - 1
        k, begin = i, self.now
        while k < len(self.at) and self.at[k] < begin + length:
            if self.left[k] < size:
                begin = self.at[k + 1]
            k += 1
        return begin

    def reserve(self, job):
        self.plan[job] = self.earliest(job)
        self.take(self.size[job], self.plan[job], self.plan[job] + self.length(job))

    def release(self, job):
        self.take(-self.size[job], self.plan[job], self.plan[job] + self.length(job))

    def settle(self):
        drop = bisect.bisect_right(self.at, self.now) - 1
        if drop > 0:
            del self.at[:drop], self.left[:drop]
        if self.revised:  # an estimate was too short: all reservations anew, in order
            self.at, self.left = [float("-inf")], [self.processors]
            for job in self.running:
                self.take(self.size[job], self.now, self.expected[job])
            for job in self.waiting:
                self.reserve(job)
        moved = self.freed and not self.revised
        while moved:  # a job ended early: each waiting job may move up, until none can
            moved = False
            for job in self.waiting:
                was = self.plan[job]
                before = self.left[:bisect.bisect_left(self.at, was)]
                if not before or max(before) < self.size[job]:
                    continue  # it fits nowhere before
                self.release(job)
                self.reserve(job)
                moved = moved or self.plan[job] < was
        self.freed = self.revised = False

    def submit(self, job):
        self.settle()
        super().submit(job)
        self.reserve(job)

    def finish(self, job):
        super().finish(job)
        if (end := self.start[job] + self.length(job)) > self.now:
            self.take(-self.size[job], self.now, end)
            self.freed = True

    def exceeded(self, job): self.revised = True

    def choose(self):
        self.settle()
        return next((j for j in self.waiting if self.plan[j] <= self.now), None)


def digest(rows):
    return hashlib.sha256("".join(" ".join(str(int(x)) for x in row) + "\n" for row in rows).encode()).hexdigest()


def main(args):
    if args[0] == "--of":
        with open(args[1]) as log:
            rows = [[float(x) for x in line.split()[:3]] for line in log if not line.startswith(";")]
        print(digest((job, submit + wait) for job, submit, wait in sorted(rows, key=lambda r: r[1])))
        return
    processors, jobs = read(args[0])
    if args[1] == "jobs":
        print(digest(jobs), len(jobs), processors)
        return
    kinds = {"fcfs": Machine, "easy": EASY, "conservative": Conservative}
    machine = kinds[args[1]](processors, jobs, args[-1] == "perfect")
    machine.simulate()
    waits = [s - j[1] for s, j in zip(machine.start, jobs)]
    print(digest((j[0], s) for s, j in zip(machine.start, jobs)), len(jobs), f"{sum(waits) / len(waits):.2f}")


main(sys.argv[1:])

package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// Options are the options that all sources have in common.
type Options struct {
	// Origin is second 0 of the times that the source returns.
	Origin time.Time
	// Names receives the names of users, queues and so on; it must not be nil.
	Names *Names
	// Since is the time from which the first poll looks for ended jobs: the
	// beginning of the history for a new service, or the last poll for one that
	// continues.
	Since time.Time
	// Timeout limits each query; 0 means a minute. A query for the jobs of
	// more than a day may take ten minutes.
	Timeout time.Duration
}

const (
	// overlap is the time before the last poll from which ended jobs are listed:
	// accounting databases lag by seconds, and by minutes when busy.
	overlap = 10 * time.Minute
	// historyTimeout is the least time limit for a query for more than a day.
	historyTimeout = 10 * time.Minute
	// maxBytes limits the output of a command.
	maxBytes = 4 << 30
)

// slurmSource is a Source that runs Slurm's commands.
type slurmSource struct {
	o   Options
	now func() time.Time
	// run runs a command and passes its output to read as a stream. Tests replace it.
	run func(ctx context.Context, timeout time.Duration, read func(io.Reader) error, command ...string) error

	queueText, endedText bool      // a command has no --json, so its text output is read
	since                time.Time // the last poll that was not Partial, or Options.Since
	capacity             Capacity  // the last known
	uncounted            int64     // processors in use that no job of the last poll accounts for

	fault  error // why the last query for ended jobs failed; nil if it did not
	faults int   // number of failures in a row, up to 4
	rest   int   // number of polls to skip before the next query
}

// Commands returns a source that runs Slurm's commands squeue, sacct and
// scontrol, one at a time and without a shell. They are looked up in PATH and
// inherit most of the environment of the process, such as SLURM_CONF.
func Commands(o Options) Source {
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	return &slurmSource{o: o, since: o.Since, now: time.Now, run: runCommand}
}

// Poll queries the ended jobs, then the queue, then the nodes. A job that ends between the first
// two is in the list of the queue, and the next poll shows that it has ended. If the queue
// cannot be read Poll returns an error; other failures are warnings.
func (s *slurmSource) Poll(ctx context.Context) (*Poll, error) {
	p := &Poll{}
	began := s.now()
	if s.askEnded(ctx, p); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	err := s.either(ctx, s.o.Timeout, &s.queueText, func(r io.Reader) error {
		_, err := s.o.readQueue(p, "slurm jobs", r, inUTC)
		return err
	},
		[]string{"squeue", "--all", "--states=all", "--json"},
		[]string{"scontrol", "--all", "--oneliner", "show", "job"})
	if err != nil {
		return nil, err
	}
	p.At = s.o.seconds(unix(s.now()))
	if !p.Partial {
		s.since = began
	}
	if err := s.askCapacity(ctx); err != nil {
		p.warn("no-capacity", "cannot get the state of the nodes, so that of an earlier poll is used: "+err.Error())
	}
	p.Capacity = s.capacity
	s.countHidden(p)
	return p, ctx.Err()
}

// inUTC are the options for reading the commands' output (see environment).
var inUTC = workload.Options{TimeZone: "UTC"}

// endedStates lists the states of jobs that have ended. Without a list of states sacct
// also returns waiting and running jobs, which may be a hundred times as many.
const endedStates = "BOOT_FAIL,CANCELLED,COMPLETED,DEADLINE,FAILED,NODE_FAIL,OUT_OF_MEMORY,PREEMPTED,REQUEUED,REVOKED,TIMEOUT"

// askEnded queries the jobs that have ended. If the query fails it is skipped for 1, 3, 7
// and then always 15 polls, because each poll would have to wait for the database.
func (s *slurmSource) askEnded(ctx context.Context, p *Poll) {
	if s.rest > 0 {
		s.rest--
	} else {
		since, timeout := s.since.Add(-overlap), s.o.Timeout
		if s.now().Sub(since) > 24*time.Hour {
			timeout = max(timeout, historyTimeout)
		}
		// With --state, sacct needs both ends of the time range.
		which := []string{"sacct", "--allusers", "--allocations", "--duplicates", "--state=" + endedStates,
			"--starttime=" + since.UTC().Format("2006-01-02T15:04:05"), "--endtime=now"}
		s.fault = s.either(ctx, timeout, &s.endedText, func(r io.Reader) error {
			l, err := slurm.ReadEnded("slurm accounting", r, inUTC)
			p.Ended, err = s.o.jobsOf(l, err)
			return err
		},
			append(which[:len(which):len(which)], "--json"),
			append(which[:len(which):len(which)], "--parsable2", "--array", "--noconvert",
				"--format=JobID,JobIDRaw,Cluster,User,Account,Partition,QOS,JobName,State,Submit,Eligible,Start,End,ElapsedRaw,Suspended,TimelimitRaw,NNodes,NCPUS,ReqCPUS,ReqTRES,AllocTRES,NodeList"))
		if s.faults = min(s.faults+1, 4); s.fault == nil {
			s.faults = 0
		}
		s.rest = 1<<s.faults - 1
	}
	if s.fault != nil {
		p.Ended, p.Partial = nil, true
		p.warn("no-accounting", "cannot get the list of ended jobs: "+s.fault.Error())
	}
}

// countHidden sets p.Hidden. Because jobs may have started between the queries, it takes the
// minimum of two successive polls.
func (s *slurmSource) countHidden(p *Poll) {
	var held int64
	for i := range p.Jobs {
		if j := &p.Jobs[i]; !j.Pending() && j.Allocated > 0 {
			held += j.Allocated
		}
	}
	before := s.uncounted
	s.uncounted = max(0, p.Capacity.Used-held)
	p.Hidden = min(before, s.uncounted)
	if p.Hidden > 0 && p.Hidden*20 > p.Capacity.Used {
		p.warn("hidden-jobs", fmt.Sprintf("%d of %d processors in use belong to jobs that are not listed, as when Slurm's PrivateData hides other users' jobs", p.Hidden, p.Capacity.Used))
	}
}

func (p *Poll) warn(rule, text string) {
	p.Warnings = append(p.Warnings, workload.Warning{Rule: rule, Text: text, Count: 1})
}

func unix(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

// seconds converts a time in seconds since 1970 to the caller's clock.
func (o *Options) seconds(moment float64) float64 { return moment - unix(o.Origin) }

// readQueue adds the jobs in a listing of the queue to a poll; some of them have ended. It returns
// the time of the listing in seconds as far as the jobs show it, or -Inf.
func (o *Options) readQueue(p *Poll, name string, r io.Reader, with workload.Options) (taken float64, err error) {
	l, err := slurm.ReadQueue(name, r, with)
	jobs, err := o.jobsOf(l, err)
	if err != nil {
		return 0, err
	}
	for _, j := range jobs {
		// A job that has ended at an unknown time is treated as running.
		if j.Status == workload.Unknown || !j.Pending() && math.IsNaN(j.Run) {
			p.Jobs = append(p.Jobs, j)
		} else {
			p.Ended = append(p.Ended, j)
		}
	}
	p.Warnings = append(p.Warnings, l.Warnings...)
	if taken = math.Inf(-1); l.Taken > 0 {
		taken = o.seconds(l.Taken)
	}
	return taken, nil
}

// nothingFound matches the error that Slurm reports in an empty list of ended jobs,
// ESLURM_REST_EMPTY_RESULT.
var nothingFound = regexp.MustCompile(`\berror 9003\)|Nothing found`)

// jobsOf returns the jobs of a listing, with the caller's clock and numbers. It returns an error
// if the listing contains an error of Slurm: if the controller does not answer, squeue --json of
// Slurm 22.05 prints a list without jobs and exits with 0. It also returns an error if most jobs
// cannot be read, for example because a version of Slurm uses another format; otherwise the
// queue would appear to be empty.
func (o *Options) jobsOf(l *slurm.Listing, err error) ([]Sighting, error) {
	if err != nil {
		return nil, err
	}
	for _, w := range l.Warnings {
		switch saw := cutName(oneLine(w.Saw)); {
		case w.Rule == "slurm-errors" && !nothingFound.MatchString(w.Saw):
			return nil, fmt.Errorf("error of Slurm: %s", saw)
		case w.Rule == "unreadable-jobs" && w.Count > int64(len(l.Jobs)):
			return nil, fmt.Errorf("%d of %d jobs cannot be read, the first: %s", w.Count, w.Count+int64(len(l.Jobs)), saw)
		}
	}
	name := func(column int, number int64) string {
		text, _ := l.Names.Text(column, number)
		return text
	}
	for i := range l.Jobs {
		j := &l.Jobs[i]
		j.MoveTo(o.seconds(j.Submit))
		j.Expected, j.Withdrawn = o.seconds(j.Expected), o.seconds(j.Withdrawn)
		j.Label, j.Reason = cutName(j.Label), cutName(j.Reason)
		o.Names.renumber(&j.Job, name)
	}
	return l.Jobs, nil
}

// noJSON matches the error messages of commands that do not support JSON.
var noJSON = regexp.MustCompile(`(?i)json|serializer|openapi|data_parser|(unrecognized|invalid|unknown) option`)

// either runs the command json or, once that has failed because JSON is not supported, the
// command plain. It then sets *text.
func (s *slurmSource) either(ctx context.Context, timeout time.Duration, text *bool, read func(io.Reader) error, json, plain []string) error {
	if !*text {
		err := s.run(ctx, timeout, read, json...)
		if exit := new(exec.ExitError); !errors.As(err, &exit) || !noJSON.MatchString(err.Error()) {
			return err
		}
		*text = true
	}
	return s.run(ctx, timeout, read, plain...)
}

// runCommand runs a command and passes its output to read as a stream.
func runCommand(ctx context.Context, timeout time.Duration, read func(io.Reader) error, name ...string) error {
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	command := exec.CommandContext(ctx, name[0], name[1:]...)
	command.Env = environment(os.Environ())
	inGroup(command)
	command.WaitDelay = 2 * time.Second
	var said saidBuffer
	command.Stderr = &said
	output, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if errors.Is(err, exec.ErrNotFound) {
		err = fmt.Errorf("%w: run the service where Slurm's commands are installed, such as a login node; --replay LOG tries the service without Slurm", err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name[0], err)
	}
	answer := &io.LimitedReader{R: output, N: maxBytes}
	fault := read(answer)
	if fault != nil {
		if answer.N <= 0 {
			fault = fmt.Errorf("the answer is longer than %d bytes", int64(maxBytes))
		}
		// A command that fails prints an incomplete list; its own error is then the
		// cause. A command that does not end is stopped after a second.
		time.AfterFunc(time.Second, cancel)
		io.Copy(io.Discard, output)
	}
	err = command.Wait()
	switch {
	case outer.Err() != nil:
		return outer.Err()
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("no answer within %v", timeout)
	case fault != nil && (err == nil || ctx.Err() != nil):
		err = fault
	}
	if text := oneLine(said.text.String()); err != nil && text != "" {
		err = fmt.Errorf("%w: %s", err, text)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name[0], err)
	}
	return err
}

// environment returns the environment of the commands, derived from the given one: times in UTC,
// messages in English, all tasks of an array, and without the variables that change the format
// of the commands' output.
func environment(from []string) []string {
	env := []string{"LC_ALL=C", "TZ=UTC", "SLURM_BITSTR_LEN=0"}
	for _, v := range from {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "LANG", "TZ", "SLURM_TIME_FORMAT", "SLURM_CLUSTERS", "SLURM_BITSTR_LEN", "SLURM_JSON":
			continue
		}
		switch before, _, _ := strings.Cut(name, "_"); before {
		case "LC", "SQUEUE", "SACCT", "SCONTROL":
		default:
			env = append(env, v)
		}
	}
	return env
}

// saidBuffer keeps the beginning of a command's error output.
type saidBuffer struct{ text bytes.Buffer }

const maxSaid = 2000 // bytes

func (b *saidBuffer) Write(p []byte) (int, error) {
	b.text.Write(p[:min(len(p), maxSaid-b.text.Len())])
	return len(p), nil
}

// oneLine makes a text safe to show in one line: it replaces invalid UTF-8, and each sequence of
// white space and unprintable characters by a space.
func oneLine(text string) string {
	clean := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	return strings.Join(strings.Fields(clean), " ")
}

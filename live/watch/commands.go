package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// Commands returns a source that runs Slurm's own commands, squeue, sacct and
// scontrol, one at a time and without a shell. They are looked up in PATH and
// get the environment of the process, such as SLURM_CONF.
func Commands(o Options) Source { return newSlurmSource("slurm", &commands{o: o}, o) }

// commands runs Slurm's commands.
type commands struct {
	o Options
	// Where a command has no --json, its text is read from then on.
	queueText, endedText bool
}

func (c *commands) queue(ctx context.Context, read func(io.Reader) error) error {
	return c.either(ctx, c.o.timeout(), &c.queueText, read,
		[]string{"squeue", "--all", "--states=all", "--json"},
		[]string{"scontrol", "--all", "--oneliner", "show", "job"})
}

// endedStates are the states of jobs that have ended. Without a list of states sacct
// returns the jobs that wait and run, too, which may be a hundred times as many.
const endedStates = "BOOT_FAIL,CANCELLED,COMPLETED,DEADLINE,FAILED,NODE_FAIL,OUT_OF_MEMORY,PREEMPTED,REQUEUED,REVOKED,TIMEOUT"

func (c *commands) ended(ctx context.Context, since time.Time, read func(io.Reader) error) error {
	// Slurm needs both ends of the time where states are given.
	which := []string{"sacct", "--allusers", "--allocations", "--duplicates", "--state=" + endedStates,
		"--starttime=" + since.UTC().Format("2006-01-02T15:04:05"), "--endtime=now"}
	return c.either(ctx, c.o.patience(since), &c.endedText, read,
		append(which[:len(which):len(which)], "--json"),
		append(which[:len(which):len(which)], "--parsable2", "--array", "--noconvert",
			"--format=JobID,JobIDRaw,Cluster,User,Account,Partition,QOS,JobName,State,Submit,Eligible,Start,End,ElapsedRaw,Suspended,TimelimitRaw,NNodes,NCPUS,ReqCPUS,ReqTRES,AllocTRES,NodeList"))
}

func (c *commands) nodes(ctx context.Context, read func(io.Reader) error) error {
	return c.run(ctx, c.o.timeout(), read, "scontrol", "--all", "--oneliner", "show", "nodes")
}

func (c *commands) partitions(ctx context.Context, read func(io.Reader) error) error {
	return c.run(ctx, c.o.timeout(), read, "scontrol", "--all", "--oneliner", "show", "partition")
}

func (c *commands) reservations(ctx context.Context, read func(io.Reader) error) error {
	return c.run(ctx, c.o.timeout(), read, "scontrol", "--all", "--oneliner", "show", "reservation")
}

// noJSON is what commands say that were built without JSON, or before it.
var noJSON = regexp.MustCompile(`(?i)json|serializer|openapi|data_parser|(unrecognized|invalid|unknown) option`)

// either runs the command with JSON, or, once it has said that it has none, the other one.
func (c *commands) either(ctx context.Context, timeout time.Duration, text *bool, read func(io.Reader) error, json, plain []string) error {
	if !*text {
		err := c.run(ctx, timeout, read, json[0], json[1:]...)
		var fault *commandError
		if !errors.As(err, &fault) || !noJSON.MatchString(fault.said) {
			return err
		}
		*text = true
	}
	return c.run(ctx, timeout, read, plain[0], plain[1:]...)
}

// commandError is a command that failed.
type commandError struct {
	command, said string
	err           error
}

func (e *commandError) Error() string {
	if e.said == "" {
		return fmt.Sprintf("%s: %v", e.command, e.err)
	}
	return fmt.Sprintf("%s: %v: %s", e.command, e.err, e.said)
}

func (e *commandError) Unwrap() error { return e.err }

// run runs a command and reads its output while it comes.
func (c *commands) run(ctx context.Context, timeout time.Duration, read func(io.Reader) error, name string, args ...string) error {
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	command := exec.CommandContext(ctx, name, args...)
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
		return &commandError{command: name, err: err}
	}
	fault := read(limit(output, c.o.MaxBytes))
	if fault != nil {
		// A command that fails prints no whole list: what it said is the cause.
		// One that does not end of itself is stopped.
		time.AfterFunc(time.Second, cancel)
		io.Copy(io.Discard, output)
	}
	err = command.Wait()
	switch {
	case outer.Err() != nil:
		return outer.Err()
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &commandError{command: name, said: said.String(), err: fmt.Errorf("no answer within %v", timeout)}
	case err != nil && (fault == nil || ctx.Err() == nil):
		return &commandError{command: name, said: said.String(), err: err}
	case fault != nil:
		return &commandError{command: name, said: said.String(), err: fault}
	}
	return nil
}

// environment is that of the commands: times in UTC, messages in English, all tasks of an
// array, and none of the variables by which users change what the commands print.
func environment(from []string) []string {
	env := []string{"LC_ALL=C", "TZ=UTC", "SLURM_BITSTR_LEN=0"}
	for _, v := range from {
		name, _, _ := strings.Cut(v, "=")
		switch {
		case name == "LC_ALL", name == "LANG", name == "TZ", name == "SLURM_TIME_FORMAT", name == "SLURM_CLUSTERS", name == "SLURM_BITSTR_LEN", name == "SLURM_JSON",
			strings.HasPrefix(name, "SQUEUE_"), strings.HasPrefix(name, "SACCT_"), strings.HasPrefix(name, "SCONTROL_"), strings.HasPrefix(name, "LC_"):
		default:
			env = append(env, v)
		}
	}
	return env
}

// saidBuffer keeps the beginning of what a command says of its failure.
type saidBuffer struct{ text bytes.Buffer }

const maxSaid = 2000

func (b *saidBuffer) Write(p []byte) (int, error) {
	if room := maxSaid - b.text.Len(); room > 0 {
		b.text.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}

// String returns one line of printable text.
func (b *saidBuffer) String() string { return oneLine(b.text.Bytes()) }

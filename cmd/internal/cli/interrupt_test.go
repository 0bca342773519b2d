package cli

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

// TestInterruptedWhileReading: a command that waits for more of its standard
// input has no file in the folder of temporary ones, so that nothing is left
// whatever ends it, and no output.
func TestInterruptedWhileReading(t *testing.T) {
	if testing.Short() {
		t.Skip("runs processes")
	}
	log := longLog(5000)
	type run struct {
		*process
		in     io.Closer
		signal syscall.Signal
	}
	var runs []run
	for i, args := range [][]string{
		{"scale", "-", "--load", ".5", "-o", "out.swf"},
		{"scale", "-", "--load", ".5"},
		{"anonymise", "-", "-o", "out.swf", "--mapping", "m.csv"},
		{"split", "-", "-o", "part-{n}.swf", "--parts", "2"},
		{"sample", "-", "--fraction", ".5", "-o", "out.swf"},
		{"grid", "-", "--grid", "das3", "-o", "out.json"},
		{"fit", "k.swf", "-"},
		{"lifetimes", "-", "--by", "user_id"},
		{"fit", "-", "-o", "out.json"},
		{"convert", "-", "-o", "out.parquet"},
		{"convert", "-", "-o", "out.swf"},
		{"convert", "-", "-o", "out.batsim.json"},
		{"clean", "-", "--filter", "user=3", "--removed", "gone.csv", "-o", "out.swf"},
		{"simulate", "-", "-o", "out.swf"},
		{"predict", "-", "--predictions", "p.csv"},
		{"runtime", "-", "--predictions", "p.csv"},
		{"describe", "-", "-o", "out.json"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "k.swf"), []byte(log), 0o666); err != nil {
			t.Fatal(err)
		}
		p := newProcess(t, dir, args...)
		in, err := p.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		// More than a pipe holds, so that all but its end has been read.
		if _, err := in.Write([]byte(log)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
		if got := files(t, p.temp); len(got) > 0 {
			t.Errorf("%q: while it reads, in the folder of temporary files: %q", args, got)
		}
		signal := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}[i%3]
		if !slices.Contains(args, "-o") && !slices.Contains(args, "--predictions") {
			signal = syscall.SIGKILL // which an output beside its target does not survive
		}
		p.Process.Signal(signal)
		runs = append(runs, run{p, in, signal})
	}
	for _, r := range runs {
		r.Wait()
		r.in.Close()
		if code := r.ProcessState.ExitCode(); r.signal != syscall.SIGKILL && code != exitInterrupted {
			t.Errorf("%q: %v: exit code %d, want %d: %s", r.Args[1:], r.signal, code, exitInterrupted, &r.err)
		}
		if got := files(t, r.Dir); !slices.Equal(got, []string{"k.swf"}) {
			t.Errorf("%q: %v: left in the folder: %q, want the log alone", r.Args[1:], r.signal, got)
		}
		if got := files(t, r.temp); len(got) > 0 {
			t.Errorf("%q: %v: left in the folder of temporary files: %q", r.Args[1:], r.signal, got)
		}
	}
}

// TestIgnoredHangup: under nohup a command goes on after its terminal is gone.
func TestIgnoredHangup(t *testing.T) {
	if testing.Short() {
		t.Skip("runs processes")
	}
	dir := t.TempDir()
	p := newProcess(t, dir, "convert", "-", "-o", "out.swf")
	p.Path, p.Args = "/bin/sh", []string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`, p.Path, "convert", "-", "-o", "out.swf"}
	in, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	log := longLog(5000)
	if _, err := in.Write([]byte(log)); err != nil {
		t.Fatal(err)
	}
	p.Process.Signal(syscall.SIGHUP)
	time.Sleep(50 * time.Millisecond)
	in.Close()
	if err := p.Wait(); err != nil {
		t.Errorf("%v: %s", err, &p.err)
	}
	if got := files(t, dir); !slices.Equal(got, []string{"out.swf"}) {
		t.Errorf("files %q, want out.swf", got)
	}
}

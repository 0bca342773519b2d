//go:build unix

package journal

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The test binary runs as a writer of the store in the directory that writeStore names: it appends
// batches as fast as it can and, after each sync, prints the number of the last entry. mostBytes
// limits the size of each file, to simulate a full disk.
const (
	writeStore = "LOADSTONE_TEST_STORE"
	mostBytes  = "LOADSTONE_TEST_MOST_BYTES"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(writeStore); dir != "" {
		fmt.Println(writeBatches(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// numbered returns an entry whose size depends on its number.
func numbered(n int64) Entry {
	e := &Event{Kind: workload.Submit, Time: float64(n), Job: workload.UnknownJob(), AnsweredAt: nan}
	e.Job.ID = n
	for i := range n % 11 {
		e.Answers = append(e.Answers, Answer{"predictor" + strconv.FormatInt(i, 10), 0.95, Number(n) / 3, int(n), "a group"})
	}
	return e
}

func writeBatches(dir string) error {
	j, err := Open(dir, Begin{})
	if err != nil {
		return err
	}
	next := int64(0)
	for e, err := range j.Entries() {
		if err != nil {
			return err
		}
		if e, ok := e.(*Event); ok {
			next = e.Job.ID + 1
		}
	}
	fmt.Println("open")
	for {
		var batch []Entry
		for range 1 + rand.IntN(40) {
			batch = append(batch, numbered(next))
			next++
		}
		if err := j.Append(batch...); err != nil {
			return err
		}
		if err := j.Sync(); err != nil {
			return err
		}
		fmt.Println(next - 1)
	}
}

// startWriter starts the test binary as a writer of the store in dir.
func startWriter(t *testing.T, dir string, env ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(append(os.Environ(), writeStore+"="+dir), env...)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	noError(t, err)
	noError(t, c.Start())
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	return c, bufio.NewScanner(out)
}

// numbersIn checks that the entries of a store are numbered from 0 and unchanged, and returns the
// last number, or -1 for an empty store.
func numbersIn(t *testing.T, dir string) int64 {
	t.Helper()
	last := int64(-1)
	for e, err := range Read(dir) {
		noError(t, err)
		switch e := e.(type) {
		case *Begin:
			if last != -1 {
				t.Fatal("a second beginning")
			}
		case *Event:
			last++
			got, _ := appendLine(nil, 1, e)
			want, _ := appendLine(nil, 1, numbered(last))
			if string(got) != string(want) {
				t.Fatalf("entry %d: %s, want %s", last, got, want)
			}
		}
	}
	return last
}

// TestKilled kills a writer at many random moments and checks that all entries it had synced are
// present, once and in order, and that the next writer can continue.
func TestKilled(t *testing.T) {
	kills := longtest.Size(50, 200)
	if testing.Short() {
		kills = 20
	}
	var dir string
	torn, behind, batches := 0, 0, 0
	for kill := range kills {
		if kill%25 == 0 {
			dir = filepath.Join(t.TempDir(), "store") // the first store does not exist yet
		}
		c, out := startWriter(t, dir)
		// Some writers are killed while they open the store, half of them after a few batches,
		// however long these take.
		few := 1 + rand.IntN(4)
		moment := time.Duration(rand.Int64N(int64(40 * time.Millisecond)))
		timer := time.AfterFunc(time.Hour, func() { c.Process.Kill() })
		if kill%2 == 0 {
			timer.Reset(moment)
		}
		synced := int64(-1)
		for out.Scan() {
			if n, err := strconv.ParseInt(out.Text(), 10, 64); err == nil {
				synced = n
				batches++
				if few--; few == 0 && kill%2 == 1 {
					timer.Reset(moment / 20)
				}
			} else if out.Text() != "open" {
				t.Fatal(out.Text())
			}
		}
		timer.Stop()
		c.Wait()
		if !IsStore(dir) {
			continue // killed before the store was created
		}
		j, err := Open(dir, Begin{})
		if err != nil {
			t.Fatalf("after kill %d: %v", kill, err)
		}
		if j.Cut() > 0 {
			torn++
		}
		noError(t, j.Close())
		last := numbersIn(t, dir)
		if last < synced {
			t.Fatalf("after kill %d: entries up to %d, but %d were synced", kill, last, synced)
		}
		if last > synced {
			behind++
		}
	}
	t.Logf("%d kills, %d batches; %d times a torn line, %d times more than was said to be synced", kills, batches, torn, behind)
	if batches < kills/2 {
		t.Errorf("%d batches in %d runs: the test hardly tests", batches, kills)
	}
}

// TestFullDisk checks that a batch that does not fit leaves the store unchanged, and that one that
// fits can be appended afterwards.
func TestFullDisk(t *testing.T) {
	if os.Getenv(mostBytes) == "" {
		// In a separate process, because the limit applies to a process.
		c := exec.Command(os.Args[0], "-test.run=^TestFullDisk$", "-test.v")
		c.Env = append(os.Environ(), mostBytes+"=10000")
		if text, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return
	}
	dir := t.TempDir()
	j := mustOpen(t, dir)
	mustAppend(t, j, numbered(0))
	noError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 10_000, Max: 1 << 40}))
	var batch []Entry
	for n := range int64(100) {
		batch = append(batch, numbered(n+1))
	}
	for range 2 {
		err := j.Append(batch...)
		var fault *workload.InputError
		if !errors.Is(err, syscall.EFBIG) || !errors.As(err, &fault) || filepath.Base(fault.File) != fileName {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(j.path); err != nil || info.Size() != j.size {
		t.Errorf("%v, %v, want %d bytes", info, err, j.size)
	}
	mustAppend(t, j, batch[:3]...)
	if n := numbersIn(t, dir); n != 3 {
		t.Error(n)
	}
}

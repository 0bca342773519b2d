package watch

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

func writeFile(t *testing.T, path, text string, at time.Time) {
	t.Helper()
	jobtest.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	jobtest.NoError(t, os.Chtimes(path, at, at))
}

// A state is read whenever it changes.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	state, history := filepath.Join(dir, "state.json"), filepath.Join(dir, "history.json")
	queue := readTestdata(t, "squeue-22.05.json")
	at := testOrigin.Add(200 * time.Second)
	writeFile(t, state, queue, at)
	writeFile(t, history, readTestdata(t, "sacct-22.05.json"), at)
	names := &Names{}
	source := Files(Options{Origin: testOrigin, Names: names}, FileOptions{State: state, History: []string{history}, Processors: 100})
	poll := func() *Poll {
		t.Helper()
		return jobtest.Must(source.Poll(context.Background()))
	}
	p := poll()
	if p.At != 200 || len(p.Jobs) != 11 || p.Partial || p.Jobs[0].Expected != 373 || !p.Jobs[8].Held || p.Capacity.Processors != 100 || p.Capacity.Free != 36 {
		t.Errorf("%+v", p)
	}
	if len(p.Ended) != 5 || p.Ended[3].Submit != 193 || p.Ended[3].End() != 211 {
		t.Errorf("%+v", p.Ended)
	}
	if text, _ := names.Text("User", p.Ended[3].User); text != "root" || p.Ended[3].User != p.Jobs[0].User {
		t.Errorf("user %q", text)
	}
	if p = poll(); p.At != 200 || len(p.Jobs) != 11 || !p.Partial || len(p.Ended) != 0 {
		t.Errorf("unchanged: %+v", p)
	}
	writeFile(t, state, queue[:len(queue)/2], at.Add(time.Second))
	if p, err := source.Poll(context.Background()); err == nil {
		t.Errorf("half a file: %+v", p)
	}
	writeFile(t, state, strings.Replace(queue, `"PENDING"`, `"RUNNING"`, 1), at.Add(2*time.Second))
	if p = poll(); p.At != 373 || p.Partial || p.Jobs[0].Wait != 180 { // a start in the future
		t.Errorf("whole again: %+v", p)
	}
}

// A log with numbers only and no date has its own clock, and its numbers serve as names.
func TestFilesOfALog(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.swf")
	writeFile(t, state, "; MaxProcs: 64\n1 10 5 20 4 -1 -1 4 60 -1 1 7 -1 -1 1 -1 -1 -1\n2 20 10 -1 8 -1 -1 8 60 -1 -1 9 -1 -1 1 -1 -1 -1\n3 40 -1 -1 -1 -1 -1 8 60 -1 -1 7 -1 -1 2 -1 -1 -1\n", testOrigin)
	names := &Names{}
	p, err := Files(Options{Names: names}, FileOptions{State: state}).Poll(context.Background())
	if err != nil || p.At != 40 || len(p.Jobs) != 2 || len(p.Ended) != 1 || p.Capacity.Processors != 64 || p.Capacity.Free != 56 {
		t.Fatalf("%+v, %v", p, err)
	}
	if text, _ := names.Text("User", p.Jobs[0].User); text != "9" || !math.IsNaN(p.Jobs[1].Wait) {
		t.Errorf("user %q", text)
	}
}

func TestFileFaults(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	writeFile(t, empty, "", testOrigin)
	for _, o := range []FileOptions{{State: filepath.Join(dir, "none")}, {State: empty}, {State: dir}, {State: empty, History: []string{filepath.Join(dir, "none")}}} {
		if p, err := Files(Options{Names: &Names{}}, o).Poll(context.Background()); err == nil {
			t.Errorf("%+v: %+v", o, p)
		}
	}
}

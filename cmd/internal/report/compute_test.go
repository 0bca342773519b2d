package report

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
)

// A report is a call: what was computed, what was left out and why, and the
// commands that have the numbers, are values; the page is written from them.
func TestCompute(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("; MaxProcs: 16\n")
	for i := range 40 {
		fmt.Fprintf(&rows, "%d %d 0 %d 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n", i+1, 60*i, 10+i*i%300)
	}
	log := filepath.Join(t.TempDir(), "a log.swf")
	if err := os.WriteFile(log, []byte(rows.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := Compute(context.Background(), Options{Log: log, Output: "r.html", Without: []string{Waits}, Seed: 3, Processors: 8, Global: []string{"--timezone", "UTC"}})
	if err != nil {
		t.Fatal(err)
	}
	if l.describe.Jobs != 40 || l.fitted == nil || l.scores == nil || l.waited != nil || l.why[Waits] != "It was left out by --without predict." {
		t.Errorf("%d jobs, %+v", l.describe.Jobs, l.why)
	}
	want := "loadstone describe '" + log + "' --section all --by queue_id --procs 8 --timezone UTC"
	if typed := l.typed(); !slices.Contains(typed, want) || len(typed) != 6 {
		t.Errorf("%q lacks %q", typed, want)
	}
	var html bytes.Buffer
	if err := page.Write(&html, l.Page()); err != nil || !strings.Contains(html.String(), "Workload of a log") {
		t.Errorf("%v, %d bytes", err, html.Len())
	}
	if _, err := Compute(context.Background(), Options{Log: log, Waits: -1}); err == nil {
		t.Error("a fault of the options went unseen")
	}
	if _, err := Compute(context.Background(), Options{Log: log + "x"}); err == nil || !strings.HasPrefix(err.Error(), log+"x") {
		t.Errorf("no log: %v", err)
	}
}

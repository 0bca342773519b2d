package live

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// replaying returns a feed of a log's jobs.
func replaying(t *testing.T, name string, o ReplayOptions) *ReplayFeed {
	t.Helper()
	feed := jobtest.Must(Replay(t.Context(), func() (*workload.Log, error) { return logfile.Open(name, workload.Options{}) }, o))
	t.Cleanup(func() { feed.Close() })
	return feed
}

// Polls of a replay are one or more whole intervals apart, whatever the time of the first event.
func TestReplayPollsByIntervals(t *testing.T) {
	for _, first := range []int{0, 1, 1_000_003} {
		name := filepath.Join(t.TempDir(), "log.swf")
		text := "; MaxProcs: 8\n"
		for i := range 20 {
			text += fmt.Sprintf("%d %d 5 60 1 -1 -1 1 60 -1 1 1 1 -1 1 -1 -1 -1\n", i+1, first+7*i)
		}
		jobtest.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		feed := replaying(t, name, ReplayOptions{Speed: 1000, Interval: 10.1})
		last := float64(first) - 10.1
		for range 8 {
			b := jobtest.Must(feed.Next(t.Context()))
			if b.At < last+10 {
				t.Errorf("a log from %d on: a poll at %v after one at %v", first, b.At, last)
			}
			last = b.At
		}
	}
}

// A Slurm log has the names of users and partitions only at its end.
func TestReplayNames(t *testing.T) {
	for _, name := range []string{"sacct.json", "sacct.txt"} {
		feed := replaying(t, filepath.Join("..", "workload", "slurm", "testdata", "slurm-22.05", name), ReplayOptions{Speed: math.Inf(1), Interval: 1e9, Processors: 64})
		if _, err := feed.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		number, ok := feed.names.Find("Partition", "batch")
		if text, has := feed.names.Text("Partition", number); !ok || !has || text != "batch" || len(feed.names.Fresh()) < 2 {
			t.Errorf("%s: partition batch has number %d, %v", name, number, ok)
		}
	}
}

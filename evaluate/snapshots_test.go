package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/predict/snapshots"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// handMade is three snapshots, at 0, 1000 and 2000 s. Of the first, a wait of 10 s and
// one of 1000 s are known at 1000 s, one of 1500 s is known at 2000 s only.
const handMade = "t,wait,g,x\n0,10,a,1\n0,1000,b,2\n0,1500,b,3\n1000,100,a,1\n1000,100,b,2\n2000,10,a,1\n2000,,b,9\n"

func handMadeTable(t *testing.T) *snapshots.Table {
	t.Helper()
	r := snapshots.NewReader(&snapshots.Mapping{Schema: snapshots.MappingSchema, Name: "hand", Time: "t", Answer: "wait", Unit: "s", Group: "g", Numbers: []string{"x"}})
	if err := r.Read("hand.csv", strings.NewReader(handMade)); err != nil {
		t.Fatal(err)
	}
	table, err := r.Table()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestSnapshots(t *testing.T) {
	predicted := map[string]string{}
	r, err := Snapshots(context.Background(), "hand", handMadeTable(t), SnapshotsOptions{First: 2, Quantile: 0.5, Predicted: func(p SnapshotPrediction) error {
		predicted[p.Predictor] += fmt.Sprintf("%g %s %.5g %.5g %g|", p.Row.Time, p.Group, p.Seconds, p.Bound, p.Row.Wait)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	// At 1000 s 10 and 1000 s are known: their mean is 100 s, their median 10 s. At
	// 2000 s 10, 1000, 1500, 100 and 100 s are.
	all := math.Pow(10, (1+3+math.Log10(1500)+2+2)/5)
	if want := fmt.Sprintf("1000 a 100 10 100|1000 b 100 10 100|2000 a %.5g 100 10|2000 b %.5g 100 NaN|", all, all); predicted["constant"] != want {
		t.Errorf("constant: %s, want %s", predicted["constant"], want)
	}
	// By group: a 10 s, then 10 and 100; b 1000 s, then 1000, 1500 and 100.
	b := math.Pow(10, (3+math.Log10(1500)+2)/3)
	if want := fmt.Sprintf("1000 a 10 10 100|1000 b 1000 1000 100|2000 a %.5g 10 10|2000 b %.5g 1000 NaN|", math.Pow(10, 1.5), b); predicted["group-means"] != want {
		t.Errorf("group-means: %s, want %s", predicted["group-means"], want)
	}
	// Errors of the logarithm are -1, 1 and 0.5; the bound of 10 s is below 100 s.
	s := r.Score("group-means")
	if s == nil || s.Jobs != 3 || s.Predicted != 3 || math.Abs(float64(s.SquaredError)-(1+1+0.25)/3) > 1e-12 || s.Within2 != 0 || s.Within3 != 0 ||
		math.Abs(float64(s.Coverage)-2./3) > 1e-12 || s.CoverageWorst != 0.5 || s.WorstTime != 1000 || s.BoundMedian != 10 {
		t.Errorf("%+v", s)
	}
	if c := r.Score("constant"); math.Abs(float64(c.Within2)-200./3) > 1e-9 || c.Coverage != s.Coverage-1./3 {
		t.Errorf("%+v", c)
	}
	if len(r.Snapshots) != 2 || r.Snapshots[0].Known != 2 || r.Snapshots[0].Waiting != 1 || r.Snapshots[1].Known != 5 || r.Snapshots[1].Waiting != 0 {
		t.Errorf("%+v", r.Snapshots)
	}
	if len(r.Warnings) != 1 || r.Warnings[0].Rule != "no-answer" || r.Warnings[0].Count != 1 || r.Published != nil {
		t.Errorf("%+v", r.Warnings)
	}
}

func TestSnapshotsFaults(t *testing.T) {
	option := new(workload.OptionError)
	for _, o := range []SnapshotsOptions{{Quantile: 1}, {Quantile: math.NaN()}, {Quantile: -1}, {First: 1}, {First: -3}} {
		if _, err := Snapshots(context.Background(), "hand", handMadeTable(t), o); !errors.As(err, &option) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := Snapshots(context.Background(), "hand", handMadeTable(t), SnapshotsOptions{}); !errors.Is(err, workload.ErrNoJobs) || !strings.Contains(err.Error(), "snapshot 6 (--first-snapshot), and there are only 3") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Snapshots(ctx, "hand", handMadeTable(t), SnapshotsOptions{First: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// slurmDays reads the first days of real snapshots, 0 for all.
func slurmDays(t *testing.T, days int) *snapshots.Table {
	t.Helper()
	m, err := snapshots.FindMapping(snapshots.SlurmQueueTime)
	if err != nil {
		t.Fatal(err)
	}
	r := snapshots.NewReader(m)
	for _, day := range []int{1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 17, 18, 23, 29, 30, 31} {
		path := reallogs.Path(t, fmt.Sprintf("slurm-snapshots/graham-2021-05-%02d.csv.gz", day))
		text, err := logfile.OpenText(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Read(path, text); err != nil {
			t.Fatal(err)
		}
		text.Close()
		if days--; days == 0 {
			break
		}
	}
	table, err := r.Table()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestSlurmSnapshots: the learner, fitted to the first day, is better on the second than
// the mean of the partition.
func TestSlurmSnapshots(t *testing.T) {
	r, err := Snapshots(context.Background(), "slurm", slurmDays(t, 2), SnapshotsOptions{First: 2})
	if err != nil {
		t.Fatal(err)
	}
	forest, means := r.Score("forest"), r.Score("group-means")
	if forest.Jobs != 5392 || forest.Bounded != 5392 || !(forest.SquaredError < 0.75*means.SquaredError) || len(r.Published) == 0 {
		t.Errorf("%+v, %+v", forest, means)
	}
}

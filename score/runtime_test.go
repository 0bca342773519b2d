package score

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

type runTimeReference struct {
	Scores     map[string]float64 // by their names
	Accuracies [][2]float64       `json:"accuracy_at_most"`
	Errors     [][2]float64       `json:"error_at_most"`
	Pairs      [][2]*float64
}

func readRunTimeReference(t *testing.T) (ref runTimeReference) {
	t.Helper()
	data := jobtest.Must(os.ReadFile("testdata/runtime_scores.json"))
	jobtest.NoError(t, json.Unmarshal(data, &ref))
	return ref
}

func (ref runTimeReference) tally(keep int) *RunTimeTally {
	t := &RunTimeTally{Keep: keep}
	for _, p := range ref.Pairs {
		predicted := nan
		if p[0] != nil {
			predicted = *p[0]
		}
		t.Add(predicted, *p[1])
	}
	return t
}

// TestRunTimeDetail compares with NumPy: testdata/runtime_scores.py. Means are exact however many
// predictions are kept; quantiles are within the accuracy that the result states.
func TestRunTimeDetail(t *testing.T) {
	ref := readRunTimeReference(t)
	for _, c := range []struct {
		keep     int
		relative float64 // of quantiles
		method   string
	}{
		{0, 1e-12, "exact"},
		{100, stats.RelativeError, "sketch, relative error 0.001"},
	} {
		mean, detail := ref.tally(c.keep).Detail()
		for name, want := range ref.Scores {
			got, ok := field.Number(detail, name)
			if !ok {
				got, ok = field.Number(mean, name)
			}
			tolerance := 1e-12 * max(1, math.Abs(want))
			switch {
			case name == "bias_s":
				tolerance = 1e-12 * ref.Scores["absolute_error_mean_s"]
			case strings.HasPrefix(name, "absolute_error_q"), name == "absolute_error_median_s":
				tolerance = c.relative * want
			}
			if !ok || !(math.Abs(got-want) <= tolerance) {
				t.Errorf("%d kept: %s is %.15g, want %.15g to %g", c.keep, name, got, want, tolerance)
			}
		}
		if len(ref.Scores) != 16 || detail.DistributionMethod != c.method || !strings.HasPrefix(c.method, mean.MedianMethod) {
			t.Errorf("%d kept: by %q and %q, want %q", c.keep, detail.DistributionMethod, mean.MedianMethod, c.method)
		}
	}
}

// TestRunTimeDistributions compares figure 3's curves with NumPy's.
func TestRunTimeDistributions(t *testing.T) {
	ref := readRunTimeReference(t)
	for _, keep := range []int{0, 100} {
		tally := ref.tally(keep)
		accuracy, miss := tally.AccuracyDistribution(), tally.AbsoluteErrorDistribution()
		if len(accuracy) != 101 || len(miss) == 0 || miss[len(miss)-1].AtMost != 1 {
			t.Fatalf("%d and %d points", len(accuracy), len(miss))
		}
		for i, want := range ref.Accuracies {
			if got := accuracy[10*i]; math.Abs(got.Value-want[0]) > 1e-12 || math.Abs(got.AtMost-want[1]) > 1e-12 {
				t.Errorf("%d kept: accuracy %v, want %v", keep, got, want)
			}
		}
		slack := 1e-12
		if keep > 0 {
			slack = 0.01 // errors within 0.1 % of the value
		}
		for i, want := range ref.Errors {
			if 10*i >= len(miss) {
				continue
			}
			if got := miss[10*i]; math.Abs(got.Value-want[0]) > 1e-9*want[0] || math.Abs(got.AtMost-want[1]) > slack {
				t.Errorf("%d kept: error %v, want %v", keep, got, want)
			}
		}
	}
	var none RunTimeTally
	if len(none.AccuracyDistribution()) > 0 || len(none.AbsoluteErrorDistribution()) > 0 {
		t.Error("points without predictions")
	}
}

// said returns predictions of the given seconds.
func said(seconds ...float64) (all []workload.Prediction) {
	for _, s := range seconds {
		all = append(all, workload.Prediction{Seconds: s})
	}
	return all
}

// The expected values are worked out by hand.
func TestRunTimeParts(t *testing.T) {
	var whole Groups
	var common RunTimeCommon
	for _, j := range []struct {
		part          int64
		first, second float64
		actual        float64
	}{
		{7, 50, 100, 100}, {7, 400, nan, 100}, {3, nan, nan, 60}, {7, 1, 1, nan},
	} {
		all := common.Add(said(j.first, j.second), j.actual)
		whole.Add(j.part, said(j.first, j.second), j.actual, all)
	}
	got := whole.Parts()
	const want = "[{3 1 [{0 0 {NaN} NaN 0 NaN NaN NaN NaN} {0 0 {NaN} NaN 0 NaN NaN NaN NaN}]} {7 2 [{2 1 {0.375} 0.5 1 175 125 50 50} {1 0.5 {1} 1 1 0 0 0 0}]}]"
	if text := fmt.Sprint(got); text != want {
		t.Errorf("%s, want %s", text, want)
	}
	for run, length := range map[float64]int64{0: Short, 599: Short, 600: Medium, 7199.5: Medium, 7200: Long} {
		if got := LengthOf(run); got != length {
			t.Errorf("%g s is of length %d, want %d", run, got, length)
		}
	}
}

// TestGroupsByHand has two users, so there are three kinds of draws.
func TestGroupsByHand(t *testing.T) {
	var u Groups
	// One user's accuracies are 1 and 1/2 against 1/2 and 1/2, the other's 1/4 against none.
	u.Add(1, said(50, 100), 100, CommonJob{})
	u.Add(1, said(50, 50), 100, CommonJob{})
	u.Add(2, said(nan, 25), 100, CommonJob{})
	got := u.RunTimeIntervals(2, 2000, 0.5, 1)
	if u.Groups() != 2 || len(got) != 2 || got[0].Both != 2 || got[1].Both != 2 {
		t.Fatalf("%d users, %+v", u.Groups(), got)
	}
	// Draws of users have probabilities (1,1) 1/4, (1,2) 1/2, (2,2) 1/4; the second predictor's
	// means are 3/4, 7/12 and 1/4, so the quartiles lie between draws; its difference is 1/4 in
	// every draw that has one.
	if m := got[1].Accuracy.Mean; math.Abs(m-7.0/12) > 1e-12 {
		t.Errorf("accuracy %g, want 7/12", m)
	}
	wide := u.RunTimeIntervals(2, 2000, 0.9, 1)[1].Accuracy
	if wide.Low != 0.25 || wide.High != 0.75 {
		t.Errorf("%v, want 1/4 to 3/4", wide)
	}
	if d := got[1].Difference; d != (Interval{0.25, 0.25, 0.25}) {
		t.Errorf("difference %v, want 1/4", d)
	}
	if d := got[0].Difference; d != (Interval{}) {
		t.Errorf("difference from itself %v, want 0", d)
	}
	if again := u.RunTimeIntervals(2, 2000, 0.5, 1); cmp.Diff(got, again, near) != "" {
		t.Error("the same seed gives other intervals")
	}
	var one Groups
	one.Add(5, said(1), 1, CommonJob{})
	if in := one.RunTimeIntervals(1, 100, 0.95, 1)[0].Accuracy; in.Mean != 1 || !math.IsNaN(in.Low) || !math.IsNaN(in.High) {
		t.Errorf("of one user: %v, want no bounds", in)
	}
	if of := new(Groups).RunTimeIntervals(1, 10, 0.95, 1)[0]; !math.IsNaN(of.Accuracy.Mean) || !math.IsNaN(of.Difference.High) || of.Both != 0 {
		t.Errorf("without predictions: %v", of)
	}
}

// TestGroupsCover checks how often the 95 % interval contains the expected accuracy, where users
// differ and their jobs are alike, against the documentation of FewUsers. The shares are from
// 3,000 logs of each kind, with a standard error of half a point; the tolerance is that and the
// binomial standard deviation of the logs drawn here, so that a correct program fails in one of
// the six cases once in 25,000 runs.
func TestGroupsCover(t *testing.T) {
	logs := longtest.Size(150, 3000)
	for _, c := range []struct {
		users int
		skew  bool // numbers of jobs are log-normal with sigma 1.2
		share float64
	}{{10, true, .855}, {20, true, .895}, {40, false, .925}, {40, true, .907}, {200, false, .937}, {200, true, .925}} {
		rng := rand.New(rand.NewPCG(7, 8))
		held := 0
		for range logs {
			var u Groups
			for user := range int64(c.users) {
				// A user's accuracy is uniform on [0, 1], each job's the same.
				a, jobs := rng.Float64(), 5
				if c.skew {
					jobs = int(math.Ceil(5 * math.Exp(1.2*rng.NormFloat64())))
				}
				for range jobs {
					u.Add(user, said(100*a), 100, CommonJob{})
				}
			}
			in := u.RunTimeIntervals(1, 200, 0.95, 1)[0].Accuracy
			if in.Low <= 0.5 && 0.5 <= in.High {
				held++
			}
		}
		deviation := math.Sqrt(c.share * (1 - c.share) * (1/float64(logs) + 1./3000))
		if share := float64(held) / float64(logs); math.Abs(share-c.share) > 4.5*deviation {
			t.Errorf("%+v: %d of %d intervals contain the expected accuracy", c, held, logs)
		}
	}
}

// TestManyUsers checks that more than UserClusters users share clusters, and that none is lost.
func TestManyUsers(t *testing.T) {
	u := Groups{Most: UserClusters}
	for user := range int64(UserClusters + 10) {
		u.Add(user, said(50), 100, CommonJob{})
	}
	in := u.RunTimeIntervals(1, 10, 0.95, 1)[0]
	if u.Groups() != UserClusters+10 || in.Both != UserClusters+10 || in.Accuracy.Mean != 0.5 || in.Accuracy.Low != 0.5 {
		t.Errorf("%d users, %+v", u.Groups(), in)
	}
}

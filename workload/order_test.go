package workload

import (
	"cmp"
	"errors"
	"iter"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// jobsAt yields jobs submitted at these times, then err unless it is nil.
func jobsAt(times []float64, err error) iter.Seq2[Job, error] {
	return func(yield func(Job, error) bool) {
		for i, t := range times {
			j := UnknownJob()
			j.ID, j.Row, j.Submit = int64(i+1), int64(i), t
			if !yield(j, nil) {
				return
			}
		}
		if err != nil {
			yield(Job{}, err)
		}
	}
}

func rows(t interface{ Fatal(...any) }, jobs iter.Seq2[Job, error]) (rows []int64) {
	for j, err := range jobs {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, j.Row)
	}
	return rows
}

// sortedRows returns the expected result of InOrder: a stable sort by all known times.
func sortedRows(times []float64) []int64 {
	var rows []int64
	for i, t := range times {
		if !math.IsNaN(t) {
			rows = append(rows, int64(i))
		}
	}
	slices.SortStableFunc(rows, func(a, b int64) int { return cmp.Compare(times[a], times[b]) })
	return rows
}

func TestInOrderIsAStableSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// A log that is out of order by at most the window.
		window := rapid.IntRange(1, 8).Draw(t, "window")
		n := rapid.IntRange(0, 100).Draw(t, "jobs")
		times := make([]float64, n)
		at := 0.0
		for i := range times {
			at += float64(rapid.IntRange(0, 2).Draw(t, "step"))
			times[i] = at
		}
		for i := 0; i+window < n; i += window + 1 {
			part := times[i : i+window+1]
			copy(part, rapid.Permutation(slices.Clone(part)).Draw(t, "order"))
		}
		for i := range times {
			if rapid.IntRange(0, 9).Draw(t, "unknown") == 0 {
				times[i] = math.NaN()
			}
		}
		var w Warnings
		got := rows(t, inOrder(jobsAt(times, nil), &w, window))
		if want := sortedRows(times); !slices.Equal(got, want) {
			t.Fatalf("times %v give rows %v, want %v", times, got, want)
		}
		latest, moved, unknown := math.Inf(-1), int64(0), int64(0)
		for _, x := range times {
			switch {
			case math.IsNaN(x):
				unknown++
			case x < latest:
				moved++
			default:
				latest = x
			}
		}
		counts := map[string]int64{}
		for _, x := range w.List() {
			counts[x.Rule] = x.Count
		}
		if counts["sorted-by-submit"] != moved || counts["no-submit-time"] != unknown {
			t.Errorf("%d moved and %d unknown are counted as %v", moved, unknown, counts)
		}
	})
}

func TestInOrderBeyondTheWindowIsAnError(t *testing.T) {
	times := []float64{843480005, 843480006, 843480007, 843480008, 843480009, 843480010, 843480011, 843480000.5}
	var got []int64
	var failure error
	for j, err := range inOrder(jobsAt(times, nil), nil, 2) {
		if failure != nil {
			t.Fatal("something follows an error")
		}
		if failure = err; err == nil {
			got = append(got, j.Row)
		}
	}
	const want = "job 8 (row 8) is out of order: submitted at 843480000.5 s, more than 2 jobs after one of 843480008 s; sort the log by submission first"
	if !errors.Is(failure, ErrOrder) || failure.Error() != want {
		t.Errorf("%v, want %s", failure, want)
	}
	if !slices.IsSorted(got) {
		t.Errorf("rows %v before the error", got)
	}
	// At the limit of the window jobs are still sorted: 4 jobs are held when the first 2 are
	// yielded.
	if got := rows(t, inOrder(jobsAt([]float64{5, 6, 7, 1, 8, 9}, nil), nil, 2)); !slices.Equal(got, []int64{3, 0, 1, 2, 4, 5}) {
		t.Errorf("rows %v", got)
	}
}

func TestInOrderPassesErrorsOnAndStops(t *testing.T) {
	failure := errors.New("failure")
	seen := 0
	for _, err := range InOrder(jobsAt([]float64{1, 2}, failure), nil) {
		if err != nil && !errors.Is(err, failure) {
			t.Errorf("error %v", err)
		}
		seen++
	}
	if seen != 1 {
		t.Errorf("%d elements, want the error alone", seen)
	}
	for j := range inOrder(jobsAt([]float64{1, 2, 3, 4, 5, 6, 7}, nil), nil, 2) {
		if j.Row == 1 {
			break
		}
	}
}

package reshape

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

func clockOf(t *testing.T, header string) workload.Clock {
	t.Helper()
	c, note := (&workload.Header{Lines: strings.Split(header, "\n")}).Clock()
	if note != "" {
		t.Fatal(note)
	}
	return c
}

// parted returns the parts of a log as "value: job job; value: ...", and checks that every job is
// in exactly one part.
func parted(t interface {
	Helper()
	Errorf(string, ...any)
}, header string, jobs []workload.Job, o SplitOptions) string {
	t.Helper()
	open := opening(header, jobs)
	s, err := Split(context.Background(), open, o)
	if err != nil {
		return err.Error()
	}
	in := make([][]string, len(s.Parts))
	seen := map[int64]int{}
	for from := 0; from < len(s.Parts); {
		to := s.Together(from)
		log, _ := open()
		for j := range log.Jobs() {
			i, err := s.Part(&j)
			if err != nil {
				t.Errorf("%v", err)
			}
			if i >= from && i < to {
				in[i] = append(in[i], fmt.Sprint(j.ID))
				seen[j.ID]++
			}
		}
		from = to
	}
	var out []string
	for i, p := range s.Parts {
		if p.N != i+1 || p.Jobs != int64(len(in[i])) || p.Jobs == 0 {
			t.Errorf("part %d: number %d, %d jobs promised, %d there", i, p.N, p.Jobs, len(in[i]))
		}
		out = append(out, p.Value+": "+strings.Join(in[i], " "))
	}
	for _, j := range jobs {
		if seen[j.ID] != 1 {
			t.Errorf("job %d is in %d parts", j.ID, seen[j.ID])
		}
	}
	return strings.Join(out, "; ")
}

// stockholm is a header that begins on Monday 23 September 1996 at 14:00:31, 35969 s before
// midnight. Summer time ends on 27 October 1996 at 3:00, which becomes 2:00, 2887169 s from the
// start.
const stockholm = " UnixStartTime: 843480031\n TimeZoneString: Europe/Stockholm"

// Parts by hand: how to split, the submissions, and the jobs of each part.
func TestSplitByHand(t *testing.T) {
	const cases = `
undated at 20,10 | -5 9.5 10 19 20 1e9 NaN | start: 0 1; 10s: 2 3; 20s: 4 5; unknown: 6
dated at 1996-09-24,1996-09-24T01:00 | 35968 35969 39569 | start: 0; 1996-09-24: 1; 1996-09-24T01-00-00: 2
undated at 1996-09-24 | 0 | ! does not say when it starts
dated by day | 0 35968 35969 122369 | 1996-09-23: 0 1; 1996-09-24: 2; 1996-09-25: 3
dated by day | 2887168 2887169 2977168 2977169 | 1996-10-26: 0; 1996-10-27: 1 2; 1996-10-28: 3
dated by week | 0 554368 554369 | 1996-09-23: 0 1; 1996-09-30: 2
dated by week | -50431 -50432 -655231 -655232 | 1996-09-09: 3; 1996-09-16: 1 2; 1996-09-23: 0
dated by month | 0 640768 640769 2887169 NaN | 1996-09: 0 1; 1996-10: 2 3; unknown: 4
undated by week | 0 604799 604800 | days-0-6: 0 1; days-7-13: 2
undated by month | 0 2591999 2592000 | days-0-29: 0 1; days-30-59: 2
undated parts 3 | 0 1 2 3 4 5 6 7 | 1: 0 1; 2: 2 3 4; 3: 5 6 7
undated parts 6 | 0 1 | ! 6 parts of 2 jobs
`
	for _, c := range longtest.Rows(cases) {
		var times []float64
		for _, text := range strings.Fields(c[1]) {
			x := jobtest.Must(strconv.ParseFloat(text, 64))
			times = append(times, x)
		}
		how := strings.Fields(c[0])
		header := map[string]string{"dated": stockholm}[how[0]]
		var o SplitOptions
		switch how[1] {
		case "at":
			o.At = strings.Split(how[2], ",")
		case "by":
			o.By = how[2]
		default:
			o.Parts, _ = strconv.Atoi(how[2])
		}
		got := parted(t, header, submitted(times...), o)
		if fault, fails := strings.CutPrefix(c[2], "! "); fails && !strings.Contains(got, fault) || !fails && got != c[2] {
			t.Errorf("%s: got %s, want %s", c[0], got, c[2])
		}
	}
	users := submitted(0, 1, 2, 3, 4)
	for i, user := range []int64{7, 3, workload.Unknown, 7, -4} {
		users[i].User = user
	}
	if got := parted(t, "", users, SplitOptions{By: "user"}); got != "-4: 4; 3: 1; 7: 0 3; unknown: 2" {
		t.Errorf("by user: got %s", got)
	}
	if got := parted(t, "", numbered(maxParts+1, maxParts+1), SplitOptions{By: "user"}); got != "more than 1000 parts" {
		t.Errorf("too many parts: got %s", got)
	}
}

// A job that belongs to no part was not in the log when it was divided.
func TestSplitOfAChangedLog(t *testing.T) {
	s, err := Split(t.Context(), opening("", numbered(4, 2)), SplitOptions{By: "user"})
	if err != nil {
		t.Fatal(err)
	}
	other := numbered(3, 3)[2]
	if _, err := s.Part(&other); err != ErrChanged {
		t.Errorf("got %v, want %v", err, ErrChanged)
	}
}

func TestSplitPartitionsExactly(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		times := rapid.SliceOfN(rapid.Float64Range(-1e7, 1e8), 1, 60).Draw(r, "submissions")
		cut := fmt.Sprint(rapid.Float64Range(-1e7, 1e8).Draw(r, "cut"))
		n := rapid.IntRange(1, len(times)).Draw(r, "parts")
		for _, o := range []SplitOptions{
			{At: []string{cut, "0"}}, {By: "week"}, {By: "month"}, {Parts: n},
		} {
			got := parted(r, stockholm, submitted(times...), o)
			if parts := strings.Split(got, "; "); o.Parts > 0 {
				for _, p := range parts {
					if jobs := len(strings.Fields(p)) - 1; len(parts) != n || jobs < len(times)/n || jobs > len(times)/n+1 {
						r.Fatalf("%d jobs in %d parts: got %s", len(times), n, got)
					}
				}
			}
		}
	})
}

// Expected values from Python's datetime with zoneinfo, applied to the second field of each line.
func TestSplitKTH(t *testing.T) {
	log := jobtest.Open(t, "KTH-SP2-1996-2.1-cln.swf.gz")
	jobs := jobtest.Collect(t, log.Jobs())
	s, err := Split(t.Context(), opening(strings.Join(log.Header.Lines, "\n"), jobs), SplitOptions{By: "month"})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, p := range s.Parts {
		got += fmt.Sprintf(" %s %d", p.Value, p.Jobs)
	}
	if want := " 1996-09 92 1996-10 2407 1996-11 1984 1996-12 2308 1997-01 2931 1997-02 2924" +
		" 1997-03 2081 1997-04 2854 1997-05 4081 1997-06 2702 1997-07 2185 1997-08 1927"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

package reshape

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

var testKey = []byte("an example key, not a secret one")

func anonymous(t require, jobs []workload.Job, lines []string, o AnonymiseOptions) *Anonymous {
	t.Helper()
	ids, err := FindIdentifiers(seqFrom(jobs))
	if err != nil {
		t.Fatal(err)
	}
	if o.Key == nil {
		o.Key = testKey
	}
	a, err := Anonymise(ids, workload.Header{Lines: lines}, o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// require is *testing.T or *rapid.T.
type require interface {
	Helper()
	Fatal(...any)
}

// The replacements that Python's hmac gives.
func TestReplacementsAgainstPython(t *testing.T) {
	r := readReference(t)
	if r.Key != string(testKey) {
		t.Fatalf("the script's key is %q", r.Key)
	}
	for _, c := range r.Replacements {
		col := workload.ColumnIndex(c.Column)
		j := workload.UnknownJob()
		var lines []string
		if c.Kind == "name" {
			workload.ColumnAt(col).SetInt(&j, 3)
			lines = []string{" " + map[string]string{"user_id": "User", "queue_id": "Queue"}[c.Column] + ": 3 " + c.Text}
		} else {
			n, err := strconv.ParseInt(c.Text, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			workload.ColumnAt(col).SetInt(&j, n)
		}
		a := anonymous(t, []workload.Job{j}, lines, AnonymiseOptions{Digits: c.Digits})
		out := jobtest.Collect(t, a.Jobs(seqFrom([]workload.Job{j})))
		if got := workload.ColumnAt(col).Int(&out[0]); got != c.Replacement {
			t.Errorf("%s %s %q in %d digits: got %d, want %d", c.Column, c.Kind, c.Text, c.Digits, got, c.Replacement)
		}
	}
}

// Two values are replaced alike exactly if they are alike; all else stays.
func TestAnonymiseIsConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.OneOf(rapid.Int64Range(-2, 5), rapid.Just(workload.Unknown), rapid.Int64())
		jobs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) workload.Job {
			j := workload.UnknownJob()
			j.ID, j.Submit, j.Run, j.Processors, j.Status = id.Draw(t, "id"), rapid.Float64().Draw(t, "submit"), 7, 4, 1
			for _, col := range workload.NamedColumns() {
				workload.ColumnAt(col).SetInt(&j, id.Draw(t, "identifier"))
			}
			return j
		}), 1, 30).Draw(t, "jobs")
		digits := rapid.IntRange(minDigits, maxDigits).Draw(t, "digits")
		on := rapid.SliceOfDistinct(rapid.SampledFrom(workload.NamedColumns()), rapid.ID).Draw(t, "columns")
		a := anonymous(t, jobs, nil, AnonymiseOptions{Columns: on, Digits: digits})
		if len(on) == 0 {
			on = []int{} // no column, not all
		}
		there, back := map[[2]int64]int64{}, map[[2]int64]int64{}
		i := 0
		for out, err := range a.Jobs(seqFrom(jobs)) {
			if err != nil {
				t.Fatal(err)
			}
			in := jobs[i]
			i++
			for _, col := range a.on {
				x, y := workload.ColumnAt(col).Int(&in), workload.ColumnAt(col).Int(&out)
				workload.ColumnAt(col).SetInt(&out, x)
				if x == workload.Unknown {
					if y != workload.Unknown {
						t.Fatalf("unknown became %d", y)
					}
					continue
				}
				if y < 1 || float64(y) >= math.Pow10(digits) {
					t.Fatalf("%d is not of %d digits", y, digits)
				}
				u, v := [2]int64{int64(col), x}, [2]int64{int64(col), y}
				if old, ok := there[u]; ok && old != y {
					t.Fatalf("%d became %d and %d", x, old, y)
				}
				if old, ok := back[v]; ok && old != x {
					t.Fatalf("%d and %d became %d", x, old, y)
				}
				there[u], back[v] = y, x
			}
			if !same(in, out) {
				t.Fatalf("got %+v, want %+v but for %v", out, in, on)
			}
		}
		if len(a.Replacements) != len(there) {
			t.Fatalf("%d replacements of %d values", len(a.Replacements), len(there))
		}
	})
}

func users(ids ...int64) (jobs []workload.Job) {
	for _, n := range ids {
		j := workload.UnknownJob()
		j.User, j.Group = n, n
		jobs = append(jobs, j)
	}
	return jobs
}

func replacementOf(a *Anonymous, col int, n int64) int64 { return a.table[col][n] }

// Without the key nothing of the numbers is left: another key, or another
// column, has other replacements. 1,000 numbers of 15 digits agree by chance
// once in 10^9 trials.
func TestReplacementsNeedTheKey(t *testing.T) {
	var ids []int64
	for n := range int64(1000) {
		ids = append(ids, n)
	}
	jobs := users(ids...)
	a := anonymous(t, jobs, nil, AnonymiseOptions{})
	b := anonymous(t, jobs, nil, AnonymiseOptions{Key: []byte("another key, no secret either")})
	seen := map[int64]bool{}
	var ups int
	for n := range int64(1000) {
		for _, v := range []int64{replacementOf(a, workload.ColUser, n), replacementOf(a, workload.ColGroup, n), replacementOf(b, workload.ColUser, n)} {
			if seen[v] {
				t.Errorf("%d occurs twice", v)
			}
			seen[v] = true
		}
		if n > 0 && replacementOf(a, workload.ColUser, n) > replacementOf(a, workload.ColUser, n-1) {
			ups++
		}
	}
	// Ascents of a random order: mean 499.5, variance (n+1)/12.
	if z := readReference(t).Normal; math.Abs(float64(ups)-499.5) > z*math.Sqrt(1001.0/12) {
		t.Errorf("%d of 999 replacements are above the one before: the order shows", ups)
	}
}

// Formats that number names as they appear number them differently in two
// logs; under one key the replacements are the names'.
func TestReplacementsFollowNames(t *testing.T) {
	a := anonymous(t, users(1, 2), []string{" User: 1 alice", " User: 2 bob"}, AnonymiseOptions{})
	b := anonymous(t, users(1, 2, 3), []string{" User: 1 carol", " User: 2 alice", " User: 3 bob"}, AnonymiseOptions{})
	if replacementOf(a, workload.ColUser, 1) != replacementOf(b, workload.ColUser, 2) || replacementOf(a, workload.ColUser, 2) != replacementOf(b, workload.ColUser, 3) {
		t.Errorf("got %+v and %+v", a.Replacements, b.Replacements)
	}
	if got := a.Replacements[0]; got.Name != "alice" || got.Number != 1 || got.Column != workload.ColUser {
		t.Errorf("mapping: got %+v", got)
	}
	// Two users of one name stay two.
	c := anonymous(t, users(1, 2), []string{" User: 1 alice", " User: 2 alice"}, AnonymiseOptions{})
	d := anonymous(t, users(1, 2), nil, AnonymiseOptions{})
	for n := int64(1); n < 3; n++ {
		if replacementOf(c, workload.ColUser, n) != replacementOf(d, workload.ColUser, n) {
			t.Errorf("user %d of a shared name: got %d", n, replacementOf(c, workload.ColUser, n))
		}
	}
}

// 20,000 numbers of six digits collide: n(n-1)/2m = 200 pairs are expected.
func TestCollisionsAreResolved(t *testing.T) {
	var ids []int64
	for n := range int64(20000) {
		ids = append(ids, n)
	}
	a := anonymous(t, users(ids...), nil, AnonymiseOptions{Digits: 6, Columns: []int{workload.ColUser}})
	slices.Reverse(ids)
	b := anonymous(t, users(ids...), nil, AnonymiseOptions{Digits: 6, Columns: []int{workload.ColUser}})
	if !slices.Equal(a.Replacements, b.Replacements) {
		t.Error("the replacements depend on the order of the jobs")
	}
	taken := map[int64]bool{}
	for _, r := range a.Replacements {
		if taken[r.New] || r.New < 1 || r.New > 999999 {
			t.Errorf("%d is taken, or has not six digits", r.New)
		}
		taken[r.New] = true
	}
	if z := readReference(t).Normal; math.Abs(float64(a.Collisions)-200) > z*math.Sqrt(200) {
		t.Errorf("%d collisions, want about 200", a.Collisions)
	}
	ids = nil
	for n := range int64(250000) {
		ids = append(ids, n)
	}
	found, err := FindIdentifiers(seqFrom(users(ids...)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Anonymise(found, workload.Header{}, AnonymiseOptions{Key: testKey, Digits: 6}); err == nil {
		t.Error("250,000 values in six digits: no error")
	}
}

func TestAnonymiseOptionsAreChecked(t *testing.T) {
	for _, o := range []AnonymiseOptions{{}, {Key: []byte("too short")}, {Key: testKey, Digits: 5}, {Key: testKey, Digits: 16}} {
		if _, err := Anonymise(new(Identifiers), workload.Header{}, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	a := anonymous(t, users(1), nil, AnonymiseOptions{})
	if err := failing(a.Jobs(seqFrom(users(1, 2)))); err != ErrChanged {
		t.Errorf("a job that was not there: got %v", err)
	}
}

func TestAnonymiseHeader(t *testing.T) {
	header := strings.Split(strings.TrimPrefix(`
 Version: 2.2
 Computer: Abacus
 Installation: The Institute
    of Counting
 Acknowledge: Jane Doe
 MaxJobs: 4
 MaxProcs: 400 (48 for alice)
                (352 for bob)
 MaxNodes: 100
 TimeZoneString: Europe/Zurich
 Queues: alice's and bob's
 MaxQueues: 2
 Queue: 0 alice (interactive)
 Queue: 1 bob
        (batch)
 Partition: 1 bobs-nodes
 User: 3 bob
 Owner: alice

 Note: bob is away
    until May
free text of alice
`, "\n"), "\n")
	header = header[:len(header)-1]
	note := func(columns string, lines string) string {
		return " Note: anonymised: " + columns + " replaced with numbers from a keyed hash (HMAC-SHA-256); header lines dropped or shortened: " + lines
	}
	const all = "user_id, group_id, application_id, queue_id, partition_id"
	site := []string{" Version: 2.2", " Computer: Abacus", " Installation: The Institute", "    of Counting", " Acknowledge: Jane Doe"}
	facts := []string{" MaxJobs: 4", " MaxProcs: 400", " MaxNodes: 100", " TimeZoneString: Europe/Zurich", " MaxQueues: 2"}
	for _, c := range []struct {
		name string
		o    AnonymiseOptions
		want []string
		site []string
	}{
		{"default", AnonymiseOptions{}, slices.Concat(site, facts, []string{"", note(all, "12")}), []string{"Computer", "Installation", "Acknowledge"}},
		{"without the site", AnonymiseOptions{DropSite: true}, slices.Concat(site[:1], facts, []string{"", note(all, "16")}), nil},
		{"users only", AnonymiseOptions{Columns: []int{workload.ColUser}}, slices.Concat(site, facts[:4],
			[]string{" Queues: alice's and bob's", facts[4], " Queue: 0 alice (interactive)", " Queue: 1 bob", "        (batch)", " Partition: 1 bobs-nodes", "", note("user_id", "7")}),
			[]string{"Computer", "Installation", "Acknowledge"}},
	} {
		a := anonymous(t, users(3), header, c.o)
		if !slices.Equal(a.Header.Lines, c.want) || !slices.Equal(a.Site, c.site) {
			t.Errorf("%s: got\n%s\nwant\n%s\nsite %q", c.name, strings.Join(a.Header.Lines, "\n"), strings.Join(c.want, "\n"), a.Site)
		}
		if text := strings.Join(a.Header.Lines, "\n"); len(c.o.Columns) == 0 && (strings.Contains(text, "alice") || strings.Contains(text, "bob")) {
			t.Errorf("%s: a name is left", c.name)
		}
	}
}

package reshape

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

var testKey = []byte("an example key, not a secret one")

func anonymous(t require, jobs []workload.Job, header string, o AnonymiseOptions) *Anonymous {
	t.Helper()
	if o.Key == nil {
		o.Key = testKey
	}
	a, err := Anonymise(context.Background(), opening(header, jobs), o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// require is implemented by *testing.T and *rapid.T.
type require interface {
	Helper()
	Fatal(...any)
}

// The replacements agree with Python's hmac.
func TestReplacementsAgainstPython(t *testing.T) {
	r := readReference[reference](t, "reshape.json")
	if r.Key != string(testKey) {
		t.Fatalf("the script's key is %q", r.Key)
	}
	for _, c := range r.Replacements {
		col := workload.ColumnIndex(c.Column)
		j := workload.UnknownJob()
		header := ""
		if c.Kind == "name" {
			workload.ColumnAt(col).SetInt(&j, 3)
			var h workload.Header
			h.AddNamed(workload.NameKey(col), 3, c.Text)
			header = h.Lines[0]
		} else {
			n := jobtest.Must(strconv.ParseInt(c.Text, 10, 64))
			workload.ColumnAt(col).SetInt(&j, n)
		}
		out := jobtest.Collect(t, anonymous(t, []workload.Job{j}, header, AnonymiseOptions{}).Jobs)
		if got := workload.ColumnAt(col).Int(&out[0]); got != c.Replacement {
			t.Errorf("%s %s %q: got %d, want %d", c.Column, c.Kind, c.Text, got, c.Replacement)
		}
	}
}

// Two values have the same replacement if and only if they are equal; everything else is unchanged.
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
		a := anonymous(t, jobs, "", AnonymiseOptions{})
		there, back := map[[2]int64]int64{}, map[[2]int64]int64{}
		i := 0
		for out, err := range a.Jobs {
			if err != nil {
				t.Fatal(err)
			}
			in := jobs[i]
			i++
			for _, col := range workload.NamedColumns() {
				if col == workload.ColGPUType {
					continue
				}
				x, y := workload.ColumnAt(col).Int(&in), workload.ColumnAt(col).Int(&out)
				workload.ColumnAt(col).SetInt(&out, x)
				if x == workload.Unknown {
					if y != workload.Unknown {
						t.Fatalf("unknown became %d", y)
					}
					continue
				}
				if y < 1 || y > replacements {
					t.Fatalf("%d is not of 15 digits", y)
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
				t.Fatalf("got %+v, want %+v but for the names", out, in)
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

// Without the key the replacements reveal nothing about the numbers: another key, or another
// column, gives other replacements. 1,000 numbers of 15 digits agree by chance once in 10^9 trials.
func TestReplacementsNeedTheKey(t *testing.T) {
	var ids []int64
	for n := range int64(1000) {
		ids = append(ids, n)
	}
	jobs := users(ids...)
	a := anonymous(t, jobs, "", AnonymiseOptions{})
	b := anonymous(t, jobs, "", AnonymiseOptions{Key: []byte("another key, no secret either")})
	seen := map[int64]bool{}
	for n := range int64(1000) {
		for _, v := range []int64{a.table[workload.ColUser][n], a.table[workload.ColGroup][n], b.table[workload.ColUser][n]} {
			if seen[v] {
				t.Errorf("%d occurs twice", v)
			}
			seen[v] = true
		}
	}
}

// Formats that number names in order of appearance number them differently in two logs; with one
// key the replacements depend on the names.
func TestReplacementsFollowNames(t *testing.T) {
	a := anonymous(t, users(1, 2), " User: 1 alice\n User: 2 bob", AnonymiseOptions{})
	b := anonymous(t, users(1, 2, 3), " User: 1 carol\n User: 2 alice\n User: 3 bob", AnonymiseOptions{})
	if a.table[workload.ColUser][1] != b.table[workload.ColUser][2] || a.table[workload.ColUser][2] != b.table[workload.ColUser][3] {
		t.Errorf("got %+v and %+v", a.Replacements, b.Replacements)
	}
	if got := a.Replacements[0]; got.Name != "alice" || got.Number != 1 || got.Column != "user_id" {
		t.Errorf("mapping: got %+v", got)
	}
	// Two users with the same name remain two.
	c := anonymous(t, users(1, 2), " User: 1 alice\n User: 2 alice", AnonymiseOptions{})
	d := anonymous(t, users(1, 2), "", AnonymiseOptions{})
	for n := int64(1); n < 3; n++ {
		if c.table[workload.ColUser][n] != d.table[workload.ColUser][n] {
			t.Errorf("user %d of a shared name: got %d", n, c.table[workload.ColUser][n])
		}
	}
}

// 20,000 numbers of six digits collide: n(n-1)/2m = 200 colliding pairs are expected, and the
// probability of none is e^-200.
func TestCollisionsAreFound(t *testing.T) {
	a := Anonymous{}
	a.table[workload.ColUser] = map[int64]int64{}
	for n := range int64(20000) {
		a.table[workload.ColUser][n] = 0
	}
	err := a.replace(workload.ColUser, &workload.Header{}, testKey, 999999)
	if err == nil || !strings.Contains(err.Error(), "want another key") {
		t.Errorf("got %v", err)
	}
	j := users(1 << 40)[0]
	if _, err := a.anonymise(&j); err != ErrChanged {
		t.Errorf("a job that was not there: got %v", err)
	}
}

func TestAnonymiseHeader(t *testing.T) {
	const header = ` Version: 2.2
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
free text of alice`
	const (
		site = ` Computer: Abacus
 Installation: The Institute
    of Counting
 Acknowledge: Jane Doe
`
		facts = ` MaxJobs: 4
 MaxProcs: 400
 MaxNodes: 100
 TimeZoneString: Europe/Zurich
`
		all  = "user_id, group_id, application_id, queue_id, partition_id"
		note = " Note: anonymised: %s replaced with numbers from a keyed hash (HMAC-SHA-256); header lines dropped or shortened: %d"
	)
	for _, c := range []struct {
		o          AnonymiseOptions
		want, site string
	}{
		{AnonymiseOptions{}, site + facts + " MaxQueues: 2\n" + fmt.Sprintf(note, all, 12), "Computer Installation Acknowledge"},
		{AnonymiseOptions{DropSite: true}, facts + " MaxQueues: 2\n" + fmt.Sprintf(note, all, 16), ""},
	} {
		a := anonymous(t, users(3), header, c.o)
		got, _ := strings.CutPrefix(strings.Join(a.Header().Lines, "\n"), " Version: 2.2\n")
		if d := cmp.Diff(c.want, got); d != "" || strings.Join(a.Site, " ") != c.site {
			t.Errorf("%+v: site %q, (-want +got)\n%s", c.o, a.Site, d)
		}
		if strings.Contains(got, "alice") || strings.Contains(got, "bob") {
			t.Errorf("%+v: a name is left", c.o)
		}
	}
}

// Keywords that may be kept are kept only with a value of the expected form: other text might name
// somebody. The forms are those of the format's definition (FORMATS: Preemption, AllowOveruse,
// zoneinfo names, date(1)) and those in the archive's logs. BOB is not the abbreviation of a time
// zone.
func TestAnonymiseKeepsOnlyKnownValues(t *testing.T) {
	const cases = `
Preemption: alice | 
Preemption: No | kept
Preemption: Double | kept
preemption: yes | kept
Preemption: No, but for alice | 
Preemption: No (but for alice) | Preemption: No
Preemption: TS alice | Preemption: TS
AllowOveruse: Yes | kept
AllowOveruse: alice | 
TimeZoneString: Europe/Zurich | kept
TimeZoneString: alice | 
TimeZoneString: Local | 
TimeZoneString: Europe/Zurich, says bob | 
TimeZoneString: | 
StartTime: Mon Sep 23 14:00:31 CEST 1996 | 
EndTime: Tue Aug 19 12:14:46 UTC 2014 | 
MaxProcs: alice | 
MaxProcs: 400alice | 
MaxProcs: 400 (48 for alice) | MaxProcs: 400
MaxNodes: -1 | kept
MaxRuntime: 18:00:00 | kept
Version: 2.2 | kept
Version: alice | 
UnixStartTime: 0 | kept
TimeZone: -28800 | kept
TimeZone: bob | 
MaxJobs: | 
`
	for _, c := range longtest.Rows(cases) {
		line, want := " "+c[0], " "+c[1]
		if c[1] == "kept" {
			want = line
		}
		a := anonymous(t, users(1), line, AnonymiseOptions{})
		got := strings.Join(a.Header().Lines[:len(a.Header().Lines)-1], "") // the last is our note
		if got != strings.TrimRight(want, " ") || (c[1] == "kept") == (len(a.Dropped) == 1) {
			t.Errorf("%q: got %q, want %q; %+v dropped", line, got, want, a.Dropped)
		}
	}
}

// Accounts and qualities of service are replaced, and lose their names; kinds of GPUs, which
// identify nobody, keep theirs. The note names the columns that the log has.
func TestAnonymiseOptional(t *testing.T) {
	j := workload.UnknownJob()
	for _, col := range []int{workload.ColAccount, workload.ColQOS, workload.ColGPUType, workload.ColArray} {
		workload.ColumnAt(col).SetInt(&j, 3)
	}
	a := anonymous(t, []workload.Job{j}, " Account: 3 physics\n QOS: 3 high\n GPUType: 3 A100\n MaxGPUs: 32\n MaxNodeMemory: 1000", AnonymiseOptions{})
	for out, err := range a.Jobs {
		if err != nil {
			t.Fatal(err)
		}
		for col, kept := range map[int]bool{workload.ColAccount: false, workload.ColQOS: false, workload.ColGPUType: true, workload.ColArray: true} {
			if got := workload.ColumnAt(col).Int(&out); got == 3 != kept {
				t.Errorf("%s is %d", workload.ColumnAt(col).Name, got)
			}
		}
	}
	text := strings.Join(a.Header().Lines, "\n")
	for part, want := range map[string]bool{
		"GPUType: 3 A100": true, "MaxGPUs: 32": true, "MaxNodeMemory: 1000": true, "physics": false, "high": false,
		"application_id, queue_id, partition_id, account_id, qos_id replaced": true,
	} {
		if strings.Contains(text, part) != want {
			t.Errorf("%q in the header: %v, want %v\n%s", part, !want, want, text)
		}
	}
}

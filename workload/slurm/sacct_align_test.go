package slurm

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestSacctAlign holds that a record is found again whatever bars its texts
// have, wherever its columns can be told apart: with every text between two
// columns that no piece of text looks like.
func TestSacctAlign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := []string{"JobName", "SubmitLine", "Comment", "WorkDir", "Constraints"}
		fixed := map[string]string{"Submit": "2021-06-01T10:00:00", "State": "COMPLETED", "AllocTRES": "cpu=4,mem=8G", "ExitCode": "0:0", "Elapsed": "01:00:00"}
		order := rapid.Permutation([]string{"Submit", "State", "AllocTRES", "ExitCode", "Elapsed"}).Draw(t, "order")
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab| \n.")), 0, 9, -1)
		columns, values := []string{"JobID"}, []string{"17"}
		for i, name := range order {
			columns, values = append(columns, texts[i], name), append(values, text.Draw(t, texts[i]), fixed[name])
		}
		l, err := newSacctLayout("log", strings.Join(columns, "|"))
		if err != nil {
			t.Fatal(err)
		}
		pieces := strings.Split(strings.Join(values, "|"), "|")
		a := sacctAligner{columns: l.columns}
		from, ok := a.align(len(pieces), func(i int) []byte { return []byte(pieces[i]) })
		if !ok {
			t.Fatal("not aligned")
		}
		for i, want := range values {
			if got := strings.Join(pieces[from[i]:a.end(from, i, len(pieces))], "|"); got != want {
				t.Errorf("%s: %q, want %q", columns[i], got, want)
			}
		}
	})
}

// TestSacctAlignChoice has bars that two columns may have.
func TestSacctAlignChoice(t *testing.T) {
	for _, c := range []struct {
		columns, record string
		column          int
		want            string
		ok              bool
	}{
		{"JobID|JobName|Comment|State", "1|a|b||CD", 1, "a|b", true}, // likelier in a name than in a comment
		{"JobID|JobName|SubmitLine|State", "1|a|b|c|CD", 1, "a|b", true},
		{"JobID|SubmitLine|State|Comment", "1|a|CD|b|CD|c", 1, "a|CD|b", true},
		{"JobID|User|State", "1|a|b|CD", 0, "", false},   // no column that could have it
		{"JobID|JobName|State", "1|a|b|c", 0, "", false}, // no state
	} {
		l, err := newSacctLayout("log", c.columns+"|Submit")
		if err != nil {
			t.Fatal(err)
		}
		pieces := strings.Split(c.record+"|", "|")
		a := sacctAligner{columns: l.columns}
		from, ok := a.align(len(pieces), func(i int) []byte { return []byte(pieces[i]) })
		if ok != c.ok {
			t.Errorf("%s by %s: aligned %v", c.record, c.columns, ok)
		} else if ok {
			if got := strings.Join(pieces[from[c.column]:a.end(from, c.column, len(pieces))], "|"); got != c.want {
				t.Errorf("%s by %s: %q, want %q", c.record, c.columns, got, c.want)
			}
		}
	}
}

// TestSacctIndex compares the hash table with a map.
func TestSacctIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sacctKey {
			return sacctKey{rapid.Uint64Range(0, 40).Draw(t, "job"), rapid.Uint64Range(0, 3).Draw(t, "part") << 50}
		}), 0, 3000).Draw(t, "keys")
		var x sacctIndex
		want := map[sacctKey]int{}
		var jobs []sacctJob
		for i, k := range keys {
			jobs = append(jobs, sacctJob{sacctRow: sacctRow{key: k}})
			was := x.put(jobs, i)
			if old, ok := want[k]; ok && was != old || !ok && was != -1 {
				t.Fatalf("put %d: was %d, want %d, %v", i, was, old, ok)
			}
			if was >= 0 {
				jobs[was].old = true
			}
			want[k] = i
		}
		check := func() {
			for k, i := range want {
				if got := x.find(jobs, k); got != i {
					t.Fatalf("%v is at %d, want %d", k, got, i)
				}
			}
			if got := x.find(jobs, sacctKey{99, 99}); got != -1 {
				t.Fatalf("what is not there is at %d", got)
			}
		}
		check()
		x.rebuild(jobs)
		check()
	})
}

// TestAppendBars compares with one byte at a time.
func TestAppendBars(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.SampledFrom([]byte("|{}\xfc|~\x00a|"))).Draw(t, "text")
		var want []int32
		for i, c := range text {
			if c == '|' {
				want = append(want, int32(i))
			}
		}
		if got := appendBars(nil, text, '|'); !cmp.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	})
}

package workload

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// FuzzSacct reads a text in several chunks and as one: the same jobs, header
// and warnings, or the same fault; and every fault is an *InputError.
func FuzzSacct(f *testing.F) {
	const long = "JobID|User|Account|Partition|QOS|JobName|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|NCPUS|ReqMem|TotalCPU|MaxRSS\n"
	for _, text := range []string{
		"", "JobID|Submit", "JobID|Submit\n1|2021-06-01T10:00:00",
		long + "1|a|b|c|d|e|COMPLETED|2021-06-01T10:00:00|2021-06-01T10:05:00|2021-06-01T11:05:00|3600|60|4|4000Mc|01:00.5|\n1.batch||b|||batch|COMPLETED|||||||||4K\n",
		long + "1|a|b|c|d|e|f\n\n|g|PD|2021-10-31T02:30:00|Unknown|None|0|UNLIMITED|0|0n||\r\n12_[3-5]|a|b|c|d|e|RUNNING|2021-10-31T02:10:00||||||||\n",
		"JobID|JobName|JobIDRaw|\n7_1|a|b||8|\n7_2|c\nd|9|\n9+1|x|\n" + "JobID|JobName|JobIDRaw|\n",
		"JobID|Elapsed|State\n1|1-00:00:00|RQ\n1|00:10|CD\n1|x|CD\n",
		"Comment|JobID|SubmitLine|Start|Comment2\na|1|b\n|c|1622541600|x\n\n||\ny\n|2||2021-03-28T02:30:00|\n",
	} {
		f.Add(text, uint16(0))
		f.Add(text, uint16(70))
	}
	f.Fuzz(func(t *testing.T, text string, size uint16) {
		o := Options{Workers: 2, TimeZone: "Europe/Zurich"}
		parts, err := readSacct(text, o, int(size)+1)
		whole, wholeErr := readSacct(text, o, chunkSize)
		if (err == nil) != (wholeErr == nil) || err != nil && err.Error() != wholeErr.Error() {
			t.Fatalf("error %v in chunks of %d, %v in one", err, size, wholeErr)
		}
		if err != nil {
			var e *InputError
			if !errors.As(err, &e) {
				t.Fatalf("%T %v is no InputError", err, err)
			}
			return
		}
		if d := cmp.Diff(parts.jobs, whole.jobs) + cmp.Diff(parts.header, whole.header) + cmp.Diff(parts.warnings, whole.warnings) + cmp.Diff(parts.lines, whole.lines); d != "" {
			t.Fatal(d)
		}
	})
}

// TestSacctChunks reads a long log with bars and line ends in its texts, in
// chunks of many sizes and by several workers: always the same, and every job.
func TestSacctChunks(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	text := "JobIDRaw|SubmitLine|State|Submit|Comment|Start|ElapsedRaw|JobName|NCPUS\n"
	const jobs = 700
	for i := range jobs {
		odd := func() string {
			return []string{"", "plain", "a | b", "a\nb", "|", "x\n\n|y|\n", "12|COMPLETED"}[rng.IntN(7)]
		}
		text += strings.Join([]string{formatNumber(float64(i + 1)), odd(), "COMPLETED", formatNumber(float64(1600000000 + i)), odd(),
			formatNumber(float64(1600000100 + i)), "60", strings.ReplaceAll(odd(), "\n", " "), "4"}, "|") + "\n"
	}
	want, err := readSacct(text, Options{Workers: 1}, chunkSize)
	if err != nil {
		t.Fatal(err)
	}
	if len(want.jobs) != jobs {
		t.Errorf("%d jobs of %d; warnings %v", len(want.jobs), jobs, want.warnings)
	}
	for i, job := range want.jobs {
		words := strings.Fields(job)
		if words[0] != formatNumber(float64(i+1)) || words[2] != "100" || words[3] != "60" || words[4] != "4" {
			t.Fatalf("job %d is %s", i+1, job)
		}
	}
	for _, size := range []int{1, 50, 333, 4096} {
		for _, workers := range []int{1, 3} {
			got, err := readSacct(text, Options{Workers: workers}, size)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want.jobs, got.jobs) + cmp.Diff(want.header, got.header) + cmp.Diff(want.warnings, got.warnings) + cmp.Diff(want.lines, got.lines); d != "" {
				t.Errorf("chunks of %d, %d workers: %s", size, workers, d)
			}
		}
	}
}

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
		from, unique, ok := a.align(len(pieces), func(i int) []byte { return []byte(pieces[i]) })
		if !ok || !unique {
			t.Fatalf("aligned %v, unique %v", ok, unique)
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
		unique, ok      bool
	}{
		{"JobID|JobName|Comment|State", "1|a|b||CD", 1, "a|b", true, true}, // likelier in a name than in a comment
		{"JobID|JobName|SubmitLine|State", "1|a|b|c|CD", 1, "a|b", false, true},
		{"JobID|SubmitLine|State|Comment", "1|a|CD|b|CD|c", 1, "a|CD|b", true, true},
		{"JobID|User|State", "1|a|b|CD", 0, "", false, false},   // no column that could have it
		{"JobID|JobName|State", "1|a|b|c", 0, "", false, false}, // no state
	} {
		l, err := newSacctLayout("log", c.columns+"|Submit")
		if err != nil {
			t.Fatal(err)
		}
		pieces := strings.Split(c.record+"|", "|")
		a := sacctAligner{columns: l.columns}
		from, unique, ok := a.align(len(pieces), func(i int) []byte { return []byte(pieces[i]) })
		if ok != c.ok || unique != c.unique {
			t.Errorf("%s by %s: aligned %v, unique %v", c.record, c.columns, ok, unique)
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
		if got := appendBars(nil, text); !cmp.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	})
}

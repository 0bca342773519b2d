package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/score"
)

// twoQueueLogs are two logs of one site, which numbers its queues anew in between:
// q1s is 1 and then 3.
func twoQueueLogs(t *testing.T) (a, b string) {
	t.Helper()
	dir := t.TempDir()
	job := func(number, submit, run, size, user, queue int) string {
		return fmt.Sprintf("%d %d 0 %d %d -1 -1 %d -1 -1 1 %d 1 1 %d 1 -1 -1", number, submit, run, size, size, user, queue)
	}
	a = logOf(t, dir, "a.swf", "; Queue: 1 q1s\n; Queue: 2 q2s\n; Queue: 3 q1l\n",
		job(1, 0, 10, 1, 1, 1), job(2, 60, 20, 2, 1, 2), job(3, 120, 30, 4, 2, 1), job(4, 180, 900, 8, 2, 3))
	b = logOf(t, dir, "b.swf", "; Queue: 3 q1s\n; Queue: 2 q2s\n; Queue: 1 q1l\n",
		job(1, 0, 10, 1, 1, 3), job(2, 60, 800, 2, 1, 1), job(3, 120, 700, 4, 2, 1))
	return a, b
}

// 'compare --by' takes the words of every other command's --by, and named classes
// by the names that each log's header gives to its numbers.
func TestCompareByTheWordsOfEveryCommand(t *testing.T) {
	a, b := twoQueueLogs(t)
	list := filepath.Join(t.TempDir(), "classes.txt")
	if err := os.WriteFile(list, []byte("# short and long\nshort=q1s,q2s\nlong=q*l\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	// Each class: its value (? is null), its label, jobs of A and of B.
	for _, c := range []struct {
		flags []string
		by    string
		want  []string
	}{
		{[]string{"--by", "queue_id"}, "queue_id", []string{"1 queue_id=1 2 2", "3 queue_id=3 1 1", "2 queue_id=2 1 0"}},
		{[]string{"--by", "queue"}, "queue_id", []string{"1 queue_id=1 2 2", "3 queue_id=3 1 1", "2 queue_id=2 1 0"}},
		{[]string{"--by", "class", "--class", "short=q1s,q2s", "--class", "long=q1l"}, "class", []string{"? short 3 1", "? long 1 2"}},
		{[]string{"--class", "@" + list}, "class", []string{"? short 3 1", "? long 1 2"}},
		{[]string{"--by", "size:2"}, "size:2", []string{"? size<=2 2 2", "? size>2 2 1"}},
		{[]string{"--by", "user,size:2"}, "user_id,size:2", []string{"? user_id=1, size<=2 2 2", "? user_id=2, size>2 2 1"}},
		{[]string{"--by", "size:each"}, "size:each", []string{"1 size=1 1 1", "2 size=2 1 1", "4 size=4 1 1", "8 size=8 1 0"}},
	} {
		var d score.Compared
		decode(t, &d, slices.Concat([]string{"compare", a, b}, c.flags)...)
		var got []string
		for _, k := range d.Comparison.Classes {
			value := "?"
			if k.Value.Known() {
				value = fmt.Sprint(int64(k.Value))
			}
			got = append(got, fmt.Sprint(value, " ", k.Label, " ", k.JobsA, " ", k.JobsB))
		}
		if d.Comparison.By != c.by || !slices.Equal(got, c.want) {
			t.Errorf("%q: by %q %q, want %q %q", c.flags, d.Comparison.By, got, c.by, c.want)
		}
	}
	// The medians of the short jobs are 20 s and 10 s, those of the long 900 s and 750 s.
	got := loadstone(t, "", "compare", a, b, "--class", "@"+list, "--format", "csv")
	if rows := strings.Split(got.out, "\n"); !strings.HasPrefix(rows[6], "run_time_s,3,20,0.5,11,15,20,") || !strings.HasSuffix(rows[6], ",short") ||
		!strings.HasPrefix(rows[11], "run_time_s,1,900,,900,900,900,") || !strings.Contains(rows[11], ",2,750,") || !strings.HasSuffix(rows[11], ",long") {
		t.Errorf("%s%s", got.err, got.out)
	}
	if got = loadstone(t, "", "compare", a, b, "--class", "@"+list); !strings.Contains(got.out, "\nshort ") || !strings.Contains(got.out, "\nlong ") {
		t.Errorf("%s%s", got.err, got.out)
	}
	for _, c := range []struct {
		flags []string
		code  int
		want  string
	}{
		{[]string{"--by", "colour"}, exitUsage, `--by "colour": want one or more of all,`},
		{[]string{"--by", "queue", "--class", "short=q1s"}, exitUsage, "--class: want the word class in --by"},
		{[]string{"--class", "short=q7"}, exitFailed, "a.swf: class: short=q7: the header names no such queue"},
	} {
		got := loadstone(t, "", slices.Concat([]string{"compare", a, b}, c.flags)...)
		if got.code != c.code || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: %d %q, want %d %q", c.flags, got.code, got.err, c.code, c.want)
		}
	}
}

package cli

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/part"
	"github.com/loadstone-hpc/loadstone/workload"
)

// divided writes a log of some 2 MiB, three chunks, with faults and oddities: jobs out
// of order across the chunks' borders, unless it is to be in order, zeros, unknown values,
// comments and blank lines. In an ordinary run there are fewer jobs, in wider lines.
func divided(t testing.TB, ordered bool) string {
	rng := rand.New(rand.NewPCG(5, 6))
	var b strings.Builder
	b.WriteString("; Version: 2.2\n; MaxProcs: 128\n; UnixStartTime: 1000000000\n; TimeZoneString: Europe/Zurich\n")
	at, width, gap := 0, longtest.Size(160, 0), 40
	if ordered {
		gap = 1200 // ten weeks or more
	}
	for i := range longtest.Size(10_000, 32_000) {
		at += rng.IntN(gap)
		submit := at
		if rng.IntN(50) == 0 && !ordered {
			submit -= rng.IntN(400)
		}
		switch i % 1000 {
		case 17:
			b.WriteString("; a comment\n")
		case 500:
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%*d %d %d %d %d %.2f -1 %d %d -1 %d %d -1 %d %d -1 -1 -1\n", width, i+1, submit, rng.IntN(5000), rng.IntN(9000)-1,
			1<<rng.IntN(7), 100*rng.Float64(), 1+rng.IntN(128), rng.IntN(9000), rng.IntN(6), 1+rng.IntN(90), rng.IntN(7), 1+rng.IntN(3))
	}
	path := filepath.Join(t.TempDir(), "divided.swf")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// inParts runs a command in n parts and merges them in a shuffled order.
func inParts(t *testing.T, n int, args, merge []string) outcome {
	t.Helper()
	dir := t.TempDir()
	files := make([]string, n)
	for i := range files {
		files[i] = filepath.Join(dir, fmt.Sprintf("x.%d.part", i+1))
		got := loadstone(t, "", append([]string{args[0], "--part", fmt.Sprintf("%d/%d", i+1, n), "-o", files[i]}, args[1:]...)...)
		if got.code != 0 || got.out != "" {
			t.Fatalf("%q, part %d of %d: exit code %d, output %q, error %q", args, i+1, n, got.code, got.out, got.err)
		}
	}
	rand.New(rand.NewPCG(uint64(n), 1)).Shuffle(n, func(i, j int) { files[i], files[j] = files[j], files[i] })
	return loadstone(t, "", append(append([]string{"merge"}, files...), merge...)...)
}

// dividedCommands are commands, of a log, that have --part.
var dividedCommands = [][]string{
	{"describe", "--section", "all"},
	{"describe", "--by", "user"},
	{"validate", "--first", "20"},
	{"lifetimes", "--by", "queue_id,size", "--months", "1"},
	{"runtime", "--predictors", "last2,sm,estimate", "--classes", "user,user+app,group", "--fallback", "user,all,estimate", "--replicates", "39", "--by", "month"},
}

// orderedCommands are those for logs in order of submission. Merged parts have no jobs to check
// a model with.
var orderedCommands = [][]string{
	{"fit", "--form", "lublin2003", "--no-check", "--attribute", "run_time,interarrival", "--family", "hyper-gamma,log-normal"},
	append([]string{"fit", "--form", "lublin2003", "--no-check", "--by", "queue_id", "--site", "full"}, quickFamily()...),
}

// quickFamily has an ordinary run fit a family whose fit takes little time.
func quickFamily() []string {
	return []string{"--family", "gamma"}[:longtest.Size(2, 0)]
}

// TestPartsMergeToTheWhole holds that a command in parts gives the bytes of one run, on
// standard output and standard error.
func TestPartsMergeToTheWhole(t *testing.T) {
	t.Parallel()
	for _, ordered := range []bool{false, true} {
		partsMerge(t, divided(t, ordered), map[bool][][]string{false: dividedCommands, true: orderedCommands}[ordered])
	}
}

// TestPartsOfWeeks holds the same of interactive and batch jobs, and of the weeks that the
// bootstrap of a site draws, which the borders of parts cut.
func TestPartsOfWeeks(t *testing.T) {
	t.Parallel()
	args := append([]string{"fit", divided(t, true), "--form", "lublin2003", "--no-check", "--interactive", "queue_id=1", "--site-replicates", "39"}, quickFamily()...)
	want := loadstone(t, "", append(args[:len(args):len(args)], "--format", "json")...)
	if got := inParts(t, 7, args, []string{"--format", "json"}); got != want || want.code != 0 {
		t.Errorf("exit code %d, not the bytes of one run\n%s\n%s", got.code, firstDifference(got.out, want.out), firstDifference(got.err, want.err))
	}
}

func partsMerge(t *testing.T, log string, commands [][]string) {
	t.Helper()
	folder := filepath.Dir(log)
	logs := []string{log}
	for _, name := range []string{"divided.swf.gz", "divided.parquet", "divided.arrow"} {
		to := filepath.Join(folder, name)
		if got := loadstone(t, "", "convert", log, "-o", to); got.code != 0 {
			t.Fatal(got.err)
		}
		logs = append(logs, to)
	}
	for c, command := range commands {
		for i, log := range logs {
			if i > 0 && i != 1+c%3 && longtest.Size(0, 1) == 0 {
				continue // each format once with some command
			}
			args := append([]string{command[0], log}, command[1:]...)
			want := loadstone(t, "", append(args[:len(args):len(args)], "--format", "json")...)
			for _, n := range partsOf(c, i) {
				if got := inParts(t, n, args, []string{"--format", "json"}); got != want {
					t.Errorf("%q in %d parts: exit code %d, not the bytes of one run\n%s\n%s", args, n, got.code, firstDifference(got.out, want.out), firstDifference(got.err, want.err))
				}
			}
		}
	}
}

// partsOf returns the numbers of parts of a command's log: in an ordinary run, one part
// of the first command's, and so on.
func partsOf(command, log int) []int {
	all := []int{1, 2, 7}[:3-min(log, 1)]
	return all[longtest.Size(min(command, len(all)-1), 0):]
}

// TestPartsWriteTheModel holds that the file of merge -o is that of one run.
func TestPartsWriteTheModel(t *testing.T) {
	log := divided(t, true)
	one, merged := filepath.Join(t.TempDir(), "site.json"), filepath.Join(t.TempDir(), "site.json")
	args := []string{"fit", log, "--form", "lublin2003", "--no-check"}
	if got := loadstone(t, "", append(args[:len(args):len(args)], "-o", one)...); got.code != 0 {
		t.Fatal(got.err)
	}
	if got := inParts(t, 2, args, []string{"-o", merged}); got.code != 0 {
		t.Fatal(got.err)
	}
	want, _ := os.ReadFile(one)
	if got, err := os.ReadFile(merged); err != nil || string(got) != string(want) || len(want) == 0 {
		t.Errorf("%v; other bytes than those of one run: %s", err, firstDifference(string(got), string(want)))
	}
}

// TestPartsWarnOfTheForm holds that merge -o says, as one run does, that a flag chose the model.
func TestPartsWarnOfTheForm(t *testing.T) {
	log, model := divided(t, true), filepath.Join(t.TempDir(), "site.json")
	args := []string{"fit", log, "--family", "gamma", "--no-check"}
	one := loadstone(t, "", append(args, "-o", model)...)
	if got := inParts(t, 2, args, []string{"-o", model}); got != one || !strings.Contains(got.err, "it has the form lublin2003, because of --family") {
		t.Errorf("%+v, want %+v", got, one)
	}
}

// TestPartsOfManyClasses holds that a part of more classes than are kept is refused when it is
// made, not by merge.
func TestPartsOfManyClasses(t *testing.T) {
	log := filepath.Join(t.TempDir(), "users.csv")
	var b strings.Builder
	b.WriteString("submit_time,run_time_s,allocated_processors,user_id\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "%d,%d,1,%d\n", 1e9+i, 10+i%7, i)
	}
	if err := os.WriteFile(log, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	swf := filepath.Join(filepath.Dir(log), "users.swf")
	if got := loadstone(t, "", "convert", log, "-o", swf); got.code != exitDone {
		t.Fatal(got.err)
	}
	for _, command := range []string{"describe", "lifetimes"} {
		path := filepath.Join(t.TempDir(), "x.part")
		got := loadstone(t, "", command, swf, "--by", "user", "--part", "2/2", "-o", path)
		if got.code != exitFailed || !strings.Contains(got.err, swf+": more ") || !strings.Contains(got.err, "classes") {
			t.Errorf("%s: exit code %d, error %q", command, got.code, got.err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: a part is made", command)
		}
	}
}

// TestPartsRefuse holds that a division which would change an answer says why.
func TestPartsRefuse(t *testing.T) {
	log := divided(t, false)
	csv := filepath.Join(t.TempDir(), "a.csv")
	if got := loadstone(t, "", "convert", log, "-o", csv); got.code != 0 {
		t.Fatal(got.err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"describe", csv}, exitFailed, "a log of the format csv cannot be divided"},
		{[]string{"describe", "-"}, exitUsage, "standard input cannot be divided"},
		{[]string{"describe", log, "--wait-from", "eligible"}, exitUsage, "--wait-from eligible, which moves held jobs"},
		{[]string{"describe", log, "--format", "json"}, exitUsage, "--format applies to the whole result"},
		{[]string{"lifetimes", log, "--periods", "3"}, exitUsage, "--periods 3: want --months with --part"},
		{[]string{"fit", log, "--form", "users"}, exitUsage, "a model of users cannot be computed in parts"},
		{[]string{"runtime", log, "--predictors", "last,kernel"}, exitUsage, "kernel, whose distributions a part cannot keep"},
		{[]string{"runtime", log, "--require", "accuracy(last2,user)>0"}, exitUsage, "--require applies to the whole result"},
		{[]string{"predict", log, "--max-drop", "0.1"}, exitUsage, "--max-drop applies to the whole result"},
		{[]string{"predict", log, "--predictions", "x.csv"}, exitUsage, "--predictions applies to the whole result"},
		{[]string{"predict", log, csv}, exitUsage, "saw 2 logs, want one"},
		{[]string{"runtime", log, csv}, exitUsage, "saw 2 logs, want one"},
	} {
		got := loadstone(t, "", append(c.args, "--part", "1/2", "-o", filepath.Join(t.TempDir(), "x.part"))...)
		if got.code != c.code || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want %d, none and %q", c.args, got.code, got.out, got.err, c.code, c.want)
		}
	}
	for _, share := range []string{"", "0/2", "3/2", "1", "x/2", "1/1000000"} {
		if got := loadstone(t, "", "describe", log, "--part", share, "-o", "x.part"); got.code != exitUsage || !strings.Contains(got.err, "--part") {
			t.Errorf("--part %s: exit code %d, error %q", share, got.code, got.err)
		}
	}
	if got := inParts(t, 2, []string{"fit", divided(t, true)}, []string{"-o", filepath.Join(t.TempDir(), "site.json")}); got.code != exitUsage || !strings.Contains(got.err, "give --form lublin2003 to the parts") {
		t.Errorf("parts of distributions for a model of users: %+v", got)
	}
	if got := loadstone(t, "", "runtime", log, "--predictors", "last", "--classes", "user", "--exec", "bad: exit 1", "--part", "2/2", "-o", csv+".part"); got.code != exitFailed || !strings.Contains(got.err, "--exec bad: it ended (exit status 1)") {
		t.Errorf("a program that fails: %+v", got)
	}
	if got := inParts(t, 2, []string{"fit", log, "--form", "lublin2003"}, nil); got.code != exitFailed || !strings.Contains(got.err, "not in order of submission") {
		t.Errorf("jobs out of order: exit code %d, error %q", got.code, got.err)
	}
}

// TestPartsWithoutJobs holds that each part of a log of blank lines is the error that one
// run gives, and that parts of a log of comments merge to its result without jobs.
func TestPartsWithoutJobs(t *testing.T) {
	blank, header := filepath.Join(t.TempDir(), "blank.swf"), filepath.Join(t.TempDir(), "header.swf")
	lines := 5 << 19 // 2.5 MiB, three chunks
	for path, text := range map[string]string{blank: strings.Repeat("\n", lines), header: strings.Repeat("; a comment\n\n", lines/13)} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i := 1; i <= 4; i++ {
		got := loadstone(t, "", "describe", blank, "--part", fmt.Sprintf("%d/4", i), "-o", filepath.Join(t.TempDir(), "x.part"))
		if want := fmt.Sprintf("%s: no jobs in %d lines", blank, lines); got.code != exitFailed || !strings.Contains(got.err, want) {
			t.Errorf("part %d: exit code %d, error %q; want %d and %q", i, got.code, got.err, exitFailed, want)
		}
	}
	want := loadstone(t, "", "describe", header, "--format", "json")
	if got := inParts(t, 4, []string{"describe", header}, []string{"--format", "json"}); got != want || want.code != exitDone {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// firstDifference is the lines that differ first.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: %s, want %s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

// TestMergeRefuses holds that parts which are not all of one thing are an error that
// names the file.
// The classes of a file are those that it had when a part was computed: merge does not read
// the file, and parts with other classes are of other runs.
func TestPartsHoldTheirClasses(t *testing.T) {
	dir := t.TempDir()
	log := divided(t, false)
	classes := filepath.Join(dir, "classes.txt")
	args := []string{"-q", "describe", log, "--by", "class", "--class", "@" + classes}
	part := func(share, name, text string) string {
		if err := os.WriteFile(classes, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name+".part")
		if got := loadstone(t, "", append(args, "--part", share, "-o", path)...); got.code != exitDone {
			t.Fatal(got.err)
		}
		return path
	}
	const text = "# two\nuser:a=1,2,3\nuser:b=4,5\n"
	one, two, other := part("1/2", "one", text), part("2/2", "two", text), part("2/2", "other", "user:a=1\nuser:b=4,5\n")
	if err := os.WriteFile(classes, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	want := loadstone(t, "", args...)
	if err := os.Remove(classes); err != nil {
		t.Fatal(err)
	}
	if got := loadstone(t, "", "-q", "merge", two, one); got.code != exitDone || got.out != want.out || want.out == "" {
		t.Errorf("exit code %d, error %q, output\n%swant\n%s", got.code, got.err, got.out, want.out)
	}
	if got := loadstone(t, "", "-q", "merge", one, other); got.code != exitFailed || !strings.Contains(got.err, "other.part") {
		t.Errorf("parts with other classes: exit code %d, error %q", got.code, got.err)
	}
}

func TestMergeRefuses(t *testing.T) {
	dir := t.TempDir()
	log := divided(t, false)
	partOf := func(name, share string, flags ...string) string {
		path := filepath.Join(dir, name+".part")
		if got := loadstone(t, "", append([]string{"describe", log, "--part", share, "-o", path}, flags...)...); got.code != 0 {
			t.Fatal(got.err)
		}
		return path
	}
	one, two, three := partOf("one", "1/3"), partOf("two", "2/3"), partOf("three", "3/3")
	again, foreign, halves := partOf("again", "2/3"), partOf("foreign", "2/3", "--procs", "64"), partOf("halves", "2/2")
	whole, err := os.ReadFile(two)
	if err != nil {
		t.Fatal(err)
	}
	spoilt := func(name string, change func([]byte) []byte) string {
		path := filepath.Join(dir, name+".part")
		if err := os.WriteFile(path, change(append([]byte(nil), whole...)), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	short := spoilt("short", func(b []byte) []byte { return b[:len(b)-9] })
	bent := spoilt("bent", func(b []byte) []byte { b[len(b)-9] ^= 4; return b })
	long := spoilt("long", func(b []byte) []byte { return append(b, 0) })
	later := spoilt("later", func(b []byte) []byte { b[len("loadstone.part/")]++; return b })
	f, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("; changed\n")
	f.Close()
	changed := partOf("changed", "2/3")
	made := func(name string, change func(*part.Part)) string {
		p, err := part.Parse(whole)
		if err != nil {
			t.Fatal(err)
		}
		change(p)
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		return spoilt(name, func([]byte) []byte { return b.Bytes() })
	}
	alone := workload.Share{Part: 1, Parts: 1}
	other := made("other", func(p *part.Part) { p.Command, p.Share = "convert", alone })
	writes := made("writes", func(p *part.Part) { p.Flags, p.Share = []string{"--output=" + one}, alone })
	for _, c := range []struct {
		files []string
		want  string
	}{
		{[]string{other}, "other.part: damaged: 'convert' has no parts"},
		{[]string{writes}, "writes.part: damaged: a part with --output=" + one},
		{[]string{one, three}, "missing: part 2/3"},
		{[]string{one, two, three, again}, "again.part: saw part 2/3 again, which is in " + two},
		{[]string{one, foreign, three}, "foreign.part: saw a part of `loadstone describe " + log + " --procs=64`"},
		{[]string{one, changed, three}, "changed.part: saw a part of another log"},
		{[]string{one, halves, three}, "halves.part: saw one of 2 parts"},
		{[]string{one, short, three}, "short.part: cut short"},
		{[]string{one, bent, three}, "bent.part: damaged"},
		{[]string{one, long, three}, "long.part: saw 1 bytes after its end"},
		{[]string{one, later, three}, "later.part: a part file of another version"},
		{[]string{log}, log + ": saw no part file"},
	} {
		got := loadstone(t, "", append([]string{"merge"}, c.files...)...)
		if got.code != exitFailed || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want %d, none and %q", c.files, got.code, got.out, got.err, exitFailed, c.want)
		}
	}
	if got := loadstone(t, "", "merge", one, "-"); got.code != exitUsage || !strings.Contains(got.err, "saw -, want the files that --part wrote") {
		t.Errorf("standard input: %+v", got)
	}
	for _, flags := range [][]string{{"--timezone", "Europe/Zurich"}, {"--as", "pm100"}, {"--map", "submit_time=a"}} {
		if got := loadstone(t, "", append([]string{"merge", one, two, three}, flags...)...); got.code != exitUsage || !strings.Contains(got.err, flags[0]+": give it to the parts, which read the log") {
			t.Errorf("%q: %+v", flags, got)
		}
	}
	for _, c := range []struct{ command, flags []string }{
		{[]string{"describe"}, []string{"--require", "coverage(bmbp)>0.9"}},
		{[]string{"fit", "--attribute", "run_time"}, []string{"--baseline", one}},
	} {
		if got := inParts(t, 1, append([]string{c.command[0], log}, c.command[1:]...), c.flags); got.code != exitUsage || !strings.Contains(got.err, c.flags[0]+": the parts are of '"+c.command[0]+"', which does not have it") {
			t.Errorf("%q: %+v", c, got)
		}
	}
}

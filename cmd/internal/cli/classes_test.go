package cli

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// classLog has four jobs: of queues 1 (q1s), 2 (q4s) and 3 (q1l), sizes 2, 5, 9.
const classLog = `; Queue: 1 q1s
; Queue: 2 q4s
; Queue: 3 q1l
1 0 -1 10 2 -1 -1 2 60 -1 1 7 1 1 1 1 -1 -1
2 5 -1 20 5 -1 -1 5 60 -1 1 8 1 1 2 1 -1 -1
3 9 -1 30 9 -1 -1 9 60 -1 1 7 1 1 3 1 -1 -1
4 12 -1 40 2 -1 -1 2 60 -1 1 9 1 1 1 1 -1 -1
`

// Every command sorts jobs into classes by the same words.
func TestClassesInCommands(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log.swf")
	if err := os.WriteFile(log, []byte(classLog), 0o666); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "classes.txt")
	if err := os.WriteFile(file, []byte("# the short queues\n\n short = q*s \nlong=q1l\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	parts := filepath.Join(dir, "{value}.swf")
	for _, c := range []struct {
		args string
		want []string
	}{
		{"describe LOG --by queue --format csv", []string{"\n1,q1s,2,50,", "\n2,q4s,1,25,", "\n3,q1l,1,25,"}},
		{"describe LOG --by class --class short=q*s --class long=q1l --format csv", []string{"\n,short,3,75,", "\n,long,1,25,"}},
		{"describe LOG --class @FILE --format csv", []string{"\n,short,3,75,", "\n,long,1,25,"}},
		{"describe LOG --by size:4:8 --format csv", []string{"\n,size<=4,2,50,", "\n,size=5-8,1,25,", "\n,size>8,1,25,"}},
		{"describe LOG --by user+size:4 --format csv", []string{`,"user_id=7, size<=4",1,25,`, `,"user_id=8, size>4",1,25,`}},
		{"describe LOG --by run_time_s --format csv", []string{"\n10,,1,25,", "\n40,,1,25,"}},
		{"split LOG -o PARTS --class short=q*s", []string{"short.swf", "other.swf"}},
		{"split LOG -o PARTS --by user,size:4", []string{"user_id=7_size-upto-4.swf", "user_id=8_size-over-4.swf"}},
		{"fit LOG --family exponential --least-jobs 2 --class short=q*s --class long=q1l --format csv", []string{",short,"}},
		{"fit LOG --family exponential --least-jobs 2 --by size:4 --format csv", []string{",size<=4,", "no model of the site: classes by size:4"}},
		{"fit LOG --family exponential --least-jobs 2 --interactive queue_id=q*s --format csv", []string{",all,", ",interactive,"}},
	} {
		args := strings.Fields(c.args)
		for i, a := range args {
			args[i] = strings.NewReplacer("LOG", log, "@FILE", "@"+file, "PARTS", parts).Replace(a)
		}
		got := loadstone(t, "", args...)
		for _, want := range c.want {
			if !strings.Contains(got.out+got.err, want) {
				t.Errorf("%s: no %q in\n%s%s", c.args, want, got.out, got.err)
			}
		}
	}
}

// A sample by classes has all jobs of some of them: 1, 2 and 4 of the short queues,
// or 3 of the long one.
func TestSampleOfClasses(t *testing.T) {
	dir := t.TempDir()
	log, file := filepath.Join(dir, "log.swf"), filepath.Join(dir, "classes.txt")
	for name, text := range map[string]string{log: classLog, file: "short = q*s \nlong=q1l\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for seed := range 12 {
		for _, by := range []string{"--class=@" + file, "--by=queue_id", "--by=size:4"} {
			got := loadstone(t, "", "sample", log, "--jobs", "1", by, "--seed", fmt.Sprint(seed))
			jobs := by[:6]
			for line := range strings.Lines(got.out) {
				if fields := strings.Fields(line); len(fields) > 0 && fields[0] != ";" && fields[0] != "job" {
					jobs += " " + fields[0]
				}
			}
			seen[jobs] = true
		}
	}
	// Of classes of 3 and 1 jobs, 2, 1 and 1, 2 and 2: at least one job.
	want := map[string]bool{"--clas 1 2 4": true, "--clas 3": true, "--by=q 1 4": true, "--by=q 2": true, "--by=q 3": true, "--by=s 1 4": true, "--by=s 2 3": true}
	if !maps.Equal(seen, want) {
		t.Errorf("%v, want %v", seen, want)
	}
}

func TestClassesInCommandsFaults(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log.swf")
	if err := os.WriteFile(log, []byte(classLog), 0o666); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "classes.txt")
	if err := os.WriteFile(file, []byte("short=q*s\nlong\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"describe LOG --class @FILE":                               "classes.txt:2: ",
		"describe LOG --class @DIR/none":                           "none",
		"describe LOG --by class":                                  "named classes",
		"describe LOG --by user --class a=1":                       "want the word class in --by",
		"describe LOG --by kind":                                   "called interactive",
		"describe LOG --by job_id":                                 `"job_id": want one or more of all, user`,
		"sample LOG --jobs 1 --by shoe":                            `"shoe": want one or more of all, user`,
		"split LOG -o a{n}.swf --by run":                           `"run": want one or more of all, user`,
		"wait LOG --size 1 --groups class":                         `"class": want one or more of all, user`,
		"simulate LOG --procs 9 --estimates last2 --classes kind":  `"kind": want one or more of all, user`,
		"simulate LOG --procs 9 --estimates last2 --classes class": `"class": want one or more of all, user`,
		"grid LOG --grid das3 --classes kind":                      `"kind": want one or more of all, user`,
	} {
		fields := strings.Fields(args)
		for i, a := range fields {
			fields[i] = strings.NewReplacer("LOG", log, "@FILE", "@"+file, "@DIR", "@"+dir).Replace(a)
		}
		got := loadstone(t, "", fields...)
		if got.code == 0 || !strings.Contains(got.err, want) {
			t.Errorf("%s: exit %d, no %q in\n%s", args, got.code, want, got.err)
		}
	}
}

// A file of classes is an input: no output goes over it, and the mark that some
// editors begin a file with is no part of a name.
func TestFileOfClasses(t *testing.T) {
	dir := t.TempDir()
	log, csv, swf := filepath.Join(dir, "log.swf"), filepath.Join(dir, "classes.csv"), filepath.Join(dir, "classes.swf")
	for name, text := range map[string]string{log: classLog, csv: "\ufeffshort=q*s\n", swf: "long=17\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"lifetimes", log, "--class", "@" + csv, "-o", csv},
		{"lifetimes", log, "--class", "queue:a=18", "--class", "@" + csv, "--class", "@" + swf, "-o", csv},
		{"describe", log, "--class", "@" + csv, "-o", csv},
		{"runtime", log, "--class", "@" + csv, "-o", csv},
		{"runtime", log, "--class", "@" + csv, "--predictions", csv},
		{"predict", log, "--class", "@" + csv, "--predictions", csv},
		{"sample", log, "--class", "@" + swf, "--fraction", "1", "-o", swf},
	} {
		if got := loadstone(t, "", args...); got.code != exitUsage || !strings.Contains(got.err, "is also the input") {
			t.Errorf("%q: exit %d\n%s", args, got.code, got.err)
		}
	}
	if got := loadstone(t, "", "describe", log, "--class", "@"+csv, "--format", "csv"); !strings.Contains(got.out, "\n,short,") {
		t.Errorf("exit %d, no class short in\n%s%s", got.code, got.out, got.err)
	}
}

// One rule for all commands: classes of which the log has none are an error, and a
// class that no job is in is a warning.
func TestClassesWithoutJobs(t *testing.T) {
	const job = " -1 -1 2 -1 -1 1 3 1 1 "
	var without, with strings.Builder
	for i := range 150 {
		fmt.Fprintf(&without, "%d %d 5 %d 2%s-1 0 -1 -1\n", i+1, 60*i, 10+i%7, job)
		fmt.Fprintf(&with, "%d %d 5 %d 2%s4 0 -1 -1\n", i+1, 60*i, 10+i%7, job)
	}
	header := "; MaxProcs: 8\n"
	none, some := writeLog(t, header+without.String()), writeLog(t, header+with.String())
	out := filepath.Join(t.TempDir(), "part-{n}.swf")
	for _, args := range []string{
		"describe LOG", "fit LOG --family gamma", "lifetimes LOG", "predict LOG --predictors bmbp --groups class", "split LOG --by class -o " + out,
	} {
		run := func(log string) outcome {
			return loadstone(t, "", append(strings.Fields(strings.Replace(args, "LOG", log, 1)), "--class", "day=4", "--class", "night=99")...)
		}
		if got := run(none); strings.HasPrefix(args, "predict") { // other predictors may do without
			if got.code != exitDone || !strings.Contains(got.err, "no job has a queue_id: all jobs are one class (no-class)") {
				t.Errorf("%s: %d %s", args, got.code, got.err)
			}
		} else if got.code != exitFailed || strings.Count(got.err, none+": no job has a queue_id: there are no classes to sort jobs into") != 1 || strings.Contains(got.err, none+": "+none) {
			t.Errorf("%s: %d %s", args, got.code, got.err)
		}
		if got := run(some); got.code != exitDone || strings.Count(got.err, "named classes that no job is in, by queue_id; once: night (empty-class)") != 1 {
			t.Errorf("%s: %d %s", args, got.code, got.err)
		}
	}
}

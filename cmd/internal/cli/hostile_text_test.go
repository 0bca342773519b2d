package cli

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// hostile is a text that clears the screen, sets a terminal's title, turns the
// direction of writing, and is no UTF-8 at its end.
const hostile = hostileName + "\x9b1m"

// hostileName is its part that is UTF-8, as CSV files must be.
const hostileName = "x\x1b[2J\x1b]0;owned\a\u009b31m\u202ebob\x7f"

// hostileSWF has it in every part of its header.
func hostileSWF() string {
	var b strings.Builder
	for _, key := range []string{"Computer", "Installation", "Acknowledge", "Information", "Note", "TimeZoneString", "StartTime", "EndTime", "Preemption"} {
		fmt.Fprintf(&b, "; %s: %s\n", key, hostile)
	}
	b.WriteString("; MaxProcs: 8\n; UnixStartTime: 978307200\n")
	for _, key := range []string{"Queue", "Partition", "User", "Group", "Application"} {
		for i := range 3 {
			fmt.Fprintf(&b, "; %s: %d %s interactive %d\n", key, i+1, hostile, i)
		}
	}
	fmt.Fprintf(&b, "; %s\n", hostile)
	for i := range 150 {
		fmt.Fprintf(&b, "%d %d %d %d %d -1 -1 4 200 -1 1 %d %d %d %d %d -1 -1\n", i+1, 600*i+i*i%50, i%3*40, 60+i*i%97, 1+i%8, 1+i%3, 1+i%3, 1+i%3, 1+i%2, 1+i%2)
	}
	return b.String()
}

// hostileCSV has it, and a line end, in the names of users, queues and so on.
func hostileCSV() string {
	var b strings.Builder
	b.WriteString("job_id,submit_time,wait_time,run_time,allocated_processors,user_id,group_id,application_id,queue_id,partition_id\n")
	for i := range 150 {
		name := fmt.Sprintf("\"%s\nloadstone: fake %d\"", hostileName, i%3)
		fmt.Fprintf(&b, "%d,%d,%d,%d,%d,%s,%s,%s,%s,%s\n", i+1, 600*i+i*i%50, i%3*40, 60+i*i%97, 1+i%8, name, name, name, name, name)
	}
	return b.String()
}

// hostileSacct has it in sacct's names.
func hostileSacct() string {
	var b strings.Builder
	b.WriteString("JobID|User|Account|JobName|Partition|Submit|Start|End|NCPUS|State|Timelimit\n")
	for i := range 50 {
		day := 1 + i/2
		fmt.Fprintf(&b, "%d|%s%d|%s|%s|%s|2024-01-%02dT0%d:00:00|2024-01-%02dT0%d:10:00|2024-01-%02dT0%d:%02d:00|4|%s|01:00:00\n",
			i+1, hostile, i%3, hostile, hostile, hostile, day, i%9, day, i%9, day, i%9, 20+i%30, []string{"COMPLETED", "CANCELLED by " + hostile, hostile}[i%3])
	}
	return b.String()
}

// TestHostileText: nothing that a log, its name or the command line brings is
// shown as more than text, in a terminal, a picture or a page, nor begins a line of its own.
func TestHostileText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := os.Create(filepath.Join(dir, "a\x1b[31m\u202e")); err != nil {
		t.Skip("no such file names here: ", err)
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	name, flag := "n\x1b[31m\u202e\nloadstone: fake\x9b", hostile+"\nloadstone: fake"
	logs := []string{
		write("header.swf", hostileSWF()), write(name+".swf", hostileSWF()), write("names.csv", hostileCSV()), write(name+".csv", hostileCSV()),
		write("jobs.sacct", hostileSacct()), write("bad.swf", "; Computer: x\n1 2 "+hostile+"\n"), write("bad.csv", "submit_time,run_time\n"+hostile+",3\n"),
		write("bad.sacct", "JobID|"+hostile+"|Submit\n1|2|"+hostile+"\n"), filepath.Join(dir, "none"+hostile+".swf"),
	}
	if got := loadstone(t, "", "convert", "--quiet", logs[2], "-o", filepath.Join(dir, "names.parquet")); got.code != exitDone {
		t.Fatal(got.err)
	}
	logs = append(logs, filepath.Join(dir, "names.parquet"))
	out := filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o777); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(out, name) }
	model := write("model.json", `{"schema":"`+hostile[:5]+`\u009b","name":"\u001b[2J","x\nloadstone: fake":1}`)
	printed := 0
	for i, log := range logs {
		if i < 3 {
			// What cannot stand in a model is no reason not to fit one.
			path := in(fmt.Sprintf("site%d.json", i))
			if got := loadstone(t, "", "fit", log, "--by", "queue_id", "--attribute", "run_time", "--least-jobs", "10", "-o", path); got.code != exitDone {
				t.Errorf("%q: %s", log, got.err)
			}
			got := loadstone(t, "", "generate", "--model", path, "--jobs", "9")
			if showable(t, "model", got.out+got.err); got.code != exitDone {
				t.Errorf("%q: its model: %s", log, got.err)
			}
		}
		for _, args := range [][]string{
			{"describe", log}, {"describe", log, "--format", "json"}, {"describe", log, "--format", "csv"}, {"describe", log, "--section", "all"},
			{"describe", log, "--by", "user_id"}, {"describe", log, "--by", "queue_id"}, {"describe", log, "--by", "user_id", "--format", "csv"}, {"describe", log, "--by", "partition_id", "--format", "json"},
			{"validate", log}, {"validate", log, "--format", "json"}, {"validate", log, "--format", "csv"},
			{"convert", log}, {"convert", log, "-o", in(fmt.Sprintf("%s%d.swf", name, i))}, {"convert", log, "--format", "json"},
			{"clean", log, "--filter", "user=" + flag}, {"clean", log, "--filter", flag}, {"clean", log, "--filter", "status=0", "--removed", in("gone.csv")},
			{"fit", log, "--by", "user_id", "--attribute", "run_time", "--least-jobs", "10"}, {"fit", log, "--by", "kind", "--attribute", "run_time"},
			{"fit", log, "--by", "queue_id", "--attribute", "run_time", "--least-jobs", "10", "--plots", in("figures"), "-o", in(fmt.Sprintf("model%d.json", i))},
			{"fit", log, logs[0], "--attribute", "size"}, {"lifetimes", log, "--by", "user_id", "--least-jobs", "10"},
			{"runtime", log, "--by", "site"}, {"runtime", log, "--by", "site", "--format", "csv"}, {"predict", log, "--predictors", "bmbp"},
			{"simulate", log}, {"simulate", log, "--policy", flag}, {"grid", log, "--grid", "das3", "--days", "0"}, {"grid", log, "--grid", model},
			{"compare", log, logs[0]}, {"anonymise", log, "--drop-site"}, {"sample", log, "--fraction", ".5"}, {"scale", log, "--load", ".5"},
			{"split", log, "--by", "user_id", "-o", in(name + "-{value}.swf")}, {"split", log, "--by", "queue_id", "-o", in("q-{n}.csv")},
			{"describe", log, "--plots", in(fmt.Sprintf("described%d", i))}, {"describe", log, "--plots", in("a"), "--plot-format", flag},
			{"describe", log, "--timezone", flag}, {"describe", log, "--map", flag}, {"predict", log, "--baseline", model}, {"generate", "--model", log, "--jobs", "9"},
			{"report", log, "--without", "predict,runtime", "-o", in(fmt.Sprintf("%s%d.html", name, i))}, {flag, log}, {"describe", log, "--" + flag}, {"describe", hostile, flag},
		} {
			if i > 2 && args[0] == "report" && i != 4 {
				continue
			}
			got := loadstone(t, "", args...)
			if got.code == exitDone {
				printed++
			}
			for stream, text := range map[string]string{"output": got.out, "error": got.err} {
				showable(t, fmt.Sprintf("%q: standard %s", args, stream), text)
				if strings.Contains(text, "\nloadstone: fake") {
					t.Errorf("%q: standard %s: a name begins a line: %q", args, stream, text)
				}
			}
		}
	}
	if printed < 150 {
		t.Errorf("only %d commands succeeded", printed)
	}
	pictures := 0
	filepath.WalkDir(out, func(path string, e os.DirEntry, err error) error {
		ext := filepath.Ext(path)
		if err != nil || !slices.Contains([]string{".svg", ".html"}, ext) {
			return err
		}
		pictures++
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		showable(t, path, strings.ReplaceAll(string(b), "\t", " ")) // SVG's own
		if ext == ".svg" {
			d := xml.NewDecoder(bytes.NewReader(b))
			for err == nil {
				_, err = d.Token()
			}
			if err != io.EOF {
				t.Errorf("%s: %v", path, err)
			}
		}
		return nil
	})
	if pictures < 10 {
		t.Errorf("only %d pictures and pages were looked at", pictures)
	}
}

// showable fails where a text holds more than graphic characters and line ends.
func showable(t *testing.T, what, text string) {
	t.Helper()
	for i, r := range text {
		_, n := utf8.DecodeRuneInString(text[i:])
		if r != '\n' && !unicode.IsGraphic(r) || r == utf8.RuneError && n == 1 {
			t.Errorf("%s: holds %q: %q", what, text[i:i+n], text[max(0, i-60):min(len(text), i+60)])
			return
		}
	}
}

package flags

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Lists of names: each of the valid ones once; a flag of one name takes one. What is
// refused leaves the value as it was.
func TestEnums(t *testing.T) {
	cmd := &cobra.Command{Use: "x"}
	many, one := []string{"a"}, "b"
	Enums(cmd, &many, "many", "names", []string{"a", "b", "c"})
	Enum(cmd, &one, "one", "a name", []string{"a", "b", "c"})
	for _, c := range []struct{ flag, text, want, many, one string }{
		{"many", "c, a", "", "c,a", "b"},
		{"many", "a,d", `"d" is none of a, b, c`, "c,a", "b"},
		{"many", "b,b", `saw "b" twice`, "c,a", "b"},
		{"many", "", `"" is none of`, "c,a", "b"},
		{"one", "a,c", "want one of a, b, c", "c,a", "b"},
		{"one", "c", "", "c,a", "c"},
		{"one", " B", "", "c,a", "b"}, // in any letter case
		{"many", "A,C", "", "a,c", "b"},
		{"many", "c,C", `saw "c" twice`, "a,c", "b"},
		{"many", "c,a", "", "c,a", "b"},
		{"one", "c", "", "c,a", "c"},
		{"one", "e", `"e" is none of a, b, c`, "c,a", "c"},
	} {
		err := cmd.Flags().Set(c.flag, c.text)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || strings.Join(many, ",") != c.many || one != c.one {
			t.Errorf("--%s %q: %v, %q and %q, want %+v", c.flag, c.text, err, many, one, c)
		}
	}
	// More than six names are not in the short help.
	Enums(cmd, &many, "six", "names", strings.Split("a,b,c,d,e,f", ","))
	Enums(cmd, &many, "seven", "names", strings.Split("a,b,c,d,e,f,g", ","))
	if six, seven := cmd.Flags().Lookup("six"), cmd.Flags().Lookup("seven"); len(six.Annotations[shortUsage]) != 0 || !slices.Equal(seven.Annotations[shortUsage], []string{"names"}) {
		t.Errorf("short help %q of six, %q of seven", six.Annotations[shortUsage], seven.Annotations[shortUsage])
	}
	offer, _ := cmd.GetFlagCompletionFunc("many")
	if got, _ := offer(cmd, nil, "b,x"); !slices.Equal(got, []string{"b,a", "b,b", "b,c"}) {
		t.Errorf("completed to %q", got)
	}
}

// Pairs add to those of the flag's earlier uses; a fault leaves them as they were.
func TestMap(t *testing.T) {
	var m Map
	for _, c := range []struct{ text, want, all string }{
		{"submit_time=Submitted", "", "submit_time=Submitted"},
		{`"run_time=Run, s", user_id = who`, "", "run_time=Run, s,submit_time=Submitted,user_id=who"},
		{"wait_time=a,user_id=b", `"user_id" is mapped twice`, "run_time=Run, s,submit_time=Submitted,user_id=who"},
		{"", "saw nothing", "run_time=Run, s,submit_time=Submitted,user_id=who"},
		{"wait_time", `saw "wait_time"`, "run_time=Run, s,submit_time=Submitted,user_id=who"},
		{"wait_time= ", "want column=name", "run_time=Run, s,submit_time=Submitted,user_id=who"},
		{"shoe=a", "shoe", "run_time=Run, s,submit_time=Submitted,user_id=who"},
	} {
		err := m.Set(c.text)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || m.String() != c.all {
			t.Errorf("%q: %v, %s, want %q, %s", c.text, err, m.String(), c.want, c.all)
		}
	}
}

func TestZone(t *testing.T) {
	z := Zone("UTC")
	for name, ok := range map[string]bool{"Europe/Zurich": true, "Local": false, "": false, "Mars/Olympus": false} {
		if err := z.Set(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
	if z != "Europe/Zurich" {
		t.Errorf("the zone is %s", z)
	}
}

// 0 is what --procs has where it is not given, and a fault where it is.
func TestCheckProcs(t *testing.T) {
	for text, ok := range map[string]bool{"": true, "1": true, "0": false, "-3": false} {
		cmd := &cobra.Command{Use: "x"}
		var n int64
		Procs(cmd, &n, "processors")
		if text != "" {
			if err := cmd.Flags().Set("procs", text); err != nil {
				t.Fatal(err)
			}
		}
		if err := CheckProcs(cmd, n); (err == nil) != ok {
			t.Errorf("--procs %q: %v", text, err)
		}
		if err := Unused(cmd, "--like", "procs"); (err == nil) != (text == "") {
			t.Errorf("--procs %q with --like: %v", text, err)
		}
		if got := Changed(cmd, []string{"procs"}); (len(got) == 1) != (text != "") {
			t.Errorf("--procs %q: changed %q", text, got)
		}
	}
}

// zeros is a file without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// 64 MiB are read, one byte more is not.
func TestReadAll(t *testing.T) {
	if data, err := ReadAll(io.LimitReader(zeros{}, 64<<20), "key"); err != nil || len(data) != 64<<20 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	path := filepath.Join(t.TempDir(), "key")
	if _, err := ReadFile(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(path, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := ReadFile(path); err != nil || string(data) != "secret" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := ReadAll(zeros{}, "key"); err == nil || err.Error() != "key: saw more than 64 MiB, want a smaller file" {
		t.Errorf("without an end: %v", err)
	}
}

// TestSeconds: lengths of time as people and Slurm write them.
func TestSeconds(t *testing.T) {
	for text, want := range map[string]float64{
		"7200": 7200, "1e3": 1000, "0.5": 0.5, "2:00:00": 7200, "2:05": 125, "90:00": 5400, "48:00:00": 172800,
		"1-12": 129600, "1-12:30": 131400, "1-00:00:01": 86401, "0-2:0:0": 7200, "90m": 5400, "1h30m": 5400,
	} {
		var s Seconds
		if err := s.Set(text); err != nil || float64(s) != want {
			t.Errorf("%q: %g, %v, want %g", text, float64(s), err, want)
		}
	}
	for _, text := range []string{"", "two", "2:60:00", "1:2:3:4", "2h:3", "1-", "1-2-3", ":30", "2:00:", "-1:00", "1d"} {
		if s := Seconds(7); s.Set(text) == nil || s != 7 {
			t.Errorf("%q is read as %g", text, float64(s))
		}
	}
}

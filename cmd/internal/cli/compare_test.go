package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// logOf writes a log of some lines beside others.
func logOf(t *testing.T, dir, name, header string, lines ...string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("; UnixStartTime: 978307200\n; TimeZoneString: UTC\n"+header+strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// What a log lacks is said in words, and null in JSON.
func TestCompareLogsThatLackThings(t *testing.T) {
	dir := t.TempDir()
	one := logOf(t, dir, "one.swf", "; MaxProcs: 8\n", "1 7 0 10 1 -1 -1 1 -1 -1 1 1 1 1 0 1 -1 -1")
	bare := logOf(t, dir, "bare.swf", "", "1 -1 -1 10 -1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1", "2 -1 -1 0 -1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1")
	full := writeLog(t, tiny)
	for _, c := range []struct {
		a, b string
		want []string
	}{
		{one, full, []string{"interarrival: known of no job in the first", "offered load: submissions cover no time in the first"}},
		{full, bare, []string{"size: known of no job in the second", "cycles: submissions are known of no job in the second", "offered load: the processors of the machine are not known in the second"}},
		{bare, bare, []string{"work: known of no job in either"}},
	} {
		table := loadstone(t, "", "compare", c.a, c.b)
		doc := loadstone(t, "", "compare", c.a, c.b, "--format", "json")
		csv := loadstone(t, "", "compare", c.a, c.b, "--format", "csv")
		for _, want := range c.want {
			if !strings.Contains(table.out, want) {
				t.Errorf("%s lacks %q", table.out, want)
			}
		}
		for _, o := range []outcome{table, doc, csv} {
			if o.code != exitDone || strings.Contains(o.out, "NaN") || strings.Contains(o.out, "Inf") {
				t.Errorf("exit code %d, %s\n%s", o.code, o.err, o.out)
			}
		}
		if !json.Valid([]byte(doc.out)) || !strings.Contains(doc.out, `"ks_d": null`) {
			t.Error(doc.out)
		}
	}
	empty := logOf(t, dir, "empty.swf", "")
	if got := loadstone(t, "", "compare", full, empty); got.code != exitFailed || !strings.Contains(got.err, "empty.swf") {
		t.Errorf("an empty log: %d %s", got.code, got.err)
	}
}

func TestCompareUsage(t *testing.T) {
	a, model := writeLog(t, tiny), filepath.Join(t.TempDir(), "m.json")
	if got := loadstone(t, "", "models", "show", "lublin2003"); os.WriteFile(model, []byte(got.out), 0o666) != nil {
		t.Fatal("no model file")
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"compare", a}, "want two logs or models, saw 1"},
		{[]string{"compare", a, ""}, "a log's name is empty"},
		{[]string{"compare", "-", "-"}, "standard input can be read only once"},
		{[]string{"compare", a, a, a}, "want two logs or models, saw 3"},
		{[]string{"compare", a, "lublin1999", "--jobs", "1"}, "--jobs 1: want 2 or more"},
		{[]string{"compare", a, a, "-o", a}, "is also the input"},
		{[]string{"compare", a, a, "-o", a + "x"}, "want a name that ends in .json, .csv or .txt"},
		{[]string{"compare", a, "nowhere.swf", "-o", "x.xyz"}, "x.xyz: want a name that ends in"}, // before anything is read
		{[]string{"compare", a, model, "-o", model}, "is also the input"},
	} {
		if got := loadstone(t, "", c.args...); got.code != exitUsage || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: %d %q, want %q", c.args[1:], got.code, got.err, c.want)
		}
	}
	if got := loadstone(t, "", "compare", a, "poisson"); got.code != exitFailed || !strings.Contains(got.err, "poisson is a template") {
		t.Errorf("%d %s", got.code, got.err)
	}
	if got := loadstone(t, "", "compare", a, "nowhere.swf"); got.code != exitFailed || !strings.Contains(got.err, "nowhere.swf") {
		t.Errorf("%d %s", got.code, got.err)
	}
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte(`{"schema":"something else"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := loadstone(t, "", "compare", a, bad); got.code != exitFailed || !strings.Contains(got.err, "bad.json") || !strings.Contains(got.err, "schema") {
		t.Errorf("a file that is no model: %d %s", got.code, got.err)
	}
}

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutputsMeetThroughLinks: two outputs whose names lead to one file are
// wrong usage, as two equal names are, and nothing is written.
func TestOutputsMeetThroughLinks(t *testing.T) {
	log := "; MaxProcs: 8\n; UnixStartTime: 820454400\n" +
		"1 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n2 5 0 10 1 -1 -1 1 20 -1 1 2 1 1 1 1 -1 -1\n3 9 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n"
	anonymise := []string{"anonymise", "k.swf", "--mapping"}
	for _, c := range []struct {
		links []string // link and what it leads to, in turn
		args  []string
	}{
		{[]string{"pub.csv", "map.csv"}, append(anonymise, "map.csv", "-o", "pub.csv")},
		{[]string{"map.csv", "pub.csv"}, append(anonymise, "map.csv", "-o", "pub.csv")},
		{[]string{"pub.csv", "between", "between", "map.csv"}, append(anonymise, "map.csv", "-o", "pub.csv")},
		{[]string{"r", "q"}, append(anonymise, "q/a.csv", "-o", "r/a.csv")},
		{[]string{"r", "q", "q/up.csv", "../a.csv"}, append(anonymise, "a.csv", "-o", "r/up.csv")},
		{[]string{"c.csv", "gone.csv"}, []string{"clean", "k.swf", "--filter", "user=2", "--removed", "gone.csv", "-o", "c.csv"}},
		{[]string{"r.csv", "p.csv"}, []string{"runtime", "k.swf", "--predictions", "p.csv", "-o", "r.csv"}},
		{[]string{"r.csv", "p.csv"}, []string{"predict", "k.swf", "--predictions", "p.csv", "-o", "r.csv"}},
		{[]string{"part-1.swf", "part-2.swf"}, []string{"split", "k.swf", "--by", "user_id", "-o", "part-{n}.swf"}},
		{[]string{"1", "q", "2", "q"}, []string{"split", "k.swf", "--by", "user_id", "-o", "{n}/part.swf"}},
		// One name cannot be both a file and a folder.
		{nil, []string{"runtime", "k.swf", "--predictions", "a.csv", "-o", "a.json", "--plots", "a.csv"}},
		{nil, []string{"runtime", "k.swf", "-o", "a.csv", "--plots", "./a.csv/figures"}},
		{[]string{"r", "q"}, []string{"predict", "k.swf", "--predictions", "q/a.csv", "--plots", "r/a.csv"}},
		{[]string{"b.csv", "a.csv"}, []string{"allocate", "k.swf", "--per-job", "b.csv", "--plots", "a.csv"}},
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		if err := os.Mkdir("q", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("k.swf", []byte(log), 0o666); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(c.links); i += 2 {
			if err := os.Symlink(c.links[i+1], c.links[i]); err != nil {
				t.Skip("no symbolic links here: ", err)
			}
		}
		names := func() (all []string) {
			err := filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error { all = append(all, path); return err })
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		before := strings.Join(names(), " ")
		got := loadstone(t, "", c.args...)
		if got.code != exitUsage || !strings.Contains(got.err, "is another output too") {
			t.Errorf("%q with links %q: exit code %d, %q", c.args, c.links, got.code, got.err)
		}
		if after := strings.Join(names(), " "); after != before {
			t.Errorf("%q with links %q: left %s, want %s", c.args, c.links, after, before)
		}
	}
}

package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNoLineOfItsOwn: a line end in a name, a flag or the key of a foreign file
// begins no line: neither in messages nor in results nor in a page's title.
func TestNoLineOfItsOwn(t *testing.T) {
	const fake = "x\nloadstone: fake"
	t.Chdir(t.TempDir())
	write := func(name, text string) string {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Skip("no such file names here: ", err)
		}
		return name
	}
	log := write(fake+".swf", longLog(400))
	key := write("key.json", `{"x\nloadstone: fake": 1, "schema": "loadstone.model/1"}`)
	deep := write("deep.json", `{"clusters": [{"x\nloadstone: fake": 1}]}`)
	value := write("value.json", "{\"schema\": [\n\"loadstone: fake\"\n], \"name\": [1,\nloadstone: fake]}")
	law := write("law.json", `{"schema":"loadstone.model/1","name":"x","run_times":{"family":"x\nloadstone: fake","parameters":{"x\nloadstone: fake":1}}}`)
	page := fake + ".html"
	for _, args := range [][]string{
		{"describe", log}, {"describe", log, "--section", "all"}, {"describe", log, "--by", "user_id"}, {"validate", log}, {"convert", log},
		{"fit", log, log, "--attribute", "size"}, {"fit", log, "--by", "user_id", "--attribute", "run_time"}, {"lifetimes", log, "--by", "user_id"},
		{"runtime", log}, {"predict", log, "--predictors", "bmbp"}, {"simulate", log}, {"grid", log, "--grid", "das3"}, {"allocate", log}, {"compare", log, log},
		{"split", log, "--by", "user_id", "-o", fake + "-{n}.swf"}, {"describe", log, "--plots", fake}, {"wait", log, "--size", "1", "--time", "9"},
		{"report", log, "--without", "predict,runtime", "-o", page},
		{"describe", fake}, {"describe", log, "--" + fake}, {fake, log}, {"describe", log, "--timezone", fake}, {"describe", log, "--section", fake},
		{"describe", log, "--map", fake}, {"simulate", log, "--policy", fake}, {"simulate", log, "--processors", fake}, {"runtime", log, "--require", fake},
		{"runtime", log, "--baseline", key}, {"predict", log, "--baseline", fake}, {"describe", log, "-o", fake}, {"runtime", log, "--plots", log},
		{"generate", "--model", log, "--jobs", "9"}, {"generate", "--model", fake, "--jobs", "9"}, {"generate", "--model", "lublin", "--jobs", "9", "--set", fake + "=1"},
		{"generate", "--model", key, "--jobs", "9"}, {"generate", "--model", deep, "--jobs", "9"}, {"generate", "--model", value, "--jobs", "9"}, {"generate", "--model", law, "--jobs", "9"},
		{"grid", log, "--grid", key}, {"grid", log, "--grid", deep}, {"grid", log, "--grid", value}, {"fit", log, key, "--attribute", "size"},
	} {
		got := loadstone(t, "", args...)
		for stream, text := range map[string]string{"output": got.out, "error": got.err} {
			// A message begins so, and a name in it goes on in its line.
			if strings.Contains("\n"+text, "\nloadstone: fake") {
				t.Errorf("%q: standard %s: a name begins a line: %q", args, stream, text[:min(len(text), 300)])
			}
		}
	}
	text := mustRead(t, page)
	if title := regexp.MustCompile(`(?s)<title>.*?</title>`).FindString(text); title != `<title>Workload of x\nloadstone: fake</title>` {
		t.Errorf("the page's title: %q", title)
	}
	// Commands to copy keep their words.
	if n := strings.Count(regexp.MustCompile(`(?s)<pre.*?</pre>`).ReplaceAllString(text, ""), "\nloadstone: fake"); n > 0 {
		t.Errorf("the page: a name begins %d lines", n)
	}
	if left, err := filepath.Glob("*.html"); err != nil || len(left) != 1 {
		t.Errorf("%q, %v", left, err)
	}
}

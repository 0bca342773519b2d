//go:build long

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
)

// scoreboardLogs are the logs of docs/findings/scoreboard.md, by their short names.
var scoreboardLogs = map[string]string{
	"KTH.swf.gz":   "KTH-SP2-1996-2.1-cln.swf.gz",
	"SDSC.swf.gz":  "SDSC-Par-1996-3.1-cln.swf.gz",
	"Gaia.swf.gz":  "UniLu-Gaia-2014-1.swf.gz",
	"RICC.swf.gz":  "RICC-2010-2.swf.gz",
	"NASA.swf.gz":  "NASA-iPSC-1993-3.1-cln.swf.gz",
	"LCG.swf.gz":   "LCG-2005-1.swf.gz",
	"SP2.swf.gz":   "SDSC-SP2-1998.simulated-waits.swf.gz",
	"CTC.swf.gz":   "CTC-SP2-1996.simulated-waits.swf.gz",
	"LLNL.swf.gz":  "LLNL-Thunder-2007-1.1-cln.swf.gz",
	"Theta.swf.gz": "ANL-Theta-2023.crlf-unsorted.swf.gz",
}

// TestScoreboardPage runs the commands of docs/findings/scoreboard.md, the indented lines that
// begin with $, on the real logs, and compares their output; -update rewrites the page.
func TestScoreboardPage(t *testing.T) {
	path, err := filepath.Abs("../../../docs/findings/scoreboard.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := lines(mustRead(path))
	dir := t.TempDir()
	for short, name := range scoreboardLogs {
		jobtest.NoError(t, os.Symlink(reallogs.Path(t, "swf/"+name), filepath.Join(dir, short)))
	}
	t.Chdir(dir)
	const indent = "    "
	var out []string
	ran := 0
	for i := 0; i < len(doc); i++ {
		out = append(out, doc[i])
		command, ok := strings.CutPrefix(doc[i], indent+"$ loadstone ")
		if !ok {
			continue
		}
		ran++
		got := loadstone(t, "", longtest.ShellWords(command)...)
		if got.code != exitDone {
			t.Fatalf("%s: exit code %d: %s", command, got.code, got.err)
		}
		for i+1 < len(doc) && (strings.HasPrefix(doc[i+1], indent) || doc[i+1] == "" && i+2 < len(doc) && strings.HasPrefix(doc[i+2], indent)) {
			i++
		}
		for _, line := range lines(got.out) {
			out = append(out, strings.TrimRight(indent+line, " "))
		}
	}
	if ran == 0 {
		t.Fatal("no commands")
	}
	text := strings.Join(out, "\n") + "\n"
	if *update {
		jobtest.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return
	}
	if was := mustRead(path); was != text {
		t.Errorf("%s differs from what the commands print; -update writes\n%s", path, text)
	}
}

package manual

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	headings = regexp.MustCompile(`(?m)^#+ (.+)$`)
	anchors  = regexp.MustCompile(`\]\(([A-Za-z0-9_./-]*)(?:#([^)]+))?\)`)
	dropped  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Every link in the manual leads to a file, and a link with an anchor to a heading there. Anchors
// are derived as on GitHub: in lower case, without punctuation, with - for a blank.
func TestAnchors(t *testing.T) {
	found := 0
	for _, file := range append(manualFiles(t), "../../../CONTRIBUTING.md") {
		for _, link := range anchors.FindAllStringSubmatch(mustRead(file), -1) {
			to := file
			if link[1] != "" {
				to = filepath.Join(filepath.Dir(file), link[1])
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %s: %v", file, link[0], err)
				continue
			}
			if link[2] == "" {
				continue
			}
			found++
			text := mustRead(to)
			there := false
			for _, h := range headings.FindAllStringSubmatch(text, -1) {
				there = there || strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-") == link[2]
			}
			if !there {
				t.Errorf("%s: %s: no such heading", file, link[0])
			}
		}
	}
	if found < 10 {
		t.Errorf("%d links to headings", found)
	}
}

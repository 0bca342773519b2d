package browser

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever a page asks for, and whatever the machine has, it is shown in the test's fonts,
// and spread it is wider.
func TestFonts(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser")
	}
	b := New(t)
	path := filepath.Join(t.TempDir(), "page.html")
	families := []string{"system-ui", "sans-serif", "serif", "monospace", "ui-monospace, monospace", "'DejaVu Sans'", "Arial", "'Noto Sans'", "none"}
	text := `<!DOCTYPE html><title>t</title>`
	for _, f := range families {
		text += `<p style="font-family: ` + f + `"><span>Twelve words: 0123456789 ↑ – · µ × ≤</span></p>`
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	b.Open("file://" + path)
	b.Call("DOM.enable", nil, nil)
	b.Call("CSS.enable", nil, nil)
	var root struct{ Root struct{ NodeID int } }
	b.Call("DOM.getDocument", nil, &root)
	var nodes struct{ NodeIDs []int }
	b.Call("DOM.querySelectorAll", map[string]any{"nodeId": root.Root.NodeID, "selector": "span"}, &nodes)
	for i, node := range nodes.NodeIDs {
		var used struct{ Fonts []struct{ FamilyName string } }
		b.Call("CSS.getPlatformFontsForNode", map[string]any{"nodeId": node}, &used)
		for _, f := range used.Fonts {
			want := "Liberation Sans"
			if strings.HasSuffix(families[i], "monospace") {
				want = "Liberation Mono"
			}
			if f.FamilyName != want {
				t.Errorf("%s is shown in %s, want %s", families[i], f.FamilyName, want)
			}
		}
		if len(used.Fonts) == 0 {
			t.Errorf("%s is not shown", families[i])
		}
	}
	var width [2]float64
	for i, em := range []float64{0, .08} {
		b.Spread(em)
		b.Eval(`document.querySelector("span").getBoundingClientRect().width`, &width[i])
	}
	if len(nodes.NodeIDs) != len(families) || math.Abs(width[1]-width[0]-36*.08*16) > .5 {
		t.Errorf("%d texts; spread, 36 characters of 16 pixels are %v pixels wide, were %v", len(nodes.NodeIDs), width[1], width[0])
	}
}

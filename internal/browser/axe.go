package browser

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// axeFolder has the npm package axe-core, from the module's root on.
const axeFolder = "internal/browser/testdata/axe"

// Axe checks the page that is open, as it is shown, with axe-core: the rules of WCAG 2.0
// to 2.2, levels A and AA, and axe-core's best practices. Each violation is an error of
// t, which may be a test within the browser's; it is skipped where the npm package is
// not installed.
func (b *Browser) Axe(t *testing.T, what string) {
	t.Helper()
	for _, v := range b.violations(t) {
		t.Errorf("%s: %s", what, v)
	}
}

// violations are the rules that the page breaks, each with its first places.
func (b *Browser) violations(t *testing.T) []string {
	outer := b.t
	b.t = t
	defer func() { b.t = outer }()
	t.Helper()
	b.Eval("(() => {"+b.axe()+"\n})()", nil)
	var found []string
	b.Eval(`axe.run(document, { resultTypes: ["violations"] }).then(r => r.violations.map(v => v.id + ": " + v.help + ", " + v.nodes.length + " places, such as " +
		v.nodes.slice(0, 3).map(n => n.target.join(" ") + " (" + n.html.slice(0, 200) + ": " + n.failureSummary + ")").join("; ")))`, &found)
	return found
}

// axe is the script of axe-core.
func (b *Browser) axe() string {
	b.t.Helper()
	root, err := longtest.Root()
	if err != nil {
		b.t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, axeFolder, "node_modules", "axe-core", "axe.min.js"))
	if errors.Is(err, os.ErrNotExist) {
		b.t.Skip("no axe-core: run npm install --no-package-lock in " + axeFolder)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

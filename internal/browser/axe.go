package browser

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// axeFolder is the folder of the npm package axe-core, relative to the module's root.
const axeFolder = "internal/browser/testdata/axe"

// Axe checks the open page, in its present state, with axe-core: the rules of WCAG 2.0
// to 2.2, levels A and AA, and axe-core's best practices. It reports each violation as an
// error of t, which may be a subtest of the browser's test. It skips t if the npm package is
// not installed.
func (b *Browser) Axe(t *testing.T, what string) {
	t.Helper()
	for _, v := range b.violations(t) {
		t.Errorf("%s: %s", what, v)
	}
}

// violations returns the rules that the page violates, each with the first places.
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

// axe returns the script of axe-core.
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

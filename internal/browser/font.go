package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/plot/font/liberation"
)

// fonts writes the fonts for pages to a temporary folder, and returns the path of a fontconfig
// configuration with only these fonts, so that pages do not depend on the machine's fonts.
func fonts(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, face := range liberation.Collection() {
		if face.Font.Variant != "Sans" && face.Font.Variant != "Mono" {
			continue
		}
		f, err := os.Create(filepath.Join(dir, face.Name()+".ttf"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := face.Face.WriteSourceTo(nil, f); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	config := filepath.Join(dir, "fonts.conf")
	text := fmt.Sprintf(`<?xml version="1.0"?>
<fontconfig>
<dir>%[1]s</dir><cachedir>%[1]s</cachedir>
<alias binding="same"><family>monospace</family><prefer><family>Liberation Mono</family></prefer></alias>
<match><edit name="family" mode="append_last" binding="strong"><string>Liberation Sans</string></edit></match>
</fontconfig>
`, dir)
	if err := os.WriteFile(config, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return config
}

// Spread adds em to the letter spacing of the page's text, to simulate a wider font: .08 em is
// more than the difference between DejaVu Sans or Verdana and Liberation Sans or Arial. 0
// restores the normal spacing.
func (b *Browser) Spread(em float64) {
	b.t.Helper()
	b.Eval(fmt.Sprintf(`(document.body.style.letterSpacing = "%gem", new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))`, em), nil)
}

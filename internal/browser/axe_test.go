package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A picture without a text is found, and a sound page is not blamed.
func TestAxe(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser")
	}
	b := New(t)
	for content, want := range map[string]string{`<p>words</p><img src="data:,">`: "image-alt: ", `<p>words</p>`: ""} {
		path := filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(path, []byte(`<!DOCTYPE html><html lang="en"><title>t</title><main><h1>h</h1>`+content+`</main>`), 0o666); err != nil {
			t.Fatal(err)
		}
		b.Open("file://" + path)
		got := b.violations(t)
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], want)) {
			t.Errorf("%s: %q, want %q", content, got, want)
		}
	}
}

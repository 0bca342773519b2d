package links

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFollow follows links to a file, to nothing, to a directory, through each other, above a
// linked directory, and in a cycle.
func TestFollow(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if err := os.MkdirAll("q", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"to-file": "file", "dangling": "none", "r": "q", "twice": "to-dangling", "to-dangling": "r/../dangling",
		"absolute": filepath.Join(dir, "q"), "circle": "elcric", "elcric": "circle", "q/up": "../none",
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	for name, want := range map[string]string{
		"file": "file", "./q//../file": "file", "to-file": "file", "dangling": "none", "twice": "none",
		"r/a": "q/a", "r/new/a": "q/new/a", "absolute/a": "q/a", "r/up": "none",
		filepath.Join(dir, "r", "a"): "q/a", "none/a": "none/a", "r/": "q",
	} {
		if got, err := Follow(name); err != nil || got != filepath.Join(dir, want) {
			t.Errorf("Follow(%q) = %q, %v, want %q", name, got, err, want)
		}
	}
	if got, err := Follow("circle"); err == nil {
		t.Errorf("a circle: %q", got)
	}
}

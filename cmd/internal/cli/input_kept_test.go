package cli

import (
	"os"
	"strings"
	"testing"
)

// TestReadOnlyFileIsKept: a file without write permission is not replaced, by
// the superuser neither.
func TestReadOnlyFileIsKept(t *testing.T) {
	t.Chdir(t.TempDir())
	log := "; MaxProcs: 8\n1 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n2 5 0 10 1 -1 -1 1 20 -1 1 2 1 1 1 1 -1 -1\n"
	for name, mode := range map[string]os.FileMode{"k.swf": 0o666, "old.swf": 0o444, "old.json": 0o444, "old.csv": 0o400, "part-1.swf": 0o444} {
		if err := os.WriteFile(name, []byte(log), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{
		"clean k.swf --filter user=1 -o old.swf", "clean k.swf --filter user=1 --removed old.csv -o new.swf", "describe k.swf -o old.json",
		"anonymise k.swf --mapping old.csv -o new.swf", "split k.swf --at 3 -o part-{n}.swf", "clean nowhere.swf -o old.swf",
	} {
		got := loadstone(t, "", strings.Fields(command)...)
		if got.code != exitFailed || !strings.Contains(got.err, "is read-only: write to another file") {
			t.Errorf("%s: exit code %d, %q", command, got.code, got.err)
		}
		for _, name := range []string{"old.swf", "old.json", "old.csv", "part-1.swf"} {
			if text := mustRead(t, name); string(text) != log {
				t.Fatalf("%s: %s is now %q", command, name, text)
			}
		}
		if left := files(t, "."); len(left) != 5 {
			t.Errorf("%s: left %q", command, left)
		}
	}
}

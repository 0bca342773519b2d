package flags

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// Pairs are added to those of earlier uses of the flag; a fault leaves the pairs unchanged.
func TestMap(t *testing.T) {
	var m Map
	for _, c := range []struct{ text, want, all string }{
		{"submit_time=Submitted", "", "submit_time=Submitted"},
		{`"run_time=Run, s", user_id = who`, "", "run_time=Run, s,submit_time=Submitted,user_id=who"},
		{"wait_time=a,user_id=b", `"user_id" is mapped twice`, "run_time=Run, s,submit_time=Submitted,user_id=who"},
		{"", "saw nothing", "run_time=Run, s,submit_time=Submitted,user_id=who"},
		{"wait_time", `saw "wait_time"`, "run_time=Run, s,submit_time=Submitted,user_id=who"},
		{"wait_time= ", "want column=name", "run_time=Run, s,submit_time=Submitted,user_id=who"},
		{"shoe=a", "shoe", "run_time=Run, s,submit_time=Submitted,user_id=who"},
	} {
		err := m.Set(c.text)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || m.String() != c.all {
			t.Errorf("%q: %v, %s, want %q, %s", c.text, err, m.String(), c.want, c.all)
		}
	}
}

func TestZone(t *testing.T) {
	z := Zone("UTC")
	for name, ok := range map[string]bool{"Europe/Zurich": true, "Local": false, "": false, "Mars/Olympus": false} {
		if err := z.Set(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
	if z != "Europe/Zurich" {
		t.Errorf("the zone is %s", z)
	}
}

// zeros is an endless file.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// 64 MiB can be read, but not one byte more.
func TestReadAll(t *testing.T) {
	if data, err := ReadAll(io.LimitReader(zeros{}, 64<<20), "key"); err != nil || len(data) != 64<<20 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	path := filepath.Join(t.TempDir(), "key")
	if _, err := ReadFile(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	jobtest.NoError(t, os.WriteFile(path, []byte("secret"), 0o600))
	if data, err := ReadFile(path); err != nil || string(data) != "secret" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := ReadAll(zeros{}, "key"); err == nil || err.Error() != "key: saw more than 64 MiB, want a smaller file" {
		t.Errorf("without an end: %v", err)
	}
}

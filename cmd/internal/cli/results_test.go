package cli

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
)

// decode runs a command with --format json and decodes what it prints.
func decode(t *testing.T, v any, args ...string) {
	t.Helper()
	got := loadstone(t, "", append(args, "--format", "json")...)
	if got.code != exitDone {
		t.Fatalf("%q: exit code %d: %s", args, got.code, got.err)
	}
	d := json.NewDecoder(strings.NewReader(got.out))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, got.out)
	}
}

func near[N ~float64](got N, want float64) bool { return math.Abs(float64(got)-want) < 1e-9 }

func mustRead(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

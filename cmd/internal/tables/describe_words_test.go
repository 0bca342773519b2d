package tables

import "testing"

func TestIdentifiersInWords(t *testing.T) {
	for _, c := range []struct {
		column string
		n      int64
		want   string
	}{
		{"user_id", 1, "1 user"},
		{"queue_id", 2, "2 queues"},
		{"array_id", 1, "1 array"},
		{"array_id", 2, "2 arrays"},
		{"qos_id", 1, "1 quality of service"},
		{"qos_id", 4, "4 qualities of service"},
		{"gpu_type_id", 2, "2 GPU types"},
	} {
		if got := identifiers(c.column, c.n); got != c.want {
			t.Errorf("%s, %d: %q, want %q", c.column, c.n, got, c.want)
		}
	}
}

package journal

import (
	"strings"
	"testing"
)

// TestKeys: the keys of the columns are those of the stores that have been written.
// A column that gets another short name needs its old one here, and new columns theirs.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		name   string
		fields []field
		want   string
	}{
		{"submit", requestFields, "job submit processors estimate memory user group application queue partition preceding think " +
			"sequential parallelism sigma requested_nodes requested_gpus gpu_type gpu_share memory_total account qos array size nodes gpus"},
		{"start", startFields, "job submit wait proc allocated_nodes allocated_gpus eligible"},
		{"finish", finishFields, "job submit run cpu used_memory status used_memory_total energy eligible"},
	} {
		var keys []string
		for _, f := range c.fields {
			keys = append(keys, f.key)
		}
		if got := strings.Join(keys, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestLine pins a line.
func TestLine(t *testing.T) {
	got, err := appendLine(nil, 3, someEntries()[2])
	// The checksum is from a bitwise CRC-32C in Python, which gives e3069283 for
	// "123456789" as RFC 3720 has it.
	want := `22d81139 3 {"start":{"t":20,"job":{"job":-5,"proc":64,"submit":-0,"wait":7.5}}}` + "\n"
	if err != nil || string(got) != want {
		t.Errorf("%s%v, want %s", got, err, want)
	}
}

package workload

import (
	"fmt"
	"strings"
	"testing"
)

// Ranges by powers of two: 2^(k-1) < v <= 2^k, and one of all that is not above 0.
func TestPowerOfTwoRanges(t *testing.T) {
	for value, want := range map[float64]string{
		-3: "requested_time_s<=0", 0: "requested_time_s<=0", 0.5: "requested_time_s=0.25..0.5", 0.75: "requested_time_s=0.5..1",
		1: "requested_time_s=0.5..1", 1.5: "requested_time_s=1..2", 2: "requested_time_s=1..2", 4096: "requested_time_s=2048..4096", 4096.5: "requested_time_s=4096..8192",
	} {
		if got := inClass(t, "time:x2", Grouping{}, func(j *Job) { j.Time = value }); got != want {
			t.Errorf("%g: %s, want %s", value, got, want)
		}
	}
}

// Classes are in order of their values, the first column first, unknown values last.
func TestClassKeyCompare(t *testing.T) {
	for _, c := range []struct {
		a, b ClassKey
		want int
	}{
		{ClassKey{1, 5}, ClassKey{2, 3}, -1}, {ClassKey{2, 3}, ClassKey{2, 5}, -1}, {ClassKey{2, 3}, ClassKey{2, 3}, 0},
		{ClassKey{Unknown}, ClassKey{7}, 1}, {ClassKey{1, 7}, ClassKey{1, Unknown}, -1}, {ClassKey{Unknown, 1}, ClassKey{Unknown, 2}, -1},
	} {
		if got := c.a.Compare(c.b); got != c.want || c.b.Compare(c.a) != -c.want {
			t.Errorf("%v and %v: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// Labels become parts of file names without spaces and signs.
func TestInFileName(t *testing.T) {
	for label, want := range map[string]string{
		"queue_id=1, size=5-8": "queue_id=1_size=5-8", "size<=4": "size-upto-4", "size>64": "size-over-64",
		"size unknown": "size-unknown", "größe/2": "größe-2",
	} {
		if got := InFileName(label); got != want {
			t.Errorf("%q: %q, want %q", label, got, want)
		}
	}
}

// Kinds are of partitions before queues, and there are none where all names or no
// name are interactive.
func TestFindKinds(t *testing.T) {
	header := func(lines ...string) *Header {
		h := new(Header)
		for _, line := range lines {
			name, value, _ := strings.Cut(line, ": ")
			h.Add(name, value)
		}
		return h
	}
	for _, c := range []struct {
		header *Header
		want   string
		ok     bool
	}{
		{header("Queue: 1 batch", "Queue: 2 Interactive", "Queue: 4 interactive2"), "queue_id [2 4]", true},
		{header("Queue: 1 batch", "Queue: 2 interactive", "Partition: 3 interactive", "Partition: 4 x"), "partition_id [3]", true},
		{header("Queue: 2 interactive"), " []", false},
		{header("Queue: 2 interactive", "Queue: 3 short_interactive"), " []", false},
		{header("Queue: 1 batch", "Queue: 2 other"), " []", false},
	} {
		k, ok := FindKinds(c.header)
		if got := fmt.Sprint(k.Column, " ", k.Interactive); got != c.want || ok != c.ok {
			t.Errorf("%v: %s, %t, want %s, %t", c.header, got, ok, c.want, c.ok)
		}
	}
}

package delimited_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload/delimited"
)

// FuzzCSVRecords compares records with those of encoding/csv for chunks of any size: the fields
// must be the same, and faults be found in the same place.
func FuzzCSVRecords(f *testing.F) {
	for _, text := range []string{
		"", "a", "a,b\n1,2\n", "a,b\r\n1,2\r\n", "\"a\",\"b\nc\"\n,\n", "\"a\"\"b\"\n\n\r\n \n", "a\"b\n", "\"a\"b\n", "\"a\n", "\"\"\n\"\"\"\"\n", "\"a\r\nb\",c\r\n", "\xef\xbb\xbfa,\"b\"", "\r", "a\r\rb\n", "\"a\"\r", "\"\r\"",
	} {
		f.Add(text, uint16(0))
		f.Add(text, uint16(5))
	}
	for size := range uint16(12) {
		f.Add("x,\"a\nb\",\"c\nd\"\n", size)
	}
	f.Fuzz(func(t *testing.T, text string, size uint16) {
		if strings.Contains(text, "\x00") {
			return // which does not occur in text
		}
		want, wantErr := delimited.SimpleRecords(text)
		got, err := delimited.CutRecords(text, int(size)+1)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("error %v, want %v", err, wantErr)
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Fatalf("records %q, want %q", got, want)
		}
	})
}

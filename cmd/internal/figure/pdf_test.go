package figure

import (
	"bytes"
	"fmt"
	"strconv"
	"testing"
	"time"
)

// The same data give the same picture, whenever it is drawn.
func TestPDFHasNoClock(t *testing.T) {
	for _, d := range goldens(t)[:2] {
		var first, second bytes.Buffer
		if err := d.draw(&first, "pdf"); err != nil {
			t.Fatal(err)
		}
		for _, date := range []string{"/CreationDate (D:19700101000000)", "/ModDate (D:19700101000000)"} {
			if !bytes.Contains(first.Bytes(), []byte(date)) {
				t.Errorf("%s: no %s", d.name, date)
			}
		}
		if year := time.Now().Year(); bytes.Contains(first.Bytes(), fmt.Appendf(nil, "(D:%d", year)) {
			t.Errorf("%s: a date of this year, %d", d.name, year)
		}
		// The offset of the cross references is right still.
		tail := first.Bytes()[bytes.LastIndex(first.Bytes(), []byte("startxref"))+len("startxref\n"):]
		at, err := strconv.Atoi(string(tail[:bytes.IndexByte(tail, '\n')]))
		if err != nil || !bytes.HasPrefix(first.Bytes()[at:], []byte("xref")) {
			t.Errorf("%s: no cross references at %d, %v", d.name, at, err)
		}
		for range 5 {
			second.Reset()
			if err := d.draw(&second, "pdf"); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Fatalf("%s: drawn twice, the files differ", d.name)
			}
		}
	}
}

package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// Free text in a fact's place leaves with no format: in SWF and Batsim it
// stands in the header, in Parquet and Arrow in the metadata, which is not
// compressed.
func TestAnonymiseFreeTextInEveryFormat(t *testing.T) {
	const log = `; Version: 2.2
; Preemption: secretalice
; TimeZoneString: secretbob's zone
; StartTime: when secretalice came
; EndTime: Tue Sep 24 06:44:55 MDT 1996 (secretbob)
; MaxProcs: secretalice
; User: 1 secretalice
1 0 1 5 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1
`
	dir := t.TempDir()
	plain := writeLog(t, log)
	for _, ext := range []string{".swf", ".parquet", ".arrow", ".arrows", ".batsim.json"} {
		out := filepath.Join(dir, "x"+ext)
		if ext != ".batsim.json" { // which we do not read
			in := filepath.Join(dir, "in"+ext)
			if got := loadstone(t, "", "convert", plain, "-o", in); got.code != exitDone {
				t.Fatal(got.err)
			}
			if !strings.Contains(mustRead(t, in), "secret") {
				t.Fatalf("%s: the names are not there to be removed", ext)
			}
			plain = in
		}
		if got := loadstone(t, "", "anonymise", plain, "-o", out); got.code != exitDone {
			t.Fatal(got.err)
		}
		text := mustRead(t, out)
		if i := strings.Index(text, "secret"); i >= 0 {
			t.Errorf("%s: %q is left", ext, text[i:min(i+20, len(text))])
		}
	}
}

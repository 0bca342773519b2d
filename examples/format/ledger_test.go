package format_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/loadstone-examples/format"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

const ledger = "ledger of 128\n0 10 3600 4\n60 - - 128\n"

// The format is one of a list, in front of those of the module. A log of it is read by
// its content, and a file of it is written by its extension, packed here.
func ExampleLedger() {
	formats := append([]*workload.Format{&format.Ledger}, logfile.Formats()...)
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	for _, name := range []string{"jobs.ledger.gz", "jobs.swf"} {
		path := filepath.Join(folder, name)
		if err := copyTo(path, formats); err != nil {
			fmt.Println(err)
			return
		}
		log, err := logfile.Open(path, workload.Options{Formats: formats})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(log.Format, log.Header.Get("MaxProcs"))
		for j, err := range log.Jobs() {
			fmt.Println(j.ID, j.Submit, j.Wait, j.Run, j.Size, err)
		}
		log.Close()
	}
	// Output:
	// ledger 128
	// 1 0 10 3600 4 <nil>
	// 2 60 NaN NaN 128 <nil>
	// swf 128
	// 1 0 10 3600 4 <nil>
	// 2 60 NaN NaN 128 <nil>
}

// copyTo writes the ledger above to a file.
func copyTo(path string, formats []*workload.Format) error {
	log, err := logfile.OpenReader("ledger", strings.NewReader(ledger), workload.Options{Formats: formats})
	if err != nil {
		return err
	}
	defer log.Close()
	out, err := logfile.Create(path, log.Header, workload.WriteOptions{Formats: formats})
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := out.WriteAll(log.Batches()); err != nil {
		return err
	}
	return out.Commit()
}

// Faults have their place.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		text    string
		formats []*workload.Format
		want    string
	}{
		{"ledger of one\n", []*workload.Format{&format.Ledger}, `log:1: saw "one", want the processors of the machine`},
		{"ledger of 8\n1 2 3 4\n1 2 three 4\n", []*workload.Format{&format.Ledger}, `log:3: run: saw "three", want a number, or -`},
		{"1 2 3 4", []*workload.Format{&format.Ledger}, `log: saw "1 2 3 4", want a job log of one of the formats given`},
	} {
		log, err := logfile.OpenReader("log", strings.NewReader(c.text), workload.Options{Formats: c.formats})
		if err == nil {
			err = logfile.WriteAll(discard{}, log.Batches())
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	if _, err := logfile.NewWriter("ledger", io.Discard, workload.Header{}, workload.WriteOptions{Formats: []*workload.Format{&format.Ledger}}); err == nil {
		t.Error("a ledger of no machine")
	}
}

type discard struct{}

func (discard) Write(*workload.Batch) error { return nil }
func (discard) Close() error                { return nil }

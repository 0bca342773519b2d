package logfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Convert a log in the standard workload format to Parquet, and read it back. The output format is
// selected by the extension, the input format by the content.
func Example() {
	const text = "; MaxProcs: 128\n1 0 30 600 8 -1 -1 8 900 -1 1 3 -1 -1 -1 -1 -1 -1\n"
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "jobs.parquet")
	if err := convert(text, path); err != nil {
		fmt.Println(err)
		return
	}

	log, err := logfile.Open(path, workload.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	fmt.Println(log.Format, log.Header.Get("MaxProcs"))
	for j, err := range log.Jobs() {
		fmt.Println(j.ID, j.Submit, j.Wait, j.Run, j.Size, j.Time, err)
	}
	// Output:
	// parquet 128
	// 1 0 30 600 8 900 <nil>
}

// convert writes the jobs of a text to a file, which appears only when it is complete.
func convert(text, path string) error {
	log, err := logfile.OpenReader("jobs.swf", strings.NewReader(text), workload.Options{})
	if err != nil {
		return err
	}
	defer log.Close()
	out, err := logfile.Create(path, log.Header, workload.WriteOptions{Columns: log.Optional()})
	if err != nil {
		return err
	}
	defer out.Abort() // does nothing after Commit
	if err := out.WriteAll(log.Batches()); err != nil {
		return err
	}
	return out.Commit()
}

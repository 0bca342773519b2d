package swf_test

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// Read a log and write its batches in the same format: the fields in order, separated by single
// blanks, with -1 for unknown values.
func Example() {
	const text = `; Computer: example
; MaxProcs: 64
  1   0   5 100.50 4 -1 -1 4 3600 -1 1 1 1 -1 1 -1 -1 -1
  2  10  -1     -1 8 -1 -1 8   -1 -1 5 2 1 -1 1 -1 -1 -1
`
	log, err := swf.Format.Open("jobs.swf", bufio.NewReader(strings.NewReader(text)), workload.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	os.Stdout.Write(swf.AppendHeader(nil, log.Header))
	for batch, err := range log.Batches() {
		if err != nil {
			fmt.Println(err)
			return
		}
		os.Stdout.Write(swf.Append(nil, batch))
	}
	// Output:
	// ; Computer: example
	// ; MaxProcs: 64
	// 1 0 5 100.5 4 -1 -1 4 3600 -1 1 1 1 -1 1 -1 -1 -1
	// 2 10 -1 -1 8 -1 -1 8 -1 -1 5 2 1 -1 1 -1 -1 -1
}

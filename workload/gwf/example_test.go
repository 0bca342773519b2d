package gwf_test

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/gwf"
)

// Users, queues and sites are texts in this format. They become numbers, in the order in
// which they appear. Their names are in the header when the log has been read.
func Example() {
	const text = `# Computer: example
1  0  5 600 4 -1 -1 4 3600 -1 1 alice physics -1 long  -1 site2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1
2 60 -1  90 1 -1 -1 1  600 -1 1 bob   physics -1 short -1 site1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1
`
	log, err := gwf.Format.Open("jobs.gwf", bufio.NewReader(strings.NewReader(text)), workload.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	for j, err := range log.Jobs() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("job %d: user %d, queue %d, %d processors for %g s\n", j.ID, j.User, j.Queue, j.Size, j.Run)
	}
	fmt.Println(log.Header.Names("User"), log.Header.Names("Queue"))
	// Output:
	// job 1: user 1, queue 1, 4 processors for 600 s
	// job 2: user 2, queue 2, 1 processors for 90 s
	// map[1:alice 2:bob] map[1:long 2:short]
}

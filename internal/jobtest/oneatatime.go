package jobtest

import (
	"fmt"
	"strings"
)

// OneAtATime returns an SWF log of a machine with ten processors, all of which each job takes,
// in the order of submission. Every 500 s a job is submitted that runs 600 s and requests
// 1000 s, so that the k-th job, from 0, waits 100 k s, longer than all before it.
// header holds further lines of the header.
func OneAtATime(jobs int, header string) string {
	var b strings.Builder
	b.WriteString("; MaxProcs: 10\n" + header)
	for k := range jobs {
		fmt.Fprintf(&b, "%d %d %d 600 10 -1 -1 10 1000 -1 1 1 1 1 1 1 -1 -1\n", k+1, 500*k, 100*k)
	}
	return b.String()
}

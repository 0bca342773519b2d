package mapping_test

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// Read a table of another program, given pairs of a column of the job table and a column of the
// file. A mapping in a file (workload.Options.MapFile) can also convert units.
func Example() {
	const text = `JobID,Submitted,Started,Ended,Cores,Owner
17,2024-05-01 10:00:00,2024-05-01 10:05:00,2024-05-01 11:05:00,16,alice
`
	pairs := map[string]string{
		"job_id": "JobID", "submit_time": "Submitted", "start_time": "Started", "end_time": "Ended",
		"allocated_processors": "Cores", "user_id": "Owner",
	}
	if err := mapping.CheckPairs(pairs); err != nil {
		fmt.Println(err)
		return
	}
	log, err := logfile.OpenReader("jobs.csv", strings.NewReader(text), workload.Options{Map: pairs, TimeZone: "UTC"})
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
		fmt.Printf("job %d: waited %g s, ran %g s on %d processors\n", j.ID, j.Wait, j.Run, j.Size)
	}
	// Output:
	// job 17: waited 300 s, ran 3600 s on 16 processors
}

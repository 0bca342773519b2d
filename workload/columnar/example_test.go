package columnar_test

import (
	"bytes"
	"fmt"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// Write jobs as Parquet into memory and read them back. For files see package logfile.
func Example() {
	j := workload.UnknownJob()
	j.ID, j.Submit, j.Wait, j.Run, j.Allocated = 1, 0, 30, 600, 8
	var file bytes.Buffer
	out, err := columnar.Parquet.Create(&file, workload.Header{}, workload.WriteOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for batch, err := range workload.Batches(workload.JobsOf([]workload.Job{j})) {
		if err == nil {
			err = out.Write(batch)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := out.Close(); err != nil {
		fmt.Println(err)
		return
	}

	log, err := columnar.Parquet.OpenAt("jobs.parquet", bytes.NewReader(file.Bytes()), int64(file.Len()), workload.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	for j, err := range log.Jobs() {
		fmt.Println(j.ID, j.Submit, j.Wait, j.Run, j.Size, err)
	}
	// Output:
	// 1 0 30 600 8 <nil>
}

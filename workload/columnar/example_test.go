package columnar_test

import (
	"bytes"
	"fmt"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// Write jobs as Parquet into memory and read two columns. For job logs in files see package
// logfile.
func Example() {
	j := workload.UnknownJob()
	j.ID, j.Submit, j.Run, j.Allocated = 1, 0, 600, 8
	var file bytes.Buffer
	out, err := columnar.NewParquetWriter(&file, workload.Header{}, workload.WriteOptions{})
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

	table, err := columnar.OpenParquet("jobs.parquet", bytes.NewReader(file.Bytes()), int64(file.Len()), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for rows, err := range table.Read([]workload.TableColumn{{Name: "job_id"}, {Name: "run_time_s"}}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(rows.Columns[0].Whole, rows.Columns[1].Number)
	}
	// Output:
	// [1] [600]
}

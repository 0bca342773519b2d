package workload

import (
	"strconv"

	"github.com/apache/arrow/go/v15/arrow"
)

// SchemaVersion names the columns and their meaning; it is kept in the
// metadata of every Arrow and Parquet file written.
const SchemaVersion = "loadstone.jobs/1"

// The positions of the columns in every batch of jobs. The first eighteen are
// the fields of the standard workload format, in its order.
const (
	ColJobID = iota
	ColSubmitTime
	ColWaitTime
	ColRunTime
	ColAllocatedProcessors
	ColCPUTime
	ColUsedMemory
	ColRequestedProcessors
	ColRequestedTime
	ColRequestedMemory
	ColStatus
	ColUser
	ColGroup
	ColApplication
	ColQueue
	ColPartition
	ColPrecedingJob
	ColThinkTime
	ColSequentialTime
	ColAverageParallelism
	ColSigma
	NumColumns
)

// Column describes one column of the job table. Every column is nullable:
// null is "unknown". Kind is arrow.FLOAT64 or arrow.INT64.
type Column struct {
	Name    string
	Unit    string
	Meaning string
	Kind    arrow.Type
	SWF     int // field number in the standard workload format, 0 for none
}

// Float says whether the column holds float64 values; otherwise it holds
// int64 values.
func (c Column) Float() bool { return c.Kind == arrow.FLOAT64 }

var columns = [NumColumns]Column{
	{"job_id", "1", "the log's number of the job", arrow.INT64, 1},
	{"submit_time_s", "s", "submission, from the log's start", arrow.FLOAT64, 2},
	{"wait_time_s", "s", "from submission to start", arrow.FLOAT64, 3},
	{"run_time_s", "s", "wall clock time from start to end; 0 is less than half a second", arrow.FLOAT64, 4},
	{"allocated_processors", "processors", "processors given to the job", arrow.INT64, 5},
	{"cpu_time_s", "s", "user and system time used, mean over the processors", arrow.FLOAT64, 6},
	{"used_memory_kb", "KB", "memory used, mean per processor", arrow.FLOAT64, 7},
	{"requested_processors", "processors", "processors asked for", arrow.INT64, 8},
	{"requested_time_s", "s", "the user's estimate or limit: wall clock, or CPU time per processor where the header says so", arrow.FLOAT64, 9},
	{"requested_memory_kb", "KB", "memory asked for, per processor", arrow.FLOAT64, 10},
	{"status", "1", "0 failed, 1 completed, 2 partial, 3 last part of a completed job, 4 last part of a failed job, 5 cancelled", arrow.INT64, 11},
	{"user_id", "1", "number of the user", arrow.INT64, 12},
	{"group_id", "1", "number of the user's group", arrow.INT64, 13},
	{"application_id", "1", "number of the executable", arrow.INT64, 14},
	{"queue_id", "1", "number of the queue; names are in the header", arrow.INT64, 15},
	{"partition_id", "1", "number of the partition, or site of a grid; names are in the header", arrow.INT64, 16},
	{"preceding_job_id", "1", "job that had to end before this one was submitted", arrow.INT64, 17},
	{"think_time_s", "s", "from the end of the preceding job to submission", arrow.FLOAT64, 18},
	{"sequential_time_s", "s", "malleable jobs: run time on one processor", arrow.FLOAT64, 0},
	{"average_parallelism", "processors", "malleable jobs: average parallelism A of Downey's speedup model", arrow.FLOAT64, 0},
	{"sigma", "1", "malleable jobs: variance of parallelism in Downey's speedup model", arrow.FLOAT64, 0},
}

// Columns returns the description of every column, in schema order.
func Columns() []Column { return append([]Column(nil), columns[:]...) }

// ColumnAt returns the description of column i.
func ColumnAt(i int) Column { return columns[i] }

// ColumnIndex returns the position of the column with that name, or -1.
func ColumnIndex(name string) int {
	for i := range columns {
		if columns[i].Name == name {
			return i
		}
	}
	return -1
}

var schema = newSchema()

func newSchema() *arrow.Schema {
	fields := make([]arrow.Field, NumColumns)
	for i, c := range columns {
		keys := []string{"unit", "meaning"}
		values := []string{c.Unit, c.Meaning}
		if c.SWF > 0 {
			keys, values = append(keys, "swf_field"), append(values, strconv.Itoa(c.SWF))
		}
		var t arrow.DataType = arrow.PrimitiveTypes.Int64
		if c.Float() {
			t = arrow.PrimitiveTypes.Float64
		}
		fields[i] = arrow.Field{Name: c.Name, Type: t, Nullable: true, Metadata: arrow.NewMetadata(keys, values)}
	}
	return arrow.NewSchema(fields, nil)
}

// Schema returns the schema of every batch of jobs. Its fields carry unit,
// meaning and SWF field number as metadata.
func Schema() *arrow.Schema { return schema }

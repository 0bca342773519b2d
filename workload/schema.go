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
	ColRequestedNodes
	ColAllocatedNodes
	ColRequestedGPUs
	ColAllocatedGPUs
	ColGPUType
	ColGPUShare
	ColRequestedMemoryTotal
	ColUsedMemoryTotal
	ColEnergy
	ColAccount
	ColQOS
	ColArray
	ColEligibleTime
	NumColumns

	// FirstOptional is the first of the columns that files have only where
	// their source declares them (see ColumnSet): in a batch they are always
	// there.
	FirstOptional = ColRequestedNodes
)

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

// SchemaOf returns the schema of a file with the optional columns in a set.
func SchemaOf(set ColumnSet) *arrow.Schema {
	var fields []arrow.Field
	for _, at := range set.Written() {
		fields = append(fields, schema.Field(at))
	}
	return arrow.NewSchema(fields, nil)
}

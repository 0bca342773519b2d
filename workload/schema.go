package workload

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

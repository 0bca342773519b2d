// Package gwf reads the text form of the Grid Workload Format (GWF) of the Grid
// Workloads Archive (Iosup and others, The Grid Workloads Archive, FGCS 24(7), 2008).
//
// The first sixteen fields are those of the Standard Workload Format, but users, groups,
// executables, queues and sites are names. They are numbered in order of appearance, and
// the names go to the log's header. GWF has three fields for the place of a job, the job
// table has one, partition_id: it takes LastRunSiteID, or OrigSiteID if the job never ran,
// or PartitionID in a log without sites.
package gwf

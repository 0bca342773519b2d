// Package reshape changes job tables: it cleans, anonymises, samples, splits and scales
// them.
//
//	log --Clean, Sample, Scale, Anonymise--> Stream: jobs, then header and warnings
//	log --Split----------------------------> Splitting: parts, and the jobs of each
//
// Functions that need to see the whole log first take a function that opens the log, and
// read it two or three times.
//
// Clean passes a log through a chain of filters: Condition (removes the jobs that match an
// expression over their fields) and Duplicates. ParseFilter reads each of them from a line of text, in the syntax that the Parallel
// Workloads Archive uses in the headers of its cleaned logs, so that such filters can be
// applied again.
//
// Design decisions:
//   - Every removed job is accounted for: in the header, and one by one with the reason. The
//     other jobs are unchanged.
//   - A job stays if a filter cannot decide because a value is unknown.
//   - Jobs are streamed.
//
// Related packages: workload reads and writes tables and headers, workload/inspect
// describes them, workload/resample makes new logs from the users of one.
package reshape

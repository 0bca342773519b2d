// Package reshape changes job tables: it cleans, anonymises, samples, splits and scales
// them.
//
//	log --Clean, Sample, Scale, Anonymise--> Stream: jobs, then header and warnings
//	log --Split----------------------------> Splitting: parts, and the part of each job
//
// Functions that need to see the whole log first take a function that opens the log, and
// read it twice.
//
// Clean passes a log through filters: conditions, which remove the jobs that match an
// expression over their fields, and duplicates. ParseFilter reads each of them from a line of
// text, in the syntax that the Parallel Workloads Archive uses in the headers of its cleaned
// logs, so that such filters can be applied again.
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

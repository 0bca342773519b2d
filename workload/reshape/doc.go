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
// text, in the syntax of the headers of cleaned logs in the Parallel Workloads Archive, so that
// those filters can be applied again.
//
// Design decisions:
//   - Every removed job is accounted for: in the header, and one by one with the reason. The
//     other jobs are unchanged.
//   - A comparison with an unknown value is false, so that the job stays, except under "not" and
//     "keep".
//   - Jobs are streamed.
//
// Related packages: workload reads and writes tables and headers, workload/inspect
// describes them, workload/resample makes new logs from the users of one.
package reshape

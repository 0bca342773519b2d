// Package reshape alters job tables: it cleans, anonymises, samples, splits
// and scales them.
//
//	jobs --Cleaning.Jobs--> jobs that stay  --> Cleaning.Record --> header
//	          |   filter, filter, ...
//	          +--> Removal, one for each removed job
//
//	log --Clean, Sample, Scale--> jobs, then header and warnings
//	log --Split--> Splitting: parts, and the jobs of each
//
// Functions that have to see the whole log before they alter it take a function that
// opens the log, and read it two or three times.
//
// Cleaning is a chain of filters: Condition (removes the jobs that meet an expression
// over their fields), Window, FailedAtStart, Duplicates, Partials, Flurries and
// DailyPeak. ParseFilter reads all of them from one line of text, in the syntax that
// the Parallel Workloads Archive uses in the headers of its cleaned logs, so that
// such a header's filters can be run again.
//
// Opinions:
//   - Every removed job is accounted for: in the header, and one by one with the
//     reason. Kept jobs are unchanged (only Partials makes jobs, out of their parts).
//   - A job about which a filter's question has no answer, because a value is
//     unknown, stays.
//   - Jobs stream. What has to look ahead holds a bounded number of jobs, and
//     its comment says how many; what has to see the whole log first
//     (DailyPeak) keeps it in a temporary file, not in memory.
//   - What counts as a flurry or as an automatic script is this project's definition,
//     with its thresholds as parameters: the literature defines them in words and
//     finds them by eye.
//
// Related packages: workload reads and writes the tables and their headers,
// workload/inspect describes them, generate makes new ones.
package reshape

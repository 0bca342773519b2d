package workload

// memoryFormat is the Format of a log that LogOf makes.
const memoryFormat = "memory"

// LogOf returns a log of jobs in memory, for functions that read a log: those of fit,
// evaluate, inspect, reshape and others. name stands for the log in results and
// messages. header is copied; Header{} is a valid one, but much of the toolkit takes
// from it the machine's size (MaxProcs) and the time of second 0 (UnixStartTime,
// TimeZoneString):
//
//	var header workload.Header
//	header.Set("MaxProcs", "128")
//	log := workload.LogOf("mine", header, jobs)
//
// Begin each job with UnknownJob, because the zero value of a field is a known 0. The
// jobs should stand in order of submission, as in a file. They are not altered, and
// must not be while the log is read: Row and Size are filled in on copies. Size is
// RigidSize(Allocated, Processors); a job that has a Size and neither of these has asked
// for so many Processors.
//
// A log is read once; call LogOf again to read the jobs again. A stream of jobs that
// does not fit in memory becomes a log by NewLog.
func LogOf(name string, header Header, jobs []Job) *Log {
	l, from := NewLog(name, memoryFormat)
	l.Header = header.Clone()
	from.Batches = Batches(asking(jobs))
	from.Declare(optionalOf(jobs))
	return l
}

// asking yields jobs, those that have only a Size with that as the Processors asked for: a
// batch has no column of sizes.
func asking(jobs []Job) JobSeq {
	return func(yield func(Job, error) bool) {
		for j := range JobsOf(jobs) {
			if j.Size > 0 && RigidSize(j.Allocated, j.Processors) == Unknown {
				j.Processors = j.Size
			}
			if !yield(j, nil) {
				return
			}
		}
	}
}

// optionalOf returns the optional columns in which some job has a value.
func optionalOf(jobs []Job) (has ColumnSet) {
	for i := range jobs {
		j := &jobs[i]
		for c := FirstOptional; c < NumColumns; c++ {
			if columns[c].Known(j) {
				has |= 1 << c
			}
		}
	}
	return has
}

package reshape

import "github.com/loadstone-hpc/loadstone/workload"

// Record writes into a header what was done to its log, when all jobs have
// passed: a Note in the words of the archive's cleaned logs, with each filter
// and the number of jobs that it removed; the counts and times that are not
// true any more (see workload.Header.Complete); and "Preemption: TS", which is
// time slicing without its details, where parts were merged. by is who did it,
// such as "loadstone clean".
func (c *Cleaning) Record(h *workload.Header, by string) {
	h.Add("Note", workload.CleanedNote+"!")
	lead := "The filters used to produce it were"
	if len(c.Outcomes) == 1 {
		lead = "The filter used to produce it was"
	}
	h.Lines = append(h.Lines, "       "+lead)
	touched, whole := false, false
	for _, o := range c.Outcomes {
		h.Lines = append(h.Lines, "         "+o.Filter+" ("+o.count()+")")
		touched = touched || o.Removed > 0 || o.Merged > 0
		whole = whole || o.whole
	}
	if !touched {
		return
	}
	if whole {
		if p := h.Get("Preemption"); p != "" && p != "TS" {
			h.Set("Preemption", "TS")
			h.Add("Note", "Preemption was "+p+" before partial executions were merged by "+by)
		}
	}
	before, after := c.before.Facts(), c.after.Facts()
	if after.End == before.End {
		after.End = workload.NoFacts().End
	}
	h.Complete(after, by)
}

package fit

import "github.com/loadstone-hpc/loadstone/model"

// Slots returns how many jobs were submitted in each half hour of the site's
// day, from midnight on; none where the log does not say when it starts.
func (c Class) Slots() [model.Slots]float64 { return c.Collector.slots }

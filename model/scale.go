package model

import (
	"fmt"
	"math"
)

// ScaleError is the reason why a model cannot be scaled to a machine of some
// size.
type ScaleError struct {
	Site       string
	Processors int64 // the requested machine
	Least      int64 // the smallest machine that is possible; above MaxProcessors if the limit is at the other end
	Class      string
	Why        string // empty if the class leaves no room for its smaller sizes
}

func (e *ScaleError) Error() string {
	if e.Processors > MaxProcessors {
		return fmt.Sprintf("model: %s for %d processors: want at most %d", e.Site, e.Processors, MaxProcessors)
	}
	if e.Why != "" {
		return fmt.Sprintf("model: %s for %d processors: class %s %s; want at least %d processors", e.Site, e.Processors, e.Class, e.Why, e.Least)
	}
	return fmt.Sprintf("model: %s for %d processors: class %s would have no smaller sizes on so small a machine; want at least %d processors",
		e.Site, e.Processors, e.Class, e.Least)
}

// ForProcessors returns the model for a machine of another size: the upper end
// and the border of every class's log2 sizes move by log2 of the ratio of the
// two machines, so that their distances from log2 of the machine's size do not
// change (in the untyped preset the upper end is the machine's size and the
// border 2.5 below it, as Lublin and Feitelson (2003), section 3.1, advise).
// The largest size then is the machine's. The lower end, the smallest size, run
// times and arrivals do not change, so the offered load does (see OfferedLoad).
// A law of the total work does not hold for other sizes and is left out, unless
// run times are computed from it. The result shares only the rows of a
// SizeTable with s.
//
// Sizes by a table or a Gamma of log2 have no such rule and do not change, nor
// do the laws of malleable jobs. A machine smaller than their largest size is a
// *ScaleError.
//
// A machine so small that the border would meet the lower end is a *ScaleError,
// which contains the smallest possible machine.
func (s Site) ForProcessors(processors int64) (Site, error) {
	scaled := s
	scaled.Classes = append([]Class(nil), s.Classes...)
	if processors == s.Processors {
		return scaled, nil
	}
	if processors > MaxProcessors {
		return Site{}, &ScaleError{Site: s.Name, Processors: processors, Least: processors}
	}
	var refused *ScaleError
	for i := range scaled.Classes {
		c := &scaled.Classes[i]
		if _, ok := c.RunTimes.(WorkRunTimes); !ok {
			c.Work = nil
		}
		if c.Malleable != nil {
			continue
		}
		sizes, least, why := c.Sizes.scaled(s.Processors, processors)
		if processors < least {
			if refused == nil || least > refused.Least {
				refused = &ScaleError{Site: s.Name, Processors: processors, Least: least, Class: c.Name, Why: why}
			}
			continue
		}
		c.Sizes = sizes
	}
	if refused != nil {
		return Site{}, refused
	}
	scaled.Processors = processors
	return scaled, nil
}

// minStage is how far above the lower end of log2 sizes a re-scaled border
// stays.
const minStage = 0.01

// leastProcessors is the smallest machine for which a border that is room
// above the lower end, on a machine of that many processors, stays above it.
func leastProcessors(processors int64, room float64) int64 {
	least := math.Ceil(math.Exp2(math.Log2(float64(processors)) - room + minStage))
	return int64(min(max(least, 1), MaxProcessors+1))
}

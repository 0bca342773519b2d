package figure

// Points are the points of a curve, for a chart that somebody else draws.
type Points struct {
	Name string
	X, Y []float64
}

// DistributionPoints are the curves that Distribution draws, at the same values:
// the log's first, then the laws'. The error is Distribution's.
func DistributionPoints(s Sample, laws []Law) ([]Points, error) {
	all, err := distributionSeries(s, laws)
	if err != nil {
		return nil, err
	}
	var out []Points
	for _, c := range all {
		p := Points{Name: c.name}
		for _, xy := range c.points {
			p.X, p.Y = append(p.X, xy.X), append(p.Y, xy.Y)
		}
		out = append(out, p)
	}
	return out, nil
}

// Ranges are those of the axes that WaitScatter draws, s. The error is its.
func (p WaitPoints) Ranges() (x, y [2]float64, err error) { return p.ranges() }

// FewestInColumn is how many jobs a column of WaitPoints has to have for its
// mean and its median to be drawn.
const FewestInColumn = fewestInColumn

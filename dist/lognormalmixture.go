package dist

// LogNormalMixture is a mixture of log-normal laws, a law of t itself.
type LogNormalMixture = Mixture[LogNormal]

// WeightedLogNormal is a component of a LogNormalMixture.
type WeightedLogNormal = Weighted[LogNormal]

var _ Law = LogNormalMixture{}

// NewLogNormalMixture is NewMixture of log-normal laws.
func NewLogNormalMixture(parts ...WeightedLogNormal) (LogNormalMixture, error) {
	return NewMixture(parts...)
}

func (LogNormal) mixed() mixed { return mixed{family: "log-normal-mixture", weight: "p"} }

package dist

// GammaMixture is a mixture of Gamma laws. Lublin's law, with two components,
// has a type of its own: HyperGamma.
type GammaMixture = Mixture[Gamma]

// WeightedGamma is a component of a GammaMixture.
type WeightedGamma = Weighted[Gamma]

var _ Law = GammaMixture{}

// NewGammaMixture is NewMixture of Gamma laws.
func NewGammaMixture(parts ...WeightedGamma) (GammaMixture, error) { return NewMixture(parts...) }

func (Gamma) mixed() mixed { return mixed{family: "gamma-mixture", weight: "p"} }

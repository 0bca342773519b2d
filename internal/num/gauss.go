package num

// GaussNodes and GaussWeights are the positive nodes, and their weights, of the
// symmetric Gauss-Legendre rule with ten nodes on [-1, 1]; from
// numpy.polynomial.legendre.leggauss(10).
var (
	GaussNodes   = [5]float64{0.14887433898163122, 0.43339539412924719, 0.67940956829902441, 0.86506336668898451, 0.97390652851717172}
	GaussWeights = [5]float64{0.29552422471475287, 0.26926671930999635, 0.21908636251598204, 0.14945134915058059, 0.066671344308688138}
)

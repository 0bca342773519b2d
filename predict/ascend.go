package predict

// Ascend raises bounds of one request that are below those of smaller quantiles: the bound
// of a higher quantile may rest on a larger group, with shorter waits. Bounds that are NaN
// stay so.
func Ascend(bounds []Bound) {
	for i := range bounds {
		for _, b := range bounds {
			if b.Quantile < bounds[i].Quantile && b.Seconds > bounds[i].Seconds {
				bounds[i].Seconds = b.Seconds
			}
		}
	}
}

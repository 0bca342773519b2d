package predict

// Ascend makes the bounds of one request non-decreasing in their quantile: it
// raises each bound that is below that of a smaller quantile. Such bounds occur
// because that of a higher quantile may rest on a larger group, with shorter
// waits. NaN stays NaN.
func Ascend(bounds []Bound) {
	for i := range bounds {
		for _, b := range bounds {
			if b.Quantile < bounds[i].Quantile && b.Seconds > bounds[i].Seconds {
				bounds[i].Seconds = b.Seconds
			}
		}
	}
}

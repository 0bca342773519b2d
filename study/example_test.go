package study_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/study"
)

// The mean wait over four seeds, with its 95 % interval.
func Example() {
	v := study.IntervalOf([]float64{10, 12, 17, 21})
	fmt.Printf("%.2f, from %.2f to %.2f, of %d seeds\n", v.Mean, v.Low, v.High, v.Seeds)
	fmt.Println(v.Show("%.1f"))
	fmt.Println(v.Clip(field.ParseRange("[10,)")).Show("%.2f/60"), "minutes")
	// Output:
	// 15.00, from 7.10 to 22.90, of 4 seeds
	// 15.0 ±7.9
	// 0.25 (0.17 to 0.38) minutes
}

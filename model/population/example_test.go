package population_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// Write a model as JSON and read it back.
func ExampleModel_Encode() {
	m, err := population.Demo()
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err := m.Encode()
	if err != nil {
		fmt.Println(err)
		return
	}
	read, err := population.Decode("demo.json", file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(population.IsModel(file), read.Name, read.Processors, read.Log.Jobs)
	// Output:
	// true demo 128 17920
}

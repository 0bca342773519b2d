package population_test

import (
	"bytes"
	"fmt"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// Write a model as JSON and read it back.
func ExampleEncode() {
	m, err := population.Demo()
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := population.Encode(&file, m); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(population.IsModel(file.Bytes()), bytes.Equal(file.Bytes(), population.DemoFile()))
	read, err := population.Decode(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(read.Name, read.Processors, read.Log.Jobs)
	// Output:
	// true true
	// demo 128 17920
}

package population_test

import (
	"bytes"
	"context"
	"fmt"

	fitpopulation "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/model/population"
)

// Write a model as JSON and read it back.
func ExampleEncode() {
	site, err := model.Preset(model.Lublin1999)
	if err != nil {
		fmt.Println(err)
		return
	}
	log, err := generate.New(site, generate.Options{Days: 28, Users: 20, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, _, err := fitpopulation.Fit(context.Background(), log.Jobs(), &log.Header, "example", 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := population.Encode(&file, m); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(population.IsModel(file.Bytes()))
	read, err := population.Decode(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(read.Name, read.Processors, read.Log.Jobs)
	// Output:
	// true
	// example 128 4858
}

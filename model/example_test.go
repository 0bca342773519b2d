package model_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// A model written by hand: one job every 600 s on average, half of them serial and half of
// 16 processors, with a mean run time of an hour, on 128 processors.
func Example() {
	site := model.Site{
		Schema: model.Schema, Name: "example", Processors: 128,
		Classes: []model.Class{{
			Name:     "all",
			Sizes:    &model.SizeTable{Rows: []model.SizeShare{{Size: 1, Share: 0.5}, {Size: 16, Share: 0.5}}},
			RunTimes: &model.LawRunTimes{First: model.Law{Law: dist.Exponential{Mean: 3600}}},
			Arrivals: model.Arrivals{Method: model.Stationary, Interarrival: model.Law{Law: dist.Exponential{Mean: 600}}},
		}},
	}
	if err := site.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	means := site.Classes[0].Means(site.Processors)
	fmt.Printf("%g processors for %g s, a job every %g s\n", means.Size, means.RunTime, site.Classes[0].Arrivals.Gap())
	fmt.Printf("offered load %.4f\n", site.OfferedLoad()) // 8.5 * 3600 / (600 * 128)
	// Output:
	// 8.5 processors for 3600 s, a job every 600 s
	// offered load 0.3984
}

// Edit changes one field of a model file. Decode checks the result.
func ExampleEdit() {
	for _, value := range []string{"256", "-1"} {
		edited, err := model.Edit(model.PresetFile(model.Downey1997), "processors", value)
		if err != nil {
			fmt.Println(err)
			return
		}
		site, err := model.Decode("edited.json", edited)
		fmt.Println(site.Processors, err)
	}
	// Output:
	// 256 <nil>
	// 0 edited.json:90: processors: saw -1, want 1 to 16777216
}

package site_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
)

// Fit a model to a log. The log is generated from a published model, so that the means of
// the fitted model can be compared with the true ones.
func ExampleFit() {
	preset, err := model.Preset(model.Lublin1999)
	if err != nil {
		fmt.Println(err)
		return
	}
	made, err := generate.New(preset, generate.Options{Jobs: 5000, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	clock, _ := made.Header.Clock()
	o := site.Options{Name: "example", Processors: preset.Processors}
	o.By = "queue_id" // the column by which the preset marks its two classes
	fitted, report, err := site.Fit(made.Jobs(), clock, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Jobs, "jobs")
	for i := range preset.Classes {
		for _, s := range []model.Site{preset, fitted} {
			m := s.Classes[i].Means(s.Processors)
			fmt.Printf("%s, queue %d: %.1f processors for %.0f s, a job every %.0f s\n",
				s.Name, s.Classes[i].Value, m.Size, m.RunTime, m.Interarrival)
		}
	}
	// Output:
	// 5000 jobs
	// lublin1999, queue 0: 8.0 processors for 241 s, a job every 619 s
	// example, queue 0: 7.9 processors for 156 s, a job every 589 s
	// lublin1999, queue 1: 13.9 processors for 9492 s, a job every 3517 s
	// example, queue 1: 13.9 processors for 9828 s, a job every 3000 s
}

package cli

// studyPictures are those of the two scheduling studies.
func studyPictures() []kindOfPicture {
	const (
		malleable = "Downey (1997), processor allocation, figure "
		sonmez    = "Sonmez and others (2009), figure "
	)
	var kinds []kindOfPicture
	for _, of := range []struct {
		name, picture, what, paper string
		preset, drawn              options
	}{
		{"malleable-profiles", "parallelism-profiles", "processors that malleable jobs could use over their duration", malleable + "1", options{"strategies": "avg"}, options{"seeds": "1", "days": "1"}},
		{"malleable-speedup", "speedup", "speedup of malleable jobs by processors", malleable + "2", options{"strategies": "avg"}, options{"seeds": "1", "days": "1"}},
		{"malleable-work", "work", "distribution of malleable jobs' work", malleable + "3", options{"strategies": "avg"}, options{"seeds": "1"}},
		{"malleable-sizes", "sizes", "distribution of the sizes that they choose", malleable + "4", options{"strategies": "avg"}, options{"seeds": "1"}},
		{"malleable-waits", "waits-pred", "predicted and actual times until processors are free", malleable + "5", options{"strategies": "avg,pred"}, options{"seeds": "1"}},
		{"malleable-waits-bias", "waits-bias", "the same, predictions corrected by earlier outcomes", "", options{"strategies": "avg,bias"}, options{"seeds": "1"}},
		{"malleable-sweep-turnaround", "sweep-turnaround", "turnaround as a parameter varies (--sweep)", "", options{"strategies": "avg,opt,pred,bias"}, options{"sweep": "load=0.5,0.75,1", "seeds": "3", "days": "30"}},
		{"malleable-sweep-savings", "sweep-savings", "what single jobs save as a parameter varies", "", options{"strategies": "avg,opt,pred,bias"}, options{"sweep": "load=0.5,0.75,1", "seeds": "3", "days": "30"}},
	} {
		kinds = append(kinds, kindOfPicture{name: of.name, picture: of.picture, what: of.what, paper: of.paper, command: "allocate", logs: noneOrOne, preset: of.preset, drawn: of.drawn})
	}
	for _, of := range []struct{ name, what, figure string }{
		{"grid-wait", "distribution of waits in a grid under several policies (--grid)", "6"},
		{"grid-response", "the same of response times", "6"},
		{"grid-slowdown", "the same of bounded slowdowns", "6"},
		{"grid-clusters", "where the policies send the jobs", "7"},
	} {
		kinds = append(kinds, kindOfPicture{name: of.name, what: of.what, paper: sonmez + of.figure, command: "grid"})
	}
	return kinds
}

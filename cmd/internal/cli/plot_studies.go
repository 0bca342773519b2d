package cli

// studyPictures are those of the two scheduling studies.
func studyPictures() []kindOfPicture {
	const (
		malleable = "Downey (1997), processor allocation, figure "
		sonmez    = "Sonmez and others (2009), figure "
	)
	var kinds []kindOfPicture
	for _, of := range []struct {
		name, file, what, paper string
		args, drawn             []string
	}{
		{"malleable-profiles", "parallelism-profiles", "processors that malleable jobs could use over their duration", malleable + "1", []string{"--strategies", "avg"}, []string{"--seeds", "1", "--days", "1"}},
		{"malleable-speedup", "speedup", "speedup of malleable jobs by processors", malleable + "2", []string{"--strategies", "avg"}, []string{"--seeds", "1", "--days", "1"}},
		{"malleable-work", "work", "distribution of malleable jobs' work", malleable + "3", []string{"--strategies", "avg"}, []string{"--seeds", "1"}},
		{"malleable-sizes", "sizes", "distribution of the sizes that they choose", malleable + "4", []string{"--strategies", "avg"}, []string{"--seeds", "1"}},
		{"malleable-waits", "waits-pred", "predicted and actual times until processors are free", malleable + "5", []string{"--strategies", "avg,pred"}, []string{"--seeds", "1"}},
		{"malleable-waits-bias", "waits-bias", "the same, predictions corrected by earlier outcomes", "", []string{"--strategies", "avg,bias"}, []string{"--seeds", "1"}},
		{"malleable-sweep-turnaround", "sweep-turnaround", "turnaround as a parameter varies (--sweep)", "", []string{"--strategies", "avg,opt,pred,bias"}, []string{"--sweep", "load=0.5,0.75,1", "--seeds", "3", "--days", "30"}},
		{"malleable-sweep-savings", "sweep-savings", "what single jobs save as a parameter varies", "", []string{"--strategies", "avg,opt,pred,bias"}, []string{"--sweep", "load=0.5,0.75,1", "--seeds", "3", "--days", "30"}},
	} {
		kinds = append(kinds, kindOfPicture{name: of.name, file: of.file, what: of.what, paper: of.paper, command: "allocate", logs: noneOrOne, args: of.args, drawn: of.drawn})
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

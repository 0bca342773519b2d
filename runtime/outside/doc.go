// Package outside runs an external program, in any language, as a predictor of run
// times or of waits. A Process that predicts run times is a runtime.Predictor: a replay uses
// it like those of package runtime, on the same jobs.
//
// The program reads lines of JSON from its standard input, in the order of
// events, and answers on its standard output. Each line is an object with one
// member, whose name is the kind of line:
//
//		{"begin":{"protocol":"loadstone.run-time-predictor/1","submit":{"row":"1","job_id":"1",...},"end":{"row":"1","run_time_s":"s",...}}}
//		{"submit":{"row":1,"job_id":17,"submit_time_s":0,"user_id":3}}
//		{"end":{"row":1,"job_id":17,"submit_time_s":0,"user_id":3,"wait_time_s":5,"run_time_s":100}}
//		{"done":{"jobs":1}}
//
//	  - begin is the first line. It names the protocol and its version, and the
//	    fields of the other lines with their units: "submit" lists the fields of a
//	    submission, "start" and "end" the additional fields of a start and an end.
//	  - submit asks for a prediction. The program answers with one line,
//	    {"row":1,"predicted_s":SECONDS}, with null for SECONDS if it has no
//	    prediction; the optional "history_n" is the number of past jobs on which the
//	    prediction is based.
//	  - end reports that a job has ended. It is not answered.
//	  - done is the last line. Standard input is then closed, and the program must
//	    exit with code 0.
//
// A predictor of waits has the protocol "loadstone.wait-predictor/1". It is also sent a line
// for each job that starts, which is not answered:
//
//	{"start":{"row":1,"job_id":17,"submit_time_s":0,"user_id":3,"wait_time_s":5}}
//
// The line begin has the member "quantiles", such as [0.95], and an answer may contain bounds
// of the wait at these quantiles: {"row":1,"predicted_s":60,"bounds_s":[300]}, with null for no
// bound.
//
// A field that is unknown for a job is left out of the line. row is the job's row in the
// log, counted from 1; no two jobs have the same.
//
// The program cannot look ahead, since the next line is not written before it has
// answered, and a line has no field that is known only later. Loadstone buffers its lines and
// writes them out before it waits for an answer; the program must flush each answer at once.
//
// A program that exits, does not answer in time, gives an invalid answer or
// writes a line without being asked is stopped, and Process.Err returns the
// reason. Stop ends all processes of its process group.
package outside

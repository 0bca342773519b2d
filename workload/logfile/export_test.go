package logfile

// Temp returns the name under which the file is written.
func (f *File) Temp() string { return f.temp }

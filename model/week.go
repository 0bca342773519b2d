package model

// Weekdays are the days of a week, numbered from Sunday as package time does.
const Weekdays = 7

// HasWeek says whether there is a weekly cycle.
func (a Arrivals) HasWeek() bool { return a.Week != [Weekdays]float64{} }

// Package suite turns a suite into runs: file → planned runs → queue → finished runs. It is where
// methods, tasks, models and the machine meet. It knows no command line: Options say what one said,
// and what a person may want to know goes to a status.Board or comes back as a value.
package suite

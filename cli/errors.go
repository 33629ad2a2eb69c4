package cli

import "github.com/pacebench/pacebench/suite"

// usagef makes the error of a wrong command.
func usagef(format string, args ...any) error { return suite.Usagef(format, args...) }

// The words of messages, which suites have too.
var (
	usage, readFile            = suite.Usage, suite.ReadFile
	counted, oneOf, didYouMean = suite.Counted, suite.OneOf, suite.DidYouMean
)

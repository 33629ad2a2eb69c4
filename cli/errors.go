package cli

import "github.com/pacebench/pacebench/suite"

// usagef returns the error of a wrong command.
func usagef(format string, args ...any) error { return suite.Usagef(format, args...) }

// Words in messages, which package suite uses, too.
var (
	usage, readFile            = suite.Usage, suite.ReadFile
	counted, oneOf, didYouMean = suite.Counted, suite.OneOf, suite.DidYouMean
)

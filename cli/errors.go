package cli

import "github.com/pacebench/pacebench/suite"

func usagef(format string, args ...any) error { return suite.Usagef(format, args...) }

// Helpers that package suite also uses.
var (
	usage, readFile            = suite.Usage, suite.ReadFile
	counted, oneOf, didYouMean = suite.Counted, suite.OneOf, suite.DidYouMean
)

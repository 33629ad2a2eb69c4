package results

// A Warning is a doubt about what lies at a path: it was left out, or its numbers need a remark.
type Warning struct {
	Kind   WarningKind
	Path   string
	Reason string
}

func (w Warning) String() string { return w.Path + ": " + w.Reason }

// WarningKind says what a warning is about.
type WarningKind string

const (
	NoRun      WarningKind = "no run"     // a directory without any
	Unreadable WarningKind = "unreadable" // a run or a directory that was left out
	Unverified WarningKind = "unverified" // a run that was left out: see KeepVerified
	Copy       WarningKind = "copy"       // a run that was left out: it is there twice
	Differs    WarningKind = "differs"    // result.json and the journal disagree
	Notes      WarningKind = "notes"      // notes that could not be read
	Told       WarningKind = "told"       // the run itself doubts: record.Result.Warnings
	Partial    WarningKind = "partial"    // a test in which the program failed on some instances
)

package pace

import "github.com/pacebench/pacebench/bench"

// Label describes PACE and the variants of the paper's ablation table for tables and figures.
func (m *PACE) Label() bench.Label {
	return bench.Label{Title: "PACE", Style: 1, Variants: []bench.Variant{
		{Name: "ts=false", Title: "w/o TS"},
		{Name: "ts=false,warmup=0", Title: "w/o TS and warm-up"},
		{Name: "operators=P2,P3,P4", Title: "w/o P1",
			Footnote: "only P1 puts a first EAP into a program, so without P1 " +
				"no program can be a parent for P2 or P4, and only P3 runs after I1."},
		{Name: "operators=P1,P3,P4", Title: "w/o P2"},
		{Name: "operators=P1,P2,P4", Title: "w/o P3"},
		{Name: "operators=P1,P2,P3", Title: "w/o P4"},
		{Name: "generation=false", Title: "w/o EAP generation"},
		{Name: "extraction=false", Class: "generation", Title: "w/o EAP extraction"},
		{Name: "k=1", Title: "k = 1"},
		{Name: "k=5", Title: "k = 5"},
	}, Operators: []string{I1, P1, P2, P3, P4}}
}

package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench/report/figure"
	"github.com/pacebench/pacebench/bench/report/render"
	"github.com/pacebench/pacebench/bench/results"
)

// A chapter of paper.tex: the tables whose names begin with one of the prefixes, in their order.
type chapter struct {
	title    string
	prefixes []string
	figures  bool // behind the tables
}

// chapters are the parts of paper.tex. What no other one takes comes last.
var chapters = []chapter{
	{"Results", []string{
		"main-control", "main-tsp-construct", "main-tsp-aco",
		"ablation-", "settings-", "operators-", "models-",
	}, true},
	{"Tokens, settings, programs",
		[]string{"tokens", "roles", "settings", "status", "programs"}, false},
	{"Further tables", []string{""}, false},
}

// writePaper writes a LaTeX document of all tables and figures, which lie in its directory.
func writePaper(w io.Writer, s *results.Store, tables []Artifact[*Table],
	figures []Artifact[*figure.Figure], l Labels) error {
	var b strings.Builder
	b.WriteString(`% Compile with pdflatex, in this directory.
\documentclass[10pt,a4paper]{article}
\usepackage[margin=2cm]{geometry}
\usepackage{array,booktabs,caption,graphicx}
\captionsetup{font=small,labelfont=bf}
\renewcommand{\topfraction}{0.95}
\renewcommand{\bottomfraction}{0.9}
\renewcommand{\textfraction}{0.05}
\renewcommand{\floatpagefraction}{0.8}
\setcounter{topnumber}{5}
\setcounter{bottomnumber}{5}
\setcounter{totalnumber}{9}
\makeatletter
\setlength{\@fptop}{0pt}
\makeatother
\begin{document}
\begin{center}
{\Large\bfseries Tables and figures, made by pacebench report}
\end{center}
`)
	b.WriteString(render.EscapeLaTeX(paperSummary(s, l)) + "\n")
	main := func(f Artifact[*figure.Figure]) bool { return f.Value.Main }
	placed := make([]bool, len(tables))
	for _, c := range chapters {
		var own []Artifact[*Table]
		for _, prefix := range c.prefixes {
			for i, t := range tables {
				if prefix == "" && t.Value.Empty() {
					continue
				}
				fits := prefix == t.Value.Name || prefix == "" ||
					strings.HasSuffix(prefix, "-") && strings.HasPrefix(t.Value.Name, prefix)
				if fits && !placed[i] {
					placed[i] = true
					own = append(own, t)
				}
			}
		}
		if len(own) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n\\section{%s}\n", c.title)
		for _, t := range own {
			fmt.Fprintf(&b, "\\input{%s}\n", t.Stem)
		}
		if c.figures {
			writePaperFigures(&b, where(figures, main))
		}
		b.WriteString("\\clearpage\n")
	}
	rest := slices.DeleteFunc(slices.Clone(figures), main)
	if len(rest) > 0 {
		b.WriteString("\n\\section{Further figures}\n")
		writePaperFigures(&b, rest)
	}
	b.WriteString("\\end{document}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// writePaperFigures writes the figures, two in a line, each with what is to be said of it.
func writePaperFigures(b *strings.Builder, figures []Artifact[*figure.Figure]) {
	for i, f := range figures {
		if i%2 == 0 {
			b.WriteString("\\begin{figure}[!htbp]\n")
		}
		text := f.Value.Caption // the title is in the picture
		for _, n := range f.Value.Notes {
			if n.Kind == render.OfflineModel {
				continue // in the picture's title and at the beginning
			}
			if longer, ok := strings.CutPrefix(n.Text, f.Value.Caption); ok {
				text += longer
			} else {
				text += " " + n.Text
			}
		}
		fmt.Fprintf(b, "\\begin{minipage}[t]{0.485\\linewidth}\n\\centering\n"+
			"\\includegraphics[width=\\linewidth]{%s}\n"+
			"\\caption{%s}\n\\label{fig:%s}\n\\end{minipage}",
			f.Stem, render.EscapeLaTeX(text), render.FileName(f.Value.Name))
		if i%2 == 0 && i+1 < len(figures) {
			b.WriteString("\\hfill\n")
		} else {
			b.WriteString("\n\\end{figure}\n")
		}
	}
}

// paperSummary says in words what the document shows.
func paperSummary(s *results.Store, l Labels) string {
	groups := l.groups(s)
	var names []string
	for _, m := range models(groups) {
		names = append(names, modelTitle(m))
	}
	text := fmt.Sprintf("%s on %s", count(len(s.Runs), "run"), strings.Join(titlesOf(groups), ", "))
	if len(names) > 0 {
		text += "; " + "models: " + strings.Join(names, "; ")
	}
	text += ". Rows without a run say so. Published values are printed in the PACE paper and " +
		"were not computed here."
	return strings.Join(append([]string{text}, banners(groups)...), " ")
}

package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/report/figure"
	"github.com/pacebench/pacebench/report/render"
)

// paperOrder lists the prefixes of the names of tables in the order of the paper. Other tables come
// after the figures.
var paperOrder = []string{
	"main-control", "main-tsp-construct", "main-tsp-aco", "main-", "methods",
	"ablation-", "settings-", "operators-", "models-",
}

// writePaper writes a LaTeX document that includes the files of all tables and figures.
func writePaper(w io.Writer, r *Report, tables []Artifact[*Table],
	figures []Artifact[*figure.Figure]) error {
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
\setcounter{topnumber}{9}
\setcounter{bottomnumber}{9}
\setcounter{totalnumber}{18}
\extrafloats{500}
\maxdeadcycles=1000
\makeatletter
\setlength{\@fptop}{0pt}
\makeatother
\begin{document}
\begin{center}
{\Large\bfseries Tables and figures, made by pacebench report}
\end{center}
`)
	b.WriteString(render.EscapeLaTeX(
		strings.Join(append([]string{r.Summary}, r.Banners...), " ")) + "\n")
	place := func(t Artifact[*Table]) int {
		i := slices.IndexFunc(paperOrder, func(start string) bool {
			return strings.HasPrefix(t.Value.Name, start)
		})
		if i < 0 {
			return len(paperOrder)
		}
		return i
	}
	tables = slices.Clone(tables)
	slices.SortStableFunc(tables, func(a, b Artifact[*Table]) int { return place(a) - place(b) })
	drawn := false
	for _, t := range tables {
		if !drawn && place(t) == len(paperOrder) {
			writePaperFigures(&b, figures)
			drawn = true
		}
		fmt.Fprintf(&b, "\\input{%s}\n", t.Stem)
	}
	if !drawn {
		writePaperFigures(&b, figures)
	}
	b.WriteString("\\section*{" + readingTitle + "}\n\\footnotesize\\setlength{\\parindent}{0pt}\n")
	for _, p := range r.Reading {
		fmt.Fprintf(&b, "\\textbf{%s:} %s\\par\n",
			render.EscapeLaTeX(p.Term), render.EscapeLaTeX(p.Text))
	}
	b.WriteString("\\end{document}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// writePaperFigures writes the figures, two side by side, the main figures first.
func writePaperFigures(b *strings.Builder, figures []Artifact[*figure.Figure]) {
	main := func(f Artifact[*figure.Figure]) bool { return f.Value.Main }
	figures = append(where(figures, main), slices.DeleteFunc(slices.Clone(figures), main)...)
	for i, f := range figures {
		if i%2 == 0 {
			b.WriteString("\\begin{figure}[!htbp]\n")
		}
		fmt.Fprintf(b, "\\begin{minipage}[t]{0.485\\linewidth}\n\\centering\n"+
			"\\includegraphics[width=\\linewidth]{%s}\n"+
			"\\caption{%s}\n\\label{fig:%s}\n\\end{minipage}",
			f.Stem, render.EscapeLaTeX(f.Value.Title+". "+f.Value.Caption),
			render.FileName(f.Value.Name))
		if i%2 == 0 && i+1 < len(figures) {
			b.WriteString("\\hfill\n")
		} else {
			b.WriteString("\n\\end{figure}\n")
		}
	}
}

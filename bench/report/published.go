package report

// paperModel is what all searches of the paper's comparisons ran on (section "Baselines").
const paperModel = "gpt-4o-mini"

// publish adds below each row the numbers that were printed for it, as far as there are any.
func (t *Table) publish(o Options) {
	if o.Published == nil {
		return
	}
	var out []Row
	any, place := false, map[string]int{} // of the row that has the paper's model, else of the first
	for i, row := range t.Rows {
		if _, ok := place[row.ID]; !ok || shortModel(row.Models) == paperModel {
			place[row.ID] = i
		}
	}
	for i, row := range t.Rows {
		out = append(out, row)
		printed := Row{ID: row.ID, Published: true, Remarks: []string{"published"}, Cells: make([]Cell, len(t.Columns))}
		found := false
		if place[row.ID] != i { // another model of the same row: the paper has one number
			continue
		}
		for j, col := range t.Columns[1:] {
			if s, ok := o.Published(t.Name, row.ID, col.ID); ok {
				printed.Cells[j+1], found = words("%s", s), true
			}
		}
		if found {
			printed.Cells[0] = words("%s, published", row.Cells[0].Words)
			out, any = append(out, printed), true
		}
	}
	t.Rows = out
	if any {
		t.note(Published, "Published: printed in the PACE paper (GPT-4o-mini), not computed here.")
	}
}

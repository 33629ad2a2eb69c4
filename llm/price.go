package llm

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
)

// A Price is the price of a server's tokens, in USD per million.
type Price struct {
	In     float64 `json:"in"`     // for tokens of the prompt
	Cached float64 `json:"cached"` // for tokens of the prompt that were cached
	Out    float64 `json:"out"`    // for tokens of the answer, reasoning included
}

// Check refuses a price that is negative or not finite.
func (p Price) Check() error {
	for _, v := range []struct {
		name string
		usd  float64
	}{{"price_in", p.In}, {"price_cached", p.Cached}, {"price_out", p.Out}} {
		if !(v.usd >= 0) || math.IsInf(v.usd, 0) {
			return fmt.Errorf("%s = %g: want USD per million tokens, at least 0", v.name, v.usd)
		}
	}
	return nil
}

// Cost returns the cost of an answer in USD: the cost that the server reported, otherwise the price
// times the tokens. It is unknown if the server reported nothing and p is nil, or if the reported
// cost is larger than any real one.
func (p *Price) Cost(u Usage) (usd float64, known bool) {
	switch {
	case u.Cost >= maxCost:
		return 0, false
	case u.Cost > 0:
		return u.Cost, true
	case p == nil:
		return 0, false
	}
	uncached := float64(u.Prompt - u.Cached)
	return (uncached*p.In + float64(u.Cached)*p.Cached + float64(u.Completion)*p.Out) / 1e6, true
}

// Prices contains the known price of each role's model. The role "" means every role without a
// model of its own.
type Prices map[string]Price

// Of returns the price of the model that answered a request, or nil. models are the names by role,
// as in the run's header.
func (p Prices) Of(models map[string]string, purpose Purpose) *Price {
	role := purpose.Role()
	price, ok := p[role]
	if _, own := models[role]; !ok && !own {
		price, ok = p[""]
	}
	if !ok {
		return nil
	}
	return &price
}

// A PriceList has the prices of a run in the order in which they applied.
type PriceList []DatedPrices

// DatedPrices apply from a step until the next DatedPrices begin.
type DatedPrices struct {
	Prices Prices `json:"prices"`
	From   int    `json:"from"`           // the first step, from 0
	Date   string `json:"date,omitempty"` // when they were given: "2026-11-24"
}

// At returns the prices of a step.
func (l PriceList) At(step int) (p Prices) {
	for _, d := range l {
		if d.From <= step {
			p = d.Prices
		}
	}
	return p
}

// With returns the list with new prices, which were given on date and apply after done steps. If
// the price of a role was unknown before, its new price also applies to the earlier steps.
func (l PriceList) With(now Prices, done int, date string) PriceList {
	var all PriceList
	for _, d := range l {
		d.Prices = maps.Clone(d.Prices)
		for role, price := range now {
			if _, known := d.Prices[role]; !known {
				if d.Prices == nil {
					d.Prices = Prices{}
				}
				d.Prices[role] = price
			}
		}
		all = append(all, d)
	}
	switch n := len(all); {
	case len(now) == 0 || n > 0 && maps.Equal(all[n-1].Prices, now):
		return all
	case n == 0:
		done = 0 // no price was known before
	case all[n-1].From >= done: // no step was paid at these prices
		all = all[:n-1]
	}
	return append(all, DatedPrices{now, done, date})
}

// UnmarshalJSON also reads the prices of old runs: one set without a date.
func (l *PriceList) UnmarshalJSON(data []byte) error {
	var one Prices
	if json.Unmarshal(data, &one) == nil {
		if *l = nil; one != nil {
			*l = PriceList{{Prices: one}}
		}
		return nil
	}
	return json.Unmarshal(data, (*[]DatedPrices)(l))
}

// Check refuses prices that are negative or not finite.
func (l PriceList) Check() error {
	for _, d := range l {
		for _, p := range d.Prices {
			if err := p.Check(); err != nil {
				return err
			}
		}
	}
	return nil
}

package llm

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Kind is the kind of an Error.
type Kind string

// These kinds are fatal: no retry can cure them.
const (
	KindKey      Kind = "key"      // the server refuses the key: 401, 403
	KindModel    Kind = "model"    // the model is unknown, or nothing is served at the address: 404
	KindQuota    Kind = "quota"    // the money or quota is used up: 402, 429 insufficient_quota
	KindRequest  Kind = "request"  // refused by the server or the client: 400 and other 4xx
	KindEndpoint Kind = "endpoint" // not an endpoint of this kind: redirect, bad certificate
)

// These kinds are temporary: the same request may succeed later.
const (
	KindRate       Kind = "rate"       // 429
	KindServer     Kind = "server"     // 408, 409, 425, 5xx
	KindConnection Kind = "connection" // the server is unreachable, or the connection was cut
	KindTimeout    Kind = "timeout"    // no complete answer within an attempt's time
	KindBody       Kind = "body"       // an HTML page, broken JSON, an answer without choices
)

// Fatal reports whether no retry can cure an error of this kind.
func (k Kind) Fatal() bool {
	return slices.Contains([]Kind{KindKey, KindModel, KindQuota, KindRequest, KindEndpoint}, k)
}

// An Error explains in one line why a model gave no answer. It wraps ErrFatal if its kind is fatal,
// and no other error, because an underlying error might hold the key.
type Error struct {
	Kind    Kind
	Model   string // the model's name; may be empty
	Host    string // the server, and its port if the address has one; may be empty
	Status  int    // HTTP status; 0 if there was no response
	Message string // one line, without the key
	// RetryAfter is how long the server asks the client to wait; 0 if it does not say.
	RetryAfter time.Duration
	// Billed means that the server may charge for the request although it gave no usable answer.
	Billed bool
	Used   *Usage // what the server reported for such a request; nil if it reported nothing
	// Advice tells the user what to do; may be empty.
	Advice string
}

// Error joins the model, the HTTP status and the message.
func (e *Error) Error() string {
	text := e.Message
	if e.Status != 0 {
		text = fmt.Sprintf("status %d: %s", e.Status, text)
	}
	if e.Model != "" {
		text = e.Model + ": " + text
	}
	return text
}

// Hint returns the advice that is printed below the error; may be empty.
func (e *Error) Hint() string { return e.Advice }

// Unwrap returns ErrFatal if no retry can cure the error.
func (e *Error) Unwrap() error {
	if e.Kind.Fatal() {
		return ErrFatal
	}
	return nil
}

const maxMessage = 300 // bytes of a server's message in an error

// oneLine makes foreign text fit for an error: one line, printable, bounded in length.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") + "..."
	}
	return text
}

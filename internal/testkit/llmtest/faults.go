package llmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"
)

// Body answers every request with a status, a content type and a body.
func Body(status int, contentType, body string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler, _ context.Context) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		// The client may have closed the connection.
		_, _ = w.Write([]byte(body))
	}
}

// Status answers with an error object of OpenAI's form.
func Status(status int, code, message string) Fault {
	body, err := json.Marshal(map[string]any{"error": map[string]any{
		"message": message, "type": code, "code": code, "param": nil,
	}})
	if err != nil {
		panic("llmtest: " + err.Error())
	}
	return Body(status, "application/json", string(body))
}

// Headers answers as f does, with headers added: pairs of a name and a value. Several pairs may
// have the same name.
func Headers(f Fault, pairs ...string) Fault {
	return func(
		w http.ResponseWriter, r *http.Request, good http.Handler, stopped context.Context,
	) {
		for i := 0; i+1 < len(pairs); i += 2 {
			w.Header().Add(pairs[i], pairs[i+1])
		}
		f(w, r, good, stopped)
	}
}

// RateLimited answers 429 with a Retry-After header.
func RateLimited(retryAfter string) Fault {
	limited := Status(http.StatusTooManyRequests, "rate_limit_exceeded",
		"Rate limit reached for requests")
	return Headers(limited, "Retry-After", retryAfter)
}

// Quota answers 429, as for an account whose quota is used up.
func Quota() Fault {
	return Status(http.StatusTooManyRequests, "insufficient_quota",
		"You exceeded your current quota")
}

// WrongKey answers 401 and repeats the key, as some servers do.
func WrongKey() Fault {
	return func(
		w http.ResponseWriter, r *http.Request, good http.Handler, stopped context.Context,
	) {
		said := "Incorrect API key provided: " +
			strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		Status(http.StatusUnauthorized, "invalid_api_key", said)(w, r, good, stopped)
	}
}

// Page answers with an HTML page, as proxies do.
func Page(status int) Fault {
	return Body(status, "text/html", fmt.Sprintf("<!DOCTYPE html>\n<html><head>"+
		"<title>%d %s</title></head><body>nginx</body></html>", status, http.StatusText(status)))
}

// Cut announces an answer, sends half of it and cuts the connection.
func Cut() Fault {
	return func(w http.ResponseWriter, r *http.Request, good http.Handler, _ context.Context) {
		body := record(r, good)
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		// The server is about to cut the connection, so errors of writing do not matter.
		_, _ = w.Write(body[:len(body)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// Drop cuts the connection before the first byte.
func Drop() Fault {
	return func(http.ResponseWriter, *http.Request, http.Handler, context.Context) {
		panic(http.ErrAbortHandler)
	}
}

// Hang sends nothing until the client leaves or the server ends.
func Hang() Fault {
	return func(_ http.ResponseWriter, r *http.Request, _ http.Handler, stopped context.Context) {
		select {
		case <-r.Context().Done():
		case <-stopped.Done():
		}
	}
}

// HangInBody begins an answer and sends nothing more.
func HangInBody() Fault {
	return func(
		w http.ResponseWriter, r *http.Request, good http.Handler, stopped context.Context,
	) {
		_, _ = w.Write([]byte(`{"id":`))
		_ = http.NewResponseController(w).Flush()
		Hang()(w, r, good, stopped)
	}
}

// Slow sends a good answer in pieces with a pause between them.
func Slow(pieces int, pause time.Duration) Fault {
	return func(
		w http.ResponseWriter, r *http.Request, good http.Handler, stopped context.Context,
	) {
		body := record(r, good)
		step := max(1, (len(body)+pieces-1)/pieces)
		tick := time.NewTicker(pause)
		defer tick.Stop()
		for len(body) > 0 {
			n := min(step, len(body))
			_, _ = w.Write(body[:n])
			_ = http.NewResponseController(w).Flush()
			body = body[n:]
			select {
			case <-tick.C:
			case <-r.Context().Done():
				return
			case <-stopped.Done():
				return
			}
		}
	}
}

// Altered sends a good answer after edit has changed its fields.
func Altered(edit func(fields map[string]any)) Fault {
	return func(
		w http.ResponseWriter, r *http.Request, good http.Handler, stopped context.Context,
	) {
		var fields map[string]any
		if err := json.Unmarshal(record(r, good), &fields); err != nil {
			panic("llmtest: " + err.Error())
		}
		edit(fields)
		body, err := json.Marshal(fields)
		if err != nil {
			panic("llmtest: " + err.Error())
		}
		Body(http.StatusOK, "application/json", string(body))(w, r, good, stopped)
	}
}

// NoUsage sends a good answer without token counts.
func NoUsage() Fault { return Altered(func(f map[string]any) { delete(f, "usage") }) }

// NoChoices sends an answer without choices.
func NoChoices() Fault { return Altered(func(f map[string]any) { f["choices"] = []any{} }) }

// As sends a good answer under another content type.
func As(contentType string) Fault {
	return func(
		w http.ResponseWriter, r *http.Request, good http.Handler, stopped context.Context,
	) {
		Body(http.StatusOK, contentType, string(record(r, good)))(w, r, good, stopped)
	}
}

// record returns the body of the good answer.
func record(r *http.Request, good http.Handler) []byte {
	rec := httptest.NewRecorder()
	good.ServeHTTP(rec, r)
	return bytes.TrimSpace(rec.Body.Bytes())
}

package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A failure is the error that a server reports, in any of the common forms.
type failure struct {
	message  string
	names    []string // its codes and types on all levels, in lower case; numbers as text
	param    string   // the parameter that the error names, or ""
	status   int      // a code that is an HTTP status, or 0
	inObject bool     // the message was in the field "error", not at the top
}

func (f failure) is(names ...string) bool {
	return slices.ContainsFunc(f.names, func(n string) bool { return slices.Contains(names, n) })
}

// readFailure reads the failure in a body, in any form in use: {"error":{...}} (OpenAI), the same
// in a list (Gemini), {"error":"text"}, and flat objects (vLLM, FastAPI, MiniMax). A router passes
// on the message of the server behind it, at a deeper level or as JSON in a text; the innermost
// reason helps most.
func readFailure(body []byte) (f failure) {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return failure{}
	}
	f.read(v, 0)
	return f
}

const deepestFailure = 8 // a hostile body can nest without end

func (f *failure) read(v any, depth int) {
	if depth > deepestFailure {
		return
	}
	switch v := v.(type) {
	case string:
		// A text may hold JSON: "BadRequestError: {...}".
		var inner any
		if at := strings.IndexAny(v, "{["); at >= 0 &&
			json.NewDecoder(strings.NewReader(v[at:])).Decode(&inner) == nil {
			deeper := failure{}
			if deeper.read(inner, depth+1); deeper.message != "" {
				f.add(strings.TrimRight(v[:at], " :-"))
				f.read(inner, depth+1)
				return
			}
		}
		f.add(v)
	case []any:
		for _, one := range v {
			f.read(one, depth+1)
		}
	case map[string]any:
		for _, name := range []string{"code", "error_code", "status_code", "http_code", "status",
			"type"} {
			f.addName(v[name])
		}
		if param, _ := v["param"].(string); param != "" {
			f.param = param
		}
		if place, _ := v["loc"].([]any); len(place) > 0 { // FastAPI
			f.param = fmt.Sprint(place[len(place)-1])
		}
		before := f.message
		switch inner := v["error"].(type) {
		case string, map[string]any, []any:
			f.read(inner, depth+1)
			f.inObject = f.inObject || f.message != before
			if object, _ := inner.(map[string]any); len(object) > 0 && f.message == before {
				text, _ := json.Marshal(object)
				f.add(string(text))
				f.inObject = true
			}
		}
		for _, name := range []string{"message", "msg", "error_msg", "status_msg"} {
			if text, _ := v[name].(string); text != "" {
				f.read(text, depth+1)
			}
		}
		for _, name := range []string{"detail", "details", "metadata", "raw", "innererror",
			"errors", "base_resp"} {
			f.read(v[name], depth+1)
		}
	}
}

func (f *failure) add(text string) {
	switch text = strings.TrimSpace(text); {
	case text == "" || strings.Contains(f.message, text):
	case f.message == "" || strings.Contains(text, f.message):
		f.message = text
	case len(f.message) < maxMessage:
		f.message += ": " + text
	}
}

func (f *failure) addName(v any) {
	switch v := v.(type) {
	case string:
		if n, err := strconv.Atoi(v); err == nil {
			f.addName(float64(n))
		} else if v != "" {
			f.names = append(f.names, strings.ToLower(v))
		}
	case float64:
		f.names = append(f.names, strconv.FormatFloat(v, 'f', -1, 64))
		if v >= 400 && v < 600 && f.status == 0 {
			f.status = int(v)
		}
	}
}

// within returns the status that the server should have sent instead of 200. If the failure gives
// no clue, it is the status of a temporary error.
func (f failure) within() int {
	switch {
	case f.status > 0:
		return f.status
	case noEndpoint.MatchString(f.message), unknownModel.MatchString(f.message):
		return http.StatusNotFound
	case passing.MatchString(f.message):
		return http.StatusTooManyRequests
	case cure(f, nil) != "":
		return http.StatusBadRequest
	}
	return http.StatusBadGateway
}

const keyRefused = "the key is refused"

// statusError returns the Error for a response with an error status; body and header may be nil.
func statusError(status int, f failure, body []byte, header http.Header) *Error {
	e := &Error{Status: status, RetryAfter: retryAfter(header, time.Now())}
	switch {
	case exhausted(status, f):
		e.Kind, e.Message = KindQuota, "the quota or credit is exhausted"
		e.Advice = "add credit or raise the limit; " + resumeAdvice
	case status == http.StatusUnauthorized:
		e.Kind, e.Message = KindKey, keyRefused
		e.Advice = "check the key, and that it belongs to this server"
	case status == http.StatusForbidden:
		e.Kind, e.Message = KindKey, "the key may not use this model or endpoint"
		e.Advice = "check the key's permissions, and that it belongs to this server"
	case status == http.StatusNotFound && f.is("deploymentnotfound"):
		e.Kind, e.Message = KindModel, "the deployment in the base URL is unknown"
		e.Advice = "check the deployment's name in the base URL; " +
			"a new deployment is available after some minutes"
	case status == http.StatusNotFound && !noEndpoint.MatchString(f.message) &&
		modelWord.MatchString(f.message+" "+strings.Join(f.names, " ")),
		status >= 400 && status < 500 && unknownModel.MatchString(f.message):
		e.Kind, e.Message = KindModel, "the server does not know this model"
		e.Advice = "check the model's name"
	case status == http.StatusNotFound:
		e.Kind, e.Message = KindModel, "nothing is served at this address"
		e.Advice = notAnEndpoint
	case status == http.StatusTooManyRequests:
		e.Kind, e.Message = KindRate, "too many requests"
		e.Advice = "lower the limits on requests, tokens or concurrency; " + resumeAdvice
	case status == http.StatusRequestTimeout, status == http.StatusConflict,
		status == http.StatusTooEarly, status >= 500:
		e.Kind, e.Message = KindServer, "the server cannot answer at the moment"
	default:
		e.Kind, e.Message = KindRequest, "the server refuses the request"
		e.Advice = cure(f, body)
	}
	if said := serverWords(f, body); said != "" {
		e.Message += ": " + said
	}
	return e
}

// emptyAccount are the codes and types for an empty account, in lower case, from OpenAI, Anthropic,
// DeepSeek, Moonshot, ModelScope, DashScope, Volcengine, Zhipu, MiniMax, SiliconFlow and others.
var emptyAccount = []string{
	"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error",
	"insufficient_balance", "insufficient_balance_error", "insufficientbalance",
	"exceeded_current_quota_error", "insufficient_credits", "insufficient_credit",
	"insufficient_funds", "payment_required", "credits_exhausted", "out_of_credits",
	"arrearage", "accountoverdueerror", "accountoverdue", "1113", "1008", "30001",
}

var (
	// noMoney matches messages about an empty account, because codes may be less specific.
	noMoney = regexp.MustCompile(`(?i)insufficient[ _](account )?(balance|credit|fund)|` +
		`\b(balance|credits?|funds?) ((is|are|has been|have been) )?(not enough|insufficient|` +
		`too low|exhausted|depleted|used up)|(not enough|out of|no remaining|no more) ` +
		`(account )?(balance|credits?|funds?)\b|requires? more credits|all available credits|` +
		`exceeded your (monthly |included )*credits|hard limit (has been|was) reached|` +
		`(spend|spending|budget|credit) limit|budget has been exceeded|payment required|` +
		`account is not (active|in good standing)|account is in good standing|` +
		`account\b.{0,60}\b(overdue|in arrears|suspended)|overdue (balance|payment)|` +
		`余额不足|余额不够|欠费|无可用资源包|账户.{0,8}不足`)
	// passing matches messages about a temporary limit. Such a message may say that the quota is
	// exceeded (Gemini), or offer a higher limit for money.
	passing = regexp.MustCompile(`(?i)rate.?limit|too many requests|per[ -]?(min|sec|hour|day)|` +
		`\b[rt]p[mds]\b|retry (in|after)|try again (in|later)|concurren|throttl|allocated quota|` +
		`请求过多|频率|并发`)
	noEndpoint = regexp.MustCompile(`(?i)(unexpected|unknown|invalid|no such) (endpoint|url|path|` +
		`route)|cannot post|no route|route .{0,60}not found`)
	modelWord    = regexp.MustCompile(`(?i)model|no endpoints found`)
	unknownModel = regexp.MustCompile(`(?i)\bmodel\b.{0,80}\b(not exist|not found|is unknown)|` +
		`\b(invalid|unknown|no such) model\b|not a valid model|does not exist.{0,20}\bmodel\b`)
)

// exhausted reports whether the account is empty. Many servers send 429 for an empty account and
// for a rate limit.
func exhausted(status int, f failure) bool {
	return status == http.StatusPaymentRequired || !passing.MatchString(f.message) &&
		(f.is(emptyAccount...) || noMoney.MatchString(f.message))
}

// serverWords returns the server's own message, or its answer on one line.
func serverWords(f failure, body []byte) string {
	if f.message == "" && isHTML(body) {
		return "an HTML page: " + pageTitle(body)
	}
	return cmp.Or(f.message, flatten(body))
}

func isHTML(body []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) }

var titleTag = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// pageTitle returns the title of an HTML page in quotes, or the length of the page.
func pageTitle(body []byte) string {
	if t := titleTag.FindSubmatch(body); t != nil {
		return strconv.Quote(flatten(t[1]))
	}
	return strconv.Itoa(len(body)) + " bytes"
}

// flatten puts a body on one line. It cuts the line far beyond the part that an error shows,
// because a key at the cut would not be recognised and removed.
func flatten(body []byte) string {
	line := strings.Join(strings.Fields(string(body)), " ")
	return line[:min(len(line), 8*maxMessage)]
}

var (
	parameter = regexp.MustCompile(
		`\b(temperature|seed|reasoning_effort|max_completion_tokens|max_tokens)\b`)
	tooLong     = regexp.MustCompile(`(?i)(context|input|prompt)[ _](length|window|size)|too long`)
	unsupported = regexp.MustCompile(`(?i)not supported|unsupported|unknown|unrecognized|` +
		`not permitted|cannot find|\buse '?max_`)
)

// cure returns advice that names the setting to change after a refused request, or "". A server
// names the parameter in a field or only in its message.
func cure(f failure, body []byte) string {
	said := f.param + " " + serverWords(f, body)
	if f.is("context_length_exceeded") || tooLong.MatchString(said) {
		return "the prompt and the longest possible answer together exceed the model's context: " +
			"lower --max-tokens (max_tokens in models.toml); " +
			"if that does not help, the prompt is too long for this model"
	}
	var advice []string
	for _, name := range parameter.FindAllString(said, -1) {
		a := ""
		switch name {
		case "temperature":
			a = `give the model a profile with temperature = "omit" in models.toml`
		case "seed":
			a = "use --no-seed, or seed = false in models.toml"
		case "reasoning_effort":
			a = "change reasoning_effort in models.toml, or remove it"
		default:
			a = "lower --max-tokens (max_tokens in models.toml)"
			if unsupported.MatchString(said) {
				other := FieldMaxCompletionTokens
				if name == string(other) {
					other = FieldMaxTokens
				}
				a = fmt.Sprintf("give the model a profile with token_field = %q in models.toml",
					other)
			}
			bounds := func(s string) bool { return strings.Contains(s, "max_") }
			if slices.ContainsFunc(advice, bounds) {
				continue // the server names the right field next to the wrong one
			}
		}
		if !slices.Contains(advice, a) {
			advice = append(advice, a)
		}
	}
	return strings.Join(advice, "; ")
}

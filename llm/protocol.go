package llm

// A Client is a model behind a server. It makes one attempt per call; Retry and Limit go around it.
type Client interface {
	Model
	Host() string    // the server's, with its port: "api.openai.com"
	Notes() []string // what the user should know about the model; no errors
}

// A Protocol is how servers of one kind are spoken to.
type Protocol struct {
	// KeyEnv names the key of profiles that name neither key nor address.
	KeyEnv string
	// Open checks the configuration, and sends nothing.
	Open func(Config) (Client, error)
}

// Protocols are what profiles and --model NAME:MODEL can name. A new one is a line here.
var Protocols = map[SpecKind]Protocol{
	SpecOpenAI: {"OPENAI_API_KEY", func(c Config) (Client, error) { return NewOpenAI(c) }},
}

package llm

// A Client is a model on a server. It makes one attempt per call; Retry and Limit wrap it.
type Client interface {
	Model
	Host() string    // the server, and its port if the address has one: "api.openai.com"
	Notes() []string // messages about the model for the user, apart from errors
}

// A Protocol opens clients for one kind of server.
type Protocol struct {
	// KeyEnv is the environment variable that holds the key, for profiles that name neither a
	// variable nor an address.
	KeyEnv string
	// Open checks the configuration, and sends nothing.
	Open func(Config) (Client, error)
}

// Protocols are the protocols that profiles and --model NAME:MODEL can name.
var Protocols = map[SpecKind]Protocol{
	SpecOpenAI: {"OPENAI_API_KEY", func(c Config) (Client, error) { return NewOpenAI(c) }},
}

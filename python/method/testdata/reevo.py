"""ReEvo, written from the page alone"""

from pacebench.method import Population, Spent

EXPERT = "You are an expert in the domain of optimization heuristics."
SEED = "Goal: write another, better version of this function, in whatever way you find promising."


def join(*parts):
    return "\n\n".join(part.strip("\n") for part in parts if part)


def shown(label, member):
    return f"{label}\n\n{member.code}"


def run(search, *, size=10, pairs=5, mutation_rate=0.5, window=4, temperature=1.0):
    problem = search.problem
    population = Population(search, size)
    long_term, used = "", []

    def code(operator, parents, *parts):
        text = join(EXPERT, problem.task, *parts, problem.target, problem.code)

        async def job(step):
            _, program, outcome = await step.sample(
                text, f"algorithm/{operator}", temperature=temperature
            )
            ids = [p.id for p in parents]
            step.note("offspring", operator=operator, parents=ids, lost=program.lost)
            return program, outcome

        return job

    def enter(jobs):
        """Run jobs, and take their programs into the population."""
        queue = iter(jobs)
        for program, outcome in search.stream(lambda: next(queue, None), window):
            population.enter(program, outcome)

    def reflect(kind, *parts):
        """Ask for a hint of at most 50 words."""
        text = join(EXPERT, problem.task, *parts)

        async def job(step):
            return (
                await step.ask(text, f"reflection/{kind}", temperature=temperature)
            ).text

        return search.consult(job)

    def pair():
        """Draw two parents with different scores: the worse one first."""
        chosen = search.rand("selection").sample(population.ranked, 2)
        return sorted(chosen, key=lambda member: member.score)

    def short_term(worse, better):
        return reflect(
            "short",
            "Below are two functions for this task. The second one is better.",
            shown("[Worse function]", worse),
            shown("[Better function]", better),
            "Say in less than 20 words what makes the second one better: a hint for "
            "designing better functions. Answer with the hint only.",
        )

    def crossover(worse, better, hint):
        return code(
            "crossover",
            [better, worse],
            shown("[Worse function]", worse),
            shown("[Better function]", better),
            f"[Reflection]\n{hint}",
            "Goal: write an improved function, according to the reflection.",
        )

    def mutation(elite):
        return code(
            "mutation",
            [elite],
            f"[Prior reflection]\n{long_term}",
            shown("[Function]", elite),
            "Goal: write a mutated function, according to the reflection.",
        )

    def initial():
        while population.generation == 0 and search.evaluations < 3 * size:
            yield code("seed", [], problem.default, SEED)

    enter(initial())
    if population.generation == 0:
        population.survive()
    while not search.spent:
        if len(population.ranked) < 2:
            members = len(population.ranked)
            search.note(
                "failure", reason="the population has no pairs", members=members
            )
            return
        try:
            drawn = [pair() for _ in range(search.at_most(pairs))]
            hints = [short_term(*parents) for parents in drawn]
            enter(crossover(*both, hint) for both, hint in zip(drawn, hints))
            long_term = reflect(
                "long",
                f"[Prior reflection]\n{long_term}" if long_term else "",
                "[New insights]\n" + "\n".join(hints),
                "Write hints for designing better functions, in less than 50 words. "
                "Answer with the hints only.",
            )
        except Spent:
            return
        used.append(long_term)
        search.note("reflection", count=len(used))
        best = population.ranked[0]
        enter(mutation(best) for _ in range(max(1, int(size * mutation_rate))))

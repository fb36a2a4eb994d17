import type { Mutant } from './mutant.ts'

const onExample = (mutant: Omit<Mutant, 'cloud' | 'file'>): Mutant => ({
  ...mutant,
  cloud: 'example',
  file: 'providers/example/src/example-provider.ts',
})

/** Deliberate bugs that runs on the example provider reveal. They are typical mistakes in a new provider. */
export const exampleMutants: readonly Mutant[] = [
  onExample({
    name: 'every launch has a token of its own: when an answer is lost, the repeated call launches another server',
    caughtBy: 'one-instance-per-claim',
    text: 'token: uid,',
    replacement: 'token: uid + this.#context.clock.now(),',
  }),
  onExample({
    name: 'servers are listed by the key of the tag alone: those of other programs are included',
    caughtBy: 'foreign-instances-are-kept',
    text: 'return (await this.#api.list(OWN, signal)).map((server) => viewOf(server))',
    replacement:
      "return (await Promise.all([this.#api.list(OWN, signal), this.#api.list([OWN[0], 'shared'], signal)])).flat().map((server) => viewOf(server))",
  }),
  onExample({
    name: 'a server that cannot be described counts as gone',
    caughtBy: 'claims-outlive-instances',
    text: 'error instanceof NoSuchServerError',
    replacement: 'error instanceof Error',
  }),
]

import { InvariantError } from '@kerf/apis'

/**
 * The exit code of a command. 2 means that the command was called incorrectly (a flag, a file, a setting); 1 means that it was
 * called correctly but failed.
 */
export type ExitCode = 1 | 2

/** One entry of a catalogue. `P` is the type of the parameters of its text. */
export interface ErrorEntry<P> {
  /** When the error occurs: one sentence for the reference page. */
  readonly when: string
  /** States which object has which problem. It does not start with a capital letter or end with a full stop. */
  readonly text: (parameters: P) => string
  /** Tells the reader what to do, also without a capital letter and a full stop. Empty if `text` already includes this. */
  readonly next: string | ((parameters: NoInfer<P>) => string)
  /** The exit code. Default 1. */
  readonly exitCode?: ExitCode
  /** Example parameters for the text on the reference page. */
  readonly example: NoInfer<P>
}

/** An error that is meant for the user. `message` is one line: what is wrong, and then what to do. */
export class KerfError extends Error {
  /** The stable code. Programs and tests compare it and not the text. */
  readonly code: string
  readonly exitCode: ExitCode
  readonly text: string
  readonly next: string
  /** The parameters of the text. */
  readonly parameters: unknown

  constructor(fields: Pick<KerfError, 'code' | 'exitCode' | 'text' | 'next' | 'parameters'>, options?: ErrorOptions) {
    super(fields.next === '' ? fields.text : `${fields.text}; ${fields.next}`, options)
    this.name = 'KerfError'
    this.code = fields.code
    this.exitCode = fields.exitCode
    this.text = fields.text
    this.next = fields.next
    this.parameters = fields.parameters
  }
}

/** A function that creates the errors of one entry. Its `is` returns whether a caught error was created by it. */
export interface ErrorFactory<P> {
  (parameters: P, options?: ErrorOptions): KerfError
  readonly code: string
  is(error: unknown): error is KerfError
}

// With the parameter type `never`, entries with any parameter type are accepted.
interface AnyEntry {
  readonly when: string
  readonly text: (parameters: never) => string
  readonly next: string | ((parameters: never) => string)
  readonly exitCode?: ExitCode
  readonly example: unknown
}
type Entries = Readonly<Record<string, AnyEntry>>
type Factories<E extends Entries> = {
  readonly [K in keyof E]: E[K] extends ErrorEntry<infer P> ? ErrorFactory<P> : never
}

export interface CataloguedError {
  readonly area: string
  readonly code: string
  readonly when: string
  readonly exitCode: ExitCode
  /** The text and the next step, with the example parameters of the entry. */
  readonly text: string
  readonly next: string
}

const catalogued = new Map<string, CataloguedError>()

/** Returns every error that the modules loaded so far define, sorted by code. The reference page is generated from it. */
export const errorCatalogue = (): readonly CataloguedError[] =>
  [...catalogued.values()].sort((a, b) => (a.code < b.code ? -1 : 1))

const nextOf = <P>(entry: ErrorEntry<P>, parameters: P): string =>
  typeof entry.next === 'string' ? entry.next : entry.next(parameters)

const factoryOf = <P>(area: string, code: string, entry: ErrorEntry<P>): ErrorFactory<P> => {
  const known = catalogued.get(code)
  if (known !== undefined) throw new InvariantError(`error code ${code} of ${area} is taken by ${known.area}`)
  const exitCode = entry.exitCode ?? 1
  const { when, example } = entry
  catalogued.set(code, { area, code, when, exitCode, text: entry.text(example), next: nextOf(entry, example) })
  const create = (parameters: P, options?: ErrorOptions): KerfError =>
    new KerfError(
      { code, exitCode, text: entry.text(parameters), next: nextOf(entry, parameters), parameters },
      options,
    )
  return Object.assign(create, {
    code,
    is: (error: unknown): error is KerfError => error instanceof KerfError && error.code === code,
  })
}

/** Returns the entry unchanged, with the type of its parameters inferred. The compiler checks the example against this type. */
export const entry = <P>(definition: ErrorEntry<P>): ErrorEntry<P> => definition

/**
 * Turns a table of entries into a table of factories (`docs/reference/errors.md`): `throw xErrors.PortInUse({ port })`. `area` is the
 * section on the reference page. Codes must be unique across all areas.
 */
export const defineErrors = <E extends Entries>(area: string, entries: E): Factories<E> =>
  Object.fromEntries(
    Object.entries(entries).map(([code, definition]) => [
      code,
      factoryOf(area, code, definition as ErrorEntry<unknown>),
    ]),
  ) as Factories<E>

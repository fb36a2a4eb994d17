/** 2: the call was wrong (a flag, a file, a setting). 1: the call was right and failed. */
export type ExitCode = 1 | 2

/** One entry of a catalogue. `P` is what the text needs to know. */
export interface ErrorEntry<P> {
  /** When this happens, one sentence for the reference page. */
  readonly when: string
  /** What is wrong with which object: no capital at the start, no full stop at the end. */
  readonly text: (parameters: P) => string
  /** What the reader should do now, in the same form. */
  readonly next: string | ((parameters: NoInfer<P>) => string)
  /** 1 unless given. */
  readonly exitCode?: ExitCode
  /** Values that the reference page shows the text with. */
  readonly example: NoInfer<P>
}

/** An error for the person who must act. `message` is one line: what is wrong, then what to do. */
export class KerfError extends Error {
  /** The stable name; programs and tests compare this, never the text. */
  readonly code: string
  readonly exitCode: ExitCode
  readonly text: string
  readonly next: string
  /** What the text was made from. */
  readonly parameters: unknown

  constructor(
    fields: { code: string; exitCode: ExitCode; text: string; next: string; parameters: unknown },
    options?: ErrorOptions,
  ) {
    super(`${fields.text}; ${fields.next}`, options)
    this.name = 'KerfError'
    this.code = fields.code
    this.exitCode = fields.exitCode
    this.text = fields.text
    this.next = fields.next
    this.parameters = fields.parameters
  }
}

/** Makes the error of one entry. `is` recognises it wherever it was caught. */
export interface ErrorFactory<P> {
  (parameters: P, options?: ErrorOptions): KerfError
  readonly code: string
  is(error: unknown): error is KerfError
}

// `never` as the parameter admits an entry of any parameter type, without `any`.
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
  /** The text and the next step for the entry's example. */
  readonly text: string
  readonly next: string
}

const catalogued = new Map<string, CataloguedError>()

/** Every error defined by the modules loaded so far, by code: the source of the reference page. */
export const errorCatalogue = (): readonly CataloguedError[] =>
  [...catalogued.values()].sort((a, b) => (a.code < b.code ? -1 : 1))

const nextOf = <P>(entry: ErrorEntry<P>, parameters: P): string =>
  typeof entry.next === 'string' ? entry.next : entry.next(parameters)

const factoryOf = <P>(area: string, code: string, entry: ErrorEntry<P>): ErrorFactory<P> => {
  const known = catalogued.get(code)
  if (known !== undefined) throw new Error(`error code ${code} of ${area} is taken by ${known.area}`)
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

/** An entry whose parameter type is inferred and checked against its example. */
export const entry = <P>(definition: ErrorEntry<P>): ErrorEntry<P> => definition

/**
 * Turns a table of entries into a table of factories: `throw xErrors.PortInUse({ port })`. `area` names the part on the
 * reference page; codes are unique over all areas. `docs/reference/errors.md`.
 */
export const defineErrors = <E extends Entries>(area: string, entries: E): Factories<E> =>
  Object.fromEntries(
    Object.entries(entries).map(([code, definition]) => [
      code,
      factoryOf(area, code, definition as ErrorEntry<unknown>),
    ]),
  ) as Factories<E>

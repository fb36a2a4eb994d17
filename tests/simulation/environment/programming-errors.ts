import type { RecordingLogger } from '@kerf/runtime'

/** Errors that no code throws on purpose. A controller logs them, backs off and retries, as for any other error. */
const KINDS: ReadonlySet<string> = new Set([
  'TypeError',
  'ReferenceError',
  'RangeError',
  'SyntaxError',
  'AssertionError',
])

const isProgrammingError = (error: unknown): error is Error => error instanceof Error && KINDS.has(error.name)

/** Returns the programming errors of a log. */
export const programmingErrorsIn = ({ lines }: Pick<RecordingLogger, 'lines'>): readonly Error[] =>
  lines.flatMap(({ fields }) => {
    const { error } = fields
    if (isProgrammingError(error)) return [error]
    return error instanceof Error && isProgrammingError(error.cause) ? [error.cause] : []
  })

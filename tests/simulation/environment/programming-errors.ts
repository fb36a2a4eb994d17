import type { RecordingLogger } from '@kerf/runtime'

/**
 * Names of errors that no code throws on purpose. When one occurs, a controller logs it, backs off and retries, as after any other error.
 */
const KINDS: ReadonlySet<string> = new Set([
  'TypeError',
  'ReferenceError',
  'RangeError',
  'SyntaxError',
  'AssertionError',
])

const isProgrammingError = (error: unknown): error is Error => error instanceof Error && KINDS.has(error.name)

/** Returns the programming errors in the lines of a log. */
export const programmingErrorsIn = ({ lines }: Pick<RecordingLogger, 'lines'>): readonly Error[] =>
  lines.flatMap(({ fields }) => {
    const { error } = fields
    if (isProgrammingError(error)) return [error]
    return error instanceof Error && isProgrammingError(error.cause) ? [error.cause] : []
  })

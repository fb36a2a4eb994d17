import { mapLimit, textOfThrown } from '@kerf/runtime'
import type { Concern } from '../failures/failure.ts'
import type { BatchResult } from './batcher.ts'

const AT_ONCE = 10
/**
 * The minimum number of calls to conclude that the service is down: if all calls for the parts of a batch fail with a service error, no
 * single id is the cause.
 */
const ENOUGH_TO_TELL = 4

export interface SplitOptions<T> {
  /** Returns the values of the ids that the cloud's response contains. Each missing id is then requested once more in a separate call. */
  readonly call: (ids: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, T>>
  /** Returns the result for an id that is missing even in the response to its separate call. */
  readonly silent: (id: string) => BatchResult<T>
  /** Returns which ids an error of the call concerns. */
  readonly concernOf: (error: unknown) => Concern
}

/** Returns the ids that the error message contains. Clouds list one or all of the refused ids in the message. */
const namedIn = (error: unknown, ids: readonly string[]): ReadonlySet<string> => {
  const text = textOfThrown(error)
  const words = new Set(text.match(/[\w-]+/g) ?? [])
  return new Set(ids.filter((id) => words.has(id)))
}

/**
 * Makes one call for many ids. A cloud refuses a whole call because of a single instance that is protected, unknown or not permitted
 * (`providers/aws/docs/spec/aws.md#batching`). If the message of the refusal contains ids, these ids fail, and the call is repeated for the
 * others. Only ids that consist of letters, digits, `_` and `-` can be found in a message. If the message contains no id, the call is split
 * into halves until each failing id is alone. Returns the result for each id. An id may be sent again even if an earlier, refused call has
 * already taken effect for it.
 */
export const splitOnRefusal = async <T>(
  ids: readonly string[],
  { call, silent, concernOf }: SplitOptions<T>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, BatchResult<T>>> => {
  const answers = new Map<string, BatchResult<T>>()
  const fail = (group: readonly string[], error: unknown): void => {
    for (const id of group) answers.set(id, { ok: false, error })
  }

  /** Makes a call for one group of ids. Returns the groups for the next calls, and the error if the call failed. */
  const attempt = async (
    group: readonly string[],
  ): Promise<{ readonly next: readonly (readonly string[])[]; readonly error?: unknown }> => {
    try {
      const found = await call(group, signal)
      const missing = group.filter((id) => !found.has(id))
      for (const [id, value] of found) answers.set(id, { ok: true, value })
      if (group.length > 1) return { next: missing.map((id) => [id]) }
      for (const id of missing) answers.set(id, silent(id))
      return { next: [] }
    } catch (error) {
      signal.throwIfAborted()
      if (group.length === 1) {
        fail(group, error)
        return { next: [], error }
      }
      const named = namedIn(error, group)
      if (named.size > 0 && named.size < group.length) {
        fail([...named], error)
        return { next: [group.filter((id) => !named.has(id))], error }
      }
      const middle = Math.ceil(group.length / 2)
      return { next: [group.slice(0, middle), group.slice(middle)], error }
    }
  }

  let groups: readonly (readonly string[])[] = ids.length === 0 ? [] : [[...new Set(ids)]]
  while (groups.length > 0) {
    const results = await mapLimit(groups, AT_ONCE, attempt, signal)
    const next = results.flatMap((result) => result.next)
    const failures = results.flatMap(({ error }) => (error === undefined ? [] : [{ error, concern: concernOf(error) }]))
    const isDown = failures.length === groups.length && failures.every(({ concern }) => concern === 'service')
    const all =
      failures.find(({ concern }) => concern === 'all') ??
      (isDown && groups.length >= ENOUGH_TO_TELL ? failures[0] : undefined)
    if (all !== undefined) {
      fail(next.flat(), all.error)
      return answers
    }
    groups = next
  }
  return answers
}

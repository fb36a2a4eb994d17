import { mapLimit, textOfThrown } from '@kerf/runtime'
import type { Concern } from '../failures/failure.ts'
import type { BatchResult } from './batcher.ts'

const AT_ONCE = 10
/** So many parts of one batch, and each failed as if the service itself did: then it is not one of the ids. */
const ENOUGH_TO_TELL = 4

export interface SplitOptions<T> {
  /** Answers for each of its ids that the cloud spoke of; those that are missing are asked for alone, once. */
  readonly call: (ids: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, T>>
  /** What to make of an id that was asked for alone and that the cloud did not speak of. */
  readonly silent: (id: string) => BatchResult<T>
  /** Whom an error of the call is about. */
  readonly concernOf: (error: unknown) => Concern
}

/** The ids that the refusal is about. Clouds name them in their texts, sometimes one and sometimes all of them. */
const namedIn = (error: unknown, ids: readonly string[]): ReadonlySet<string> => {
  const text = textOfThrown(error)
  const words = new Set(text.match(/[\w-]+/g) ?? [])
  return new Set(ids.filter((id) => words.has(id)))
}

/**
 * Makes one call for many ids, and where the cloud refuses it because of some of them, calls for the others: clouds refuse
 * a call as a whole for one instance that is protected, unknown or not permitted (`docs/spec/aws.md#batching`). Those that
 * the refusal names are taken out, as far as their ids are words of letters, digits, `_` and `-`; where it names none the
 * call is halved until what cannot be done stands alone. Each id gets what became of it.
 *
 * A call may be repeated for an id that an earlier, refused one has served already.
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

  /** Asks for one group; answers the groups to ask for next, and the failure where there was one. */
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

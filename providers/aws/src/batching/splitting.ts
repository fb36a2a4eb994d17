import type { BatchResult } from '@kerf/provider-kit'
import { mapLimit } from '@kerf/runtime'
import { type AwsFailure, awsFailureOf } from '../failures/aws-failure.ts'

const AT_ONCE = 10
/** So many parts of one batch, and each failed as if EC2 itself did: then it is not one of the instances. */
const ENOUGH_TO_TELL = 4

/** Instances that the refusal is about. EC2 names them in its text, some codes one and some all of them. */
const namedIn = ({ message }: AwsFailure, ids: readonly string[]): ReadonlySet<string> => {
  const words = new Set(message.match(/[\w-]+/g) ?? [])
  return new Set(ids.filter((id) => words.has(id)))
}

/** Refused whoever is asked about. */
const concernsAll = ({ class: kind }: AwsFailure): boolean => {
  switch (kind) {
    case 'rate-limited':
    case 'credentials':
    case 'account':
    case 'no-endpoint':
      return true
    case 'not-found':
    case 'already-exists':
    case 'dry-run-succeeded':
    case 'unauthorized':
    case 'server':
    case 'other':
      return false
  }
}

/**
 * Makes one call for many instances, and where EC2 refuses it because of some of them, calls for the others: EC2 refuses a
 * call as a whole for one instance that is protected, unknown or not permitted (API reference, TerminateInstances and
 * DescribeInstances). Those that the refusal names are taken out; where it names none the call is halved until what cannot
 * be done stands alone. Each instance gets what became of it.
 *
 * A call may be repeated for an instance that an earlier, refused one has served already.
 *
 * @param call answers for each of its instances that EC2 spoke of; those that are missing are asked for alone, once.
 * @param silent what to make of an instance that was asked for alone and that EC2 did not speak of.
 */
export const splitOnRefusal = async <T>(
  ids: readonly string[],
  call: (ids: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, T>>,
  silent: (id: string) => BatchResult<T>,
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
      const named = namedIn(awsFailureOf(error), group)
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
    const failures = results.flatMap(({ error }) => (error === undefined ? [] : [{ error, of: awsFailureOf(error) }]))
    const isDown = failures.length === groups.length && failures.every(({ of }) => of.class === 'server')
    const all =
      failures.find(({ of }) => concernsAll(of)) ??
      (isDown && groups.length >= ENOUGH_TO_TELL ? failures[0] : undefined)
    if (all !== undefined) {
      fail(next.flat(), all.error)
      return answers
    }
    groups = next
  }
  return answers
}

import { kinds, type Milliseconds } from '@kerf/apis'
import { type Controller, done, type Outcome, retryAfter } from '@kerf/runtime'
import { concurrency, type Deps } from '../../deps.ts'
import { readOnlySource } from '../../read-only-source.ts'
import type { ExpectedPods } from './expected-pods.ts'

/** How often the expected pods of an owner are recomputed while capacity is reserved for replacements of its pods. */
const LOOK_AGAIN: Milliseconds = 10_000

/**
 * Triggers the provisioner for owners whose expected pods need another node. Also releases the reserved places of pods that do not appear
 * (`docs/spec/expected-pods.md`). The keys of the controller are UIDs of owners.
 */
export const expectedPodsController = (
  deps: Deps,
  expected: ExpectedPods,
  trigger: (uid: string) => void,
): Controller => ({
  name: 'provisioner.trigger.owner',
  sources: [readOnlySource(deps.informers, kinds.Pod)],
  concurrency: concurrency(deps.settings, 10, 1_000),
  subscribe: (enqueue) => {
    const unfollow = expected.owners.follow((uid, event) => {
      expected.changed(uid, event)
      enqueue(uid)
    })
    const unreported = expected.limits.follow()
    return () => {
      unreported()
      unfollow()
    }
  },
  reconcile: async (uid): Promise<Outcome> => {
    const until = expected.endOverdue(uid)
    expected.recheck(uid)
    if (expected.needsPass(uid)) trigger(uid)
    const due = Math.min(until ?? Infinity, expected.blockedUntil(uid) ?? Infinity)
    const wait = Math.min(due - deps.clock.now(), expected.hasSuccessors(uid) ? LOOK_AGAIN : Infinity)
    return wait === Infinity ? done() : retryAfter(Math.max(0, wait))
  },
})

import { kinds, type Milliseconds } from '@kerf/apis'
import { type Controller, done, type Outcome, retryAfter } from '@kerf/runtime'
import { concurrency, type Deps } from '../../deps.ts'
import { readOnlySource } from '../../read-only-source.ts'
import type { ExpectedPods } from './expected-pods.ts'
import { podOwnerKinds } from './pod-owners.ts'

/** How often the expected pods of an owner are computed again while places are kept for replacements of its pods. */
const LOOK_AGAIN: Milliseconds = 10_000

/** If a kind of owner is not listed after this time, Kerf logs an error. */
const LISTED_WITHIN: Milliseconds = 10_000

/** Logs what limits the effect of the setting `PLAN_EXPECTED_PODS`. */
const reportLimits = ({ log, settings }: Deps, { owners }: ExpectedPods): void => {
  const unlisted = owners.unlisted()
  if (unlisted.length > 0) {
    const consequence =
      unlisted.length < podOwnerKinds.length ? 'their pods are not planned ahead' : 'nothing is planned ahead'
    log.error(`PLAN_EXPECTED_PODS=on: owners are not listed, ${consequence}; grant list and watch on them`, {
      kinds: unlisted.join(', '),
    })
  }
  if (settings.batchIdleDuration === 0 || settings.batchMaxDuration === 0) {
    log.error(
      'PLAN_EXPECTED_PODS=on: the batching window is 0, so each owner is planned alone; set BATCH_IDLE_DURATION and BATCH_MAX_DURATION',
      { batchIdleDuration: settings.batchIdleDuration, batchMaxDuration: settings.batchMaxDuration },
    )
  }
}

/**
 * Triggers the provisioner for owners whose expected pods have no place yet, and ends the places of pods that do not appear
 * (`docs/spec/expected-pods.md`). Its keys are UIDs of owners.
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
    const timer = deps.clock.timer(LISTED_WITHIN, () => reportLimits(deps, expected))
    return () => {
      timer.cancel()
      unfollow()
    }
  },
  reconcile: async (uid): Promise<Outcome> => {
    const until = expected.endOverdue(uid)
    expected.recheck(uid)
    if (expected.unplaced(uid) > 0) trigger(uid)
    const due = Math.min(until ?? Infinity, expected.backOff.blockedUntil(uid) ?? Infinity)
    const wait = Math.min(due - deps.clock.now(), expected.hasSuccessors(uid) ? LOOK_AGAIN : Infinity)
    return wait === Infinity ? done() : retryAfter(Math.max(0, wait))
  },
})

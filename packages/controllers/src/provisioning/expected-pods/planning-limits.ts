import { type ConditionChange, EXPECTED_PODS_LIMITED, kinds, type Milliseconds, type ResourceKind } from '@kerf/apis'
import type { Timer } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import type { Owners } from './owners.ts'
import { podOwnerKinds } from './pod-owners.ts'

/** How long Kerf waits before it reports refusals. An API server that has just started refuses all requests for a few seconds. */
const SETTLED_AFTER: Milliseconds = 10_000

const NO_WINDOW =
  'the batching window is 0, so each owner is planned alone; set BATCH_IDLE_DURATION and BATCH_MAX_DURATION'

/**
 * Reports what limits the effect of `PLAN_EXPECTED_PODS=on`: missing permissions, or a batching window of 0
 * (`docs/spec/expected-pods.md#permissions`). Logs each limit once.
 */
export class PlanningLimits {
  readonly #deps: Pick<Deps, 'clock' | 'log' | 'settings'>
  readonly #owners: Owners
  readonly #listeners = new Set<() => void>()
  #refused: readonly string[] = []

  constructor(deps: Pick<Deps, 'clock' | 'log' | 'settings'>, owners: Owners) {
    this.#deps = deps
    this.#owners = owners
  }

  /** Starts to watch the limits. Returns a function that stops this. */
  follow(): () => void {
    const { clock, log, settings } = this.#deps
    const { batchIdleDuration, batchMaxDuration } = settings
    if (this.#hasNoWindow) log.error(`PLAN_EXPECTED_PODS=on: ${NO_WINDOW}`, { batchIdleDuration, batchMaxDuration })
    let timer: Timer | undefined = clock.timer(SETTLED_AFTER, () => {
      timer = undefined
      this.#reportSlow()
      this.#reportRefused()
    })
    const unfollow = this.#owners.onRefusal(() => {
      timer ??= clock.timer(SETTLED_AFTER, () => {
        timer = undefined
        this.#reportRefused()
      })
    })
    return () => {
      timer?.cancel()
      unfollow()
    }
  }

  /** Calls the listener when `condition` changes. Returns a function that unsubscribes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The condition for every NodePool, or undefined if nothing limits the setting. */
  get condition(): ConditionChange | undefined {
    const texts = [
      ...(this.#refused.length > 0 ? [refusalText(this.#refused)] : []),
      ...(this.#hasNoWindow ? [NO_WINDOW] : []),
    ]
    if (texts.length === 0) return undefined
    const reason = this.#refused.length > 0 ? 'Forbidden' : 'NoBatchingWindow'
    return { type: EXPECTED_PODS_LIMITED, status: 'True', reason, message: texts.join('; ') }
  }

  get #hasNoWindow(): boolean {
    const { batchIdleDuration, batchMaxDuration } = this.#deps.settings
    return batchIdleDuration === 0 || batchMaxDuration === 0
  }

  #reportSlow(): void {
    const slow = this.#owners.unlisted()
    if (slow.length === 0) return
    this.#deps.log.warn('PLAN_EXPECTED_PODS=on: owners are not listed yet, their pods are planned ahead afterwards', {
      kinds: slow.map(resourceName).join(', '),
    })
  }

  #reportRefused(): void {
    const before = this.#refused
    const refused = this.#owners.refused().map(resourceName)
    if (refused.join() === before.join()) return
    this.#refused = refused
    const { log } = this.#deps
    const allowed = before.filter((kind) => !refused.includes(kind))
    if (refused.length > 0) log.error(`PLAN_EXPECTED_PODS=on: ${refusalText(refused)}`)
    if (allowed.length > 0) {
      log.info('PLAN_EXPECTED_PODS=on: the API server allows list and watch', { kinds: allowed.join(', ') })
    }
    for (const listener of this.#listeners) listener()
  }
}

const resourceName = ({ plural, group }: ResourceKind): string => (group === '' ? plural : `${plural}.${group}`)

const QUOTAS = resourceName(kinds.ResourceQuota)

/** Returns what the API server refuses, the consequence, and the remedy. */
const refusalText = (refused: readonly string[]): string => {
  const owners = refused.filter((kind) => kind !== QUOTAS)
  const effects = [
    ...(owners.length === podOwnerKinds.length ? ['no pods are planned ahead'] : []),
    ...(owners.length > 0 && owners.length < podOwnerKinds.length
      ? [`pods of ${owners.join(', ')} are not planned ahead`]
      : []),
    ...(refused.includes(QUOTAS) ? ['quotas do not limit how many pods are planned ahead'] : []),
  ]
  return `the API server refuses list and watch on ${refused.join(', ')}, so ${effects.join(', and ')}; grant list and watch`
}

import { type CoreEventReason, kinds, type Lease, type Milliseconds } from '@kerf/apis'
import { type Clock, sleep } from '../clock/clock.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import type { EventRecorder } from '../events/event-recorder.ts'
import { isAlreadyExists, isConflict, isNotFound } from '../kube-client/api-error.ts'
import type { KubeClient } from '../kube-client/kube-client.ts'
import type { Logger } from '../logging/logger.ts'
import { defineMetrics } from '../metrics/metric-table.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Random } from '../random/random.ts'
import type { LeaseGate } from './lease-gate.ts'
import { claimedSpec, leaseHolder, releasedSpec, sameRecord } from './lease-record.ts'

const labels = ['name'] as const

export const leaderElectionMetrics = defineMetrics({
  status: {
    name: 'leader_election_master_status',
    type: 'gauge',
    help: 'Whether this process holds the lease (1) or not (0).',
    labels,
  },
  slowPath: {
    name: 'leader_election_slowpath_total',
    type: 'counter',
    help: 'Renewals that had to read the lease first.',
    labels,
  },
})

export interface LeaderElectorOptions {
  /**
   * The client for the Lease. It must not share the rate limit of the controllers' client, because a busy process would then lose
   * its lease.
   */
  readonly client: Pick<KubeClient, 'get' | 'create' | 'update'>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly metrics: Metrics
  readonly events?: EventRecorder
  readonly lease: {
    readonly namespace: string
    readonly name: string
    /** Annotations that the holder sets on the Lease for other processes. */
    readonly annotations?: Readonly<Record<string, string>>
  }
  /** A name that is unique to this process, created by `leaderIdentity`. */
  readonly identity: string
  /** How long other candidates wait after the last renewal before they may take the lease. Default 15 s. */
  readonly leaseDuration?: Milliseconds
  /** How long the leader keeps leading without a successful renewal. Default 10 s; must be less than `leaseDuration`. */
  readonly renewDeadline?: Milliseconds
  /** The time between two attempts. Default 2 s. */
  readonly retryPeriod?: Milliseconds
  /** A gate that prevents this process from writing while it does not hold the Lease. */
  readonly gate?: Pick<LeaseGate, 'holdUntil'>
}

const RENEW_DEADLINE: Milliseconds = 10_000

/**
 * Returns the time limit for one request about the Lease: half of the renew deadline, as in controller-runtime, but at most 5 s. If one
 * attempt gets no response, there is enough time for another.
 */
export const leaseRequestTimeout = (renewDeadline: Milliseconds = RENEW_DEADLINE): Milliseconds =>
  Math.min(5_000, renewDeadline / 2)

/** Returns an identity as client-go does: the host name and a unique suffix. */
export const leaderIdentity = (host: string, random: Random): string => `${host}_${random.uuid()}`

/**
 * Spreads the attempts of candidates over time: each wait is extended by a random time of up to this many periods. client-go uses
 * the same factor.
 */
const RETRY_JITTER = 1.2

/**
 * Leader election on a Lease with the rules of client-go. Times of other machines are never compared with local time. A lease has expired
 * if it has not changed for its duration, measured with the local monotonic clock.
 */
export class LeaderElector {
  readonly #options: Required<Omit<LeaderElectorOptions, 'events' | 'gate'>> &
    Pick<LeaderElectorOptions, 'events' | 'gate'>
  readonly #name: string
  readonly #metrics
  /** The last record that was read, and since when it has not changed. */
  #observed: { readonly lease: Lease; readonly since: Milliseconds } | undefined
  #announced: string | undefined
  #lastProblem: string | undefined

  constructor(options: LeaderElectorOptions) {
    this.#options = { leaseDuration: 15_000, renewDeadline: RENEW_DEADLINE, retryPeriod: 2_000, ...options }
    this.#name = `${options.lease.namespace}/${options.lease.name}`
    this.#metrics = leaderElectionMetrics.register(options.metrics)
    this.#metrics.status.set(0, { name: options.lease.name })
    this.#metrics.slowPath.inc({ name: options.lease.name }, 0)
  }

  /**
   * Waits for the lease, runs `lead` while it renews the lease, and releases the lease after `lead` has ended. `lost` is aborted as
   * soon as it is not certain that this process holds the lease. `lead` must then stop acting at once, and this method throws
   * `LeaseLost`. `stop` ends the waiting. `lead` must observe `stop` itself; the lease is kept until `lead` has ended.
   */
  async run(stop: AbortSignal, lead: (lost: AbortSignal) => Promise<void>): Promise<void> {
    const heldSince = await this.#acquire(stop)
    if (heldSince === undefined) return
    const { clock, lease, logger } = this.#options
    this.#metrics.status.set(1, { name: lease.name })
    logger.info('became leader', { lease: this.#name, identity: this.#options.identity })
    this.#announce('became leader')
    const lost = new AbortController()
    const over = new AbortController()
    const renewing = this.#renew(heldSince, over.signal).then(
      (kept) => {
        if (!kept) lost.abort(this.#lostError())
      },
      // The renewal loop has failed, for any reason.
      (error: unknown) => {
        logger.error('could not renew the lease', { lease: this.#name, error })
        lost.abort(this.#lostError())
      },
    )
    try {
      await lead(lost.signal)
    } finally {
      over.abort()
      await renewing
      this.#metrics.status.set(0, { name: lease.name })
    }
    if (lost.signal.aborted) throw lost.signal.reason
    await this.#release(clock.now())
  }

  /** Returns the time at which the successful attempt began, or `undefined` if `stop` ended the waiting. */
  async #acquire(stop: AbortSignal): Promise<Milliseconds | undefined> {
    const { clock, random, retryPeriod } = this.#options
    while (!stop.aborted) {
      const sentAt = clock.monotonic()
      if (await this.#attempt(stop, false)) {
        this.#held(sentAt)
        return sentAt
      }
      await sleep(clock, retryPeriod * (1 + RETRY_JITTER * random.next()), stop).catch(() => {})
    }
    return undefined
  }

  /** Records that an attempt that began at `sentAt` acquired or renewed the lease. */
  #held(sentAt: Milliseconds): void {
    const { gate, renewDeadline } = this.#options
    gate?.holdUntil(sentAt + renewDeadline)
  }

  /** Renews until the signal ends the leadership. Returns false as soon as the lease is lost. */
  async #renew(heldSince: Milliseconds, over: AbortSignal): Promise<boolean> {
    const { clock, renewDeadline, retryPeriod } = this.#options
    let renewedAt = heldSince
    let sentAt = clock.monotonic()
    while (!over.aborted) {
      // The retry period includes the attempt itself, so after an attempt without a response the next one follows at once.
      await sleep(clock, Math.max(0, sentAt + retryPeriod - clock.monotonic()), over).catch(() => {})
      if (over.aborted) return true
      const timeout = new AbortController()
      // The lease is held from the time of sending, because the server may have stored the renewal long before its response arrived.
      sentAt = clock.monotonic()
      // If the process was suspended, another process may lead now. This process must then read the lease before it writes anything.
      const isStale = sentAt - renewedAt >= renewDeadline
      const limit = isStale ? leaseRequestTimeout(renewDeadline) : renewedAt + renewDeadline - sentAt
      const deadline = clock.timer(limit, () => timeout.abort(new Error('no answer in time')))
      const renewed =
        (!isStale || (await this.#isStillOurs(timeout.signal))) && (await this.#attempt(timeout.signal, true))
      deadline.cancel()
      if (renewed) {
        renewedAt = sentAt
        this.#held(sentAt)
      } else if (!over.aborted) {
        const isOverdue = clock.monotonic() - renewedAt >= renewDeadline
        if (isOverdue || this.#otherHolder() !== undefined) return false
      }
    }
    return true
  }

  /**
   * Tries once to acquire or keep the lease. Returns false if another candidate holds it, or if the server did not answer as
   * expected.
   */
  async #attempt(signal: AbortSignal, leading: boolean): Promise<boolean> {
    try {
      const held = (leading && (await this.#renewObserved(signal))) || (await this.#readAndClaim(signal))
      this.#lastProblem = undefined
      return held
    } catch (error) {
      if (!signal.aborted) this.#complain(error)
      return false
    }
  }

  /** Returns whether the lease has not changed since this process last wrote it. */
  async #isStillOurs(signal: AbortSignal): Promise<boolean> {
    const { client, clock, lease } = this.#options
    const known = this.#observed?.lease
    try {
      const current = await this.#ask(signal, (limited) => client.get(kinds.Lease, lease, { signal: limited }))
      this.#observed = { lease: current, since: clock.monotonic() }
      return known !== undefined && sameRecord(known, current)
    } catch (error) {
      if (!signal.aborted) this.#complain(error)
      return false
    }
  }

  /** Renews without reading first. Returns false if the object has changed since it was read. */
  async #renewObserved(signal: AbortSignal): Promise<boolean> {
    if (this.#observed === undefined) return false
    try {
      await this.#write(this.#observed.lease, signal)
      return true
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error
      this.#metrics.slowPath.inc({ name: this.#options.lease.name })
      return false
    }
  }

  async #readAndClaim(signal: AbortSignal): Promise<boolean> {
    const { client, clock, lease, leaseDuration } = this.#options
    let current: Lease
    try {
      current = await this.#ask(signal, (limited) => client.get(kinds.Lease, lease, { signal: limited }))
    } catch (error) {
      if (!isNotFound(error)) throw error
      return await this.#create(signal)
    }
    const before = this.#observed
    const now = clock.monotonic()
    const since = before !== undefined && sameRecord(before.lease, current) ? before.since : now
    this.#observed = { lease: current, since }
    const other = this.#otherHolder()
    const validFor = (current.spec?.leaseDurationSeconds ?? leaseDuration / 1_000) * 1_000
    if (other !== undefined && now - since < validFor) {
      this.#reportHolder(other)
      return false
    }
    try {
      await this.#write(current, signal)
      return true
    } catch (error) {
      // Another candidate was faster.
      if (isConflict(error)) return false
      throw error
    }
  }

  async #create(signal: AbortSignal): Promise<boolean> {
    const { client, clock, identity, lease, leaseDuration } = this.#options
    const spec = claimedSpec(undefined, { identity, now: clock.now(), duration: leaseDuration })
    const object: Lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { ...lease }, spec }
    try {
      const made = await this.#ask(signal, (limited) => client.create(kinds.Lease, object, { signal: limited }))
      this.#observed = { lease: made, since: clock.monotonic() }
      return true
    } catch (error) {
      if (isAlreadyExists(error)) return false
      throw error
    }
  }

  async #write(base: Lease, signal: AbortSignal): Promise<void> {
    const { client, clock, identity, leaseDuration } = this.#options
    const spec = claimedSpec(base, { identity, now: clock.now(), duration: leaseDuration })
    const annotations = { ...base.metadata.annotations, ...this.#options.lease.annotations }
    const object: Lease = { ...base, metadata: { ...base.metadata, annotations }, spec }
    const written = await this.#ask(signal, (limited) => client.update(kinds.Lease, object, { signal: limited }))
    this.#observed = { lease: written, since: clock.monotonic() }
  }

  async #release(now: Milliseconds): Promise<void> {
    const { client, identity } = this.#options
    const held = this.#observed?.lease
    if (held === undefined || leaseHolder(held) !== identity) return
    try {
      const object: Lease = { ...held, spec: releasedSpec(held, now) }
      await this.#ask(new AbortController().signal, (limited) =>
        client.update(kinds.Lease, object, { signal: limited }),
      )
      this.#announce('stopped leading')
    } catch (error) {
      this.#options.logger.warn('could not release the lease; other replicas wait until it expires', {
        lease: this.#name,
        error,
      })
    }
  }

  /** Sends one request. Gives up after the request timeout, even if the client ignores the signal. */
  async #ask<T>(signal: AbortSignal, request: (limited: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const { clock, renewDeadline } = this.#options
    const timeout = leaseRequestTimeout(renewDeadline)
    const limit = new AbortController()
    const { promise: givenUp, reject } = Promise.withResolvers<never>()
    const giveUp = (reason: unknown): void => {
      limit.abort(reason)
      reject(reason)
    }
    const timer = clock.timer(timeout, () => giveUp(new Error(`no answer within ${timeout / 1_000} s`)))
    const onAbort = (): void => giveUp(signal.reason)
    signal.addEventListener('abort', onAbort)
    try {
      return await Promise.race([request(limit.signal), givenUp])
    } finally {
      timer.cancel()
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Returns the holder of the lease if that is another process. */
  #otherHolder(): string | undefined {
    const holder = this.#observed === undefined ? '' : leaseHolder(this.#observed.lease)
    return holder === '' || holder === this.#options.identity ? undefined : holder
  }

  #reportHolder(holder: string): void {
    if (this.#announced === holder) return
    this.#announced = holder
    this.#options.logger.info(`waiting for the lease ${this.#name}, held by ${holder}`, { lease: this.#name, holder })
  }

  /** Logs one line for each new kind of problem, and not for each attempt. */
  #complain(error: unknown): void {
    const problem = String(error)
    if (problem === this.#lastProblem) return
    this.#lastProblem = problem
    this.#options.logger.error('could not get or renew the lease, retrying', { lease: this.#name, error })
  }

  #lostError(): Error {
    const holder = this.#otherHolder()
    return runtimeErrors.LeaseLost({ lease: this.#name, ...(holder !== undefined && { holder }) })
  }

  #announce(what: string): void {
    const { events, identity } = this.#options
    const object = this.#observed?.lease
    if (object !== undefined) {
      events?.publish({
        object,
        type: 'Normal',
        reason: 'LeaderElection' satisfies CoreEventReason,
        message: `${identity} ${what}`,
      })
    }
  }
}

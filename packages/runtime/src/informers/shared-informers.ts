import { groupVersion, InvariantError, type KubeObject, kinds, type Milliseconds, type ResourceKind } from '@kerf/apis'
import { type Clock, sleep } from '../clock/clock.ts'
import type { KubeClient } from '../kube-client/kube-client.ts'
import type { Logger } from '../logging/logger.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Random } from '../random/random.ts'
import type { RandomByKind } from '../random/random-by-kind.ts'
import { CachedInformer } from './cached-informer.ts'
import type { Informer, InformerFactory } from './informer.ts'
import { leanNode, leanPod } from './projection.ts'
import { shareEqualFields } from './share-equal-fields.ts'

/** Restricts which objects of a resource kind are stored, and which of their fields. */
export interface KindRule<T extends KubeObject = KubeObject> {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Returns the object with only the fields to keep (see `Projection`). */
  project?(object: T): T
}

export interface SharedInformersOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  /** The source of the random values of each informer. Default: `random` for all informers. */
  readonly randomByKind?: RandomByKind
  readonly logger: Logger
  /** Receives metrics for slow processing of lists and for refused lists. */
  readonly metrics?: Metrics
  readonly pageSize?: number
}

interface RunningInformer<T extends KubeObject = KubeObject> extends Informer<T> {
  run(signal: AbortSignal): Promise<void>
}

/**
 * The pause before an informer is started again after an unexpected error. After expected errors, reflectors themselves back off.
 */
const BEGIN_ANEW: Milliseconds = 5_000

const nameOf = (kind: ResourceKind): string => `${groupVersion(kind)}/${kind.kind}`

/**
 * Provides one informer for each resource kind, shared by the whole process. Before `start`, `of` only registers a kind; after `start`, the
 * informer runs at once. As in upstream, informers store Pods and Nodes without the fields that no code reads, and store only those Leases
 * that belong to nodes. `configure` changes these rules.
 */
export class SharedInformers implements InformerFactory {
  readonly #options: SharedInformersOptions
  readonly #informers = new Map<string, RunningInformer>()
  readonly #rules = new Map<string, KindRule>()
  /** The resource kinds that no caller requires. */
  readonly #optional = new Set<string>()
  readonly #running = new Set<Promise<void>>()
  #signal: AbortSignal | undefined

  constructor(options: SharedInformersOptions) {
    this.#options = options
    this.configure(kinds.Pod, { project: shareEqualFields(leanPod) })
    this.configure(kinds.Node, { project: leanNode })
    this.configure(kinds.Lease, { namespace: 'kube-node-lease' })
  }

  /** Sets which objects of a resource kind are stored, and which of their fields. Must be called before the first `of` for that kind. */
  configure<T extends KubeObject>(kind: ResourceKind<T>, rule: KindRule<T>): void {
    const name = nameOf(kind)
    if (this.#informers.has(name)) throw new InvariantError(`the informer of ${name} exists already`)
    this.#rules.set(name, rule)
  }

  of<T extends KubeObject>(kind: ResourceKind<T>): Informer<T> {
    this.#optional.delete(nameOf(kind))
    return this.#informerOf(kind)
  }

  optional<T extends KubeObject>(kind: ResourceKind<T>): Informer<T> {
    const name = nameOf(kind)
    if (!this.#informers.has(name)) this.#optional.add(name)
    return this.#informerOf(kind)
  }

  #informerOf<T extends KubeObject>(kind: ResourceKind<T>): Informer<T> {
    const name = nameOf(kind)
    const known = this.#informers.get(name)
    // Rules and informers are stored by the name of the resource kind, which determines the type.
    if (known !== undefined) return known as RunningInformer<T>
    const rule: KindRule<T> | undefined = this.#rules.get(name) as KindRule<T> | undefined
    const isOptional = (): boolean => this.#optional.has(name)
    const random = this.#options.randomByKind?.(kind) ?? this.#options.random
    const informer = new CachedInformer<T>({ ...this.#options, ...rule, kind, isOptional, random })
    this.#informers.set(name, informer)
    if (this.#signal !== undefined) this.#run(name, informer, this.#signal)
    return informer
  }

  /** Starts to list and watch until the signal is aborted. */
  start(signal: AbortSignal): void {
    if (this.#signal !== undefined) throw new InvariantError('the informers run already')
    this.#signal = signal
    for (const [name, informer] of this.#informers) this.#run(name, informer, signal)
  }

  /** Resolves when every required resource kind is listed, including kinds that are requested in the meantime. */
  async allSynced(signal?: AbortSignal): Promise<void> {
    for (let seen = -1; seen !== this.#informers.size; ) {
      seen = this.#informers.size
      await Promise.all(this.#needed().map(([, informer]) => informer.synced(signal)))
    }
  }

  /** Returns the required resource kinds that are not listed yet, for readiness and for a log line. */
  unsynced(): string[] {
    return this.#needed()
      .filter(([, informer]) => !informer.hasSynced)
      .map(([name]) => name)
  }

  #needed(): readonly (readonly [string, RunningInformer])[] {
    return [...this.#informers].filter(([name]) => !this.#optional.has(name))
  }

  /**
   * A health check. It fails while a started process waits for resource kinds to be listed, and names them. A process that waits for its
   * lease is healthy.
   */
  readonly check = (): string | undefined => {
    const unsynced = this.#signal === undefined ? [] : this.unsynced()
    return unsynced.length === 0 ? undefined : `waiting for the first list of ${unsynced.join(', ')}`
  }

  /** Resolves when every reflector has ended, which happens after the abort. */
  async stopped(): Promise<void> {
    await Promise.all(this.#running)
  }

  #run<T extends KubeObject>(name: string, informer: RunningInformer<T>, signal: AbortSignal): void {
    const running = this.#keepRunning(name, informer, signal).finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Runs an informer, and starts it again if it ends for any reason. Otherwise its consumers would keep reading stale objects. */
  async #keepRunning<T extends KubeObject>(
    name: string,
    informer: RunningInformer<T>,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, logger } = this.#options
    while (!signal.aborted) {
      try {
        await informer.run(signal)
      } catch (error) {
        logger.error('informer ended, restarting', { kind: name, error })
      }
      if (!signal.aborted) await sleep(clock, BEGIN_ANEW, signal).catch(() => {})
    }
  }
}

import { apiVersionOf, type KubeObject, kinds, type Milliseconds, type ResourceKind } from '@kerf/apis'
import { type Clock, sleep } from '../clock/clock.ts'
import type { KubeClient } from '../kube-client/kube-client.ts'
import type { Logger } from '../logging/logger.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Random } from '../random/random.ts'
import { CachedInformer } from './cached-informer.ts'
import type { Informer, InformerFactory } from './informer.ts'
import { leanNode, leanPod } from './projection.ts'
import { sharedParts } from './shared-parts.ts'

/** How a kind is mirrored when not whole and everywhere. */
export interface KindRule<T extends KubeObject = KubeObject> {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** What to keep of each object; see `Projection`. */
  project?(object: T): T
}

export interface SharedInformersOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** Where it is told that taking over a list took long, and that one is refused. */
  readonly metrics?: Metrics
  readonly pageSize?: number
}

interface RunningInformer<T extends KubeObject = KubeObject> extends Informer<T> {
  run(signal: AbortSignal): Promise<void>
}

/** Reflectors space out their own faults; this is for what they did not foresee. */
const BEGIN_ANEW: Milliseconds = 5_000

const nameOf = (kind: ResourceKind): string => `${apiVersionOf(kind)}/${kind.kind}`

/**
 * One informer a kind for the whole process. `of` before `start` only registers; later ones begin at once. Pods and Nodes are kept
 * lean and Leases only of the namespace where nodes renew theirs, as upstream does; `configure` changes such rules.
 */
export class SharedInformers implements InformerFactory {
  readonly #options: SharedInformersOptions
  readonly #informers = new Map<string, RunningInformer>()
  readonly #rules = new Map<string, KindRule>()
  /** Kinds that nobody needs. */
  readonly #optional = new Set<string>()
  readonly #running = new Set<Promise<void>>()
  #signal: AbortSignal | undefined

  constructor(options: SharedInformersOptions) {
    this.#options = options
    this.configure(kinds.Pod, { project: sharedParts(leanPod) })
    this.configure(kinds.Node, { project: leanNode })
    this.configure(kinds.Lease, { namespace: 'kube-node-lease' })
  }

  /** Sets how a kind is mirrored. Must come before the first `of` for that kind. */
  configure<T extends KubeObject>(kind: ResourceKind<T>, rule: KindRule<T>): void {
    const name = nameOf(kind)
    if (this.#informers.has(name)) throw new Error(`the informer of ${name} exists already`)
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
    // Rules and informers are stored under the name of the kind that types them.
    if (known !== undefined) return known as RunningInformer<T>
    const rule: KindRule<T> | undefined = this.#rules.get(name) as KindRule<T> | undefined
    const isOptional = (): boolean => this.#optional.has(name)
    const informer = new CachedInformer<T>({ ...this.#options, ...rule, kind, isOptional })
    this.#informers.set(name, informer)
    if (this.#signal !== undefined) this.#run(name, informer, this.#signal)
    return informer
  }

  /** Starts listing and watching; aborting the signal ends it. */
  start(signal: AbortSignal): void {
    if (this.#signal !== undefined) throw new Error('the informers run already')
    this.#signal = signal
    for (const [name, informer] of this.#informers) this.#run(name, informer, signal)
  }

  /** Resolves once every needed kind asked for so far, also meanwhile, has been listed. */
  async allSynced(signal?: AbortSignal): Promise<void> {
    for (let seen = -1; seen !== this.#informers.size; ) {
      seen = this.#informers.size
      await Promise.all(this.#needed().map(([, informer]) => informer.synced(signal)))
    }
  }

  /** The needed kinds that are not in sync yet, for readiness and for a log line. */
  unsynced(): string[] {
    return this.#needed()
      .filter(([, informer]) => !informer.hasSynced)
      .map(([name]) => name)
  }

  #needed(): readonly (readonly [string, RunningInformer])[] {
    return [...this.#informers].filter(([name]) => !this.#optional.has(name))
  }

  /** A health check: what a process that has started to list still waits for. One that waits for its lease is ready. */
  readonly check = (): string | undefined => {
    const unsynced = this.#signal === undefined ? [] : this.unsynced()
    return unsynced.length === 0 ? undefined : `waiting for the first list of ${unsynced.join(', ')}`
  }

  /** Resolves when every reflector has ended after the abort. */
  async stopped(): Promise<void> {
    await Promise.all(this.#running)
  }

  #run<T extends KubeObject>(name: string, informer: RunningInformer<T>, signal: AbortSignal): void {
    const running = this.#keepRunning(name, informer, signal).finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** An informer that ends leaves everybody with what it knew last, so whatever ended it, it begins anew. */
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
        logger.error('informer ended, beginning anew', { kind: name, error })
      }
      if (!signal.aborted) await sleep(clock, BEGIN_ANEW, signal).catch(() => {})
    }
  }
}

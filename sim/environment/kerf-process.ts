import type { ResourceKind } from '@kerf/apis'
import { type ControllerSettings, Kerf } from '@kerf/controllers'
import { schedule } from '@kerf/engine'
import { type CloudProvider, overlaidProvider, type ProviderContext } from '@kerf/provider-contract'
import {
  ApiError,
  type Clock,
  type KubeClient,
  LeaderElector,
  leaderIdentity,
  type Metrics,
  type Milliseconds,
  PrometheusMetrics,
  type Random,
  RecordingEventRecorder,
  RecordingLogger,
  SharedInformers,
  silentMetrics,
  sleep,
} from '@kerf/runtime'
import type { ApiCall, Interceptor, SandboxApi } from '@kerf/sandbox'
import type { InjectedFailure } from './call-faults.ts'
import { type EventGate, LaggingClient } from './lagging-client.ts'
import { SkewedClock } from './skewed-clock.ts'

/** A provider as a process runs it. */
export interface RunningProvider {
  readonly provider: CloudProvider
  /** Reads what the first plan needs, before the process acts. */
  readonly start?: (signal: AbortSignal) => Promise<void>
}

/** The process as its provider and its cloud know it. */
export interface ProcessHandle {
  readonly isDead: boolean
  readonly metrics: Metrics
  /** It ends at this very moment. */
  crash(): void
}

/** What a process tells the world, and asks of it. */
export interface ProcessHost {
  readonly api: SandboxApi
  readonly clock: Clock
  readonly random: Random
  /** Whether the call meets with trouble. */
  inject(call: ApiCall, when: 'before' | 'after'): InjectedFailure | undefined
  /** A call leaves the process. */
  begins(call: ApiCall): void
  /** A call is about to take effect. */
  acts(call: ApiCall): void
  /** A call has taken effect. */
  acted(call: ApiCall): void
  crashed(process: KerfProcess): void
  /** An event of a watch is about to be told. */
  readonly gate: EventGate
  /** Whether metrics are kept, which costs a tenth of the time: a series that throws would break its controller. */
  readonly keepsMetrics: boolean
  /** Whether two Kerfs whose clocks may differ act at once. */
  readonly hasConflictingClocks: boolean
  provider(context: ProviderContext, owner: ProcessHandle): RunningProvider
  readonly settings: ControllerSettings
}

const SLOW_ANSWER = 7_000
/**
 * What a call takes while two Kerfs act that do not agree on the time of day: about what is due by now they argue as long as
 * their clocks differ, and without a delay that would be for ever within one moment.
 */
const WIRE = 20
const never = (): Promise<void> => new Promise<void>(() => {})

/** One life of Kerf: from start to its end by a signal or by a crash between any two calls. */
export class KerfProcess {
  readonly kerf: Kerf
  readonly events = new RecordingEventRecorder()
  readonly log = new RecordingLogger()
  readonly clock: SkewedClock
  readonly client: LaggingClient
  readonly #watches = new Map<(error?: ApiError) => void, ResourceKind | undefined>()
  readonly #stop = new AbortController()
  readonly #abandon = new AbortController()
  readonly #random: Random
  readonly #start: RunningProvider['start']
  #leaseLostUntil: Milliseconds = Number.NEGATIVE_INFINITY
  /** A dead process's calls go nowhere, and it hears no answers. */
  isDead = false
  /** Whether it acts, as far as it knows. */
  leads = false

  constructor(host: ProcessHost) {
    this.clock = new SkewedClock(host.clock)
    const meet = (call: ApiCall, when: 'before' | 'after', signal?: AbortSignal): Promise<void> | void => {
      if (this.isDead) return never()
      const injected = host.inject(call, when)
      if (injected === 'crash') {
        this.end()
        host.crashed(this)
        return never()
      }
      if (injected === 'slow') return sleep(host.clock, SLOW_ANSWER, signal)
      if (injected !== undefined) throw injected.error
      if (when === 'before' && host.hasConflictingClocks) return sleep(host.clock, WIRE, signal)
    }
    const interceptor: Interceptor = {
      before: (call, signal) => {
        if (!this.isDead) host.begins(call)
        const waits = meet(call, 'before', signal)
        if (waits !== undefined) return waits.then(() => (this.isDead ? never() : host.acts(call)))
        host.acts(call)
      },
      after: (call, signal) => {
        host.acted(call)
        return meet(call, 'after', signal)
      },
      watching: (call, drop) => {
        this.#watches.set(drop, call.kind)
        return () => this.#watches.delete(drop)
      },
    }
    this.client = new LaggingClient(host.api.client({ interceptor }), host.clock, host.gate)
    const { client, clock, events, log } = this
    const informers = new SharedInformers({ client, clock, random: host.random, logger: log })
    const context = { client, informers, clock, random: host.random, events, log }
    const metrics = host.keepsMetrics ? new PrometheusMetrics() : silentMetrics
    const crash = (): void => {
      this.end()
      host.crashed(this)
    }
    const isDead = (): boolean => this.isDead
    const running = host.provider(context, {
      get isDead() {
        return isDead()
      },
      metrics,
      crash,
    })
    const provider = this.#mortal(running.provider)
    this.#start = running.start
    this.kerf = new Kerf({ ...context, provider, metrics, settings: host.settings }, { schedule })
    this.#random = host.random
  }

  /** Acts at once, without asking whether another does. */
  run(): void {
    this.leads = true
    const act = (): Promise<void> => this.kerf.run({ stop: this.#stop.signal, abandon: this.#abandon.signal })
    if (this.#start === undefined) void act()
    else void this.#start(this.#abandon.signal).then(act, () => undefined)
  }

  /** Acts while it holds the Lease, as a process does that `kerf run` starts. Resolves when it is over, for whatever reason. */
  async runElected(): Promise<void> {
    const { clock, log } = this
    const elector = new LeaderElector({
      client: this.#leaseClient(),
      clock,
      random: this.#random,
      logger: log,
      metrics: silentMetrics,
      lease: { namespace: 'kube-system', name: 'karpenter-leader-election' },
      identity: leaderIdentity('kerf', this.#random),
    })
    const warm = this.#start?.(this.#abandon.signal)
    warm?.catch(() => {})
    this.kerf.warmUp(this.#abandon.signal)
    const lead = async (lost: AbortSignal): Promise<void> => {
      this.leads = true
      try {
        if (warm !== undefined) await warm
        await this.kerf.run({ stop: this.#stop.signal, abandon: AbortSignal.any([lost, this.#abandon.signal]) })
      } finally {
        // From here on it acts no more; the answer to giving the Lease back may be slow.
        this.leads = false
      }
    }
    try {
      await elector.run(this.#stop.signal, lead)
    } catch {
      // The lease is lost. The process ends, and another is started in its place.
    } finally {
      this.leads = false
    }
  }

  /** Its calls about the Lease meet with silence for a while; all others go through. */
  loseLease(duration: Milliseconds): void {
    this.#leaseLostUntil = this.clock.monotonic() + duration
  }

  #leaseClient(): Pick<KubeClient, 'get' | 'create' | 'update'> {
    const { client } = this
    const through = async <T>(call: () => Promise<T>): Promise<T> => {
      if (this.clock.monotonic() < this.#leaseLostUntil)
        throw new ApiError({ code: 0, reason: 'Unreachable', message: 'connection reset' })
      return await call()
    }
    return {
      get: (kind, ref, options) => through(() => client.get(kind, ref, options)),
      create: (kind, object, options) => through(() => client.create(kind, object, options)),
      update: (kind, object, options) => through(() => client.update(kind, object, options)),
    }
  }

  /** Stops as a process does that is asked to: what is in work may end. */
  stop(): void {
    this.#stop.abort(new Error('asked to stop'))
  }

  /** Is no more, from this moment on. */
  end(): void {
    this.isDead = true
    this.leads = false
    this.#abandon.abort(new Error('killed'))
    this.#stop.abort(new Error('killed'))
  }

  /** Loses its watches of a kind, by its plural. */
  loseWatches(plural: string, error?: ApiError): void {
    for (const [drop, kind] of [...this.#watches]) if (kind?.plural === plural) drop(error)
  }

  /** The provider's answers do not reach a dead process either. */
  #mortal(provider: CloudProvider): CloudProvider {
    const heard = async <T>(call: () => Promise<T>): Promise<T> => {
      if (this.isDead) return await new Promise<T>(() => {})
      try {
        const answer = await call()
        return this.isDead ? await new Promise<T>(() => {}) : answer
      } catch (error) {
        if (this.isDead) return await new Promise<T>(() => {})
        throw error
      }
    }
    return {
      ...overlaidProvider(provider, { apply: (_, types) => types }),
      create: (claim, signal) => heard(() => provider.create(claim, signal)),
      delete: (claim, signal) => heard(() => provider.delete(claim, signal)),
      get: (providerID, signal) => heard(() => provider.get(providerID, signal)),
      list: (signal) => heard(() => provider.list(signal)),
    }
  }
}

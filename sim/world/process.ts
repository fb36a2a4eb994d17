import type { ResourceKind } from '@kerf/apis'
import { defaultControllerSettings, Kerf } from '@kerf/controllers'
import { schedule } from '@kerf/engine'
import { type CloudProvider, overlaidProvider, type ProviderContext } from '@kerf/provider-contract'
import {
  type ApiError,
  type Clock,
  PrometheusMetrics,
  type Random,
  RecordingEventRecorder,
  RecordingLogger,
  SharedInformers,
  sleep,
} from '@kerf/runtime'
import type { ApiCall, Interceptor, SandboxApi } from '@kerf/sandbox'
import type { Struck } from './call-troubles.ts'
import { LaggingClient } from './lagging-client.ts'
import { SkewedClock } from './skewed-clock.ts'

/** What a process tells the world, and asks of it. */
export interface Surroundings {
  readonly api: SandboxApi
  readonly clock: Clock
  readonly random: Random
  /** Whether the call meets with trouble. */
  strike(call: ApiCall, when: 'before' | 'after'): Struck | undefined
  /** A call is about to take effect. */
  acts(call: ApiCall): void
  /** A call has taken effect. */
  acted(call: ApiCall): void
  crashed(process: Process): void
  /** Whether two Kerfs act at once. */
  readonly isContended: boolean
  provider(context: ProviderContext): CloudProvider
}

const SLOW_ANSWER = 7_000
/** What a call takes while two Kerfs act: otherwise they could argue for ever within one moment. */
const WIRE = 20
const never = (): Promise<void> => new Promise<void>(() => {})

/** One life of Kerf: from start to its end by a signal or by a crash between any two calls. */
export class Process {
  readonly kerf: Kerf
  readonly events = new RecordingEventRecorder()
  readonly log = new RecordingLogger()
  readonly clock: SkewedClock
  readonly client: LaggingClient
  readonly #watches = new Map<(error?: ApiError) => void, ResourceKind | undefined>()
  readonly #stop = new AbortController()
  readonly #abandon = new AbortController()
  /** A dead process's calls go nowhere, and it hears no answers. */
  isDead = false

  constructor(around: Surroundings) {
    this.clock = new SkewedClock(around.clock)
    const meet = (call: ApiCall, when: 'before' | 'after', signal?: AbortSignal): Promise<void> | void => {
      if (this.isDead) return never()
      const struck = around.strike(call, when)
      if (struck === 'crash') {
        this.end()
        around.crashed(this)
        return never()
      }
      if (struck === 'slow') return sleep(around.clock, SLOW_ANSWER, signal)
      if (struck !== undefined) throw struck.error
      if (when === 'before' && around.isContended) return sleep(around.clock, WIRE, signal)
    }
    const interceptor: Interceptor = {
      before: (call, signal) => {
        const waits = meet(call, 'before', signal)
        if (waits !== undefined) return waits.then(() => (this.isDead ? never() : around.acts(call)))
        around.acts(call)
      },
      after: (call, signal) => {
        around.acted(call)
        return meet(call, 'after', signal)
      },
      watching: (call, drop) => {
        this.#watches.set(drop, call.kind)
        return () => this.#watches.delete(drop)
      },
    }
    this.client = new LaggingClient(around.api.client({ interceptor }), around.clock)
    const { client, clock, events, log } = this
    const informers = new SharedInformers({ client, clock, random: around.random, logger: log })
    const context = { client, informers, clock, random: around.random, events, log }
    const settings = { ...defaultControllerSettings, disableClusterStateObservability: true }
    const provider = this.#mortal(around.provider(context))
    this.kerf = new Kerf({ ...context, provider, metrics: new PrometheusMetrics(), settings }, { schedule })
  }

  run(): void {
    void this.kerf.run({ stop: this.#stop.signal, abandon: this.#abandon.signal })
  }

  /** Stops as a process does that is asked to: what is in work may end. */
  stop(): void {
    this.#stop.abort(new Error('asked to stop'))
  }

  /** Is no more, from this moment on. */
  end(): void {
    this.isDead = true
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

import type { Milliseconds, ResourceKind } from '@kerf/apis'
import { type ControllerSettings, Kerf } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import type { CloudProvider, ProviderContext } from '@kerf/provider-contract'
import {
  type ApiError,
  type Clock,
  LeaderElector,
  leaderIdentity,
  type Metrics,
  PrometheusMetrics,
  type Random,
  RecordingLogger,
  SharedInformers,
  silentMetrics,
  sleep,
} from '@kerf/runtime'
import { RecordingEventRecorder } from '@kerf/runtime/testing'
import type { ApiCall, Interceptor, SandboxApi } from '@kerf/sandbox'
import type { InjectedFailure } from './call-faults.ts'
import { type EventGate, LaggingClient } from './lagging-client.ts'
import { LeaseClient } from './lease-client.ts'
import { mortalProvider } from './mortal-provider.ts'
import { SkewedClock } from './skewed-clock.ts'

/** The provider that one Kerf process uses. */
export interface RunningProvider {
  readonly provider: CloudProvider
  /** Loads the data that the first plan needs, before the process acts. */
  readonly start?: (signal: AbortSignal) => Promise<void>
}

/** The part of a Kerf process that its provider and the cloud can use. */
export interface ProcessHandle {
  readonly isDead: boolean
  readonly metrics: Metrics
  /** Ends the process immediately. */
  crash(): void
}

/** The resources that all processes of a run share. */
export interface ProcessHost {
  readonly api: SandboxApi
  readonly clock: Clock
  readonly settings: ControllerSettings
  /**
   * Whether metrics are recorded. Recording takes a tenth of the run's time, but reveals metrics whose code throws and breaks the
   * controller.
   */
  readonly keepsMetrics: boolean
  /** Delays the events of watches. */
  readonly gate: EventGate
  /** Returns the failure to inject before or after a call takes effect, if any. */
  inject(call: ApiCall, when: 'before' | 'after'): InjectedFailure | undefined
  /** Called when a call leaves the process. */
  begins(call: ApiCall): void
  /** Called just before a call takes effect. */
  acts(call: ApiCall): void
  /** Called after a call has taken effect. */
  acted(call: ApiCall): void
  provider(context: ProviderContext, handle: ProcessHandle): RunningProvider
}

/** The options of one process. */
export interface ProcessOptions {
  readonly random: Random
  crashed(process: KerfProcess): void
  /** Reports whether two Kerf processes with different clocks are active at the same time. */
  readonly hasConflictingClocks: () => boolean
}

const SLOW_ANSWER: Milliseconds = 7_000
/**
 * How long a call takes while two Kerf processes with different clocks are active. Such processes disagree about which actions are due.
 * Without a delay, they could undo each other's work forever at the same virtual time.
 */
const NETWORK_DELAY: Milliseconds = 20
const never = (): Promise<void> => new Promise<void>(() => {})

/** One Kerf process, from its start to its end. It ends after a signal, or crashes between any two calls. */
export class KerfProcess {
  readonly kerf: Kerf
  readonly events = new RecordingEventRecorder()
  readonly log = new RecordingLogger()
  readonly clock: SkewedClock
  readonly client: LaggingClient
  /** Whether the process is dead. Its calls have no effect, and it receives no responses. */
  isDead = false
  /** Whether the process considers itself the active one. */
  leads = false
  readonly #host: ProcessHost
  readonly #options: ProcessOptions
  readonly #lease: LeaseClient
  readonly #watches = new Map<(error?: ApiError) => void, ResourceKind | undefined>()
  readonly #stop = new AbortController()
  readonly #abandon = new AbortController()
  readonly #start: RunningProvider['start']

  constructor(host: ProcessHost, options: ProcessOptions) {
    this.#host = host
    this.#options = options
    this.clock = new SkewedClock(host.clock)
    this.client = new LaggingClient(host.api.client({ interceptor: this.#interceptor() }), host.clock, host.gate)
    this.#lease = new LeaseClient(this.client, this.clock)
    const { client, clock, events, log } = this
    const { random } = options
    const informers = new SharedInformers({ client, clock, random, logger: log })
    const context = { client, informers, clock, random, events, log }
    const metrics = host.keepsMetrics ? new PrometheusMetrics() : silentMetrics
    const isDead = (): boolean => this.isDead
    const running = host.provider(context, {
      get isDead() {
        return isDead()
      },
      metrics,
      crash: () => this.#crash(),
    })
    const provider = mortalProvider(running.provider, isDead)
    this.#start = running.start
    this.kerf = new Kerf({ ...context, provider, metrics, settings: host.settings }, { schedule: scheduleInSteps })
  }

  /** Starts acting immediately, without leader election. */
  run(): void {
    this.leads = true
    const act = (): Promise<void> => this.kerf.run({ stop: this.#stop.signal, abandon: this.#abandon.signal })
    if (this.#start === undefined) void act()
    else void this.#start(this.#abandon.signal).then(act, () => undefined)
  }

  /** Acts while it holds the Lease, like `kerf run`. Resolves when the process has ended for any reason. */
  async runElected(): Promise<void> {
    const { clock, log } = this
    const { random } = this.#options
    const elector = new LeaderElector({
      client: this.#lease,
      clock,
      random,
      logger: log,
      metrics: silentMetrics,
      lease: { namespace: 'kube-system', name: 'karpenter-leader-election' },
      identity: leaderIdentity('kerf', random),
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
        // The process stops acting here, even if it takes a while to release the Lease.
        this.leads = false
      }
    }
    try {
      await elector.run(this.#stop.signal, lead)
    } catch {
      // The process has lost the Lease, so it ends, and another process replaces it.
    } finally {
      this.leads = false
    }
  }

  /** Makes the process's calls for the Lease fail for a while. All other calls succeed. */
  loseLease(duration: Milliseconds): void {
    this.#lease.disconnect(duration)
  }

  /** Stops the process gracefully: work in progress may still complete. */
  stop(): void {
    this.#stop.abort(new Error('asked to stop'))
  }

  /** Kills the process. */
  kill(): void {
    this.isDead = true
    this.leads = false
    this.#abandon.abort(new Error('killed'))
    this.#stop.abort(new Error('killed'))
  }

  /** Ends the watches of the kind with this plural. */
  loseWatches(plural: string, error?: ApiError): void {
    for (const [drop, kind] of [...this.#watches]) if (kind?.plural === plural) drop(error)
  }

  #crash(): void {
    this.kill()
    this.#options.crashed(this)
  }

  /** Injects failures into the process's calls, and reports the calls. */
  #interceptor(): Interceptor {
    const host = this.#host
    return {
      before: (call, signal) => {
        if (!this.isDead) host.begins(call)
        const delay = this.#inject(call, 'before', signal)
        if (delay !== undefined) return delay.then(() => (this.isDead ? never() : host.acts(call)))
        host.acts(call)
      },
      after: (call, signal) => {
        host.acted(call)
        return this.#inject(call, 'after', signal)
      },
      watching: (call, drop) => {
        this.#watches.set(drop, call.kind)
        return () => this.#watches.delete(drop)
      },
    }
  }

  #inject(call: ApiCall, when: 'before' | 'after', signal?: AbortSignal): Promise<void> | undefined {
    if (this.isDead) return never()
    const { clock } = this.#host
    const injected = this.#host.inject(call, when)
    if (injected === 'crash') {
      this.#crash()
      return never()
    }
    if (injected === 'slow') return sleep(clock, SLOW_ANSWER, signal)
    if (injected !== undefined) throw injected.error
    return when === 'before' && this.#options.hasConflictingClocks() ? sleep(clock, NETWORK_DELAY, signal) : undefined
  }
}

import { noVocabulary } from '@kerf/apis'
import { scheduleInSteps } from '@kerf/engine'
import type { CloudProvider } from '@kerf/provider-contract'
import { KwokProvider, type loadInstanceTypes, type SimulatedOutages } from '@kerf/provider-kwok'
import {
  type Clock,
  ControllerManager,
  type InformerFactory,
  type KubeClient,
  PrometheusMetrics,
  type Random,
  type RecordingLogger,
  type RunSignals,
  ServerClock,
  SharedInformers,
  type VirtualClock,
} from '@kerf/runtime'
import type { RecordingEventRecorder } from '@kerf/runtime/testing'
import type { ApiCall, SandboxApi } from '@kerf/sandbox'
import { type ControllerSettings, type Deps, defaultControllerSettings } from '../../deps.ts'
import { Kerf } from '../../kerf.ts'
import { datedClient } from './dated-client.ts'
import { declaredCalls } from './declared-calls.ts'
import type { HarnessOptions } from './harness-options.ts'

/** The objects that all processes of a harness share. Only one process runs at a time. */
export interface Surroundings {
  readonly api: SandboxApi
  readonly clock: VirtualClock
  readonly events: RecordingEventRecorder
  readonly log: RecordingLogger
  readonly outages: SimulatedOutages
  readonly instanceTypes: Awaited<ReturnType<typeof loadInstanceTypes>>
}

/** Called twice for each call: before and after the call takes effect. If it throws an error, the caller gets that error. */
export type Meet = (call: ApiCall, when: 'before' | 'after') => Promise<void> | void

const mergedSettings = ({ settings, gates }: HarnessOptions): ControllerSettings => {
  const base = { ...defaultControllerSettings, ...settings }
  return { ...base, featureGates: { ...base.featureGates, ...gates } }
}

/** Heartbeats are off, because only the cluster's controllers need them. */
const kubeletSettings = {
  api: { simulateKubelet: true, heartbeatInterval: 0 },
  'controller-manager': { simulateKubelet: true },
  whole: { simulateKubelet: false },
} as const

/** One process of Kerf, with its own client, informers, metrics, provider and controllers. Its state is lost when it ends. */
export class HarnessProcess {
  readonly metrics = new PrometheusMetrics()
  /** Absent if the test chooses the controllers. */
  readonly kerf: Kerf | undefined
  readonly #surroundings: Surroundings
  readonly #clock: Clock
  readonly #options: HarnessOptions
  readonly #stop = new AbortController()
  readonly #run: (signals: RunSignals) => void

  constructor(surroundings: Surroundings, options: HarnessOptions, random: Random, meet: Meet) {
    this.#surroundings = surroundings
    this.#options = options
    const { log } = surroundings
    const guarded = (when: 'before' | 'after') => (call: ApiCall) => (this.isDead ? never() : meet(call, when))
    const called = surroundings.api.client({ interceptor: { before: guarded('before'), after: guarded('after') } })
    const { clock, client: answered } = this.#timed(called)
    this.#clock = clock
    const client = declaredCalls(answered, mergedSettings(options), options.legacy)
    const informers = new SharedInformers({ client, clock, random, logger: log })
    const { kwok, deps } = this.#ownDeps(client, informers, random)
    if (options.controllers === undefined) {
      const kerf = new Kerf(
        { ...deps, informers },
        {
          schedule: options.schedule ?? scheduleInSteps,
          ...(options.legacy === undefined ? {} : { legacy: options.legacy }),
          ...(options.version === undefined ? {} : { version: options.version }),
          ...(options.rehearses === undefined ? {} : { rehearses: options.rehearses }),
          ...(options.pause === undefined ? {} : { pause: options.pause }),
          ...(options.readFile === undefined ? {} : { readFile: options.readFile }),
        },
      )
      this.kerf = kerf
      this.#run = (signals) => void kerf.run(signals)
    } else {
      const manager = new ControllerManager({ clock, random, logger: log, metrics: this.metrics })
      manager.add(...options.controllers(deps), ...kwok.controllers())
      this.#run = (signals) => {
        informers.start(signals.stop)
        void manager.run(signals)
      }
    }
  }

  /** Returns the clock of the process, and a client that reads the API server's time from responses. */
  #timed(client: KubeClient): { readonly clock: Clock; readonly client: KubeClient } {
    const { clock: harness, log } = this.#surroundings
    const { ownClock, headerAhead = () => 0 } = this.#options
    if (ownClock === undefined) return { clock: harness, client }
    const clock = new ServerClock(ownClock(harness), { logger: log, metrics: this.metrics })
    return { clock, client: datedClient(client, clock, harness, headerAhead) }
  }

  #ownDeps(client: KubeClient, informers: InformerFactory, random: Random): { kwok: KwokProvider; deps: Deps } {
    const { events, log, outages, instanceTypes } = this.#surroundings
    const clock = this.#clock
    const context = { client, informers, clock, random, events, log }
    const kwok = new KwokProvider(context, {
      instanceTypes,
      labels: noVocabulary,
      outages,
      settings: { ...kubeletSettings[this.#options.cluster ?? 'api'], ...this.#options.kwok },
    })
    const provider: CloudProvider = this.#options.provider?.(kwok) ?? kwok
    return { kwok, deps: { ...context, provider, metrics: this.metrics, settings: mergedSettings(this.#options) } }
  }

  /** Returns dependencies with these informers, for a controller that the test calls directly. */
  depsWith(informers: InformerFactory, random: Random): Deps {
    return this.#ownDeps(this.#surroundings.api.client(), informers, random).deps
  }

  run(): void {
    this.#run({ stop: this.#stop.signal, abandon: this.#stop.signal })
  }

  get isDead(): boolean {
    return this.#stop.signal.aborted
  }

  /** Kills the process as SIGKILL would: pending calls get no response, and nothing else runs. */
  kill(): void {
    this.#stop.abort(new Error('killed'))
  }
}

/** Returns a promise that never resolves, because a killed process gets no responses. */
const never = (): Promise<void> => new Promise<void>(() => {})

import { crdManifests, kinds } from '@kerf/apis'
import { defaultControllerSettings, Kerf } from '@kerf/controllers'
import { type InstanceType, schedule } from '@kerf/engine'
import { KwokProvider } from '@kerf/provider-kwok'
import {
  isNotFound,
  type KubeClient,
  type Milliseconds,
  PrometheusMetrics,
  type Random,
  SeededRandom,
  SharedInformers,
  silentLogger,
  VirtualClock,
} from '@kerf/runtime'
import { SandboxApi, SandboxCluster, SimulatedCloud } from '@kerf/sandbox'
import { CliError } from '../cli-error.ts'
import { applyManifests } from '../manifests/apply-manifests.ts'
import { KindDirectory } from '../manifests/kind-directory.ts'
import { parseManifests } from '../manifests/parse-manifests.ts'
import type { Manifest } from '../manifests/read-manifests.ts'
import { MachineProvider, offeringsOf } from './machine-provider.ts'
import { Observer } from './observer.ts'
import type { SimulationResult } from './result.ts'
import type { TraceStep } from './trace-steps.ts'

const SAMPLE_EVERY: Milliseconds = 60_000

export interface SimulationInput {
  readonly name: string
  readonly manifests: readonly Manifest[]
  readonly catalogue: readonly InstanceType[]
  readonly steps: readonly TraceStep[]
  readonly seed: number
  readonly span: Milliseconds
  /** Called for each minute of virtual time. */
  onProgress?(done: Milliseconds): void
}

/** The whole cluster's life in virtual time: the same input gives the same result. */
export const runSimulation = async (input: SimulationInput): Promise<SimulationResult> => {
  const { catalogue, seed, span, steps } = input
  const clock = new VirtualClock()
  const random = new SeededRandom(seed)
  const api = new SandboxApi({ clock, random: random.fork('api') })
  const cloud = new SimulatedCloud({ clock, random: random.fork('cloud'), offerings: offeringsOf(catalogue) })
  const cluster = new SandboxCluster({ api, clock, random: random.fork('cluster'), cloud, events: false })
  const stop = new AbortController()
  const admin = api.client()
  void cluster.start(stop.signal)
  const observer = new Observer(clock, cluster, cloud)
  try {
    const crds = crdManifests().flatMap(({ yaml, fileName }) => parseManifests(yaml, fileName))
    await applyManifests(admin, new KindDirectory(admin), crds, stop.signal)
    await clock.advance(1_000)
    await applyManifests(admin, new KindDirectory(admin), input.manifests, stop.signal)
    startKerf({ api, clock, random: random.fork('kerf'), cloud, catalogue, observer, stop: stop.signal })
    const failures: unknown[] = []
    const play = new TracePlayer(admin, cloud, random.fork('trace'))
    for (const step of steps) {
      clock.timer(step.at, () => {
        play.step(step, (after, act) => clock.timer(after, act)).catch((error: unknown) => failures.push(error))
      })
    }
    for (const end = clock.monotonic() + span; clock.monotonic() < end; ) {
      observer.sample()
      await clock.advance(Math.min(SAMPLE_EVERY, end - clock.monotonic()))
      if (failures.length > 0) throw failures[0]
      input.onProgress?.(clock.monotonic())
    }
    observer.sample()
    return observer.result(input.name, seed)
  } finally {
    stop.abort(new Error('the simulation is over'))
  }
}

const startKerf = (parts: {
  readonly api: SandboxApi
  readonly clock: VirtualClock
  readonly random: Random
  readonly cloud: SimulatedCloud
  readonly catalogue: readonly InstanceType[]
  readonly observer: Observer
  readonly stop: AbortSignal
}): void => {
  const { api, clock, random, cloud, catalogue, observer, stop } = parts
  const client = api.client({ interceptor: { after: (call) => observer.acted(call) } })
  const log = silentLogger
  const informers = new SharedInformers({ client, clock, random, logger: log })
  const events = { publish: () => {} }
  const context = { client, informers, clock, random, events, log }
  const { wellKnownLabels } = new KwokProvider(context, { catalogue })
  const provider = new MachineProvider(context, { cloud, catalogue, wellKnownLabels })
  const settings = { ...defaultControllerSettings, disableClusterStateObservability: true }
  const kerf = new Kerf({ ...context, provider, settings, metrics: new PrometheusMetrics() }, { schedule })
  void kerf.run({ stop, abandon: stop })
}

/** Carries out what a trace says. */
class TracePlayer {
  readonly #client: KubeClient
  readonly #cloud: SimulatedCloud
  readonly #random: Random

  constructor(client: KubeClient, cloud: SimulatedCloud, random: Random) {
    this.#client = client
    this.#cloud = cloud
    this.#random = random
  }

  async step(step: TraceStep, later: (after: Milliseconds, act: () => void) => unknown): Promise<void> {
    switch (step.kind) {
      case 'scale': {
        const { kind, namespace, name } = step.workload
        try {
          await this.#client.patch(
            kinds[kind],
            { namespace, name },
            { type: 'merge', body: { spec: { replicas: step.replicas } } },
          )
        } catch (error) {
          if (!isNotFound(error)) throw error
          throw new CliError(`the trace scales ${kind} ${namespace}/${name}, which the manifests do not have`)
        }
        return
      }
      case 'interrupt':
        for (const { id, state, capacityType, ...offering } of this.#cloud.instances()) {
          const { selector } = step
          const isMeant =
            capacityType === 'spot' &&
            state === 'running' &&
            (selector.instanceType ?? offering.instanceType) === offering.instanceType &&
            (selector.zone ?? offering.zone) === offering.zone
          if (isMeant && this.#random.next() < step.share) this.#cloud.interrupt({ id })
        }
        return
      case 'outage':
        this.#cloud.market.exhaust(step.selector)
        later(step.span, () => this.#cloud.market.restore(step.selector))
        return
      case 'price':
        this.#cloud.market.setPrice(step.selector, (before) => before * step.factor)
        return
    }
  }
}

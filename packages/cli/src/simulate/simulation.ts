import type { LabelVocabulary, Milliseconds, UsdPerHour } from '@kerf/apis'
import { defaultControllerSettings, Kerf } from '@kerf/controllers'
import { type InstanceType, scheduleInSteps } from '@kerf/engine'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { cloudOfferings, SimulatedProvider } from '@kerf/provider-simulated'
import {
  defaultFeatureGates,
  type FeatureGates,
  type KubeClient,
  type Random,
  type RecordedEvent,
  SeededRandom,
  SharedInformers,
  separateByKind,
  silentLogger,
  silentMetrics,
  VirtualClock,
} from '@kerf/runtime'
import { SandboxApi, SandboxCluster, SimulatedCloud } from '@kerf/sandbox'
import { allCrdManifests } from '../crds/crd-files.ts'
import { applyManifests } from '../manifests/apply-manifests.ts'
import { definedKinds, isDefinition } from '../manifests/definitions.ts'
import { KindDirectory } from '../manifests/kind-directory.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { nodeGroupLabels } from '../node-group-labels.ts'
import { commitmentSpecsIn, typesByName } from '../plan/commitments.ts'
import { labelAliases, vocabularyFor } from '../vocabulary.ts'
import { Observer } from './observer.ts'
import type { Sample, SimulationResult } from './result.ts'
import { TraceReplay } from './trace-replay.ts'
import type { TraceStep } from './trace-steps.ts'

const SAMPLE_EVERY: Milliseconds = 60_000
/**
 * Heartbeats are rare so that simulations are fast. A silent node is still detected as early as in a real cluster, because the simulated
 * kubelet then shortens the node's Lease.
 */
const HEARTBEAT: Milliseconds = 3_600_000
/** How long a recorded cluster runs before the measurement begins. */
const WARM_UP: Milliseconds = 30 * 60_000

export interface SimulationInput {
  readonly name: string
  readonly manifests: readonly Manifest[]
  readonly instanceTypes: readonly InstanceType[]
  readonly steps: readonly TraceStep[]
  readonly seed: number
  readonly span: Milliseconds
  /** The feature gates. The default is the same as for `kerf run`. */
  readonly featureGates?: FeatureGates
  /** Additional cost of each node; the default is 0. */
  readonly nodeOverheadCost?: UsdPerHour
  /** The setting `PLAN_EXPECTED_PODS`; the default is `off`. */
  readonly planExpectedPods?: 'off' | 'on'
  /** When the recording began. The cluster starts earlier, and the measurement begins at this time. */
  readonly from?: Milliseconds
  /** Called after each minute of virtual time, with the state at the end of that minute. */
  onProgress?(done: Milliseconds, sample: Sample): void
}

/**
 * Runs a whole simulation in virtual time. The same input gives the same result. CRDs of other providers in `definitions` do not change the
 * result.
 */
export const runSimulation = async (
  input: SimulationInput,
  definitions: readonly Manifest[] = allCrdManifests(),
): Promise<SimulationResult> => {
  const { instanceTypes, seed, span, steps, from } = input
  const clock = new VirtualClock(from === undefined ? {} : { start: from - WARM_UP })
  const random = new SeededRandom(seed)
  // Each kind of object has its own random numbers, so that the CRDs of further providers do not change the result of a seed.
  const api = new SandboxApi({ clock, ...separateByKind(random.fork('api')) })
  const cloud = new SimulatedCloud({ clock, random: random.fork('cloud'), offerings: cloudOfferings(instanceTypes) })
  const cluster = new SandboxCluster({
    api,
    clock,
    ...separateByKind(random.fork('cluster')),
    cloud,
    events: false,
    metrics: silentMetrics,
    kubelet: { heartbeatPeriod: HEARTBEAT, driverTopology: labelAliases },
  })
  const stop = new AbortController()
  const admin = api.client()
  void cluster.start(stop.signal)
  const observer = new Observer(clock, cluster, cloud, input.nodeOverheadCost, {
    specs: commitmentSpecsIn(input.manifests.map(({ object }) => object)),
    types: typesByName(instanceTypes),
  })
  try {
    const target = { client: admin, clock, kinds: new KindDirectory(admin) }
    await applyManifests(target, definitions, stop.signal)
    await clock.advance(1_000)
    const { served, foreign } = await byServer(admin, input.manifests)
    await applyManifests(target, served, stop.signal)
    startKerf({
      api,
      clock,
      random: random.fork('kerf'),
      cloud,
      instanceTypes,
      vocabulary: vocabularyFor(
        input.manifests.map(({ object }) => object),
        instanceTypes,
      ),
      observer,
      featureGates: input.featureGates ?? defaultFeatureGates,
      nodeOverheadCost: input.nodeOverheadCost ?? 0,
      planExpectedPods: input.planExpectedPods ?? 'off',
      stop: stop.signal,
    })
    if (from !== undefined) await clock.runUntil(from)
    observer.begin()
    const failures: unknown[] = []
    const play = new TraceReplay({ client: admin, cloud, random: random.fork('trace'), isRecorded: from !== undefined })
    for (const step of steps) {
      clock.timer(step.at, () => {
        play.step(step, (after, act) => clock.timer(after, act)).catch((error: unknown) => failures.push(error))
      })
    }
    const began = clock.monotonic()
    observer.sample()
    for (const end = began + span; clock.monotonic() < end; ) {
      await clock.advance(Math.min(SAMPLE_EVERY, end - clock.monotonic()))
      if (failures.length > 0) throw failures[0]
      input.onProgress?.(clock.monotonic() - began, observer.sample())
    }
    return { ...observer.result(input.name, seed, play.refused), leftOut: foreign }
  } finally {
    stop.abort(new Error('the simulation is over'))
  }
}

interface ApiGroupList {
  readonly groups: readonly { readonly name: string }[]
}

/**
 * Leaves out objects whose API group is neither served by the simulated server nor defined by a CRD in the manifests. An unknown kind in a
 * known group is an error.
 */
const byServer = async (
  client: KubeClient,
  manifests: readonly Manifest[],
): Promise<{ readonly served: readonly Manifest[]; readonly foreign: readonly string[] }> => {
  const { groups } = (await client.raw('/apis')) as ApiGroupList
  const defined = manifests.filter(({ object }) => isDefinition(object)).flatMap(({ object }) => definedKinds(object))
  const known = new Set([...groups.map(({ name }) => name), ...defined.map(({ group }) => group)])
  const isServed = ({ object }: Manifest): boolean => {
    const [group, version] = object.apiVersion.split('/')
    return version === undefined || known.has(group ?? '')
  }
  return {
    served: manifests.filter(isServed),
    foreign: manifests
      .filter((manifest) => !isServed(manifest))
      .map(({ object }) => `${object.kind} ${object.metadata.name}`),
  }
}

const startKerf = (deps: {
  readonly api: SandboxApi
  readonly clock: VirtualClock
  readonly random: Random
  readonly cloud: SimulatedCloud
  readonly instanceTypes: readonly InstanceType[]
  readonly vocabulary: LabelVocabulary
  readonly observer: Observer
  readonly featureGates: FeatureGates
  readonly nodeOverheadCost: UsdPerHour
  readonly planExpectedPods: 'off' | 'on'
  readonly stop: AbortSignal
}): void => {
  const {
    api,
    clock,
    random,
    cloud,
    instanceTypes,
    vocabulary,
    observer,
    featureGates,
    nodeOverheadCost,
    planExpectedPods,
    stop,
  } = deps
  const client = api.client({ interceptor: { after: (call) => observer.acted(call) } })
  const log = silentLogger
  const informers = new SharedInformers({ client, clock, random, logger: log })
  const events = { publish: (event: RecordedEvent) => observer.eventPublished(event) }
  const context = { client, informers, clock, random, events, log }
  const provider = new SimulatedProvider(context, {
    nodeClasses: [kwokNodeClassKind],
    cloud,
    instanceTypes,
    vocabulary,
  })
  const settings = {
    ...defaultControllerSettings,
    featureGates,
    nodeOverheadCost,
    planExpectedPods,
    disableClusterStateObservability: true,
  }
  const kerf = new Kerf(
    { ...context, provider, settings, metrics: silentMetrics, nodeGroupLabels },
    { schedule: scheduleInSteps },
  )
  void kerf.run({ stop, abandon: stop })
}

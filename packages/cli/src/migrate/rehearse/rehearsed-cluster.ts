import { type Deployment, karpenterKinds, kinds, type Milliseconds } from '@kerf/apis'
import { defaultControllerSettings, Kerf } from '@kerf/controllers'
import { type InstanceType, scheduleInSteps } from '@kerf/engine'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { cloudOfferings, SimulatedProvider } from '@kerf/provider-simulated'
import {
  ControllerManager,
  type KubeClient,
  type RecordedEvent,
  SeededRandom,
  SharedInformers,
  separateByKind,
  silentLogger,
  silentMetrics,
  VirtualClock,
} from '@kerf/runtime'
import {
  autoscalerOptions,
  type CloudGroup,
  ClusterAutoscaler,
  SandboxApi,
  SandboxCluster,
  SimulatedCloud,
} from '@kerf/sandbox'
import { stringify } from 'yaml'
import { allCrdManifests } from '../../crds/crd-files.ts'
import { applyManifests } from '../../manifests/apply-manifests.ts'
import { KindDirectory } from '../../manifests/kind-directory.ts'
import { parseManifests } from '../../manifests/parse-manifests.ts'
import { nodeGroupLabels } from '../../node-group-labels.ts'
import { nodeClassDescriptors } from '../../providers.ts'
import { prepareManifests, simulatedObject } from '../../simulate/prepare-manifests.ts'
import { labelAliases, vocabularyFor } from '../../vocabulary.ts'
import type { StepTools } from '../apply/perform-step.ts'
import { providerSources } from '../groups/provider-sources.ts'
import type { PlanFolder } from '../plan/read-plan.ts'
import { groupInstances } from './group-instances.ts'
import { RehearsalWatch, type Who } from './rehearsal-watch.ts'

export interface RehearsalOptions {
  readonly seed: number
  readonly instanceTypes: readonly InstanceType[]
  readonly featureGates?: typeof defaultControllerSettings.featureGates
}

const STEP: Milliseconds = 5_000
const HEARTBEAT: Milliseconds = 3_600_000

/** Converts manifests for the simulated cluster. The node class of the simulated cloud replaces all node classes. */
const simulatedText = (text: string, file: string): string => {
  const objects = parseManifests(text, file)
    .filter(({ object }) => !nodeClassDescriptors.some(({ resource }) => resource.kind.kind === object.kind))
    .map(({ object }) => simulatedObject(object) ?? object)
  return objects.map((object) => stringify(object, { aliasDuplicateObjects: false, compat: 'yaml-1.1' })).join('---\n')
}

/**
 * A cluster in virtual time: the workloads in the plan's folder, a model of Cluster Autoscaler with its groups, and, after
 * `startKerf`, Kerf.
 */
export class RehearsedCluster {
  readonly clock: VirtualClock
  readonly watch: RehearsalWatch
  readonly cluster: SandboxCluster
  readonly cloud: SimulatedCloud
  readonly admin: KubeClient
  /** Groups that the plan migrates. */
  readonly groups: readonly CloudGroup[]
  /** Groups that stay unchanged. */
  readonly kept: readonly CloudGroup[]
  readonly autoscaler: ClusterAutoscaler
  readonly #api: SandboxApi
  readonly #folder: PlanFolder
  readonly #options: RehearsalOptions
  readonly #random: SeededRandom
  readonly #stop = new AbortController()

  constructor(folder: PlanFolder, options: RehearsalOptions) {
    const { instanceTypes, seed } = options
    this.#folder = folder
    this.#options = options
    this.clock = new VirtualClock()
    this.#random = new SeededRandom(seed)
    const random = this.#random
    this.#api = new SandboxApi({ clock: this.clock, ...separateByKind(random.fork('api')) })
    this.cloud = new SimulatedCloud({
      clock: this.clock,
      random: random.fork('cloud'),
      offerings: cloudOfferings(instanceTypes),
    })
    this.cluster = new SandboxCluster({
      api: this.#api,
      clock: this.clock,
      ...separateByKind(random.fork('cluster')),
      cloud: this.cloud,
      events: false,
      metrics: silentMetrics,
      kubelet: { heartbeatPeriod: HEARTBEAT, driverTopology: labelAliases },
    })
    this.watch = new RehearsalWatch(this.clock, this.cluster, this.cloud)
    this.admin = this.#client('plan')
    const types = new Map(instanceTypes.map((type) => [type.name, type]))
    this.groups = folder.plan.groups.map((group) => groupInstances(group, types, this.cloud))
    this.kept = folder.plan.kept.map((group) => groupInstances(group, types, this.cloud))
    const informers = this.#informers('autoscaler')
    this.autoscaler = new ClusterAutoscaler(
      {
        client: this.#client('autoscaler'),
        informers,
        clock: this.clock,
        random: random.fork('autoscaler'),
        events: { publish: (event: RecordedEvent) => this.watch.published(event) },
        logger: silentLogger,
      },
      [...this.groups, ...this.kept],
      autoscalerOptions(folder.plan.autoscaler.flags),
    )
    const manager = new ControllerManager({
      clock: this.clock,
      random: random.fork('manager'),
      logger: silentLogger,
      metrics: silentMetrics,
    })
    manager.add(this.autoscaler)
    informers.start(this.#stop.signal)
    void manager.run({ stop: this.#stop.signal })
    this.cluster.informers.of(kinds.Deployment).onChange(({ after }) => this.#deploymentChanged(after))
  }

  /** Starts the cluster in its state before the migration: workloads and Cluster Autoscaler, without Kerf. */
  async begin(): Promise<void> {
    const { signal } = this.#stop
    void this.cluster.start(signal)
    await this.clock.advance(1_000)
    const directory = new KindDirectory(this.admin)
    const target = { client: this.admin, clock: this.clock, kinds: directory }
    await applyManifests(target, allCrdManifests(), signal)
    await this.clock.advance(1_000)
    const all = parseManifests(this.#folder.files.get('cluster.yaml') ?? '', 'cluster.yaml').filter(
      ({ object }) =>
        object.kind !== 'NodePool' &&
        object.kind !== 'NodeClaim' &&
        object.kind !== 'Event' &&
        object.kind !== 'CustomResourceDefinition',
    )
    for (const group of [...this.groups, ...this.kept]) await group.grow(group.min)
    const { manifests } = prepareManifests(all)
    const served: (typeof manifests)[number][] = []
    for (const manifest of manifests)
      if ((await directory.find(manifest.object.apiVersion, manifest.object.kind)) !== undefined) served.push(manifest)
    await applyManifests(target, served, signal)
  }

  /** Starts Kerf. If Kerf disrupts its own nodes, it does not move their pods to the free capacity of node groups. */
  startKerf(): void {
    const { clock } = this
    const { instanceTypes, featureGates } = this.#options
    const random = this.#random.fork('kerf')
    const informers = this.#informers('kerf')
    const context = {
      client: this.#client('kerf'),
      informers,
      clock,
      random,
      events: { publish: () => {} },
      log: silentLogger,
    }
    const provider = new SimulatedProvider(context, {
      nodeClasses: [kwokNodeClassKind],
      cloud: this.cloud,
      instanceTypes,
      vocabulary: vocabularyFor([], instanceTypes),
    })
    const settings = {
      ...defaultControllerSettings,
      ...(featureGates === undefined ? {} : { featureGates }),
      foreignNodes: 'ignore' as const,
      disableClusterStateObservability: true,
    }
    const kerf = new Kerf(
      { ...context, provider, settings, metrics: silentMetrics, nodeGroupLabels },
      { schedule: scheduleInSteps },
    )
    void kerf.run({ stop: this.#stop.signal, abandon: this.#stop.signal })
  }

  /** Returns the deps for the plan's steps. `signal` stops the steps that are running. */
  tools(signal: AbortSignal = this.#stop.signal): StepTools {
    const { plan, files } = this.#folder
    return {
      client: this.admin,
      clock: this.clock,
      kinds: new KindDirectory(this.admin),
      plan,
      file: (name) => (name === 'nodeclasses.yaml' ? '' : simulatedText(files.get(name) ?? '', name)),
      print: () => {},
      byHand: async (commands) => {
        // Applies the effect of the commands to the simulated groups: removes, restores or fixes the minimum size of a group.
        const sources = await providerSources()
        for (const command of commands) {
          const sizes = sources.map((source) => source.readResize?.(command)).find((each) => each !== undefined)
          const group = [...this.groups, ...this.kept].find(({ name }) => name === sizes?.group)
          if (group === undefined || sizes === undefined) continue
          group.min = sizes.min
          if (group.size < group.min) await group.grow(group.min - group.size)
        }
      },
      signal,
    }
  }

  /** Advances the clock until the work is done, and takes a sample every minute. */
  async drive<T>(work: Promise<T>): Promise<T> {
    let over = false
    const finished = work.finally(() => {
      over = true
    })
    finished.catch(() => {})
    for (let steps = 0; !over; steps++) {
      await this.clock.advance(STEP)
      if (steps % 12 === 0) this.watch.sample()
    }
    return await finished
  }

  /** Advances the clock, and takes a sample every minute. `onMinute` may throw to end the wait early. */
  async pass(duration: Milliseconds, onMinute: () => void = () => {}): Promise<void> {
    for (let left = duration; left > 0; left -= 60_000) {
      await this.clock.advance(Math.min(left, 60_000))
      this.watch.sample()
      onMinute()
    }
  }

  stop(): void {
    this.#stop.abort(new Error('the rehearsal is over'))
  }

  #client(who: Who): KubeClient {
    return this.#api.client({
      interceptor: {
        after: ({ verb, ref, kind }) => {
          if (verb === 'evict' && ref !== undefined) this.watch.evicted(who, ref.namespace ?? '', ref.name)
          if (verb === 'create' && kind?.kind === karpenterKinds.NodeClaim.kind) this.watch.claimed()
        },
      },
    })
  }

  #informers(name: string): SharedInformers {
    return new SharedInformers({
      client: this.#api.client(),
      clock: this.clock,
      random: this.#random.fork(`${name} informers`),
      logger: silentLogger,
    })
  }

  /** Starts or stops Cluster Autoscaler. It runs while its Deployment has replicas. */
  #deploymentChanged(after: Deployment | undefined): void {
    const own = this.#folder.plan.autoscaler.deployment
    if (
      after === undefined ||
      own === undefined ||
      after.metadata.name !== own.name ||
      after.metadata.namespace !== own.namespace
    )
      return
    const shouldRun = (after.spec.replicas ?? 1) > 0
    if (shouldRun && !this.autoscaler.isRunning) this.autoscaler.start()
    if (!shouldRun && this.autoscaler.isRunning) void this.autoscaler.stop()
  }
}

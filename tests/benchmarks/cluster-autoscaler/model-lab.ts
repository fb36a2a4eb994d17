import { labels, type Milliseconds } from '@kerf/apis'
import { defaultControllerSettings, Kerf } from '@kerf/controllers'
import { type InstanceType, scheduleInSteps } from '@kerf/engine'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { cloudOfferings, SimulatedProvider } from '@kerf/provider-simulated'
import {
  ControllerManager,
  type KubeClient,
  SeededRandom,
  SharedInformers,
  silentLogger,
  silentMetrics,
  VirtualClock,
} from '@kerf/runtime'
import {
  autoscalerOptions,
  CloudGroup,
  ClusterAutoscaler,
  SandboxApi,
  SandboxCluster,
  SimulatedCloud,
} from '@kerf/sandbox'
import { crdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import { applyManifests } from '../../../packages/cli/src/manifests/apply-manifests.ts'
import { KindDirectory } from '../../../packages/cli/src/manifests/kind-directory.ts'
import { parseManifests } from '../../../packages/cli/src/manifests/parse-manifests.ts'
import { prepareManifests } from '../../../packages/cli/src/simulate/prepare-manifests.ts'
import { vocabularyFor } from '../../../packages/cli/src/vocabulary.ts'
import { GROUP, GROUP_NODE, groupTemplate, LAB_FLAGS, labObjects, type Separation } from './lab-objects.ts'
import { LabWatch, type Side } from './lab-watch.ts'
import type { LabCluster, LabRecord } from './run-lab.ts'

export interface ModelLabOptions {
  readonly separation: Separation
  readonly foreignNodes: 'ignore' | 'count'
  readonly seed: number
  readonly instanceTypes: readonly InstanceType[]
}

/** Opens a sandbox with Kerf and the model of Cluster Autoscaler, in virtual time. */
export const openModelLab = async ({
  separation,
  foreignNodes,
  seed,
  instanceTypes,
}: ModelLabOptions): Promise<LabCluster> => {
  const clock = new VirtualClock()
  const random = new SeededRandom(seed)
  const api = new SandboxApi({ clock, random: random.fork('api') })
  const cloud = new SimulatedCloud({ clock, random: random.fork('cloud'), offerings: cloudOfferings(instanceTypes) })
  const cluster = new SandboxCluster({
    api,
    clock,
    random: random.fork('cluster'),
    cloud,
    events: false,
    metrics: silentMetrics,
  })
  const stop = new AbortController()
  const { signal } = stop
  const record = { bought: [], evictions: [], nodeWrites: [] } as {
    readonly [Key in keyof LabRecord]: LabRecord[Key][number][]
  }
  const client = (by?: Side): KubeClient =>
    api.client(
      by === undefined
        ? {}
        : {
            interceptor: {
              after: ({ verb, ref, kind }) => {
                if (ref === undefined) return
                if (verb === 'evict') record.evictions.push({ at: clock.now(), by, pod: ref.name })
                else if (kind?.kind === 'Node' && ['patch', 'update', 'delete'].includes(verb))
                  record.nodeWrites.push({ by, verb, node: ref.name })
              },
            },
          },
    )
  const informersOf = (name: string) =>
    new SharedInformers({ client: api.client(), clock, random: random.fork(`${name} informers`), logger: silentLogger })

  void cluster.start(signal)
  await clock.advance(1_000)
  const admin = client()
  const directory = new KindDirectory(admin)
  const crds = crdFiles('kwok').flatMap(({ yaml, fileName }) => parseManifests(yaml, fileName))
  const target = { client: admin, clock, kinds: directory }
  await applyManifests(target, crds, signal)
  await clock.advance(1_000)
  const { manifests } = prepareManifests(labObjects(separation).map(({ object }) => ({ object, file: 'lab', line: 0 })))
  await applyManifests(target, manifests, signal)
  const { metadata, spec, status } = groupTemplate(separation)
  const group = new CloudGroup(cloud, {
    name: GROUP,
    min: 1,
    max: 80,
    instanceType: GROUP_NODE.instanceType,
    capacityType: 'on-demand',
    zones: ['test-zone-a'],
    template: {
      labels: { ...metadata.labels, [labels.capacityType]: 'on-demand' },
      taints: spec?.taints ?? [],
      capacity: status?.capacity ?? {},
      allocatable: status?.allocatable ?? {},
    },
  })
  await group.grow(1)

  const informers = informersOf('autoscaler')
  const autoscaler = new ClusterAutoscaler(
    {
      client: client('cluster-autoscaler'),
      informers,
      clock,
      random: random.fork('autoscaler'),
      events: {
        publish: ({ reason, message }) => {
          // Only the first event of a scale-up counts. The second event, `group G size set to …`, is about the same nodes.
          const [matched, size, before] = /setting group .* size to (\d+) instead of (\d+)/.exec(message) ?? []
          if (reason === 'ScaledUpGroup' && matched !== undefined)
            record.bought.push({ at: clock.now(), nodes: Number(size) - Number(before) })
        },
      },
      logger: silentLogger,
    },
    [group],
    autoscalerOptions(LAB_FLAGS),
  )
  const manager = new ControllerManager({
    clock,
    random: random.fork('manager'),
    logger: silentLogger,
    metrics: silentMetrics,
  })
  manager.add(autoscaler)
  informers.start(signal)
  void manager.run({ stop: signal })

  const context = {
    client: client('kerf'),
    informers: informersOf('kerf'),
    clock,
    random: random.fork('kerf'),
    events: { publish: () => {} },
    log: silentLogger,
  }
  const provider = new SimulatedProvider(context, {
    nodeClasses: [kwokNodeClassKind],
    cloud,
    instanceTypes,
    vocabulary: vocabularyFor([], instanceTypes),
  })
  const settings = { ...defaultControllerSettings, foreignNodes, disableClusterStateObservability: true }
  const kerf = new Kerf({ ...context, provider, settings, metrics: silentMetrics }, { schedule: scheduleInSteps })
  void kerf.run({ stop: signal, abandon: signal })

  const seen = informersOf('watch')
  const watch = new LabWatch(seen, clock)
  seen.start(signal)
  await clock.advance(60_000)
  return {
    client: admin,
    clock,
    watch,
    pass: (duration: Milliseconds) => clock.advance(duration),
    record: async () => record,
    close: async () => {
      stop.abort(new Error('the lab is over'))
    },
  }
}

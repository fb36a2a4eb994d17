import { type Deployment, findCondition, groupVersion, karpenterKinds, kinds, labels } from '@kerf/apis'
import { controllerPermissions, defaultControllerSettings, Kerf } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { generatedTypes, ProxmoxProvider, providerId } from '@kerf/provider-proxmox'
import { proxmox } from '@kerf/provider-proxmox/descriptor'
import {
  type ProxmoxNodeClass,
  type ProxmoxNodeClassSpec,
  proxmoxNodeClassDescriptor,
  proxmoxNodeClassKind,
  proxmoxTemplateResource,
  unmanagedTemplateKind,
  unmanagedTemplateResource,
} from '@kerf/provider-proxmox/node-class'
import {
  FakeCluster,
  type FakeGuest,
  FakeProxmox,
  fakeApi,
  hypervisor,
  registeredNode,
} from '@kerf/provider-proxmox/testing'
import {
  ApiEventRecorder,
  PrometheusMetrics,
  RecordingLogger,
  runtimePermissions,
  SeededRandom,
  SharedInformers,
  VirtualClock,
} from '@kerf/runtime'
import { declaredOnly, installCustomResources } from '@kerf/runtime/testing'
import { SandboxCluster } from '@kerf/sandbox'
import { onTestFinished } from 'vitest'
import { legacyTemplates } from '../../../packages/cli/src/providers.ts'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { nginx, spreadNginx, spreadPool } from '../../../tests/integration/story/spread-objects.ts'
import { virtualUntil } from '../../../tests/integration/story/until.ts'

const BOOT = 15_000
const GIB = 1024 ** 3
const TIMES = { clone: 20_000, start: 2_000, stop: 2_000, destroy: 3_000, statistics: 10_000 }

/** The hypervisors of two Proxmox clusters, each with 16 CPUs and 64 GiB. */
const REGIONS = { home: ['pve-1', 'pve-2', 'pve-3'], lab: ['pve-4', 'pve-5'] } as const
export type RegionName = keyof typeof REGIONS

export interface StoryOptions {
  readonly replicas?: number
  /** The topology domains over which the pods are spread. The default is zones. */
  readonly spread?: 'zones' | 'nodes' | 'nothing'
  readonly spec?: Partial<ProxmoxNodeClassSpec>
}

/** Returns a Deployment of pods with one CPU each. */
const deployment = (replicas: number, spread: StoryOptions['spread']): Deployment => {
  if (spread === 'nodes') return spreadNginx(replicas)
  const plain = nginx(replicas)
  if (spread === 'nothing') return plain
  const topologySpreadConstraints = [
    {
      ...{ maxSkew: 1, topologyKey: labels.zone, whenUnsatisfiable: 'DoNotSchedule' as const },
      labelSelector: { matchLabels: { app: 'nginx' } },
    },
  ]
  const { template } = plain.spec
  return {
    ...plain,
    spec: { ...plain.spec, template: { ...template, spec: { ...template.spec, topologySpreadConstraints } } },
  }
}

const makeFakes = (clock: VirtualClock): Readonly<Record<RegionName, FakeProxmox>> => {
  const make = (names: readonly string[]): FakeProxmox =>
    new FakeProxmox(
      new FakeCluster(clock, {
        nodes: names.map((name) => hypervisor(name, { cpus: 16, memory: 64 * GIB })),
        times: TIMES,
      }),
    )
  return { home: make(REGIONS.home), lab: make(REGIONS.lab) }
}

/**
 * Starts a complete Kerf in virtual time on the sandbox, with two in-memory Proxmox clusters, a node class, a NodePool and a Deployment.
 * Stops everything when the test ends.
 */
export const story = async ({ replicas = 5, spread = 'zones', spec = {} }: StoryOptions = {}) => {
  const clock = new VirtualClock({ turns: 3 })
  const random = new SeededRandom('proxmox stories')
  const sandbox = new SandboxCluster({ clock, random: random.fork('cluster') })
  const starting = sandbox.start()
  await clock.advance(1_000)
  await starting
  const { client } = sandbox
  await installCustomResources(client, [
    proxmoxNodeClassDescriptor.resource,
    unmanagedTemplateResource,
    proxmoxTemplateResource,
  ])
  const fakes = makeFakes(clock)
  const regions = Object.entries(fakes)
  const instances = () =>
    regions.flatMap(([region, { cluster }]) => cluster.instances().map((guest) => ({ ...guest, region })))

  const register = async (region: string, guest: FakeGuest): Promise<void> => {
    if (guest.isEnding || guest.status !== 'running') return
    const made = registeredNode(region, guest)
    await client.create(kinds.Node, made)
    await client.patch(
      kinds.Node,
      { name: made.metadata.name },
      { type: 'merge', body: { status: made.status } },
      { subresource: 'status' },
    )
  }
  for (const [region, { cluster }] of regions) {
    cluster.onStarted = (guest) => clock.timer(BOOT, () => void register(region, guest))
    cluster.onDestroyed = ({ config }) =>
      void client.delete(kinds.Node, { name: String(config['name']) }).catch(() => undefined)
  }

  const log = new RecordingLogger()
  const permitted = declaredOnly(sandbox.api.client(), [
    ...runtimePermissions({ leaderElectionName: 'karpenter' }),
    ...controllerPermissions([proxmoxNodeClassKind], await legacyTemplates()),
    ...proxmox.permissions,
  ])
  const informers = new SharedInformers({ client: permitted, clock, random: random.fork('informers'), logger: log })
  const events = new ApiEventRecorder({ client: permitted, clock, random: random.fork('events'), logger: log })
  const context = { client: permitted, informers, clock, random: random.fork('provider'), events, log }
  const provider = new ProxmoxProvider(context, {
    apis: new Map(regions.map(([region, fake]) => [region, fakeApi(fake, clock)])),
    ...{ types: generatedTypes, cluster: 'demo', firstId: 20_000, prefersLinked: false, allowsCloudInit: false },
  })
  const stop = new AbortController()
  const { featureGates } = defaultControllerSettings
  const settings = {
    ...defaultControllerSettings,
    ...{ cpuRequests: 2_000, featureGates: { ...featureGates, NodeRepair: true } },
  }
  const run = new Kerf(
    { ...context, provider, settings, metrics: new PrometheusMetrics() },
    { schedule: scheduleInSteps },
  ).run({ stop: stop.signal, abandon: stop.signal })
  const classRef = { group: proxmoxNodeClassKind.group, kind: proxmoxNodeClassKind.kind, name: 'default' }
  await client.create(unmanagedTemplateKind, {
    ...{ apiVersion: groupVersion(unmanagedTemplateKind), kind: 'ProxmoxUnmanagedTemplate' },
    ...{ metadata: { name: 'default' }, spec: { templateName: 'talos' } },
  })
  const { example } = proxmoxNodeClassDescriptor
  const nodeClass = { ...example, spec: { ...example.spec, ...spec } }
  await client.create(proxmoxNodeClassKind, nodeClass as ProxmoxNodeClass)
  await client.create(karpenterKinds.NodePool, spreadPool(classRef))
  await clock.advance(10_000)
  await client.create(kinds.Deployment, deployment(replicas, spread))
  const until = virtualUntil(clock, log, 500)
  onTestFinished(async () => {
    stop.abort(new Error('the story is over'))
    await clock.advanceUntilDone(run, 250)
    await events.close()
    await clock.advanceUntilDone(sandbox.stop(), 250)
  })
  return {
    ...{ clock, client, fakes, until, instances },
    pass: (seconds: number) => clock.advance(seconds * 1_000),
    runs: (count: number, seconds = 900) =>
      until(`${count} pods running`, async () => (await running(client)).length === count, seconds),
    /** Returns the number of running pods in each zone. */
    podsByZone: async (): Promise<Readonly<Record<string, number>>> => {
      const nodes = new Map((await client.list(kinds.Node)).items.map((node) => [node.metadata.name, node]))
      const zones = (await running(client)).map(
        ({ spec: { nodeName = '' } }) => nodes.get(nodeName)?.metadata.labels?.[labels.zone] ?? 'none',
      )
      return Object.fromEntries([...Map.groupBy(zones, (zone) => zone)].map(([zone, all]) => [zone, all.length]))
    },
    scale: (count: number) =>
      client.patch(
        kinds.Deployment,
        { name: 'nginx', namespace: 'default' },
        { type: 'merge', body: { spec: { replicas: count } } },
      ),
    /** Simulates a power failure of a hypervisor: its guests are unreachable, and their kubelets stop reporting. */
    powerOff: (region: RegionName, name: string): void => {
      const { cluster } = fakes[region]
      cluster.change(name, { isOnline: false })
      for (const { node, config } of cluster.instances())
        if (node === name) sandbox.kubelet?.setHealth(String(config['name']), 'silent')
    },
    claims: async () => (await client.list(karpenterKinds.NodeClaim)).items,
    condition: async (type: string): Promise<string> => {
      const { status, reason, message } =
        findCondition(await client.get(proxmoxNodeClassKind, { name: 'default' }), type) ?? {}
      return `${status} ${reason}: ${message}`
    },
    events: async (): Promise<string> =>
      (await client.list(kinds.Event)).items.map(({ reason, message }) => `${reason}: ${message}`).join('\n'),
    providerIdOf: ({ region, vmid }: { readonly region: string; readonly vmid: number }) =>
      providerId({ region, vmid }),
    /** Deletes the Deployment, and waits until everything that Kerf created is gone. */
    leavesNothing: async () => {
      await client.delete(kinds.Deployment, { name: 'nginx', namespace: 'default' })
      await until(
        'no guest and no claim left',
        async () => (await client.list(karpenterKinds.NodeClaim)).items.length === 0 && instances().length === 0,
        1_800,
      )
    },
  }
}

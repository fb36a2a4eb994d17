import { formatTime, groupVersion, kinds, type Milliseconds } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { type KubeClient, PrometheusMetrics, SharedInformers, type VirtualClock } from '@kerf/runtime'
import { ClusterApiProvider } from '../cluster-api-provider.ts'
import { machineDrift } from '../drift/machine-drift.ts'
import { InformedManagementCluster } from '../management/informed-management-cluster.ts'
import { membershipReader } from '../members/membership-reader.ts'
import { clusterApiAnnotations } from '../names.ts'
import { clusterApiNodeClassKind } from '../node-class/cluster-api-node-class.ts'
import { readMachine } from '../objects/machine.ts'
import { readMachineDeployment } from '../objects/machine-deployment.ts'
import { capacityAnnotations } from './deployment.ts'
import { installClusterApi, type SimulatedKinds } from './simulator/definitions.ts'
import type { DeploymentOptions } from './simulator/management-objects.ts'
import { clusterObject, plantedMachine } from './simulator/management-objects.ts'

export const CLASS = 'default'
export const CLASS_REF = { group: 'karpenter.cluster.x-k8s.io', kind: 'ClusterAPINodeClass', name: CLASS } as const
const CONTROL_PLANE = 'in-memory://control-plane'

interface Size {
  readonly cpu: string
  readonly memory: string
  readonly price: number
}

const SIZES: Readonly<Record<string, Size>> = {
  small: { cpu: '2', memory: '4Gi', price: 0.1 },
  large: { cpu: '8', memory: '32Gi', price: 0.4 },
  huge: { cpu: '16', memory: '128Gi', price: 1.2 },
}

/** Returns a MachineDeployment of a size, as a user would define it. */
export const sizedDeployment = (
  size: string,
  zone: string,
  capacityType: 'spot' | 'on-demand',
  options: DeploymentOptions = {},
): DeploymentOptions => {
  const { cpu = '2', memory = '4Gi', price = 1 } = SIZES[size] ?? {}
  const labels = {
    'node.kubernetes.io/instance-type': size,
    'topology.kubernetes.io/zone': zone,
    'karpenter.sh/capacity-type': capacityType,
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
    'karpenter.cluster.x-k8s.io/instance-family': 'general',
    'karpenter.cluster.x-k8s.io/instance-cpu': cpu,
  }
  const text = Object.entries(labels).map(([key, value]) => `${key}=${value}`)
  return {
    ...options,
    annotations: {
      ...capacityAnnotations({ cpu, memory, labels: text.join(',') }),
      [clusterApiAnnotations.hourlyPrice]: String(capacityType === 'spot' ? price / 4 : price),
      ...options.annotations,
    },
  }
}

/** Creates the objects that the provider needs in the cluster, which is its own management cluster. */
export const prepareClusterApi = async (
  client: KubeClient,
  played: SimulatedKinds,
  now: Milliseconds,
): Promise<void> => {
  await installClusterApi(client, played.Machine.version === 'v1beta1' ? 'v1beta1' : 'v1beta2')
  await client.create(played.Cluster, clusterObject(played))
  const controlPlane = plantedMachine(played, 'control-plane', { providerID: CONTROL_PLANE, isControlPlane: true })
  await client.create(played.Machine, controlPlane)
  // From this Node, Kerf determines which Cluster it manages.
  await client.create(kinds.Node, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'control-plane', labels: { 'node-role.kubernetes.io/control-plane': '' } },
    spec: {
      providerID: CONTROL_PLANE,
      taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
    },
  })
  const kind = clusterApiNodeClassKind
  await client.create(kind, { apiVersion: groupVersion(kind), kind: kind.kind, metadata: { name: CLASS }, spec: {} })
  await setReady(client, now, 'True')
}

/** Writes the status of a ready node class, as its status controller would. */
export const setReady = async (
  client: KubeClient,
  now: Milliseconds,
  status: 'True' | 'False' | 'Unknown',
): Promise<void> => {
  const conditions = [
    { type: 'Ready', status, reason: 'Test', message: 'set by the test', lastTransitionTime: formatTime(now) },
  ]
  await client.patch(
    clusterApiNodeClassKind,
    { name: CLASS },
    { type: 'merge', body: { status: { conditions } } },
    { subresource: 'status' },
  )
}

/** Creates a provider with its management cluster, which runs until the signal is aborted. */
export const newClusterApiProvider = (context: ProviderContext, stop: AbortSignal): ClusterApiProvider => {
  const { client, clock, random, log, informers } = context
  const management = new InformedManagementCluster({
    ...{ client, clock, random, log, origin: 'the cluster in which Kerf launches nodes' },
    nodes: informers.of(kinds.Node),
  })
  void management.run(stop)
  const classes = informers.of(clusterApiNodeClassKind)
  return new ClusterApiProvider(context, {
    aliases: [],
    management,
    metrics: new PrometheusMetrics(),
    membership: membershipReader(management, classes),
    driftOf: machineDrift(management),
  })
}

/** Reports launches and terminations, as a watcher of the management cluster sees them. */
export const watchMachines = (
  client: KubeClient,
  clock: VirtualClock,
  deps: {
    readonly random: ConstructorParameters<typeof SharedInformers>[0]['random']
    readonly log: ConstructorParameters<typeof SharedInformers>[0]['logger']
    readonly kinds: SimulatedKinds
    readonly stop: AbortSignal
    readonly launched: () => void
    readonly terminated: () => void
  },
): void => {
  const informers = new SharedInformers({ client, clock, random: deps.random, logger: deps.log })
  informers.of(deps.kinds.MachineDeployment).onChange(({ before, after }) => {
    if (before === undefined || after === undefined) return
    if (readMachineDeployment(after).replicas > readMachineDeployment(before).replicas) deps.launched()
  })
  const ordered = new Set<string>()
  informers.of(deps.kinds.Machine).onChange(({ after }) => {
    if (after === undefined) return
    const { uid, isDeleting, isMarkedForDeletion } = readMachine(after)
    if ((!isDeleting && !isMarkedForDeletion) || ordered.has(uid)) return
    ordered.add(uid)
    deps.terminated()
  })
  informers.start(deps.stop)
}

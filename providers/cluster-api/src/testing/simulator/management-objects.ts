import { groupVersion, type NewObject, type ResourceKind } from '@kerf/apis'
import { clusterApiLabels } from '../../names.ts'
import type { ClusterOnWire, MachineDeploymentOnWire, MachineOnWire } from '../../objects/wire.ts'
import type { MachineHealthCheckOnWire, SimulatedKinds } from './definitions.ts'

type Texts = Readonly<Record<string, string>>

export const NAMESPACE = 'default'
const CLUSTER = 'bed'

const objectOf = <T>(kind: ResourceKind, metadata: object, spec: object): T =>
  ({ apiVersion: groupVersion(kind), kind: kind.kind, metadata, spec }) as T

/** Returns a reference in the format of the version (samples of v1beta1 and v1beta2). */
const referenceTo = (kinds: SimulatedKinds, group: string, kind: string, name: string): object =>
  kinds.Machine.version === 'v1beta1'
    ? { apiVersion: `${group}/v1beta1`, kind, name, namespace: NAMESPACE }
    : { apiGroup: group, kind, name }

/** Returns a workload cluster. */
export const clusterObject = (kinds: SimulatedKinds, name = CLUSTER): NewObject<ClusterOnWire> =>
  objectOf(
    kinds.Cluster,
    { namespace: NAMESPACE, name },
    { infrastructureRef: referenceTo(kinds, 'infrastructure.cluster.x-k8s.io', 'DevCluster', name) },
  )

export interface DeploymentOptions {
  readonly cluster?: string
  readonly replicas?: number
  readonly strategy?: 'OnDelete' | 'RollingUpdate'
  /** Whether the MachineDeployment participates through its member label. The default is true. */
  readonly isMember?: boolean
  readonly labels?: Texts
  readonly annotations?: Texts
  /** The labels of the Machines. */
  readonly templateLabels?: Texts
  /** The name of the infrastructure template. A different name creates a new revision. The default is the MachineDeployment's name. */
  readonly template?: string
  readonly deletionOrder?: 'Random' | 'Newest' | 'Oldest'
}

/** Returns the template of a MachineDeployment's Machines, with the webhook's defaults. */
const templateObject = (kinds: SimulatedKinds, name: string, options: DeploymentOptions): object => {
  const { cluster = CLUSTER, template = name } = options
  return {
    metadata: {
      labels: {
        [clusterApiLabels.clusterName]: cluster,
        [clusterApiLabels.deploymentName]: name,
        ...options.templateLabels,
      },
    },
    spec: {
      clusterName: cluster,
      version: 'v1.36.0',
      bootstrap: { configRef: referenceTo(kinds, 'bootstrap.cluster.x-k8s.io', 'KubeadmConfigTemplate', name) },
      infrastructureRef: referenceTo(kinds, 'infrastructure.cluster.x-k8s.io', 'DevMachineTemplate', template),
    },
  }
}

/** Returns a merge patch that creates a new revision of the MachineDeployment. */
export const newTemplate = (kinds: SimulatedKinds, template: string): object => ({
  spec: {
    template: {
      spec: {
        infrastructureRef: referenceTo(kinds, 'infrastructure.cluster.x-k8s.io', 'DevMachineTemplate', template),
      },
    },
  },
})

/** Returns a MachineDeployment in the state after the webhooks and the first round of its controller. */
export const deploymentObject = (
  kinds: SimulatedKinds,
  name: string,
  options: DeploymentOptions = {},
): NewObject<MachineDeploymentOnWire> => {
  const { cluster = CLUSTER, replicas = 0, strategy = 'OnDelete', isMember = true } = options
  const rollout =
    kinds.Machine.version === 'v1beta1'
      ? { strategy: { type: strategy } }
      : { rollout: { strategy: { type: strategy } } }
  return objectOf(
    kinds.MachineDeployment,
    {
      namespace: NAMESPACE,
      name,
      finalizers: ['cluster.x-k8s.io/machinedeployment'],
      labels: {
        [clusterApiLabels.clusterName]: cluster,
        ...(isMember ? { [clusterApiLabels.member]: '' } : {}),
        ...options.labels,
      },
      annotations: options.annotations ?? {},
    },
    {
      clusterName: cluster,
      replicas,
      ...rollout,
      ...(options.deletionOrder === undefined ? {} : { deletion: { order: options.deletionOrder } }),
      selector: {
        matchLabels: { [clusterApiLabels.clusterName]: cluster, [clusterApiLabels.deploymentName]: name },
      },
      template: templateObject(kinds, name, options),
    },
  )
}

/** Returns a health check that replaces Machines of the MachineDeployment whose Node is not ready, in the format of the sample. */
export const healthCheckObject = (
  kinds: SimulatedKinds,
  deployment: string,
  cluster = CLUSTER,
): NewObject<MachineHealthCheckOnWire> =>
  objectOf(
    kinds.MachineHealthCheck,
    { namespace: NAMESPACE, name: deployment },
    {
      clusterName: cluster,
      selector: { matchLabels: { [clusterApiLabels.deploymentName]: deployment } },
      checks: {
        nodeStartupTimeoutSeconds: 600,
        unhealthyNodeConditions: [
          { type: 'Ready', status: 'False', timeoutSeconds: 60 },
          { type: 'Ready', status: 'Unknown', timeoutSeconds: 60 },
        ],
      },
    },
  )

export interface PlantedMachine {
  readonly providerID: string
  readonly cluster?: string
  readonly isMember?: boolean
  readonly isControlPlane?: boolean
}

/** Returns a Machine without a MachineSet, which belongs to the control plane or to another user. */
export const plantedMachine = (
  kinds: SimulatedKinds,
  name: string,
  { providerID, cluster = CLUSTER, isMember = false, isControlPlane = false }: PlantedMachine,
): NewObject<MachineOnWire> =>
  objectOf(
    kinds.Machine,
    {
      namespace: NAMESPACE,
      name,
      labels: {
        [clusterApiLabels.clusterName]: cluster,
        ...(isMember ? { [clusterApiLabels.member]: '' } : {}),
        ...(isControlPlane ? { 'cluster.x-k8s.io/control-plane': '' } : {}),
      },
    },
    { clusterName: cluster, providerID, bootstrap: {} },
  )

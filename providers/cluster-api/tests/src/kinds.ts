import type { Condition, KubeObject, ResourceKind, Taint } from '@kerf/apis'

/** A reference to an object of the same namespace in the format of v1beta2. */
interface LocalReference {
  readonly apiGroup: string
  readonly kind: string
  readonly name: string
}

interface WithConditions {
  readonly conditions?: readonly Condition[]
}

export interface Machine extends KubeObject {
  readonly spec: {
    readonly clusterName: string
    readonly providerID?: string
    readonly version?: string
    readonly bootstrap: { readonly configRef?: LocalReference; readonly dataSecretName?: string }
    readonly infrastructureRef: LocalReference
  }
  readonly status?: WithConditions & { readonly phase?: string; readonly nodeRef?: { readonly name: string } }
}

export interface MachineDeployment extends KubeObject {
  readonly spec: { readonly clusterName: string; readonly replicas?: number }
  readonly status?: WithConditions & {
    readonly replicas?: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
  }
}

export interface KubeadmConfig extends KubeObject {
  readonly spec: {
    readonly joinConfiguration?: {
      readonly nodeRegistration?: {
        readonly taints?: readonly Taint[]
        readonly kubeletExtraArgs?: readonly { readonly name: string; readonly value: string }[]
      }
    }
  }
}

const define = <T extends KubeObject>(group: string, kind: string, plural: string): ResourceKind<T> => ({
  group,
  version: 'v1beta2',
  kind,
  plural,
  namespaced: true,
})

const CORE = 'cluster.x-k8s.io'
const BOOTSTRAP = 'bootstrap.cluster.x-k8s.io'
const CONTROL_PLANE = 'controlplane.cluster.x-k8s.io'
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io'

/** The Secret in which Cluster API stores a workload cluster's kubeconfig. */
export const secretKind: ResourceKind<KubeObject & { readonly data?: Readonly<Record<string, string>> }> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
}

/** The kinds of Cluster API that the harness reads or writes, in the storage version of its release. */
export const clusterApiKinds = {
  Cluster: define<KubeObject & { readonly status?: WithConditions }>(CORE, 'Cluster', 'clusters'),
  Machine: define<Machine>(CORE, 'Machine', 'machines'),
  MachineSet: define(CORE, 'MachineSet', 'machinesets'),
  MachineDeployment: define<MachineDeployment>(CORE, 'MachineDeployment', 'machinedeployments'),
  MachineHealthCheck: define<KubeObject & { readonly spec: object }>(CORE, 'MachineHealthCheck', 'machinehealthchecks'),
  KubeadmConfig: define<KubeadmConfig>(BOOTSTRAP, 'KubeadmConfig', 'kubeadmconfigs'),
  KubeadmConfigTemplate: define(BOOTSTRAP, 'KubeadmConfigTemplate', 'kubeadmconfigtemplates'),
  KubeadmControlPlane: define(CONTROL_PLANE, 'KubeadmControlPlane', 'kubeadmcontrolplanes'),
  DevCluster: define(INFRASTRUCTURE, 'DevCluster', 'devclusters'),
  DevMachine: define(INFRASTRUCTURE, 'DevMachine', 'devmachines'),
  DevMachineTemplate: define(INFRASTRUCTURE, 'DevMachineTemplate', 'devmachinetemplates'),
} as const

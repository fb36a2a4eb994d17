import {
  formatTime,
  groupVersion,
  kinds,
  type Milliseconds,
  type Node,
  type Pod,
  parseTime,
  type Taint,
} from '@kerf/apis'
import { isNotFound, isTooManyRequests, type KubeClient } from '@kerf/runtime'
import { clusterApiAnnotations, clusterApiLabels } from '../../names.ts'
import type { Machine } from '../../objects/machine.ts'
import type { MachineSet } from '../../objects/machine-set.ts'

const UNINITIALIZED: Taint = { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' }
const UNREGISTERED: Taint = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' }

/**
 * Returns true for labels that Cluster API copies from a Machine to its Node, by the part of the key before the slash
 * (`providers/cluster-api/docs/spec/cluster-api.md#labels`).
 */
const isSynced = (key: string): boolean => {
  const domain = key.split('/')[0] ?? ''
  return (
    domain === 'node-role.kubernetes.io' ||
    /(^|\.)node-restriction\.kubernetes\.io$/.test(domain) ||
    /(^|\.)node\.cluster\.x-k8s\.io$/.test(domain)
  )
}

const syncedLabels = ({ labels }: Machine): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => isSynced(key)))

export interface MachineNodesOptions {
  readonly client: KubeClient
  /** False if simulated kubelets make Nodes ready. */
  readonly reportsReady: boolean
}

/** The Nodes of simulated Machines in the workload cluster: registered, labelled, drained, deleted. */
export class MachineNodes {
  readonly #client: KubeClient
  readonly #reportsReady: boolean

  constructor(options: MachineNodesOptions) {
    this.#client = options.client
    this.#reportsReady = options.reportsReady
  }

  async all(): Promise<ReadonlyMap<string, Node>> {
    const { items } = await this.#client.list(kinds.Node)
    return new Map(items.map((node) => [node.metadata.name, node]))
  }

  /** Registers the Node like a kubelet, with the labels and taints of its bootstrap configuration. */
  async register(machine: Machine, set: MachineSet, now: Milliseconds): Promise<void> {
    const capacity = machineSetCapacity(set)
    const node: Node = {
      apiVersion: groupVersion(kinds.Node),
      kind: 'Node',
      metadata: {
        name: machine.name,
        labels: { 'kubernetes.io/os': 'linux', 'kubernetes.io/hostname': machine.name, ...machineSetLabels(set) },
      },
      spec: { providerID: machine.providerId ?? '', taints: [UNINITIALIZED, UNREGISTERED] },
    }
    await this.#client.create(kinds.Node, node)
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      message: '',
      lastTransitionTime: formatTime(now),
    }
    const status = { capacity, allocatable: capacity, ...(this.#reportsReady ? { conditions: [ready] } : {}) }
    await this.#patch(machine.name, { status }, 'status')
  }

  /** Updates the Node of a Machine like Cluster API: sets labels and annotations, and removes its taint. */
  async sync(machine: Machine, node: Node): Promise<void> {
    const labels = syncedLabels(machine)
    const before = node.metadata
    const annotations = {
      'cluster.x-k8s.io/cluster-name': machine.clusterName,
      'cluster.x-k8s.io/cluster-namespace': machine.namespace,
      'cluster.x-k8s.io/labels-from-machine': Object.keys(labels).sort().join(','),
      [clusterApiAnnotations.machine]: machine.name,
      'cluster.x-k8s.io/owner-kind': 'MachineSet',
      'cluster.x-k8s.io/owner-name': machine.setName ?? '',
    }
    const isSame =
      Object.entries(labels).every(([key, value]) => before.labels?.[key] === value) &&
      Object.entries(annotations).every(([key, value]) => before.annotations?.[key] === value)
    const taints = node.spec.taints ?? []
    const left = taints.filter(({ key }) => key !== UNINITIALIZED.key)
    if (isSame && left.length === taints.length) return
    await this.#patch(machine.name, {
      metadata: { labels, annotations, resourceVersion: before.resourceVersion },
      ...(left.length === taints.length ? {} : { spec: { taints: left } }),
    })
  }

  /**
   * Cordons the Node and evicts its pods. Returns true once no pod is left that an eviction could end. The kubelet of an unreachable Node
   * ends no pods, so pods that have been terminating for more than a second do not count there (`machine_controller.go`, drainNode).
   */
  async drain(node: Node, now: Milliseconds): Promise<boolean> {
    const { name } = node.metadata
    if (node.spec.unschedulable !== true) await this.#patch(name, { spec: { unschedulable: true } })
    const { items } = await this.#client.list(kinds.Pod, { fieldSelector: `spec.nodeName=${name}` })
    const isUnreachable = node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'Unknown')
    const left = items.filter(
      (pod) => isEvictable(pod) && !(isUnreachable === true && isDeletedBefore(pod, now - SKIP_DELETED_AFTER)),
    )
    for (const pod of left.filter(({ metadata }) => metadata.deletionTimestamp === undefined)) {
      const ref = { namespace: pod.metadata.namespace ?? 'default', name: pod.metadata.name }
      await this.#client.evict(ref).catch((error: unknown) => {
        if (!isNotFound(error) && !isTooManyRequests(error)) throw error
      })
    }
    return left.length === 0
  }

  async delete(name: string): Promise<void> {
    await ignoringMissing(this.#client.delete(kinds.Node, { name }))
  }

  #patch(name: string, body: object, subresource?: string): Promise<unknown> {
    const options = subresource === undefined ? {} : { subresource }
    return ignoringMissing(this.#client.patch(kinds.Node, { name }, { type: 'merge', body }, options))
  }
}

/** Ignores a not-found error, because the object may have been deleted meanwhile. */
export const ignoringMissing = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

const SKIP_DELETED_AFTER: Milliseconds = 1_000

const isDeletedBefore = ({ metadata }: Pod, time: Milliseconds): boolean =>
  (parseTime(metadata.deletionTimestamp) ?? Number.POSITIVE_INFINITY) < time

const isEvictable = ({ metadata, status }: Pod): boolean =>
  status?.phase !== 'Succeeded' &&
  status?.phase !== 'Failed' &&
  metadata.annotations?.['kubernetes.io/config.mirror'] === undefined &&
  metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') !== true

/**
 * Returns the capacity that the MachineDeployment declares. The MachineSet has the deployment's annotations
 * (samples/v1beta2/machine-set.json).
 */
const machineSetCapacity = ({ annotations }: MachineSet): Readonly<Record<string, string>> => ({
  cpu: annotations[clusterApiAnnotations.cpu] ?? '2',
  memory: annotations[clusterApiAnnotations.memory] ?? '4Gi',
  pods: annotations[clusterApiAnnotations.maxPods] ?? '110',
  'ephemeral-storage': annotations[clusterApiAnnotations.ephemeralDisk] ?? '100Gi',
})

/**
 * Returns the labels in the kubelet's bootstrap configuration. In the simulation, these are the labels that the MachineDeployment declares.
 */
const machineSetLabels = ({ annotations }: MachineSet): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (annotations[clusterApiAnnotations.labels] ?? '')
      .split(',')
      .filter((part) => part.includes('='))
      .map((part): [string, string] => [
        part.slice(0, part.indexOf('=')).trim(),
        part.slice(part.indexOf('=') + 1).trim(),
      ])
      .filter(([key]) => key !== clusterApiLabels.member && key !== 'karpenter.sh/capacity-type'),
  )

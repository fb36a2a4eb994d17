import type { Taint } from '@kerf/apis'
import type { KubeClient, ObjectRef } from '@kerf/runtime'
import { parse, parseAllDocuments } from 'yaml'
import { clusterApiKinds, type Machine, secretKind } from './kinds.ts'

/** The data with which a kubelet registers its Node. */
export interface Registration {
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly capacity: Readonly<Record<string, string>>
}

/** The format of kubeadm's configuration, which has `null` for empty fields. */
interface NodeRegistration {
  readonly taints?: readonly Taint[] | null
  readonly kubeletExtraArgs?: readonly { readonly name: string; readonly value: string }[] | null
}

interface CloudConfig {
  readonly write_files?: readonly { readonly path: string; readonly content: string }[]
}

const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io/'
const QUANTITY = /^\d+(\.\d+)?([munkMGTPE]|[KMGTPE]i)?$/

/** The capacity of machines without an annotated MachineDeployment. */
const DEFAULT_CAPACITY = { cpu: '2', memory: '4Gi', pods: '110' }

const labelsIn = (flag: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    flag
      .split(',')
      .filter((pair) => pair !== '')
      .map((pair) => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)]),
  )

/** Returns the configuration that kubeadm would read on the machine. The cloud-config contains it as a file. */
const nodeRegistrationIn = (bootstrapData: string): NodeRegistration => {
  const config = parse(bootstrapData) as CloudConfig
  for (const { content } of config.write_files ?? []) {
    if (!content.includes('nodeRegistration:')) continue
    for (const document of parseAllDocuments(content)) {
      const { nodeRegistration } = document.toJS() as { readonly nodeRegistration?: NodeRegistration }
      if (nodeRegistration !== undefined) return nodeRegistration
    }
  }
  return {}
}

const capacityOf = async (management: KubeClient, { metadata }: Machine): Promise<Registration['capacity']> => {
  const { namespace = '', labels } = metadata
  const deployment = labels?.['cluster.x-k8s.io/deployment-name']
  if (deployment === undefined) return DEFAULT_CAPACITY
  const found = await management.get(clusterApiKinds.MachineDeployment, { namespace, name: deployment })
  // An annotation with an invalid quantity does not change the capacity of a machine.
  const amount = (key: string): string | undefined => {
    const text = found.metadata.annotations?.[`${CAPACITY}${key}`]
    return text !== undefined && QUANTITY.test(text) ? text : undefined
  }
  const gpu = found.metadata.annotations?.[`${CAPACITY}gpu-type`]
  const disk = amount('ephemeral-disk')
  return {
    cpu: amount('cpu') ?? DEFAULT_CAPACITY.cpu,
    memory: amount('memory') ?? DEFAULT_CAPACITY.memory,
    pods: amount('maxPods') ?? DEFAULT_CAPACITY.pods,
    ...(disk !== undefined && { 'ephemeral-storage': disk }),
    ...(gpu !== undefined && { [gpu]: amount('gpu-count') ?? '0' }),
  }
}

/**
 * Returns the data with which the kubelet of a machine registers: the labels and taints of its bootstrap data, and the capacity of its
 * MachineDeployment.
 */
export const readRegistration = async (management: KubeClient, ref: Required<ObjectRef>): Promise<Registration> => {
  const machine = await management.get(clusterApiKinds.Machine, ref)
  const { namespace, name } = ref
  const secret = await management.get(secretKind, { namespace, name: machine.spec.bootstrap.dataSecretName ?? '' })
  const data = Buffer.from(secret.data?.['value'] ?? '', 'base64').toString()
  const { taints, kubeletExtraArgs } = nodeRegistrationIn(data)
  const flag = kubeletExtraArgs?.find((argument) => argument.name === 'node-labels')?.value ?? ''
  const own = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' }
  return {
    labels: { ...own, ...labelsIn(flag) },
    taints: taints ?? [],
    capacity: await capacityOf(management, machine),
  }
}

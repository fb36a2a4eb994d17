import type { Taint } from '@kerf/apis'
import type { KubeClient, ObjectRef } from '@kerf/runtime'
import { parse, parseAllDocuments } from 'yaml'
import { clusterApiKinds, type Machine, secretKind } from './kinds.ts'

/** What a kubelet registers its Node with. */
export interface Registration {
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly capacity: Readonly<Record<string, string>>
}

/** As kubeadm's configuration has it, which writes `null` for what is empty. */
interface NodeRegistration {
  readonly taints?: readonly Taint[] | null
  readonly kubeletExtraArgs?: readonly { readonly name: string; readonly value: string }[] | null
}

interface CloudConfig {
  readonly write_files?: readonly { readonly path: string; readonly content: string }[]
}

const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io/'
const QUANTITY = /^\d+(\.\d+)?([munkMGTPE]|[KMGTPE]i)?$/

/** Of machines that no annotated MachineDeployment describes. */
const DEFAULT_CAPACITY = { cpu: '2', memory: '4Gi', pods: '110' }

const labelsIn = (flag: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    flag
      .split(',')
      .filter((pair) => pair !== '')
      .map((pair) => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)]),
  )

/** What the machine's own kubeadm would read: its configuration is among the files of the cloud-config. */
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
  // A machine has what it has, also where the annotation says something that is no quantity.
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
 * With what the kubelet of a machine registers: labels and taints as its bootstrap data says, and as much capacity as its
 * MachineDeployment promises.
 */
export const registrationOf = async (management: KubeClient, ref: Required<ObjectRef>): Promise<Registration> => {
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

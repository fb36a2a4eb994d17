import { type Container, type KubeObject, kinds, type Milliseconds, type Node, type PodSpec } from '@kerf/apis'
import { parse } from 'yaml'
import { namespaceOf } from '../workloads/workload.ts'
import type { ObjectsByKind } from './objects-by-kind.ts'

/** A node group, as Cluster Autoscaler's status and the nodes show it. */
export interface NodeGroup {
  readonly name: string
  /** Known from the status only. */
  readonly size?: { readonly min: number; readonly max: number }
  readonly nodes: readonly Node[]
}

/** What can be known of a Cluster Autoscaler without its cloud. */
export interface ClusterAutoscaler {
  readonly deployment?: KubeObject
  readonly namespace: string
  readonly image?: string
  /** The flags of its command line without their dashes; the last of several with one name. */
  readonly flags: ReadonlyMap<string, string>
  /** Whether it runs: it has replicas or, where no Deployment was read, its status is fresh. */
  readonly runs: boolean
  readonly status?: ClusterAutoscalerStatus
  readonly groups: readonly NodeGroup[]
}

export interface ClusterAutoscalerStatus {
  readonly writtenAt?: Milliseconds
  readonly health?: string
  readonly groups: readonly { readonly name: string; readonly min: number; readonly max: number }[]
}

/** After this age a status is one that a crash left: it is written with every loop (`docs/spec/coexistence.md#status`). */
const STATUS_LIFETIME: Milliseconds = 180_000

/** Labels whose value is the name of the node group that a node belongs to. */
export const groupLabels: readonly string[] = [
  'eks.amazonaws.com/nodegroup',
  'alpha.eksctl.io/nodegroup-name',
  'cloud.google.com/gke-nodepool',
  'kubernetes.azure.com/agentpool',
  'kops.k8s.io/instancegroup',
]

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const wordsOf = ({
  command,
  args,
}: Container & { readonly command?: readonly string[]; readonly args?: readonly string[] }) => [
  ...(command ?? []),
  ...(args ?? []),
]

/** The container that is a Cluster Autoscaler, by its image or its command. */
const autoscalerContainer = (spec: PodSpec | undefined): Container | undefined =>
  (spec?.containers ?? []).find(
    (container) =>
      /(^|\/)cluster-autoscaler([-:@]|$)/.test(container.image ?? '') ||
      /(^|\/)cluster-autoscaler$/.test(wordsOf(container)[0] ?? ''),
  )

/** `--name=value`, `--name value` and `--name` alone, which means true. */
const flagsOf = (words: readonly string[]): ReadonlyMap<string, string> => {
  const flags = new Map<string, string>()
  for (const [index, word] of words.entries()) {
    const [, name, value] = /^--?([a-zA-Z][\w-]*)(?:=(.*))?$/s.exec(word) ?? []
    if (name === undefined) continue
    const next = words[index + 1]
    flags.set(name, value ?? (next === undefined || next.startsWith('-') ? 'true' : next))
  }
  return flags
}

/** `2026-08-22 09:00:00.1 +0000 UTC`, as Go prints a time. */
const goTime = (text: unknown): Milliseconds | undefined => {
  const [, day, time, zone] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) ([+-]\d{4})/.exec(String(text)) ?? []
  if (day === undefined || time === undefined || zone === undefined) return undefined
  const [clock = '', fraction = ''] = time.split('.')
  const at = Date.parse(`${day}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}${zone.slice(0, 3)}:${zone.slice(3)}`)
  return Number.isNaN(at) ? undefined : at
}

/** The status, in the form that it has since it is YAML. Undefined for the prose of older releases and for anything else. */
const statusOf = (text: string | undefined): ClusterAutoscalerStatus | undefined => {
  if (text === undefined) return undefined
  let document: unknown
  try {
    document = parse(text, { logLevel: 'silent' })
  } catch {
    return undefined
  }
  if (!isRecord(document) || document['autoscalerStatus'] === undefined) return undefined
  const wide = isRecord(document['clusterWide']) ? document['clusterWide']['health'] : undefined
  const writtenAt = goTime(document['time'])
  const groups = Array.isArray(document['nodeGroups']) ? document['nodeGroups'] : []
  return {
    ...(writtenAt === undefined ? {} : { writtenAt }),
    ...(isRecord(wide) && typeof wide['status'] === 'string' ? { health: wide['status'] } : {}),
    groups: groups.filter(isRecord).flatMap(({ name, health }) => {
      if (typeof name !== 'string') return []
      const { minSize, maxSize } = isRecord(health) ? health : {}
      return [{ name, min: typeof minSize === 'number' ? minSize : 0, max: typeof maxSize === 'number' ? maxSize : 0 }]
    }),
  }
}

/** Whether a node shows by a label that it is of the group. The groups of EKS have the name of the node group within theirs. */
const isOfGroup = (node: Node, group: string): boolean =>
  Object.entries(node.metadata.labels ?? {}).some(
    ([key, value]) => value === group || (key === groupLabels[0] && group.startsWith(`eks-${value}-`)),
  )

const groupsOf = (nodes: readonly Node[], status: ClusterAutoscalerStatus | undefined): readonly NodeGroup[] => {
  const reported = (status?.groups ?? []).map(({ name, min, max }) => ({
    name,
    size: { min, max },
    nodes: nodes.filter((node) => isOfGroup(node, name)),
  }))
  const grouped = new Set(reported.flatMap(({ nodes: own }) => own))
  const others = new Map<string, Node[]>()
  for (const node of nodes) {
    const name = groupLabels.map((label) => node.metadata.labels?.[label]).find((each) => each !== undefined)
    if (name === undefined || grouped.has(node)) continue
    others.set(name, [...(others.get(name) ?? []), node])
  }
  return [...reported, ...Array.from(others, ([name, own]) => ({ name, nodes: own }))]
}

/**
 * The Cluster Autoscaler of a cluster, read off its Deployment, its status and the nodes that no NodePool made. Undefined
 * when nothing shows that there is one.
 */
export const findClusterAutoscaler = (
  objects: ObjectsByKind,
  foreignNodes: readonly Node[],
  now: Milliseconds,
): ClusterAutoscaler | undefined => {
  const deployment = objects
    .of(kinds.Deployment)
    .find(({ spec }) => autoscalerContainer(spec?.template?.spec) !== undefined)
  const container = autoscalerContainer(deployment?.spec.template.spec)
  const flags = flagsOf(container === undefined ? [] : wordsOf(container))
  const statusName = flags.get('status-config-map-name') ?? 'cluster-autoscaler-status'
  const configMap = objects.of(kinds.ConfigMap).find(({ metadata }) => metadata.name === statusName)
  const status = statusOf(configMap?.data?.['status'])
  if (deployment === undefined && status === undefined) return undefined
  const isFresh = status?.writtenAt !== undefined && now - status.writtenAt <= STATUS_LIFETIME
  return {
    ...(deployment === undefined ? {} : { deployment }),
    ...(status === undefined ? {} : { status }),
    ...(container?.image === undefined ? {} : { image: container.image }),
    namespace: namespaceOf(deployment ?? configMap ?? { apiVersion: 'v1', kind: '', metadata: { name: '' } }),
    flags,
    runs: deployment === undefined ? isFresh : (deployment.spec.replicas ?? 1) > 0,
    groups: groupsOf(foreignNodes, status),
  }
}

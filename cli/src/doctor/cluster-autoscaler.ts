import { type Container, type KubeObject, kinds, type Milliseconds, type Node, type PodSpec } from '@kerf/apis'
import { type ClusterAutoscalerStatus, groupOf, isFresh, isOfGroup, statusConfigMap, statusOf } from '@kerf/controllers'
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

const groupsOf = (nodes: readonly Node[], status: ClusterAutoscalerStatus | undefined): readonly NodeGroup[] => {
  const reported = (status?.groups ?? []).map(({ name, min, max }) => ({
    name,
    size: { min, max },
    nodes: nodes.filter((node) => isOfGroup(node, name)),
  }))
  const grouped = new Set(reported.flatMap(({ nodes: own }) => own))
  const others = new Map<string, Node[]>()
  for (const node of nodes) {
    const name = groupOf(node, [])?.name
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
  const statusName = flags.get('status-config-map-name') ?? statusConfigMap.name
  const configMap = objects.of(kinds.ConfigMap).find(({ metadata }) => metadata.name === statusName)
  const status = statusOf(configMap?.data?.['status'])
  if (deployment === undefined && status === undefined) return undefined
  return {
    ...(deployment === undefined ? {} : { deployment }),
    ...(status === undefined ? {} : { status }),
    ...(container?.image === undefined ? {} : { image: container.image }),
    namespace: namespaceOf(deployment ?? configMap ?? { apiVersion: 'v1', kind: '', metadata: { name: '' } }),
    flags,
    runs: deployment === undefined ? status !== undefined && isFresh(status, now) : (deployment.spec.replicas ?? 1) > 0,
    groups: groupsOf(foreignNodes, status),
  }
}

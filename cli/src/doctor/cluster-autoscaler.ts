import {
  type Container,
  type Deployment,
  type KubeObject,
  kinds,
  type Milliseconds,
  type Node,
  type PodSpec,
} from '@kerf/apis'
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

/** The ConfigMap of the priority expander. */
export const PRIORITY_CONFIG = 'cluster-autoscaler-priority-expander'

/** One flag of a command line, without its dashes. */
export interface AutoscalerFlag {
  readonly name: string
  readonly value: string
  /** Where it stands, if it is no flag of a command line. */
  readonly source?: { readonly object: string; readonly field: string }
}

/** What can be known of a Cluster Autoscaler without its cloud. */
export interface ClusterAutoscaler {
  readonly deployment?: KubeObject
  readonly namespace: string
  /** Where its status and its priorities may be, the likeliest first: `--namespace`, its own, and the default of the flag. */
  readonly configNamespaces: readonly string[]
  readonly image?: string
  /** The flags of its command line without their dashes; the last of several with one name. */
  readonly flags: ReadonlyMap<string, string>
  /** Every flag of its command line in order: `--nodes` and others may be repeated. */
  readonly flagList: readonly AutoscalerFlag[]
  /** Whether it runs: it has replicas or, where no Deployment was read, its status is fresh. */
  readonly runs: boolean
  readonly status?: ClusterAutoscalerStatus
  /** `NAMESPACE/NAME` of the ConfigMap that has its status, or should have it. */
  readonly statusConfigMap: string
  /** Why there is no status: its ConfigMap is not there, or its text is in no form that Kerf reads. */
  readonly unreadStatus?: string
  readonly groups: readonly NodeGroup[]
}

/** Where Cluster Autoscaler keeps its ConfigMaps, and the name of the one with its status. */
export interface AutoscalerConfig {
  readonly namespaces: readonly string[]
  readonly statusName: string
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

/** The words of the command; of one that a shell reads (`sh -c "./cluster-autoscaler --v=4"`) those of its script. */
const commandWords = (container: Container): readonly string[] => {
  const words = wordsOf(container)
  const script = words.find((word) => /cluster-autoscaler\s/.test(word))
  return script === undefined
    ? words
    : (script.match(/(?:[^\s"'\\]|"[^"]*"|'[^']*')+/g) ?? []).map((each) => each.replaceAll(/["']/g, ''))
}

/** `--name=value`, `--name value` and `--name` alone, which means true. */
const flagsOf = (words: readonly string[]): readonly AutoscalerFlag[] =>
  words.flatMap((word, index) => {
    const [, name, value] = /^--?([a-zA-Z][\w-]*)(?:=(.*))?$/s.exec(word) ?? []
    if (name === undefined) return []
    const next = words[index + 1]
    return [{ name, value: value ?? (next === undefined || next.startsWith('-') ? 'true' : next) }]
  })

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

const deploymentOf = (objects: ObjectsByKind): Deployment | undefined =>
  objects.of(kinds.Deployment).find(({ spec }) => autoscalerContainer(spec?.template?.spec) !== undefined)

const flagsIn = (container: Container | undefined): readonly AutoscalerFlag[] =>
  flagsOf(container === undefined ? [] : commandWords(container))

const valueIn = (flags: readonly AutoscalerFlag[], name: string): string | undefined =>
  flags.findLast((flag) => flag.name === name)?.value

const configOf = (deployment: Deployment | undefined, flags: readonly AutoscalerFlag[]): AutoscalerConfig => ({
  namespaces: [
    ...new Set([
      ...[valueIn(flags, 'namespace')].filter((each) => each !== undefined),
      ...(deployment === undefined ? [] : [namespaceOf(deployment)]),
      statusConfigMap.namespace,
    ]),
  ],
  statusName: valueIn(flags, 'status-config-map-name') ?? statusConfigMap.name,
})

/** Where the Cluster Autoscaler of these objects keeps its ConfigMaps. */
export const autoscalerConfig = (objects: ObjectsByKind): AutoscalerConfig => {
  const deployment = deploymentOf(objects)
  return configOf(deployment, flagsIn(autoscalerContainer(deployment?.spec.template.spec)))
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
  const deployment = deploymentOf(objects)
  const container = autoscalerContainer(deployment?.spec.template.spec)
  const flagList = flagsIn(container)
  const flags = new Map(flagList.map(({ name, value }) => [name, value]))
  const { namespaces, statusName } = configOf(deployment, flagList)
  const named = objects.of(kinds.ConfigMap).filter(({ metadata }) => metadata.name === statusName)
  // Without a Deployment nothing says where it runs.
  const configMap =
    namespaces.flatMap((namespace) => named.filter((each) => namespaceOf(each) === namespace)).at(0) ??
    (deployment === undefined ? named[0] : undefined)
  const status = statusOf(configMap?.data?.['status'])
  if (deployment === undefined && configMap === undefined) return undefined
  const unreadStatus =
    configMap === undefined
      ? `there is no ConfigMap ${statusName} in ${namespaces.join(' or ')}`
      : `the status in ConfigMap ${namespaceOf(configMap)}/${statusName} has a form that Kerf does not read`
  return {
    ...(deployment === undefined ? {} : { deployment }),
    ...(status === undefined ? { unreadStatus } : { status }),
    configNamespaces: namespaces,
    statusConfigMap: `${configMap === undefined ? namespaces[0] : namespaceOf(configMap)}/${statusName}`,
    ...(container?.image === undefined ? {} : { image: container.image }),
    namespace: namespaceOf(deployment ?? configMap ?? { apiVersion: 'v1', kind: '', metadata: { name: '' } }),
    flags,
    flagList,
    runs: deployment === undefined ? status !== undefined && isFresh(status, now) : (deployment.spec.replicas ?? 1) > 0,
    groups: groupsOf(foreignNodes, status),
  }
}

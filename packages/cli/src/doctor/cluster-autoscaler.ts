import {
  type Container,
  type Deployment,
  type KubeObject,
  kinds,
  type Milliseconds,
  type Node,
  type PodSpec,
} from '@kerf/apis'
import {
  type ClusterAutoscalerStatus,
  isFresh,
  isOfGroup,
  nodeGroupName,
  parseAutoscalerStatus,
  statusConfigMap,
} from '@kerf/controllers'
import { nodeGroupLabels } from '../node-group-labels.ts'
import { objectNamespace } from '../workloads/workload.ts'
import type { ObjectsByKind } from './objects-by-kind.ts'

/** A node group, according to Cluster Autoscaler's status and the nodes. */
export interface NodeGroup {
  readonly name: string
  /** The minimum and maximum size, which only the status contains. */
  readonly size?: { readonly min: number; readonly max: number }
  readonly nodes: readonly Node[]
}

/** Name of the ConfigMap for the priority expander. */
export const PRIORITY_CONFIG = 'cluster-autoscaler-priority-expander'

/** A flag of a command line, without its dashes. */
export interface AutoscalerFlag {
  readonly name: string
  readonly value: string
  /** The source of the setting, if it is not a flag on a command line. */
  readonly source?: { readonly object: string; readonly field: string }
}

/** Facts about a Cluster Autoscaler that Kerf finds without access to the autoscaler's cloud. */
export interface ClusterAutoscaler {
  readonly deployment?: KubeObject
  readonly namespace: string
  /**
   * Namespaces that may contain the ConfigMaps of Cluster Autoscaler, most likely first: the value of `--namespace`, the namespace of the
   * autoscaler, and the default value of the flag.
   */
  readonly configNamespaces: readonly string[]
  readonly image?: string
  /** Flags of its command line by name, without dashes. If a flag is repeated, the last value applies. */
  readonly flags: ReadonlyMap<string, string>
  /** All flags of its command line in order. Some flags, such as `--nodes`, may occur several times. */
  readonly flagList: readonly AutoscalerFlag[]
  /** Whether Cluster Autoscaler runs: its Deployment has replicas or, if no Deployment was read, its status is fresh. */
  readonly runs: boolean
  readonly status?: ClusterAutoscalerStatus
  /** `NAMESPACE/NAME` of the status ConfigMap, whether it exists or not. */
  readonly statusConfigMap: string
  /** Why the status is unknown: the ConfigMap is missing, or Kerf cannot parse its text. */
  readonly unreadStatus?: string
  readonly groups: readonly NodeGroup[]
}

/** The namespaces in which Cluster Autoscaler stores its ConfigMaps, and the name of its status ConfigMap. */
export interface AutoscalerConfig {
  readonly namespaces: readonly string[]
  readonly statusName: string
}

const containerWords = ({
  command,
  args,
}: Container & { readonly command?: readonly string[]; readonly args?: readonly string[] }) => [
  ...(command ?? []),
  ...(args ?? []),
]

/** Returns the container that runs Cluster Autoscaler, by its image or its command. */
const autoscalerContainer = (spec: PodSpec | undefined): Container | undefined =>
  (spec?.containers ?? []).find(
    (container) =>
      /(^|\/)cluster-autoscaler([-:@]|$)/.test(container.image ?? '') ||
      /(^|\/)cluster-autoscaler$/.test(containerWords(container)[0] ?? ''),
  )

/**
 * Returns the words of the container's command. If a shell runs a script (`sh -c "./cluster-autoscaler --v=4"`), returns the words
 * of the script.
 */
const commandWords = (container: Container): readonly string[] => {
  const words = containerWords(container)
  const script = words.find((word) => /cluster-autoscaler\s/.test(word))
  return script === undefined
    ? words
    : (script.match(/(?:[^\s"'\\]|"[^"]*"|'[^']*')+/g) ?? []).map((each) => each.replaceAll(/["']/g, ''))
}

/** Parses flags in the forms `--name=value`, `--name value`, and `--name`, which means true. */
const parseFlags = (words: readonly string[]): readonly AutoscalerFlag[] =>
  words.flatMap((word, index) => {
    const [, name, value] = /^--?([a-zA-Z][\w-]*)(?:=(.*))?$/s.exec(word) ?? []
    if (name === undefined) return []
    const next = words[index + 1]
    return [{ name, value: value ?? (next === undefined || next.startsWith('-') ? 'true' : next) }]
  })

const nodeGroups = (nodes: readonly Node[], status: ClusterAutoscalerStatus | undefined): readonly NodeGroup[] => {
  const reported = (status?.groups ?? []).map(({ name, min, max }) => ({
    name,
    size: { min, max },
    nodes: nodes.filter((node) => isOfGroup(node, name, nodeGroupLabels)),
  }))
  const grouped = new Set(reported.flatMap(({ nodes: own }) => own))
  const others = new Map<string, Node[]>()
  for (const node of nodes) {
    const name = nodeGroupName(node, [], nodeGroupLabels)?.name
    if (name === undefined || grouped.has(node)) continue
    others.set(name, [...(others.get(name) ?? []), node])
  }
  return [...reported, ...Array.from(others, ([name, own]) => ({ name, nodes: own }))]
}

const findDeployment = (objects: ObjectsByKind): Deployment | undefined =>
  objects.of(kinds.Deployment).find(({ spec }) => autoscalerContainer(spec?.template?.spec) !== undefined)

const flagsIn = (container: Container | undefined): readonly AutoscalerFlag[] =>
  parseFlags(container === undefined ? [] : commandWords(container))

const valueIn = (flags: readonly AutoscalerFlag[], name: string): string | undefined =>
  flags.findLast((flag) => flag.name === name)?.value

const deploymentConfig = (deployment: Deployment | undefined, flags: readonly AutoscalerFlag[]): AutoscalerConfig => ({
  namespaces: [
    ...new Set([
      ...[valueIn(flags, 'namespace')].filter((each) => each !== undefined),
      ...(deployment === undefined ? [] : [objectNamespace(deployment)]),
      statusConfigMap.namespace,
    ]),
  ],
  statusName: valueIn(flags, 'status-config-map-name') ?? statusConfigMap.name,
})

/** Returns the location of Cluster Autoscaler's ConfigMaps: the namespaces, and the name of the status ConfigMap. */
export const autoscalerConfig = (objects: ObjectsByKind): AutoscalerConfig => {
  const deployment = findDeployment(objects)
  return deploymentConfig(deployment, flagsIn(autoscalerContainer(deployment?.spec.template.spec)))
}

/**
 * Returns the Cluster Autoscaler of a cluster, from its Deployment, its status and the nodes that do not belong to a NodePool. Returns
 * undefined if there is neither a Deployment nor a status.
 */
export const findClusterAutoscaler = (
  objects: ObjectsByKind,
  foreignNodes: readonly Node[],
  now: Milliseconds,
): ClusterAutoscaler | undefined => {
  const deployment = findDeployment(objects)
  const container = autoscalerContainer(deployment?.spec.template.spec)
  const flagList = flagsIn(container)
  const flags = new Map(flagList.map(({ name, value }) => [name, value]))
  const { namespaces, statusName } = deploymentConfig(deployment, flagList)
  const named = objects.of(kinds.ConfigMap).filter(({ metadata }) => metadata.name === statusName)
  // If the Deployment is missing, the namespace of the ConfigMap is unknown. A ConfigMap with the right name is then accepted in any
  // namespace.
  const configMap =
    namespaces.flatMap((namespace) => named.filter((each) => objectNamespace(each) === namespace)).at(0) ??
    (deployment === undefined ? named[0] : undefined)
  const status = parseAutoscalerStatus(configMap?.data?.['status'])
  if (deployment === undefined && configMap === undefined) return undefined
  const unreadStatus =
    configMap === undefined
      ? `there is no ConfigMap ${statusName} in ${namespaces.join(' or ')}`
      : `the status in ConfigMap ${objectNamespace(configMap)}/${statusName} has a format that Kerf does not support`
  return {
    ...(deployment === undefined ? {} : { deployment }),
    ...(status === undefined ? { unreadStatus } : { status }),
    configNamespaces: namespaces,
    statusConfigMap: `${configMap === undefined ? namespaces[0] : objectNamespace(configMap)}/${statusName}`,
    ...(container?.image === undefined ? {} : { image: container.image }),
    namespace: objectNamespace(deployment ?? configMap ?? { apiVersion: 'v1', kind: '', metadata: { name: '' } }),
    flags,
    flagList,
    runs: deployment === undefined ? status !== undefined && isFresh(status, now) : (deployment.spec.replicas ?? 1) > 0,
    groups: nodeGroups(foreignNodes, status),
  }
}

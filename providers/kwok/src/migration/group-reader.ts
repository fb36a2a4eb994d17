import { isEphemeralTaint, ownValue, plainText, type Taint } from '@kerf/apis'
import type { Fate } from '@kerf/provider-contract'
import { isLoose, type Loose, looseAt, numberOf, objectsOf, textMapOf, textOf } from '@kerf/provider-kit/documents'
import { fateOf } from '@kerf/provider-kit/migration'
import { yamlDocuments } from '../../manifests/yaml-documents.ts'
import { YamlError } from '../../manifests/yaml-error.ts'
import { largestSize, leastSize } from './group-size.ts'
import { isEffect } from './group-tags.ts'
import type { ReadGroup } from './read-asg.ts'
import type { CapacityType, SourceGroup } from './source-group.ts'

const ANNOTATION = 'cluster-autoscaler.kwok.nodegroup/'
const NAME_LABEL = 'kwok-nodegroup'
/** Maximum number of nodes of a group without an annotation. */
const MOST = 200

/** Matches labels that differ between the nodes of a group, and labels that Kerf sets itself. */
const OWN_LABELS =
  /^(kubernetes\.io\/(hostname|arch|os)|beta\.kubernetes\.io\/|node\.kubernetes\.io\/instance-type$|topology\.kubernetes\.io\/|failure-domain\.beta\.|karpenter\.sh\/)/

/** Returns the label or annotation by which the provider's configuration groups the templates. */
export const groupingOf = (configs: readonly string[]): { readonly label?: string; readonly annotation?: string } => {
  for (const text of configs) {
    const [document] = documentsOf(text)
    const label = textOf(looseAt(document, 'nodegroups', 'fromNodeLabelKey'))
    const annotation = textOf(looseAt(document, 'nodegroups', 'fromNodeAnnotationKey'))
    if (label !== undefined) return { label }
    if (annotation !== undefined) return { annotation }
  }
  return { label: NAME_LABEL }
}

const documentsOf = (text: string): readonly unknown[] => {
  try {
    return yamlDocuments(text).map(({ value }) => value)
  } catch (error) {
    if (error instanceof YamlError) return []
    throw error
  }
}

const taintsOf = (value: unknown): readonly Taint[] =>
  objectsOf(value).flatMap(({ key, value: text, effect }) => {
    if (typeof key !== 'string' || !isEffect(plainText(effect))) return []
    const taint: Taint = {
      key,
      ...(typeof text === 'string' && text !== '' ? { value: text } : {}),
      effect: String(effect) as Taint['effect'],
    }
    return isEphemeralTaint(taint) ? [] : [taint]
  })

const isStartup = ({ key }: Taint): boolean =>
  /^(startup-taint|ignore-taint)\.cluster-autoscaler\.kubernetes\.io\//.test(key)

/** Returns the group that a node describes. The node is a template or a running node. */
export const groupOfNode = (
  name: string,
  node: Loose,
  sizes: Pick<SourceGroup, 'min' | 'max' | 'desired'>,
  { origin, at }: Pick<SourceGroup, 'origin' | 'at'>,
): SourceGroup => {
  const labels = textMapOf(looseAt(node, 'metadata', 'labels'))
  const taints = taintsOf(looseAt(node, 'spec', 'taints'))
  const type = labels['node.kubernetes.io/instance-type'] ?? labels['beta.kubernetes.io/instance-type']
  const zone = labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone']
  const capacity = labels['karpenter.sh/capacity-type'] ?? labels['eks.amazonaws.com/capacityType']
  const capacityType: CapacityType = /^spot$/i.test(capacity ?? '') ? 'spot' : 'on-demand'
  const allocatable = textMapOf(looseAt(node, 'status', 'allocatable'))
  const whole = Object.keys(allocatable).length > 0 ? allocatable : textMapOf(looseAt(node, 'status', 'capacity'))
  return {
    name,
    origin,
    at,
    ...sizes,
    instanceTypes: type === undefined ? [] : [type],
    capacityTypes: [capacityType],
    zones: zone === undefined ? [] : [zone],
    labels: Object.fromEntries(Object.entries(labels).filter(([key]) => !OWN_LABELS.test(key))),
    taints: taints.filter((taint) => !isStartup(taint)),
    startupTaints: taints.filter(isStartup),
    resources: {},
    allocatable: whole,
    options: {},
    launch: {},
  }
}

/** Reads the ConfigMap with the templates of Cluster Autoscaler's KWOK provider. Returns one group for each group name on the nodes. */
export const readKwokTemplates = (
  text: string,
  grouping: ReturnType<typeof groupingOf>,
  at: string,
): { readonly groups: readonly ReadGroup[]; readonly fates: readonly Fate[] } => {
  const nodes = documentsOf(text)
    .flatMap((document) =>
      looseAt(document, 'kind') === 'List'
        ? objectsOf(looseAt(document, 'items'))
        : isLoose(document)
          ? [document]
          : [],
    )
    .filter((node) => node['kind'] === 'Node')
  const byName = new Map<string, Loose[]>()
  const fates: Fate[] = []
  for (const node of nodes) {
    const annotations = textMapOf(looseAt(node, 'metadata', 'annotations'))
    const labels = textMapOf(looseAt(node, 'metadata', 'labels'))
    const own = textOf(looseAt(node, 'metadata', 'name')) ?? ''
    const name =
      annotations[`${ANNOTATION}name`] ??
      (grouping.label === undefined
        ? ownValue(annotations, grouping.annotation ?? '')
        : ownValue(labels, grouping.label))
    if (name === undefined) {
      const key = grouping.label === undefined ? `annotation ${grouping.annotation}` : `label ${grouping.label}`
      fates.push(
        fateOf(`template ${own}`, 'Node', { because: `it has no ${key}, so it is in no group of Cluster Autoscaler` }),
      )
      continue
    }
    byName.set(name, [...(byName.get(name) ?? []), node])
  }
  const groups = Array.from(byName, ([name, members]): ReadGroup => {
    const [first] = members
    const annotations = textMapOf(looseAt(first, 'metadata', 'annotations'))
    const object = `KWOK node group ${name}`
    const min = numberOf(annotations[`${ANNOTATION}min-count`]) ?? 0
    const group = groupOfNode(
      name,
      first ?? {},
      {
        min,
        max: numberOf(annotations[`${ANNOTATION}max-count`]) ?? MOST,
        desired: numberOf(annotations[`${ANNOTATION}desired-count`]) ?? min,
      },
      { origin: 'KWOK template', at },
    )
    const least = leastSize(min)
    return {
      group,
      questions: [],
      fates: [
        fateOf(object, 'max-count', largestSize),
        ...(least === undefined ? [] : [fateOf(object, 'min-count', least)]),
        ...Object.keys(group.labels).map((label) =>
          fateOf(object, `label ${label}`, { to: 'NodePool spec.template.metadata.labels' }),
        ),
        ...group.taints.map(({ key }) => fateOf(object, `taint ${key}`, { to: 'NodePool spec.template.spec.taints' })),
        ...(members.length === 1
          ? []
          : [
              fateOf(object, 'Node', {
                because: `of its ${members.length} templates Cluster Autoscaler takes the first, and so does Kerf`,
              }),
            ]),
      ],
    }
  })
  return { groups, fates }
}

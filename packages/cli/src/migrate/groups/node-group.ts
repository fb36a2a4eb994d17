import { isEphemeralTaint, ownValue, plainText, type Taint } from '@kerf/apis'
import type { CapacityType, ReaderTools } from '@kerf/provider-contract'
import { asObjects, asTextMap, looseAt } from '@kerf/provider-kit/documents'
import { isEffect, isStartupTaint } from '@kerf/provider-kit/migration'
import type { ProviderSource } from './provider-sources.ts'

/** Matches labels whose values differ between the nodes of a group, and labels that Kerf sets itself. */
const OWN_LABELS =
  /^(kubernetes\.io\/(hostname|arch|os)|beta\.kubernetes\.io\/|node\.kubernetes\.io\/instance-type$|topology\.kubernetes\.io\/|failure-domain\.beta\.|karpenter\.sh\/)/

const readTaints = (value: unknown): readonly Taint[] =>
  asObjects(value).flatMap(({ key, value: text, effect }) => {
    const known = plainText(effect)
    if (typeof key !== 'string' || !isEffect(known)) return []
    const taint: Taint = { key, ...(typeof text === 'string' && text !== '' ? { value: text } : {}), effect: known }
    return isEphemeralTaint(taint) ? [] : [taint]
  })

const capacityType = (
  labels: Readonly<Record<string, string>>,
  sources: readonly Pick<ProviderSource, 'capacityLabels'>[],
): CapacityType => {
  const byCloud = sources.flatMap(({ capacityLabels }) =>
    Object.entries(capacityLabels).flatMap(([key, types]) => ownValue(types, ownValue(labels, key) ?? '') ?? []),
  )
  return /^spot$/i.test(labels['karpenter.sh/capacity-type'] ?? byCloud[0] ?? '') ? 'spot' : 'on-demand'
}

/** Returns a function that describes a group from one of its nodes, which can be a template or a running node. */
export const groupOfNode =
  (sources: readonly Pick<ProviderSource, 'capacityLabels'>[]): ReaderTools['groupOfNode'] =>
  (node, group) => {
    const labels = asTextMap(looseAt(node, 'metadata', 'labels'))
    const taints = readTaints(looseAt(node, 'spec', 'taints'))
    const type = labels['node.kubernetes.io/instance-type'] ?? labels['beta.kubernetes.io/instance-type']
    const zone = labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone']
    const allocatable = asTextMap(looseAt(node, 'status', 'allocatable'))
    return {
      ...group,
      instanceTypes: type === undefined ? [] : [type],
      capacityTypes: [capacityType(labels, sources)],
      zones: zone === undefined ? [] : [zone],
      labels: Object.fromEntries(Object.entries(labels).filter(([key]) => !OWN_LABELS.test(key))),
      taints: taints.filter(({ key }) => !isStartupTaint(key)),
      startupTaints: taints.filter(({ key }) => isStartupTaint(key)),
      allocatable: Object.keys(allocatable).length > 0 ? allocatable : asTextMap(looseAt(node, 'status', 'capacity')),
      options: {},
    }
  }

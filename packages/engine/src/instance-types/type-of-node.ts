import { labels, ownValue } from '@kerf/apis'
import type { InstanceType } from '../instance-type.ts'

type Labels = Readonly<Record<string, string>>

const labelValues = ({ requirements }: InstanceType, key: string): readonly string[] =>
  requirements.find((each) => each.key === key)?.values ?? []

/** The types of nodes whose instance-type label is not the name of the type, by the value of that label. */
const sharing = new WeakMap<ReadonlyMap<string, InstanceType>, ReadonlyMap<string, readonly InstanceType[]>>()

const sharedNames = (types: ReadonlyMap<string, InstanceType>): ReadonlyMap<string, readonly InstanceType[]> => {
  const known = sharing.get(types)
  if (known !== undefined) return known
  const shared = new Map<string, InstanceType[]>()
  for (const type of types.values())
    for (const value of labelValues(type, labels.instanceType)) {
      if (value === type.name) continue
      const others = shared.get(value)
      if (others === undefined) shared.set(value, [type])
      else others.push(type)
    }
  sharing.set(types, shared)
  return shared
}

/** Returns whether the labels of a node are compatible with the type. A label that the node lacks does not matter. */
const describes = ({ requirements }: InstanceType, nodeLabels: Labels): boolean =>
  requirements.every(({ key, operator, values = [] }) => {
    const value = ownValue(nodeLabels, key)
    return operator !== 'In' || value === undefined || values.includes(value)
  })

/**
 * Returns the instance type of a node with these labels, or undefined if no type fits. Usually, the label
 * `node.kubernetes.io/instance-type` is the name of the type. The sizes of a flexible shape of Oracle Cloud share a value of this label, so
 * the other labels of the node decide between them (`docs/spec/provider-contract.md#data-model`).
 */
export const typeOfNode = (types: ReadonlyMap<string, InstanceType>, nodeLabels: Labels): InstanceType | undefined => {
  const value = nodeLabels[labels.instanceType] ?? ''
  const named = types.get(value)
  if (named !== undefined) return named
  return sharedNames(types)
    .get(value)
    ?.find((type) => describes(type, nodeLabels))
}

/** Returns true if nodes of the type can have this value of the instance-type label. */
export const hasTypeLabel = (type: InstanceType, value: string | undefined): boolean =>
  value !== undefined && (type.name === value || labelValues(type, labels.instanceType).includes(value))

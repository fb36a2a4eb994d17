import { servedNodeClassKinds } from './generated/node-class-kinds.ts'
import { fieldsAt, textAt } from './read.ts'

/** A kind of node class with its API group. */
export interface NodeClassKind {
  readonly group: string
  readonly kind: string
  readonly plural: string
  /** Newest first. */
  readonly versions: readonly string[]
}

/** The kinds of providers that Kerf does not include. Kinds of Kerf's own providers are in the generated list. */
const otherNodeClassKinds: readonly NodeClassKind[] = [
  { group: 'eks.amazonaws.com', kind: 'NodeClass', plural: 'nodeclasses', versions: ['v1'] },
  {
    group: 'karpenter.azure.com',
    kind: 'AKSNodeClass',
    plural: 'aksnodeclasses',
    versions: ['v1', 'v1beta1', 'v1alpha2'],
  },
  { group: 'karpenter.k8s.gcp', kind: 'GCENodeClass', plural: 'gcenodeclasses', versions: ['v1alpha1'] },
  { group: 'karpenter.k8s.alibabacloud', kind: 'ECSNodeClass', plural: 'ecsnodeclasses', versions: ['v1alpha1'] },
  { group: 'karpenter.k8s.oracle', kind: 'OciNodeClass', plural: 'ocinodeclasses', versions: ['v1alpha1'] },
  {
    group: 'karpenter.proxmox.sinextra.dev',
    kind: 'ProxmoxNodeClass',
    plural: 'proxmoxnodeclasses',
    versions: ['v1alpha1'],
  },
  {
    group: 'karpenter.bizflycloud.com',
    kind: 'BizflyCloudNodeClass',
    plural: 'bizflycloudnodeclasses',
    versions: ['v1'],
  },
]

/** The kinds of Kerf's providers and of other Karpenter providers. More are found from the references of NodePools. */
export const nodeClassKinds: readonly NodeClassKind[] = [
  ...servedNodeClassKinds,
  ...otherNodeClassKinds.filter(
    (other) => !servedNodeClassKinds.some(({ group, kind }) => group === other.group && kind === other.kind),
  ),
]

export interface NodeClassRef {
  readonly group: string
  readonly kind: string
  readonly name: string
}

/** Returns the node class that a pool's template or a claim refers to. */
export const nodeClassRefOf = (object: unknown): NodeClassRef | undefined => {
  const template = fieldsAt(object, 'spec', 'template', 'spec', 'nodeClassRef')
  const ref = Object.keys(template).length > 0 ? template : fieldsAt(object, 'spec', 'nodeClassRef')
  const name = textAt(ref, 'name')
  if (name === undefined) return undefined
  return { group: textAt(ref, 'group') ?? '', kind: textAt(ref, 'kind') ?? '', name }
}

export const refersTo = (object: unknown, group: string, kind: string, name: string): boolean => {
  const ref = nodeClassRefOf(object)
  return ref !== undefined && ref.name === name && ref.kind === kind && ref.group === group
}

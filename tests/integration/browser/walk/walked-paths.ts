import { failingClass } from './failing-class.ts'

/** One path for every kind of page that has content of the plugin, in the small cluster of `odd-objects.ts`. */
export const walkedPaths: readonly string[] = [
  'karpenter',
  'karpenter/nodepools',
  'karpenter/nodepools/general',
  'karpenter/nodepools/broken',
  'karpenter/nodeclaims',
  'karpenter/nodeclaims/plain',
  'karpenter/nodeclaims/draining',
  'karpenter/nodeclasses',
  `karpenter/nodeclasses/${failingClass.ref.group}/${failingClass.ref.kind}/${failingClass.ref.name}`,
  'karpenter/nodeoverlays',
  'karpenter/nodeoverlays/dearer',
  'karpenter/capacitybuffers',
  'karpenter/capacitybuffers/shop/spare',
  'karpenter/pending-pods',
  'karpenter/decisions',
  'karpenter/metrics',
  'karpenter/fullness',
  'karpenter/policies',
  'nodes/draining',
  'pods/shop/train',
]

import { annotations, labels, type NodeClaim, type NodePool, nodeClassLabel } from '@kerf/apis'
import { claimObject, hashAnnotations } from './node-claim-object.ts'

/**
 * Returns a NodeClaim from the template of a static pool (`docs/spec/static-pools-buffers-overlays.md#static-nodepools`). It is not planned
 * for particular pods, so its instance types are not restricted further.
 */
export const templateClaim = (pool: NodePool, name: string): NodeClaim => {
  const { metadata, spec } = pool.spec.template
  return claimObject(
    pool,
    name,
    {
      labels: {
        ...metadata?.labels,
        [labels.nodePool]: pool.metadata.name,
        [nodeClassLabel(spec.nodeClassRef)]: spec.nodeClassRef.name,
      },
      annotations: { ...metadata?.annotations, ...hashAnnotations(pool), [annotations.minValuesRelaxed]: 'false' },
    },
    spec,
  )
}

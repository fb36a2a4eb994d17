import { findCondition, type KubeObject, karpenterKinds, type NodeClaim, ownValue, type ResourceKind } from '@kerf/apis'
import type { NodeClassHash, ProviderContext } from '@kerf/provider-contract'
import { type Controller, done, mapLimit, source, specSource } from '@kerf/runtime'
import { annotate } from './annotate.ts'
import { usesNodeClassKind } from './node-class-ref.ts'
import type { HashAnnotations } from './static-drift.ts'

const PARALLEL = 20

export interface NodeClassHashing<T extends KubeObject> {
  readonly context: Pick<ProviderContext, 'client' | 'informers'>
  readonly kind: ResourceKind<T>
  /** The controller's name. Default `nodeclass.hash`. Required if a provider has several node class kinds. */
  readonly name?: string
  readonly annotations: HashAnnotations
  readonly hash: NodeClassHash<T>
}

/**
 * Writes the hash of each node class to an annotation of the node class. If the hash version has changed, also replaces the hash of its
 * NodeClaims, because otherwise all of them would drift. Claims that have already drifted keep their hash
 * (`providers/aws/docs/spec/aws-controllers.md#node-class-hash`; other Karpenter providers do the same).
 */
export const nodeClassHashing = <T extends KubeObject>({
  context: { client, informers },
  kind,
  name: controllerName = 'nodeclass.hash',
  annotations: keys,
  hash,
}: NodeClassHashing<T>): Controller => {
  const classes = informers.of(kind)
  const claims = informers.of(karpenterKinds.NodeClaim)
  const isCurrent = ({ metadata }: KubeObject): boolean => ownValue(metadata.annotations, keys.version) === hash.version

  const stamp = async (claim: NodeClaim, value: string, signal: AbortSignal): Promise<void> => {
    const hasDrifted = findCondition(claim, 'Drifted') !== undefined
    const annotations = { [keys.version]: hash.version, ...(hasDrifted ? {} : { [keys.hash]: value }) }
    await annotate(client, karpenterKinds.NodeClaim, claim.metadata.name, annotations, signal)
  }

  return {
    name: controllerName,
    sources: [
      specSource(classes, ({ after }) => (after === undefined ? [] : [after.metadata.name])),
      source(claims, () => []),
    ],
    concurrency: 10,
    reconcile: async (name, signal) => {
      const nodeClass = classes.get(name)
      if (nodeClass === undefined) return done()
      const value = hash.of(nodeClass)
      if (!isCurrent(nodeClass)) {
        const old = [...claims.values()].filter(
          (claim) => usesNodeClassKind(kind, claim) && claim.spec.nodeClassRef.name === name && !isCurrent(claim),
        )
        await mapLimit(old, PARALLEL, (claim, inner) => stamp(claim, value, inner), signal)
      } else if (ownValue(nodeClass.metadata.annotations, keys.hash) === value) return done()
      await annotate(client, kind, name, { [keys.hash]: value, [keys.version]: hash.version }, signal)
      return done()
    },
  }
}

import { type EC2NodeClass, findCondition, karpenterKinds, type NodeClaim } from '@kerf/apis'
import { annotate } from '@kerf/provider-kit'
import { type Controller, done, mapLimit, source } from '@kerf/runtime'
import type { AwsParts } from '../../aws-parts.ts'
import { classOfOwnClaim } from '../../instances/claim-index.ts'
import { awsAnnotations } from '../../labels.ts'
import { NODE_CLASS_HASH_VERSION, nodeClassHash } from '../../node-class/hash.ts'

const PARALLEL = 20
const CLASS_INDEX = 'ec2nodeclass'

const versionOf = ({ metadata }: EC2NodeClass | NodeClaim): string | undefined =>
  metadata.annotations?.[awsAnnotations.nodeClassHashVersion]

/**
 * Keeps each class's fingerprint on it. When the way of making it has changed, claims are stamped anew instead of all
 * drifting at once, those that have drifted already excepted (`docs/spec/aws-controllers.md#node-class-hash`).
 */
export const nodeClassHashing = ({ context, cluster }: AwsParts): Controller => {
  const { client, informers } = context
  const { nodeClassHash: hashKey, nodeClassHashVersion: versionKey } = awsAnnotations
  const classes = informers.of(karpenterKinds.EC2NodeClass)
  const claims = informers.of(karpenterKinds.NodeClaim)
  claims.index(CLASS_INDEX, classOfOwnClaim)

  const stamp = async (claim: NodeClaim, hash: string, signal: AbortSignal): Promise<void> => {
    if (versionOf(claim) === NODE_CLASS_HASH_VERSION) return
    const hasDrifted = findCondition(claim, 'Drifted') !== undefined
    const annotations = { [versionKey]: NODE_CLASS_HASH_VERSION, ...(hasDrifted ? {} : { [hashKey]: hash }) }
    await annotate(client, karpenterKinds.NodeClaim, claim.metadata.name, annotations, signal)
  }

  return {
    name: 'nodeclass.hash',
    sources: [
      source(classes, ({ after }) => (after === undefined ? [] : [after.metadata.name])),
      source(claims, () => []),
    ],
    concurrency: 10,
    reconcile: async (name, signal) => {
      const nodeClass = classes.get(name)
      if (nodeClass === undefined) return done()
      const hash = nodeClassHash(nodeClass, { caBundle: cluster.caBundle })
      const isCurrent = versionOf(nodeClass) === NODE_CLASS_HASH_VERSION
      if (!isCurrent)
        await mapLimit(claims.by(CLASS_INDEX, name), PARALLEL, (claim, inner) => stamp(claim, hash, inner), signal)
      if (isCurrent && nodeClass.metadata.annotations?.[hashKey] === hash) return done()
      const annotations = { [hashKey]: hash, [versionKey]: NODE_CLASS_HASH_VERSION }
      await annotate(client, karpenterKinds.EC2NodeClass, name, annotations, signal)
      return done()
    },
  }
}

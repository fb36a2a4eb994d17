import { karpenterKinds, type NodeClaim } from '@kerf/apis'
import { isNodeClaimNotFound } from '@kerf/provider-contract'
import { type Controller, done, sleep, source } from '@kerf/runtime'
import type { AwsParts } from '../aws-parts.ts'
import { parseProviderId } from '../instances/provider-id.ts'
import { awsAnnotations, awsTags } from '../labels.ts'
import { annotate } from './annotate.ts'
import { isOwnClaim } from './claim-index.ts'

/** CreateTags is throttled together with launches. */
const PAUSE = 1_000

const isDone = ({ metadata }: NodeClaim): boolean =>
  metadata.annotations?.[awsAnnotations.tagged] === 'true' &&
  metadata.annotations[awsAnnotations.clusterNameTagged] === 'true'

/** Gives instances the tags that are known only once their node is there: its name, and the claim's (`spec/aws.md` 3.6). */
export const nodeClaimTagging = ({ context, instances, cluster }: AwsParts): Controller => {
  const { client, clock, log, informers } = context
  const claims = informers.of(karpenterKinds.NodeClaim)

  const isReady = (claim: NodeClaim): boolean =>
    isOwnClaim(claim) &&
    claim.metadata.deletionTimestamp === undefined &&
    (claim.status?.nodeName ?? '') !== '' &&
    !isDone(claim)

  return {
    name: 'nodeclaim.tagging',
    reconciles: karpenterKinds.NodeClaim,
    sources: [
      source(claims, ({ after }) => (after !== undefined && isReady(after) ? [after.metadata.name ?? ''] : [])),
    ],
    concurrency: 1,
    reconcile: async (name, signal) => {
      const claim = claims.get(name)
      if (claim === undefined || !isReady(claim)) return done()
      const id = parseProviderId(claim.status?.providerID)
      if (id === undefined) {
        log.error('a nodeclaim has no provider ID of AWS and cannot be tagged', { NodeClaim: { name } })
        return done()
      }
      try {
        const { tags } = await instances.get(id.instanceId, 'cloud', signal)
        const wanted = {
          [awsTags.name]: claim.status?.nodeName ?? '',
          [awsTags.nodeClaim]: name,
          [awsTags.clusterName]: cluster.name,
        }
        const missing = Object.fromEntries(Object.entries(wanted).filter(([key]) => tags[key] === undefined))
        if (Object.keys(missing).length > 0) {
          await instances.tag(id.instanceId, missing, signal)
          await sleep(clock, PAUSE, signal)
        }
      } catch (error) {
        if (isNodeClaimNotFound(error)) return done()
        throw error
      }
      const annotations = { [awsAnnotations.tagged]: 'true', [awsAnnotations.clusterNameTagged]: 'true' }
      await annotate(client, karpenterKinds.NodeClaim, name, annotations, signal)
      return done()
    },
  }
}

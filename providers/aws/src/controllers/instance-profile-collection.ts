import { karpenterKinds } from '@kerf/apis'
import { orphanCollection } from '@kerf/provider-kit'
import { type Controller, source } from '@kerf/runtime'
import type { AwsDeps } from '../aws-deps.ts'
import { awsAnnotations } from '../labels.ts'
import { ec2NodeClassKind } from '../node-class/ec2-node-class.ts'

const EVERY = 1_800_000
const AT_ONCE = 2

/**
 * Deletes instance profiles that neither a node class nor an instance uses
 * (`providers/aws/docs/spec/aws-controllers.md#instance-profile-garbage-collection`). Upstream stops at the first profile that it cannot
 * delete, and never deletes the ones after it.
 */
export const instanceProfileCollection = ({ context, profiles }: AwsDeps): Controller => {
  const classes = context.informers.of(ec2NodeClassKind)
  const claims = context.informers.of(karpenterKinds.NodeClaim)
  return orphanCollection({
    name: 'instanceprofile.garbagecollection',
    sources: [source(classes, () => []), source(claims, () => [])],
    interval: EVERY,
    concurrency: AT_ONCE,
    list: (signal) => profiles.list(profiles.path(), signal),
    keyOf: ({ name }) => name,
    usage: () => {
      const used = new Set([
        ...[...classes.values()].map(({ status }) => status?.instanceProfile),
        ...[...claims.values()].map(({ metadata }) => metadata.annotations?.[awsAnnotations.instanceProfileName]),
      ])
      return ({ name }) => used.has(name) || profiles.isProtected(name)
    },
    delete: async ({ name }, signal) => {
      await profiles.delete(name, signal)
      context.log.info('deleted unused instance profile', { 'instance-profile': name })
    },
  })
}

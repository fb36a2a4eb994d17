import { karpenterKinds } from '@kerf/apis'
import { type Controller, mapLimit, retryAfter, source } from '@kerf/runtime'
import type { AwsParts } from '../aws-parts.ts'
import { awsAnnotations } from '../labels.ts'

const EVERY = 1_800_000
const AT_ONCE = 2

/**
 * Deletes instance profiles that nothing uses any more: neither a class nor an instance
 * (`docs/spec/aws-controllers.md#instance-profile-garbage-collection`). Only those that nothing used in the round
 * before either: after a start nobody remembers which ones were just made, or belong to a launch whose claim does not
 * name its profile yet.
 */
export const instanceProfileCollection = ({ context, profiles }: AwsParts): Controller => {
  const classes = context.informers.of(karpenterKinds.EC2NodeClass)
  const claims = context.informers.of(karpenterKinds.NodeClaim)
  let unusedBefore: ReadonlySet<string> = new Set()
  return {
    name: 'instanceprofile.garbagecollection',
    sources: [source(classes, () => []), source(claims, () => [])],
    concurrency: 1,
    singleton: true,
    backoff: { base: 1_000, max: 60_000 },
    reconcile: async (_key, signal) => {
      const made = await profiles.list(profiles.path(), signal)
      const used = new Set([
        ...[...classes.values()].map(({ status }) => status?.instanceProfile),
        ...[...claims.values()].map(({ metadata }) => metadata.annotations?.[awsAnnotations.instanceProfileName]),
      ])
      const unused = made.filter(({ name }) => !used.has(name) && !profiles.isProtected(name))
      const gone = unused.filter(({ name }) => unusedBefore.has(name))
      unusedBefore = new Set(unused.map(({ name }) => name))
      // Upstream stops at the first profile that it cannot delete, and never deletes the ones after it.
      await mapLimit(
        gone,
        AT_ONCE,
        async ({ name }) => {
          await profiles.delete(name, signal)
          context.log.info('deleted unused instance profile', { 'instance-profile': name })
        },
        signal,
      )
      return retryAfter(EVERY)
    },
  }
}

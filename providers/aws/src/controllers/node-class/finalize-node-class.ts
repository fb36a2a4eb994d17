import { apiVersionOf, type EC2NodeClass, karpenterKinds } from '@kerf/apis'
import { type Outcome, retryAfter } from '@kerf/runtime'
import type { AwsEventReason } from '../../aws-events.ts'
import type { AwsParts } from '../../aws-parts.ts'
import { NODE_CLASS_FINALIZER } from '../../labels.ts'

const LOOK_AGAIN = 600_000
const NAMED = 5
/** What IAM takes as the name of a profile. */
const PROFILE_NAME = /^[\w+=,.@-]{1,128}$/

const namesOf = (names: readonly string[]): string =>
  names.length <= NAMED ? names.join(', ') : `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`

/**
 * Ends a node class: waits for its claims, then deletes the instance profiles and launch templates that were made for it
 * (`docs/spec/aws-controllers.md#node-class-status`). Profiles that somebody gave are left alone. Answers nothing once
 * it is gone.
 */
export const finalizeNodeClass = async (
  nodeClass: EC2NodeClass,
  { context, profiles, templates, maker, options }: AwsParts,
  signal: AbortSignal,
): Promise<Outcome | undefined> => {
  const kind = karpenterKinds.EC2NodeClass
  const { name = '', finalizers = [], resourceVersion, uid = '' } = nodeClass.metadata
  if (!finalizers.includes(NODE_CLASS_FINALIZER)) return undefined
  const users = [...context.informers.of(karpenterKinds.NodeClaim).values()]
    .filter(
      ({ spec: { nodeClassRef: ref } }) => ref.group === kind.group && ref.kind === kind.kind && ref.name === name,
    )
    .map(({ metadata }) => metadata.name)
    .sort()
  if (users.length > 0) {
    context.events.publish({
      object: { ...nodeClass, apiVersion: apiVersionOf(kind), kind: kind.kind },
      type: 'Normal',
      reason: 'WaitingOnNodeClaimTermination' satisfies AwsEventReason,
      message: `waiting for the end of ${users.length} nodeclaims: ${namesOf(users)}`,
      dedupeValues: [uid, ...users],
    })
    return retryAfter(LOOK_AGAIN)
  }
  if (!options.settings.isolatedVpc) {
    const made = await profiles.list(profiles.path(nodeClass), signal)
    const legacy = profiles.legacyName(nodeClass)
    const own = [...new Set([...made.map((profile) => profile.name), ...(PROFILE_NAME.test(legacy) ? [legacy] : [])])]
    for (const profile of own) await profiles.delete(profile, signal)
  }
  await templates.deleteOf(name, signal)
  const body = { metadata: { resourceVersion, finalizers: finalizers.filter((each) => each !== NODE_CLASS_FINALIZER) } }
  await context.client.patch(kind, { name }, { type: 'merge', body }, { signal })
  maker.forget(name)
  return undefined
}

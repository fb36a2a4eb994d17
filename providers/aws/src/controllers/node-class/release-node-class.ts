import type { AwsDeps } from '../../aws-deps.ts'
import type { EC2NodeClass } from '../../node-class/ec2-node-class.ts'

/** The valid names of an instance profile in IAM. */
const PROFILE_NAME = /^[\w+=,.@-]{1,128}$/

/**
 * Deletes the instance profiles and launch templates that were created for a node class
 * (`providers/aws/docs/spec/aws-controllers.md#node-class-status`). Profiles that a user specified are kept.
 */
export const releaseNodeClass = async (
  nodeClass: EC2NodeClass,
  { profiles, templates, options }: Pick<AwsDeps, 'profiles' | 'templates' | 'options'>,
  signal: AbortSignal,
): Promise<void> => {
  if (!options.settings.isolatedVpc) {
    const made = await profiles.list(profiles.path(nodeClass), signal)
    const legacy = profiles.legacyName(nodeClass)
    const own = [...new Set([...made.map((profile) => profile.name), ...(PROFILE_NAME.test(legacy) ? [legacy] : [])])]
    for (const profile of own) await profiles.delete(profile, signal)
  }
  await templates.deleteOf(nodeClass.metadata.name, signal)
}

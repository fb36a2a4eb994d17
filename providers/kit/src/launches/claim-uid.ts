import type { NodeClaim } from '@kerf/apis'
import { CreateError } from '@kerf/provider-contract'

/**
 * Returns the uid of a NodeClaim that is about to be launched. Its instance gets this uid, so that a repeated launch finds the instance.
 *
 * @throws CreateError for a claim that the API server has not stored yet.
 */
export const claimUid = ({ metadata: { name, uid = '' } }: NodeClaim): string => {
  if (uid === '') throw new CreateError('LaunchFailed', `nodeclaim ${name} has no uid yet`)
  return uid
}

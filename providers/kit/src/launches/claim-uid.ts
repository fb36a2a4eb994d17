import type { NodeClaim } from '@kerf/apis'
import { CreateError } from '@kerf/provider-contract'

/**
 * The uid of a claim that is to be launched: what an instance remembers its claim by, so that a repeated launch finds it.
 *
 * @throws CreateError for a claim that the API server has not stored yet.
 */
export const claimUid = ({ metadata: { name, uid = '' } }: NodeClaim): string => {
  if (uid === '') throw new CreateError('LaunchFailed', `nodeclaim ${name} has no uid yet`)
  return uid
}

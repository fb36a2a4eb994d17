import { DeleteError } from '@kerf/provider-contract'
import { awsFailureOf, refusedPermissionOf } from './aws-failure.ts'

/**
 * Returns the error for a refused termination if a user must act. Returns undefined if the refusal may pass by itself.
 *
 * @param missing the ownership tags that the instance lacks, which the controller's IAM policy requires.
 */
export const terminationFailure = (
  id: string,
  thrown: unknown,
  missing: readonly string[],
): DeleteError | undefined => {
  const { class: kind, code, message } = awsFailureOf(thrown)
  const refusal = (reason: string, text: string): DeleteError => new DeleteError(reason, text, { cause: thrown })
  if (code === 'OperationNotPermitted' && /disableApiTermination/i.test(message))
    return refusal(
      'TerminationProtected',
      `instance ${id} is protected against termination; take the protection off with "aws ec2 modify-instance-attribute --instance-id ${id} --no-disable-api-termination"`,
    )
  if (code === 'OperationNotPermitted')
    return refusal('OperationNotPermitted', `EC2 refuses to end instance ${id}: ${message}`)
  if (kind !== 'unauthorized') return undefined
  const refused = refusedPermissionOf(message)
  const by = refused === undefined ? '' : ` by its ${refused.by}`
  const tags =
    missing.length === 0 ? '' : `; the instance lacks the tags ${missing.join(', ')}, by which the policy goes`
  return refusal(
    'Unauthorized',
    `the controller is refused ec2:TerminateInstances on instance ${id}${by}${tags}; end the instance, or allow it to the role of the controller`,
  )
}

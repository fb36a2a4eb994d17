import { DeleteError } from '@kerf/provider-contract'
import { classifyAwsFailure, parseRefusedPermission } from './aws-failure.ts'

/**
 * Returns the error for a refused termination if a user must act. Returns undefined if the refusal may be temporary.
 * @param missing the ownership tags that the instance lacks and that the controller's IAM policy requires.
 */
export const terminationFailure = (
  id: string,
  thrown: unknown,
  missing: readonly string[],
): DeleteError | undefined => {
  const { class: kind, code, message } = classifyAwsFailure(thrown)
  const refusal = (reason: string, text: string): DeleteError => new DeleteError(reason, text, { cause: thrown })
  if (code === 'OperationNotPermitted' && /disableApiTermination/i.test(message))
    return refusal(
      'TerminationProtected',
      `instance ${id} has termination protection; disable it with "aws ec2 modify-instance-attribute --instance-id ${id} --no-disable-api-termination"`,
    )
  if (code === 'OperationNotPermitted')
    return refusal('OperationNotPermitted', `EC2 rejected the termination of instance ${id}: ${message}`)
  if (kind !== 'unauthorized') return undefined
  const refused = parseRefusedPermission(message)
  const by = refused === undefined ? '' : ` by its ${refused.by}`
  const tags =
    missing.length === 0 ? '' : `; the instance lacks the tags ${missing.join(', ')}, which the policy requires`
  return refusal(
    'Unauthorized',
    `the controller is not authorized for ec2:TerminateInstances on instance ${id}${by}${tags}; terminate the instance, or allow the action in the role of the controller`,
  )
}

/**
 * Interprets errors about missing permissions (`providers/aws/docs/spec/aws.md#policies`). The texts are those of EC2 and of the IAM User
 * Guide, "Troubleshoot access denied error messages".
 */

/** The subject of a policy's refusal, if Kerf may still be able to launch something else. */
export type PolicyRefusal =
  /** The policy may depend on the instance type, the zone or another property of the launch. */
  | { readonly about: 'offering' }
  | { readonly about: 'subnet'; readonly subnetId: string }
  /** The policy refuses the request for a spot instance. */
  | { readonly about: 'spot' }

const CODES: ReadonlySet<string> = new Set(['UnauthorizedOperation', 'AccessDenied'])

/** EC2 may return only the encoded text. Only the account's owner can decode it. */
const OPAQUE = /^You are not authorized to perform this operation\.?(?: Encoded authorization failure message: \S+)?$/

export const isExplicitDeny = (message: string): boolean => /with an explicit deny/i.test(message)

/** Returns true if the message does not state which action or resource was refused. */
export const isOpaqueRefusal = (message: string): boolean => OPAQUE.test(message.trim())

/**
 * Returns the subject of the refusal, if another offering may be allowed. Returns undefined for other errors, and for a missing permission
 * that every launch needs. An explicit deny may have a condition, such as `ec2:InstanceType`. A missing permission for instances may also
 * depend on the instance type, because EC2 returns the same message in two cases: if an allow list lacks only this type, and if the
 * permission is missing altogether.
 */
export const parsePolicyRefusal = (code: string, message: string): PolicyRefusal | undefined => {
  if (!CODES.has(code)) return undefined
  if (isOpaqueRefusal(message)) return { about: 'offering' }
  const [, action, resource = ''] =
    /not authorized to perform: ([\w-]+:\w+)(?: on resource: (\S+))?/.exec(message) ?? []
  if (action === undefined) return undefined
  const [, kind, id = ''] = /:([a-z-]+)\/([^/\s]+)$/.exec(resource.replace(/[.,]$/, '')) ?? []
  if (kind === 'subnet' && id !== '*') return { about: 'subnet', subnetId: id }
  if (kind === 'spot-instances-request') return { about: 'spot' }
  if (isExplicitDeny(message)) return { about: 'offering' }
  return action === 'ec2:RunInstances' && kind === 'instance' ? { about: 'offering' } : undefined
}

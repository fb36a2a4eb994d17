/**
 * What a refusal for lack of permission says about the offering that was asked for (`docs/spec/aws.md#policies`). The wording is
 * that of the IAM User Guide, "Troubleshoot access denied error messages", and of EC2.
 */

/** What a policy refuses, when something else may be launched all the same. */
export type PolicyRefusal =
  /** The policy may depend on the type, the zone or anything else that an instance is launched with. */
  | { readonly about: 'offering' }
  | { readonly about: 'subnet'; readonly subnetId: string }
  /** The request for a spot instance. */
  | { readonly about: 'spot' }

const CODES: ReadonlySet<string> = new Set(['UnauthorizedOperation', 'AccessDenied'])

/** EC2 may say nothing except the text in cipher, which only the account can decode. */
const OPAQUE = /^You are not authorized to perform this operation\.?(?: Encoded authorization failure message: \S+)?$/

export const isExplicitDeny = (message: string): boolean => /with an explicit deny/i.test(message)

/** Whether the refusal does not say what it is about. */
export const isOpaqueRefusal = (message: string): boolean => OPAQUE.test(message.trim())

/**
 * Returns what a refusal is about if another offering may be allowed, and nothing for other errors and for a permission that
 * every launch lacks. An explicit deny may have a condition, such as `ec2:InstanceType`. So may the permission for instances
 * that is missing: an allow list of types is refused with the same words as no permission at all.
 */
export const policyRefusalOf = (code: string, message: string): PolicyRefusal | undefined => {
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

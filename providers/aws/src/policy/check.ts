import { checkPermissions, type Grant, type PermissionCheck, permissionPurposes } from '@kerf/provider-kit'
import type { Capability } from './statement.ts'
import { optionalStatements, policyStatements } from './statements.ts'

/** The permissions that a user's policy lacks (`kerf aws policy --check`). */
export type PolicyCheck = PermissionCheck<Capability>

/** Thrown for a text that is not an IAM policy. */
export class PolicyFileError extends Error {
  override readonly name = 'PolicyFileError'
  constructor(problem: string, options?: ErrorOptions) {
    super(
      `not an IAM policy: ${problem}; expected JSON like {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": […], "Resource": "*"}]}`,
      options,
    )
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parseTexts = (value: unknown, where: string): readonly string[] => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.map((each) => {
    if (typeof each === 'string') return each
    throw new PolicyFileError(`${where} must be a string or a list of strings`)
  })
}

const parseGrant = (value: unknown, index: number): Grant => {
  const where = `Statement[${index}]`
  if (!isObject(value)) throw new PolicyFileError(`${where} is not an object`)
  const { Effect: effect, Action: action, NotAction: notAction, Resource: resource } = value
  if (effect !== 'Allow' && effect !== 'Deny') throw new PolicyFileError(`${where}.Effect must be Allow or Deny`)
  if ((action === undefined) === (notAction === undefined))
    throw new PolicyFileError(`${where} needs either Action or NotAction`)
  const isEverywhere = resource !== undefined && parseTexts(resource, `${where}.Resource`).includes('*')
  return {
    isAllowed: effect === 'Allow',
    actions: parseTexts(action ?? notAction, `${where}.${action === undefined ? 'NotAction' : 'Action'}`),
    isInverted: action === undefined,
    isLimited: !isEverywhere || value['Condition'] !== undefined,
  }
}

const parseGrants = (text: string): readonly Grant[] => {
  let policy: unknown
  try {
    policy = JSON.parse(text)
  } catch (error) {
    throw new PolicyFileError('it is not JSON', { cause: error })
  }
  if (!isObject(policy) || policy['Statement'] === undefined) throw new PolicyFileError('it has no Statement')
  const statements = policy['Statement']
  return (Array.isArray(statements) ? statements : [statements]).map(parseGrant)
}

/** Any scope works here, because only actions are compared. */
const ANY_SCOPE = { clusterName: '*', region: '*', accountId: '*' }

/**
 * Compares the text of a policy with the permissions that the controller needs. Permissions of optional features are neither missing nor
 * unused.
 *
 * @throws PolicyFileError for a text that is not an IAM policy.
 */
export const checkPolicy = (text: string): PolicyCheck => {
  const report = checkPermissions(permissionPurposes(policyStatements(ANY_SCOPE)), parseGrants(text))
  const optional = new Set(
    optionalStatements(ANY_SCOPE).flatMap(({ actions }) => actions.map((action) => action.toLowerCase())),
  )
  return { ...report, unused: report.unused.filter((action) => !optional.has(action.toLowerCase())) }
}

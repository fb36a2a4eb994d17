import { checkPermissions, type Grant, type PermissionCheck } from '@kerf/provider-kit'
import { type AlibabaCapability, neededRamActions } from './ram-actions.ts'

/** The actions that are missing from the user's policy (`kerf alibaba roles --check`). */
export type PolicyCheck = PermissionCheck<AlibabaCapability>

/** Thrown if a text is not a RAM policy. */
export class PolicyFileError extends Error {
  override readonly name = 'PolicyFileError'
  constructor(problem: string, options?: ErrorOptions) {
    super(
      `not a RAM policy: ${problem}; use the PolicyDocument of "aliyun ram GetPolicy", like {"Version": "1", "Statement": [{"Effect": "Allow", "Action": […], "Resource": "*"}]}`,
      options,
    )
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const asTexts = (value: unknown, where: string): readonly string[] => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.map((each) => {
    if (typeof each === 'string') return each
    throw new PolicyFileError(`${where} must be a string or a list of strings`)
  })
}

const readGrant = (value: unknown, index: number): Grant => {
  const where = `Statement[${index}]`
  if (!isObject(value)) throw new PolicyFileError(`${where} is not an object`)
  const { Effect: effect, Action: action, NotAction: notAction, Resource: resource, Condition: condition } = value
  if (effect !== 'Allow' && effect !== 'Deny') throw new PolicyFileError(`${where}.Effect must be Allow or Deny`)
  if ((action === undefined) === (notAction === undefined))
    throw new PolicyFileError(`${where} needs either Action or NotAction`)
  const isEverywhere = resource !== undefined && asTexts(resource, `${where}.Resource`).includes('*')
  return {
    isAllowed: effect === 'Allow',
    actions: asTexts(action ?? notAction, `${where}.${action === undefined ? 'NotAction' : 'Action'}`),
    isInverted: action === undefined,
    isLimited: !isEverywhere || condition !== undefined,
  }
}

/** Returns the statements in a policy, a list of policies, or the output of `aliyun ram GetPolicy`. */
const statementsIn = (document: unknown): readonly unknown[] => {
  if (Array.isArray(document)) return document.flatMap(statementsIn)
  if (!isObject(document)) throw new PolicyFileError('it is not an object')
  const { Statement, DefaultPolicyVersion: version } = document
  if (isObject(version)) return statementsIn(parsed(version['PolicyDocument']))
  if (Statement === undefined) throw new PolicyFileError('it has no Statement')
  return Array.isArray(Statement) ? Statement : [Statement]
}

const parsed = (text: unknown): unknown => {
  try {
    return typeof text === 'string' ? JSON.parse(text) : text
  } catch (error) {
    throw new PolicyFileError('it is not JSON', { cause: error })
  }
}

/**
 * Compares a policy, or a list of policies, with the actions that the controller needs.
 *
 * @throws PolicyFileError if the text is not a RAM policy
 */
export const checkPolicy = (text: string): PolicyCheck =>
  checkPermissions(neededRamActions(), statementsIn(parsed(text)).map(readGrant))

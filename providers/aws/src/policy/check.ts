import type { Capability } from './statement.ts'
import { policyStatements } from './statements.ts'

/** What a policy that somebody wrote lacks of what the controller does (`kerf aws policy --check`). */
export interface PolicyCheck {
  /** Actions that nothing allows, and what does not work without them. */
  readonly missing: readonly {
    readonly action: string
    readonly capabilities: readonly Capability[]
    readonly denied: boolean
  }[]
  /** Actions that are allowed only for some resources or under conditions; whether those are sufficient is not known here. */
  readonly limited: readonly string[]
  /** Actions that it names and the controller never takes. */
  readonly unused: readonly string[]
}

/** A text that is no IAM policy. */
export class PolicyFileError extends Error {
  override readonly name = 'PolicyFileError'
  constructor(problem: string, options?: ErrorOptions) {
    super(
      `not an IAM policy: ${problem}; expected JSON like {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": […], "Resource": "*"}]}`,
      options,
    )
  }
}

interface Statement {
  readonly isAllowed: boolean
  readonly actions: readonly string[]
  /** Every action but those of the list. */
  readonly isInverted: boolean
  readonly isLimited: boolean
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textsOf = (value: unknown, where: string): readonly string[] => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.map((each) => {
    if (typeof each === 'string') return each
    throw new PolicyFileError(`${where} must be a text or a list of texts`)
  })
}

const statementOf = (value: unknown, index: number): Statement => {
  const where = `Statement[${index}]`
  if (!isObject(value)) throw new PolicyFileError(`${where} is not an object`)
  const { Effect: effect, Action: action, NotAction: notAction, Resource: resource } = value
  if (effect !== 'Allow' && effect !== 'Deny') throw new PolicyFileError(`${where}.Effect must be Allow or Deny`)
  if ((action === undefined) === (notAction === undefined))
    throw new PolicyFileError(`${where} needs either Action or NotAction`)
  const isEverywhere = resource !== undefined && textsOf(resource, `${where}.Resource`).includes('*')
  return {
    isAllowed: effect === 'Allow',
    actions: textsOf(action ?? notAction, `${where}.${action === undefined ? 'NotAction' : 'Action'}`),
    isInverted: action === undefined,
    isLimited: !isEverywhere || value['Condition'] !== undefined,
  }
}

const statementsOf = (text: string): readonly Statement[] => {
  let policy: unknown
  try {
    policy = JSON.parse(text)
  } catch (error) {
    throw new PolicyFileError('it is not JSON', { cause: error })
  }
  if (!isObject(policy) || policy['Statement'] === undefined) throw new PolicyFileError('it has no Statement')
  const statements = policy['Statement']
  return (Array.isArray(statements) ? statements : [statements]).map(statementOf)
}

/** IAM's patterns: * is any text, ? any character, and case does not matter. */
const matches = (pattern: string, action: string): boolean => {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`, 'i').test(action)
}

const covers = (statement: Statement, action: string): boolean =>
  statement.actions.some((pattern) => matches(pattern, action)) !== statement.isInverted

/** What each action is for. The scope does not matter: only actions are compared. */
const purposes = (): ReadonlyMap<string, readonly Capability[]> => {
  const actions = new Map<string, Capability[]>()
  for (const statement of policyStatements({ clusterName: '*', region: '*', accountId: '*' })) {
    for (const action of statement.actions) {
      const known = actions.get(action) ?? []
      if (!known.includes(statement.capability)) actions.set(action, [...known, statement.capability])
    }
  }
  return actions
}

/**
 * Compares the text of a policy with what the controller does.
 *
 * @throws PolicyFileError for a text that is no IAM policy.
 */
export const checkPolicy = (text: string): PolicyCheck => {
  const statements = statementsOf(text)
  const needed = purposes()
  const missing: PolicyCheck['missing'][number][] = []
  const limited: string[] = []
  for (const [action, capabilities] of needed) {
    const concerned = statements.filter((statement) => covers(statement, action))
    const denied = concerned.some(({ isAllowed, isLimited }) => !isAllowed && !isLimited)
    const allowing = concerned.filter(({ isAllowed }) => isAllowed)
    if (denied || allowing.length === 0) missing.push({ action, capabilities, denied })
    else if (allowing.every(({ isLimited }) => isLimited) || concerned.length > allowing.length) limited.push(action)
  }
  const named = statements
    .filter(({ isAllowed, isInverted }) => isAllowed && !isInverted)
    .flatMap(({ actions }) => actions)
  const unused = [...new Set(named)].filter((pattern) => ![...needed.keys()].some((action) => matches(pattern, action)))
  return { missing, limited, unused }
}

import { ownValue } from '@kerf/apis'
import { checkPermissions, type Grant, type PermissionCheck } from '@kerf/provider-kit'
import { neededPolicies, type OciCapability, policyVerbs } from './needed-policies.ts'

/** Thrown if a text contains no policy statements. */
export class StatementsFileError extends Error {
  override readonly name = 'StatementsFileError'
  constructor(problem: string, options?: ErrorOptions) {
    super(
      `no policy statements: ${problem}; use one statement a line, or the output of "oci iam policy list" or "oci iam policy get"`,
      options,
    )
  }
}

/**
 * The policies that are missing from a user's statements (`kerf oci roles --check`). The command does not check whether the group in a
 * statement is the controller's.
 */
export interface StatementsCheck extends Pick<PermissionCheck<OciCapability>, 'missing' | 'limited'> {
  /** Whether a statement allows nodes to join the cluster. */
  readonly nodesCanJoin: boolean
  /** Statements that allow nothing that Kerf needs. */
  readonly unused: readonly string[]
}

interface Statement extends Grant {
  readonly text: string
}

/** Families of resources whose policies also apply to other kinds of resources that Kerf uses (Oracle's policy reference). */
const INCLUDED: Readonly<Record<string, readonly string[]>> = { 'instance-family': ['instance-images'] }
const JOIN = /\{[^}]*\bCLUSTER_JOIN\b[^}]*\}/i
const STATEMENT =
  /^(allow|deny)\s+.+?\s+to\s+(inspect|read|use|manage)\s+([a-z-]+)\s+in\s+(tenancy|compartment\s+(?:id\s+)?\S+)(?:\s+where\s+(.+))?$/i
/** Matches a condition that only restricts a statement to the controller's identity. */
const IDENTITY = /^(?:all\s*\{)?(?:\s*request\.principal\.[a-z_.]+\s*=\s*'[^']*'\s*,?)+\}?$/i

const resources = (resource: string): readonly string[] =>
  resource === 'all-resources' ? ['*'] : [resource, ...(ownValue(INCLUDED, resource) ?? [])]

/** Returns the statement as a grant, or undefined for any other form of statement, such as one that allows nodes to join. */
const readStatement = (text: string, compartmentId: string | undefined): Statement | undefined => {
  const [, effect = '', verb = '', resource = '', place = '', where] = STATEMENT.exec(text) ?? []
  if (verb === '') return undefined
  const [, named] = /^compartment\s+id\s+(\S+)$/i.exec(place) ?? []
  if (named !== undefined && compartmentId !== undefined && named !== compartmentId) return undefined
  const isAllowed = effect.toLowerCase() === 'allow'
  const at = policyVerbs.indexOf(verb.toLowerCase() as (typeof policyVerbs)[number])
  // A verb includes all weaker verbs. Denying a verb also denies all stronger verbs.
  const verbs = isAllowed ? policyVerbs.slice(0, at + 1) : policyVerbs.slice(at)
  const hasUnknownPlace = compartmentId !== undefined && named === undefined && place.toLowerCase() !== 'tenancy'
  return {
    ...{ text, isAllowed, isInverted: false },
    actions: verbs.flatMap((each) => resources(resource.toLowerCase()).map((kind) => `${each} ${kind}`)),
    isLimited: hasUnknownPlace || (where !== undefined && !IDENTITY.test(where.trim())),
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the texts of the statements in a parsed document. */
const statementsIn = (document: unknown): readonly string[] => {
  if (Array.isArray(document)) return document.flatMap(statementsIn)
  if (typeof document === 'string') return [document]
  if (!isObject(document)) return []
  return statementsIn(document['data'] ?? document['statements'] ?? document['controller'])
}

const isJson = (text: string): boolean => /^\s*[[{]/.test(text)

const statementTexts = (text: string): readonly string[] => {
  if (!isJson(text)) return text.split('\n')
  try {
    return statementsIn(JSON.parse(text))
  } catch (error) {
    throw new StatementsFileError('it is not JSON', { cause: error })
  }
}

/**
 * Compares statements with the permissions that the controller and the nodes need.
 *
 * @param compartmentId the compartment of the instances. If undefined, the compartments of statements are not compared.
 * @throws StatementsFileError if the text contains no statements
 */
export const checkStatements = (text: string, compartmentId: string | undefined): StatementsCheck => {
  const texts = statementTexts(text)
    .map((each) => each.trim())
    .filter((each) => /^(?:allow|deny)\s/i.test(each))
  if (texts.length === 0) throw new StatementsFileError('no line begins with Allow')
  const statements = texts.flatMap((each) => readStatement(each, compartmentId) ?? [])
  const needed = new Map(
    neededPolicies().map(({ verb, resource, capability }) => [`${verb} ${resource}`, [capability]]),
  )
  const { missing, limited } = checkPermissions(needed, statements)
  const kinds = new Set(neededPolicies().map(({ resource }) => resource))
  const isUsed = ({ actions }: Statement): boolean =>
    actions.some((action) => action.endsWith(' *') || kinds.has(action.split(' ')[1] ?? ''))
  return {
    ...{ missing, limited },
    nodesCanJoin: texts.some((each) => JOIN.test(each)),
    unused: statements.filter((each) => each.isAllowed && !isUsed(each)).map((each) => each.text),
  }
}

import { ownValue } from '@kerf/apis'
import { checkPermissions, type Grant, type PermissionCheck, purposesOf } from '@kerf/provider-kit'
import { type AzureCapability, neededActions, type UsedCapabilities } from './needed-actions.ts'

export type RoleCheck = PermissionCheck<AzureCapability>

/** A text that holds no role definitions. */
export class RoleFileError extends Error {
  override readonly name = 'RoleFileError'
  constructor(problem: string, options?: ErrorOptions) {
    super(`no role definitions: ${problem}; expected what "az role definition list --name ROLE" prints`, options)
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The CLI writes names in small letters, files of custom roles may begin them with a capital one. */
const fieldOf = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  ownValue(object, name) ?? ownValue(object, name[0]?.toUpperCase() + name.slice(1))

const textsOf = (value: unknown, where: string): readonly string[] => {
  if (value === undefined || value === null) return []
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  throw new RoleFileError(`${where} must be a list of texts`)
}

/** `a/*` + `/b` stands for `a/b` too: so the role for managed identities is written. */
const pattern = (action: string): string => action.replaceAll('/*/', '*/')

const grantsOf = (definition: unknown, index: number): readonly Grant[] => {
  const where = `[${index}]`
  if (!isObject(definition)) throw new RoleFileError(`${where} is not an object`)
  const listed = fieldOf(definition, 'permissions') ?? [definition]
  if (!Array.isArray(listed)) throw new RoleFileError(`${where}.permissions must be a list`)
  return listed.flatMap((permission: unknown, place): Grant[] => {
    if (!isObject(permission)) throw new RoleFileError(`${where}.permissions[${place}] is not an object`)
    const allowed = textsOf(fieldOf(permission, 'actions'), `${where}.actions`)
    const left = textsOf(fieldOf(permission, 'notActions'), `${where}.notActions`)
    if (allowed.length === 0) return []
    // What a role leaves out another one may allow: it is no denial.
    const except = left.map(pattern)
    return [{ isAllowed: true, isInverted: false, isLimited: false, actions: allowed.map(pattern), except }]
  })
}

/** What role definitions, or the permissions of them, allow. @throws RoleFileError for others. */
export const grantsOfRoles = (definitions: readonly unknown[]): readonly Grant[] => definitions.flatMap(grantsOf)

const definitionsOf = (text: string): readonly unknown[] => {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : [parsed]
  } catch (error) {
    throw new RoleFileError('it is not JSON', { cause: error })
  }
}

/**
 * Compares role definitions, all of which the controller's identity is taken to have, with what it does. On which scopes they
 * are assigned the definitions do not say.
 *
 * @throws RoleFileError for a text that holds none.
 */
export const checkRoles = (text: string, used: UsedCapabilities): RoleCheck =>
  checkPermissions(purposesOf(neededActions(used)), grantsOfRoles(definitionsOf(text)))

import { ownValue } from '@kerf/apis'
import { checkPermissions, type Grant, type PermissionCheck, permissionPurposes } from '@kerf/provider-kit'
import { type AzureCapability, neededActions, type UsedCapabilities } from './needed-actions.ts'

export type RoleCheck = PermissionCheck<AzureCapability>

/** Thrown for a text without role definitions. */
export class RoleFileError extends Error {
  override readonly name = 'RoleFileError'
  constructor(problem: string, options?: ErrorOptions) {
    super(`not role definitions: ${problem}; use the output of "az role definition list --name ROLE"`, options)
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a field. The CLI writes field names in lower case. Files of custom roles may begin them with a capital letter. */
const objectField = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  ownValue(object, name) ?? ownValue(object, name[0]?.toUpperCase() + name.slice(1))

const parseTexts = (value: unknown, where: string): readonly string[] => {
  if (value === undefined || value === null) return []
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  throw new RoleFileError(`${where} must be a list of strings`)
}

/**
 * Returns the pattern of an action. A wildcard segment may match zero segments: `a/*` followed by `/b` matches `a/b`. The role for managed
 * identities depends on this.
 */
const pattern = (action: string): string => action.replaceAll('/*/', '*/')

const grantsOf = (definition: unknown, index: number): readonly Grant[] => {
  const where = `[${index}]`
  if (!isObject(definition)) throw new RoleFileError(`${where} is not an object`)
  const listed = objectField(definition, 'permissions') ?? [definition]
  if (!Array.isArray(listed)) throw new RoleFileError(`${where}.permissions must be a list`)
  return listed.flatMap((permission: unknown, place): Grant[] => {
    if (!isObject(permission)) throw new RoleFileError(`${where}.permissions[${place}] is not an object`)
    const allowed = parseTexts(objectField(permission, 'actions'), `${where}.actions`)
    const left = parseTexts(objectField(permission, 'notActions'), `${where}.notActions`)
    if (allowed.length === 0) return []
    // Excluded actions are not a denial, because another role may allow them.
    const except = left.map(pattern)
    return [{ isAllowed: true, isInverted: false, isLimited: false, actions: allowed.map(pattern), except }]
  })
}

/** Returns the actions that role definitions, or their permissions, allow. @throws RoleFileError for anything else. */
export const grantsOfRoles = (definitions: readonly unknown[]): readonly Grant[] => definitions.flatMap(grantsOf)

const parseDefinitions = (text: string): readonly unknown[] => {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : [parsed]
  } catch (error) {
    throw new RoleFileError('it is not JSON', { cause: error })
  }
}

/**
 * Compares role definitions with the actions of the controller. Assumes that the controller's identity has all of these roles. Role
 * definitions do not contain the scopes of their assignments, so the function does not compare scopes.
 *
 * @throws RoleFileError for a text without role definitions.
 */
export const checkRoles = (text: string, used: UsedCapabilities): RoleCheck =>
  checkPermissions(permissionPurposes(neededActions(used)), grantsOfRoles(parseDefinitions(text)))

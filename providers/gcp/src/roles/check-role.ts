import { checkPermissions, type Grant, type PermissionCheck } from '@kerf/provider-kit'
import { parseAllDocuments } from 'yaml'
import { type GcpCapability, neededPermissions } from './needed-permissions.ts'

/** The permissions that are missing from the user's roles (`kerf gcp roles --check`). */
export type RoleCheck = PermissionCheck<GcpCapability>

/** Thrown if a text is not an IAM role. */
export class RoleFileError extends Error {
  override readonly name = 'RoleFileError'
  constructor(problem: string, options?: ErrorOptions) {
    super(`not a role: ${problem}; use the output of "gcloud iam roles describe ROLE", in YAML or JSON`, options)
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const grantOf = (role: unknown): Grant => {
  if (!isObject(role)) throw new RoleFileError('it is not an object')
  const { includedPermissions: permissions } = role
  if (!Array.isArray(permissions)) throw new RoleFileError('it has no includedPermissions')
  if (!permissions.every((each) => typeof each === 'string'))
    throw new RoleFileError('includedPermissions must be a list of strings')
  return { isAllowed: true, actions: permissions, isInverted: false, isLimited: false }
}

const rolesIn = (text: string): readonly unknown[] => {
  const documents = parseAllDocuments(text)
  if ('empty' in documents) throw new RoleFileError('it is empty')
  return documents.flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) throw new RoleFileError('it is neither YAML nor JSON', { cause: error })
    const value: unknown = document.toJS()
    return Array.isArray(value) ? value : [value]
  })
}

/**
 * Compares roles with the permissions that the controller needs. Assumes that the controller's service account has all of these roles in
 * the project.
 *
 * @throws RoleFileError if the text is not a role
 */
export const checkRole = (text: string): RoleCheck => checkPermissions(neededPermissions(), rolesIn(text).map(grantOf))

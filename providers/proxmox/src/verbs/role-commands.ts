import { neededPrivileges, type OptionalCapability, PRIVILEGE_PATHS } from '../privileges/needed-privileges.ts'

export interface RoleNames {
  /** The user, for example `kerf@pve`. */
  readonly user: string
  readonly token: string
  /** The common prefix of the role names. */
  readonly role: string
  /** The capabilities that the cluster does not use. */
  readonly without?: readonly OptionalCapability[]
}

/** A role with the privileges of one path. */
interface PathRole {
  readonly name: string
  readonly path: string
  readonly privileges: readonly string[]
}

/** Returns one role for each path, so that each privilege applies only where the controller needs it. */
export const pathRoles = (prefix: string, without: readonly OptionalCapability[] = []): readonly PathRole[] =>
  PRIVILEGE_PATHS.map((path) => ({
    name: `${prefix}${path === '/' ? '' : path.replaceAll(/\/(\w)(\w*)/g, (_, first: string, rest: string) => `${first.toUpperCase()}${rest}`)}`,
    path,
    privileges: [
      ...new Set(neededPrivileges(without).flatMap((each) => (each.path === path ? [each.privilege] : []))),
    ].toSorted(),
  })).filter(({ privileges }) => privileges.length > 0)

/**
 * Returns the commands that create the roles, the user and its token. They run in a shell on any hypervisor. A role at `/` must not apply
 * to paths below it, because the token could then read more than it needs.
 */
export const roleCommands = ({ user, token, role, without = [] }: RoleNames): string =>
  `${[
    'set -eu',
    '',
    '# One role for each path:',
    ...pathRoles(role, without).map(
      ({ name, privileges }) => `pveum role add ${name} --privs '${privileges.join(' ')}'`,
    ),
    '',
    '# The user of the controller, which has no password and cannot log in:',
    `pveum user add ${user} --comment 'Kerf'`,
    ...pathRoles(role, without).map(
      ({ name, path }) =>
        `pveum acl modify ${path} --users ${user} --roles ${name}${path === '/' ? ' --propagate 0' : ''}`,
    ),
    '',
    '# Its token, with the privileges of the user. The secret is shown only now:',
    `pveum user token add ${user} ${token} --privsep 0`,
  ].join('\n')}\n`

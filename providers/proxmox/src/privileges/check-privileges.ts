import type { Privileges } from '../api/proxmox-api.ts'
import {
  type NeededPrivilege,
  neededPrivileges,
  type OptionalCapability,
  PRIVILEGE_PATHS,
} from './needed-privileges.ts'

/** The privileges that a token lacks. */
export interface PrivilegeCheck {
  readonly missing: readonly NeededPrivilege[]
}

/** Returns the privileges at a path: those of the longest path in the answer that is a prefix of it. */
const privilegesAt = (granted: Privileges, path: string): Readonly<Record<string, number>> => {
  const [, found = granted['/'] ?? {}] =
    Object.entries(granted)
      .filter(([each]) => path === each || (each !== '/' && path.startsWith(`${each}/`)))
      .toSorted(([a], [b]) => b.length - a.length)[0] ?? []
  return found
}

/**
 * Returns the privileges that the controller needs and a token does not have. `granted` are the token's privileges, as Proxmox returns
 * them.
 */
export const checkPrivileges = (granted: Privileges, without: readonly OptionalCapability[] = []): PrivilegeCheck => {
  const at = new Map<string, ReadonlySet<string>>(
    PRIVILEGE_PATHS.map((path) => [path, new Set(Object.keys(privilegesAt(granted, path)))]),
  )
  return { missing: neededPrivileges(without).filter(({ path, privilege }) => at.get(path)?.has(privilege) !== true) }
}

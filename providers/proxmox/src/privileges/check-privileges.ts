import type { Privileges } from '../api/proxmox-api.ts'
import {
  type NeededPrivilege,
  neededPrivileges,
  type OptionalCapability,
  PRIVILEGE_PATHS,
} from './needed-privileges.ts'

/** The privileges that are missing from a token. */
export interface PrivilegeCheck {
  readonly missing: readonly NeededPrivilege[]
}

/** Returns the privileges at a path. They are the entry for the longest path in the response that is a prefix of this path. */
const privilegesAt = (granted: Privileges, path: string): Readonly<Record<string, number>> => {
  const [, found = granted['/'] ?? {}] =
    Object.entries(granted)
      .filter(([each]) => path === each || (each !== '/' && path.startsWith(`${each}/`)))
      .toSorted(([a], [b]) => b.length - a.length)[0] ?? []
  return found
}

/**
 * Returns the privileges that the controller needs but that the token lacks. `granted` contains the token's privileges in Proxmox's format.
 */
export const checkPrivileges = (granted: Privileges, without: readonly OptionalCapability[] = []): PrivilegeCheck => {
  const at = new Map<string, ReadonlySet<string>>(
    PRIVILEGE_PATHS.map((path) => [path, new Set(Object.keys(privilegesAt(granted, path)))]),
  )
  return { missing: neededPrivileges(without).filter(({ path, privilege }) => at.get(path)?.has(privilege) !== true) }
}

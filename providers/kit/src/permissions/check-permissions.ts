/** The actions in a statement of a user's policy document. */
export interface Grant {
  readonly isAllowed: boolean
  /** Action patterns, not case-sensitive: `*` matches any text, and `?` matches any character. */
  readonly actions: readonly string[]
  /** Whether the grant applies to all actions except the listed ones. */
  readonly isInverted: boolean
  /** Patterns of actions that this grant does not cover. Another grant may allow these actions. */
  readonly except?: readonly string[]
  /** Whether the grant applies only to some resources, or only under certain conditions. */
  readonly isLimited: boolean
}

/** The result of comparing a policy document with the permissions that the controller needs. */
export interface PermissionCheck<Capability extends string> {
  /** Actions that no grant allows, with the capabilities that need them. */
  readonly missing: readonly {
    readonly action: string
    readonly capabilities: readonly Capability[]
    readonly denied: boolean
  }[]
  /** Actions that are allowed only for some resources, or only under certain conditions. Whether this is sufficient is not checked. */
  readonly limited: readonly string[]
  /** Actions that the document allows although the controller never uses them. */
  readonly unused: readonly string[]
}

const matches = (pattern: string, action: string): boolean => {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`, 'i').test(action)
}

const covers = (grant: Grant, action: string): boolean =>
  grant.actions.some((pattern) => matches(pattern, action)) !== grant.isInverted &&
  !(grant.except ?? []).some((pattern) => matches(pattern, action))

/** Compares a policy document with the required actions and the capabilities that need them. A denial overrides a permission. */
export const checkPermissions = <Capability extends string>(
  needed: ReadonlyMap<string, readonly Capability[]>,
  grants: readonly Grant[],
): PermissionCheck<Capability> => {
  const missing: PermissionCheck<Capability>['missing'][number][] = []
  const limited: string[] = []
  for (const [action, capabilities] of needed) {
    const concerned = grants.filter((grant) => covers(grant, action))
    const denied = concerned.some(({ isAllowed, isLimited }) => !isAllowed && !isLimited)
    const allowing = concerned.filter(({ isAllowed }) => isAllowed)
    if (denied || allowing.length === 0) missing.push({ action, capabilities, denied })
    else if (allowing.every(({ isLimited }) => isLimited) || concerned.length > allowing.length) limited.push(action)
  }
  const named = grants.filter(({ isAllowed, isInverted }) => isAllowed && !isInverted).flatMap(({ actions }) => actions)
  const unused = [...new Set(named)].filter((pattern) => ![...needed.keys()].some((action) => matches(pattern, action)))
  return { missing, limited, unused }
}

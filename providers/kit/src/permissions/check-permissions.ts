/** A statement of a document that somebody wrote, as far as actions go. */
export interface Grant {
  readonly isAllowed: boolean
  /** Patterns: `*` is any text, `?` any character, and case does not matter. */
  readonly actions: readonly string[]
  /** Every action but those of the list. */
  readonly isInverted: boolean
  /** Patterns of actions that the grant leaves out all the same. Another one may allow them. */
  readonly except?: readonly string[]
  /** Only for some resources, or under conditions. */
  readonly isLimited: boolean
}

/** What a document that somebody wrote lacks of what the controller does. */
export interface PermissionCheck<Capability extends string> {
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

/** Compares a document with the actions that are needed, and what each is for. A denial counts more than a permission. */
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

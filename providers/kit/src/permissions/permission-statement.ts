/**
 * A statement of what the controller may do in an account, and for which capability: when the permissions of one are
 * missing, only that one fails. A cloud renders it in its own syntax.
 */
export interface PermissionStatement<Capability extends string, Conditions> {
  readonly capability: Capability
  /** Unlike that of any other statement. */
  readonly name: string
  /** As the cloud names them. */
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  readonly conditions?: Conditions
}

/** What each action is for, in the order of the statements. */
export const purposesOf = <Capability extends string>(
  statements: readonly Pick<PermissionStatement<Capability, unknown>, 'actions' | 'capability'>[],
): ReadonlyMap<string, readonly Capability[]> => {
  const purposes = new Map<string, Capability[]>()
  for (const { actions, capability } of statements) {
    for (const action of actions) {
      const known = purposes.get(action) ?? []
      if (!known.includes(capability)) purposes.set(action, [...known, capability])
    }
  }
  return purposes
}

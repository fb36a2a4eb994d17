/**
 * Permissions that the controller needs in an account for one capability. If they are missing, only this capability fails. Each cloud
 * renders the statement in its own syntax.
 */
export interface PermissionStatement<Capability extends string, Conditions> {
  readonly capability: Capability
  /** The name of the statement, which is unique. */
  readonly name: string
  /** The cloud's names of the actions. */
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  readonly conditions?: Conditions
}

/** Returns the capabilities that need each action, in the order of the statements. */
export const permissionPurposes = <Capability extends string>(
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

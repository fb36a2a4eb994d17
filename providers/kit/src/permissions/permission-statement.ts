/**
 * The permissions in an account that the controller needs for one capability. If they are missing, only this capability fails. Each cloud
 * has its own syntax for the statement.
 */
export interface PermissionStatement<Capability extends string, Conditions> {
  readonly capability: Capability
  /** The unique name of the statement. */
  readonly name: string
  /** The names of the actions in the cloud. */
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

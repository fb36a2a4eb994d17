/** The verbs that Kerf uses in the management cluster. */
export type ManagementVerb = 'get' | 'list' | 'watch' | 'patch' | 'update' | 'delete'
export type ManagementResource = 'machines' | 'machinesets' | 'machinedeployments' | 'clusters'

/** The permissions that the management cluster grants. */
export interface GrantedPermissions {
  /**
   * Returns `undefined` until the API server has answered. In this case, code that must be certain assumes a refusal. Other code tries the
   * call.
   */
  may(verb: ManagementVerb, resource: ManagementResource): boolean | undefined
}

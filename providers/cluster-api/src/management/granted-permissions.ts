/** What Kerf asks of the management cluster. */
export type ManagementVerb = 'get' | 'list' | 'watch' | 'patch' | 'update' | 'delete'
export type ManagementResource = 'machines' | 'machinesets' | 'machinedeployments' | 'clusters'

/** What the management cluster lets us do. */
export interface GrantedPermissions {
  /** `undefined` until the API server has said so. Code that must not guess takes that as a no, other code tries. */
  may(verb: ManagementVerb, resource: ManagementResource): boolean | undefined
}

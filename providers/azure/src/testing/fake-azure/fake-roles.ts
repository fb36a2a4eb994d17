import { type BuiltInRole, builtInRoles } from '../../roles/built-in-roles.ts'
import { ArmError, type ArmResponse } from './arm-response.ts'

const PERMISSIONS = '/providers/Microsoft.Authorization/permissions'

/** The role assignments, and the permissions that follow from them. Other calls of the fake do not check the permissions. */
export class FakeRoles {
  /** A scope is a resource group or a resource, and includes everything below it. */
  assignments: readonly { readonly role: BuiltInRole; readonly scope: string }[]

  constructor(nodeResourceGroup: string) {
    this.assignments = (['virtualMachineContributor', 'networkContributor', 'managedIdentityOperator'] as const).map(
      (role) => ({ role, scope: nodeResourceGroup }),
    )
  }

  permissionPage(url: URL): ArmResponse {
    const { pathname } = url
    const scope = decodeURIComponent(pathname.slice(0, -PERMISSIONS.length)).toLowerCase()
    const value = this.assignments
      .filter((each) => `${scope}/`.startsWith(`${each.scope.toLowerCase()}/`))
      .map(({ role }) => ({ actions: builtInRoles[role].actions, notActions: [], dataActions: [], notDataActions: [] }))
    if (value.length === 0)
      throw new ArmError(
        403,
        'AuthorizationFailed',
        `The client does not have authorization to perform action 'Microsoft.Authorization/permissions/read' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
      )
    const from = Number(url.searchParams.get('page') ?? 0)
    const next = new URL(url)
    next.searchParams.set('page', `${from + 2}`)
    return {
      status: 200,
      body: { value: value.slice(from, from + 2), ...(from + 2 < value.length ? { nextLink: next.href } : {}) },
    }
  }
}

import { checkPermissions, permissionPurposes } from '@kerf/provider-kit'
import type { AuthorizationApi } from '../api/azure-api.ts'
import { grantsOfRoles } from '../roles/check-roles.ts'
import { azureCapabilities, neededActions } from '../roles/needed-actions.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'
import { failed, passed, refused, type SubscriptionFinding } from './finding.ts'

type RoleSettings = Pick<
  AzureSettings,
  'azureSubscriptionID' | 'azureNodeResourceGroup' | 'nodeIdentities' | 'nodeOSDiskEncryptionSetID'
>
type Needed = ReturnType<typeof neededActions>

/** A resource ID, and the actions that Kerf needs on the resource. */
interface Scope {
  readonly id: string
  readonly needed: Needed
}

const isBelow = (id: string, scope: string): boolean => id.toLowerCase().startsWith(`${scope.toLowerCase()}/`)

/**
 * Returns the scopes, each with the actions that Kerf needs there. The list omits sizes, quotas and images, which belong to the
 * subscription. The command checks their permissions by reading them.
 */
const settingsScopes = (settings: RoleSettings, subnets: readonly string[]): readonly Scope[] => {
  const { azureSubscriptionID, azureNodeResourceGroup, nodeIdentities, nodeOSDiskEncryptionSetID } = settings
  const nodes = `/subscriptions/${azureSubscriptionID}/resourceGroups/${azureNodeResourceGroup}`
  const all = neededActions({
    hasIdentities: nodeIdentities.length > 0,
    hasEncryptionSet: nodeOSDiskEncryptionSetID !== '',
    ...{ useSIG: false, isMachineMode: false },
  })
  const of = (...capabilities: readonly string[]): Needed =>
    all.filter(({ capability }) => capabilities.includes(capability))
  // A role on a subnet does not apply to its virtual network.
  const join = of('network').map((each) => ({
    ...each,
    actions: each.actions.filter((action) => action.includes('/subnets/')),
  }))
  const isHere = subnets.some((id) => isBelow(id, nodes))
  return [
    { id: nodes, needed: isHere ? of('launch', 'network') : of('launch') },
    ...subnets.filter((id) => !isBelow(id, nodes)).map((id) => ({ id, needed: join })),
    ...nodeIdentities.map((id) => ({ id, needed: of('identities') })),
    ...(nodeOSDiskEncryptionSetID === '' ? [] : [{ id: nodeOSDiskEncryptionSetID, needed: of('encryption') }]),
  ]
}

const CHECK = 'the roles of the identity have all actions that Kerf needs'

/** Checks whether, according to Azure, the caller's roles allow the actions that Kerf needs on each scope. */
export const roleFindings = (
  authorization: AuthorizationApi,
  settings: RoleSettings,
  subnets: readonly string[],
  signal: AbortSignal,
): Promise<readonly SubscriptionFinding[]> =>
  Promise.all(
    settingsScopes(settings, subnets).map(async ({ id, needed }) => {
      const subject = { check: CHECK, object: id }
      try {
        const actions = permissionPurposes(needed)
        const { missing } = checkPermissions(actions, grantsOfRoles(await authorization.permissions(id, signal)))
        if (missing.length === 0) return passed(subject, `${actions.size} of ${actions.size} actions`)
        const without = [...new Set(missing.flatMap(({ capabilities }) => capabilities))].map(
          (name) => azureCapabilities[name],
        )
        return failed(
          subject,
          `missing: ${missing.map(({ action }) => action).join(', ')}; without them Kerf cannot ${without.join('; ')}`,
          'assign the role that "kerf azure roles" prints for this scope',
        )
      } catch (error) {
        signal.throwIfAborted()
        return refused(subject, error, 'correct the name: the subscription has no such resource')
      }
    }),
  )

import { describe, expect, test } from 'vitest'
import { builtInRoles } from './built-in-roles.ts'
import { checkRoles, RoleFileError } from './check-roles.ts'
import type { UsedCapabilities } from './needed-actions.ts'
import { type RoleTarget, roleAssignments } from './role-assignments.ts'

const OWN_SUBNET = '/subscriptions/1/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes'
const AKS_SUBNET =
  '/subscriptions/1/resourceGroups/mc_demo/providers/Microsoft.Network/virtualNetworks/aks-vnet-12345678/subnets/aks-subnet'

const plain: UsedCapabilities = { hasIdentities: false, hasEncryptionSet: false, useSIG: false, isMachineMode: false }
const targetOf = (more: Partial<RoleTarget> = {}): RoleTarget => ({
  ...{ ...plain, subscription: '1', resourceGroup: 'demo', nodeResourceGroup: 'MC_demo', subnetIds: [AKS_SUBNET] },
  ...{ encryptionSetId: '', sigSubscription: '' },
  ...more,
})

const definition = (...names: readonly (keyof typeof builtInRoles)[]): string =>
  JSON.stringify(names.map((name) => ({ permissions: [{ actions: builtInRoles[name].actions, notActions: [] }] })))

const everywhere: Partial<RoleTarget> = {
  hasIdentities: true,
  hasEncryptionSet: true,
  useSIG: true,
  encryptionSetId: '/subscriptions/1/resourceGroups/keys/providers/Microsoft.Compute/diskEncryptionSets/own',
  sigSubscription: '2',
  subnetIds: [OWN_SUBNET],
}

describe('the assigned roles are sufficient', () => {
  test.each<readonly [string, RoleTarget]>([
    ['VMs in the network of AKS', targetOf()],
    ['VMs in a network of the user’s, with everything', targetOf(everywhere)],
    ['machines of a pool', targetOf({ isMachineMode: true, useSIG: true, sigSubscription: '2' })],
    ['machines of a pool in a network of the user’s', targetOf({ ...everywhere, isMachineMode: true })],
  ])('%s', (_name, target) => {
    const roles = roleAssignments(target).map(({ role }) => role)
    expect(checkRoles(definition(...roles), target).missing).toEqual([])
  })

  // The check ignores scopes, so Reader on the encryption set would count for the subnet too.
  test('no assigned role is superfluous', () => {
    const target = targetOf({ hasIdentities: true, subnetIds: [OWN_SUBNET] })
    const roles = roleAssignments(target).map(({ role }) => role)
    for (const left of new Set(roles)) {
      const rest = roles.filter((role) => role !== left)
      expect(checkRoles(definition(...rest), target).missing, left).not.toEqual([])
    }
  })
})

test('a subnet in a user’s network gets its own role, and AKS’s subnet none', () => {
  const scopes = (subnetIds: readonly string[]) =>
    roleAssignments(targetOf({ subnetIds })).map(({ scope }) => scope.replace(/^.*resourceGroups/, ''))
  expect(scopes([AKS_SUBNET])).toEqual(['/MC_demo', '/MC_demo'])
  expect(scopes([AKS_SUBNET, OWN_SUBNET, OWN_SUBNET])).toEqual([
    '/MC_demo',
    '/MC_demo',
    '/net/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes',
  ])
})

describe('the check of role definitions', () => {
  const all = targetOf(everywhere)

  test('names each missing action, and the capability that fails without it', () => {
    const { missing } = checkRoles(definition('virtualMachineContributor', 'managedIdentityOperator'), all)
    expect(missing).toEqual([
      { action: 'Microsoft.Network/virtualNetworks/subnets/read', capabilities: ['network'], denied: false },
      { action: 'Microsoft.Compute/diskEncryptionSets/read', capabilities: ['encryption'], denied: false },
      { action: 'Microsoft.Compute/galleries/images/versions/read', capabilities: ['sharedGalleries'], denied: false },
      {
        action: 'Microsoft.ContainerService/locations/nodeImageVersions/read',
        capabilities: ['sharedGalleries'],
        denied: false,
      },
    ])
  })

  test('also parses files of custom roles, and their exclusions', () => {
    const custom = { Name: 'Nodes', Actions: ['*'], NotActions: ['Microsoft.Network/networkInterfaces/delete'] }
    expect(checkRoles(JSON.stringify(custom), plain).missing.map(({ action }) => action)).toEqual([
      'Microsoft.Network/networkInterfaces/delete',
    ])
    expect(checkRoles(JSON.stringify([custom, { actions: ['Microsoft.Network/*'] }]), plain).missing).toEqual([])
  })

  test.each([
    ['nothing', 'it is not JSON'],
    ['[1]', '[0] is not an object'],
    ['{"permissions": 1}', '[0].permissions must be a list'],
    ['{"permissions": [2]}', '[0].permissions[0] is not an object'],
    ['{"actions": "*"}', '[0].actions must be a list of strings'],
  ])('of %s names the problem', (text, problem) => {
    expect(() => checkRoles(text, plain)).toThrow(RoleFileError)
    expect(() => checkRoles(text, plain)).toThrow(problem)
  })
})

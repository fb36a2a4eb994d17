import { type Permission, permissionResource } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { processPermissions } from '../../../packages/cli/src/run/process-permissions.ts'
import { IMAGE_PROVIDER } from '../../../tools/image/image-provider.ts'
import { upstreamRoles } from './upstream-roles.ts'

interface Role {
  readonly rules?: readonly {
    readonly apiGroups: readonly string[]
    readonly resources: readonly string[]
    readonly verbs: readonly string[]
  }[]
}

const rules = (upstreamRoles({ namespace: 'kube-system', name: 'karpenter' }) as readonly Role[]).flatMap(
  ({ rules = [] }) => rules,
)

/** Returns those verbs and resources of the permission that upstream's roles do not grant. */
const missing = (permission: Permission): readonly string[] =>
  permission.verbs
    .filter(
      (verb) =>
        !rules.some(
          ({ apiGroups, resources, verbs }) =>
            apiGroups.includes(permission.kind.group) &&
            resources.includes(permissionResource(permission)) &&
            verbs.includes(verb),
        ),
    )
    .map((verb) => `${verb} ${permissionResource(permission)}`)

const needed = await processPermissions(IMAGE_PROVIDER)

const missingOf = (when: Permission['when']): readonly string[] =>
  needed.filter((permission) => permission.when === when).flatMap(missing)

test.each(['CapacityBuffer', 'NodeOverlay'] as const)(
  'the roles of upstream’s chart are sufficient for the feature gate %s',
  (when) => {
    expect(missingOf(when)).toEqual([])
  },
)

/**
 * docs/install.md lists the features that need the missing permissions. The permissions for the subresource `finalizers` matter only if
 * the API server checks owner references.
 */
test('without options, the roles of upstream’s chart lack only optional permissions', () => {
  expect(missingOf(undefined)).toEqual([
    'list leases',
    'update nodepools/finalizers',
    'update nodeclaims/finalizers',
    'patch pods/status',
    'list clusterpolicies',
    'watch clusterpolicies',
    // The price book and commitments.
    'get configmaps',
    'get configmaps',
    'patch clusterpolicies/status',
    'list nodepoolpolicies',
    'watch nodepoolpolicies',
    'patch nodepoolpolicies/status',
    'create configmaps',
    'get configmaps',
    'patch configmaps',
  ])
})

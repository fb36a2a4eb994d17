import { type Right, resourceOf } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { processRights } from '../../cli/src/run/process-rights.ts'
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

/** What the right holds that no rule of upstream's allows. */
const missing = (right: Right): readonly string[] =>
  right.verbs
    .filter(
      (verb) =>
        !rules.some(
          ({ apiGroups, resources, verbs }) =>
            apiGroups.includes(right.kind.group) && resources.includes(resourceOf(right)) && verbs.includes(verb),
        ),
    )
    .map((verb) => `${verb} ${resourceOf(right)}`)

const missingOf = (when: Right['when']): readonly string[] =>
  processRights('aws')
    .filter((right) => right.when === when)
    .flatMap(missing)

test.each(['CapacityBuffer', 'NodeOverlay'] as const)(
  'the roles of upstream’s chart suffice for the gate %s',
  (when) => {
    expect(missingOf(when)).toEqual([])
  },
)

/** docs/install.md tells what is left out without them; the first two matter where the API server checks owners. */
test('without options, the roles of upstream’s chart lack only what Kerf does without', () => {
  expect(missingOf(undefined)).toEqual([
    'update nodepools/finalizers',
    'update nodeclaims/finalizers',
    'patch pods/status',
    'create configmaps',
    'get configmaps',
    'patch configmaps',
  ])
})

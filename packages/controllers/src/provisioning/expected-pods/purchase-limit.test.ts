import { controllerOwner, type Pod } from '@kerf/apis'
import type { PlannedClaim } from '@kerf/engine'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { expectedUid } from './expected-pod.ts'
import { limitPurchases } from './purchase-limit.ts'

/** Returns a pod of an owner. `web-1` is an existing pod, `web+1` is an expected pod. */
const member = (text: string): Pod => {
  const [owner = ''] = text.split(/[-+]/)
  return pod(text, {
    metadata: {
      uid: text.includes('+') ? expectedUid(owner, text) : text,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner, controller: true }],
    },
  })
}
const owners = ({ pods }: PlannedClaim): readonly string[] => [
  ...new Set(
    pods.flatMap((each) => (each.metadata.uid?.startsWith('expected/') ? [controllerOwner(each)?.uid ?? ''] : [])),
  ),
]

/** Returns the pods of the claims that are launched. `unused` contains the owners that have an unused node which was launched ahead. */
const launched = (claims: readonly string[], unused: readonly string[] = []): readonly string[] =>
  limitPurchases(
    claims.map((pods) => ({ pods: pods.split(' ').map(member) }) as never),
    owners,
    (owner) => unused.includes(owner),
  ).map(({ pods }) => pods.map(({ metadata }) => metadata.name).join(' '))

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['one claim is launched ahead', ['web-1 web+1', 'web+2 web+3', 'web+4 web+5'], [], ['web-1 web+1', 'web+2 web+3']],
  ['none if the owner has an unused node', ['web-1 web+1', 'web+2 web+3'], ['web'], ['web-1 web+1']],
  ['the one with most pods', ['web+1', 'web+2 web+3'], [], ['web+2 web+3']],
  ['existing pods of an owner share a claim', ['web-1 web+1', 'web+2 web-2'], ['web'], ['web-1 web-2']],
  [
    'existing pods use a claim that pods of another owner need',
    ['web-1 web+1', 'web+2 web+3 api-1'],
    ['web'],
    ['web-1 web+1 api-1'],
  ],
  ['each owner has one', ['web+1', 'api+1', 'web+2', 'api+2'], [], ['web+1', 'api+1']],
  ['owners share one', ['web+1 api+1', 'web+2', 'api+2'], [], ['web+1 api+1']],
  ['without expected pods nothing changes', ['web-1', 'web-2 api-1'], [], ['web-1', 'web-2 api-1']],
])('%s', (_, claims, unused, expected) => {
  expect(launched(claims, unused)).toEqual(expected)
})

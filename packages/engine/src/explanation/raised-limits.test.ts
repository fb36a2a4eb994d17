import { expect, test } from 'vitest'
import { cluster, instanceType, node, pod } from '../testing/cluster-builders.ts'
import { type CountedAs, raisedLimits } from './raised-limits.ts'

const types = [instanceType('small', 2.5, '8200Mi', 0.1), instanceType('large', 4, '9.5Gi', 0.2)]

/** Returns the raised limits of a NodePool that has a node of 4 CPUs and 16Gi, and launches one more node. */
const raised = (limits: Readonly<Record<string, string>>, countedAs: CountedAs) => {
  const { plan } = cluster().pool('general', { types }).schedule(pod('p'))
  // The node that is marked for deletion does not count towards the limits, as in a plan.
  const { snapshot } = cluster()
    .pool('general', { types, limits })
    .nodes(node('old'), node('leaving', { markedForDeletion: true }))
  const [option] = snapshot.pools
  if (option === undefined) throw new Error('the snapshot has no NodePool')
  return raisedLimits(snapshot, option, plan, countedAs)
}

test.each<[string, CountedAs, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
  [
    'are rounded up to whole CPUs and whole Gi',
    'cheapest',
    { cpu: '4', memory: '16Gi', nodes: '1' },
    { cpu: '7', memory: '25Gi', nodes: '2' },
  ],
  ['cover the largest type', 'largest', { cpu: '4', memory: '16Gi' }, { cpu: '8', memory: '26Gi' }],
  ['stay as written if they suffice', 'cheapest', { cpu: '6500m', nodes: '2' }, { cpu: '6500m', nodes: '2' }],
])('raised limits %s', (_, countedAs, limits, expected) => {
  expect(raised(limits, countedAs)).toEqual(expected)
})

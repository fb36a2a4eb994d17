import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { clusterApiLabels } from '../names.ts'
import type { ClusterAPINodeClass } from '../node-class/cluster-api-node-class.ts'
import { type Cluster, readCluster } from '../objects/cluster.ts'
import { type Machine, readMachine } from '../objects/machine.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import type { ClusterOnWire, MachineOnWire } from '../objects/wire.ts'
import { clusterApiNodeClass } from '../testing/cluster-api-node-class.ts'
import { annotatedDeployment } from '../testing/deployment.ts'
import { sample } from '../testing/samples.ts'
import { describeMemberProblem } from './member-problem.ts'
import { type MembershipView, nodeClassMembers } from './members-of.ts'
import { nodesWithoutMachine } from './nodes-without-machine.ts'

const MEMBER = clusterApiLabels.member
const ownCluster = { namespace: 'default', name: 'bed' }
const cluster = (changes: Partial<Cluster> = {}): Cluster => ({
  ...readCluster(sample<ClusterOnWire>('v1beta2', 'cluster')),
  ...changes,
})
const deployment = (name: string, changes: Partial<MachineDeployment> = {}): MachineDeployment =>
  annotatedDeployment({}, { name, strategy: 'OnDelete', labels: { [MEMBER]: '' }, ...changes })
type Selector = NonNullable<ClusterAPINodeClass['spec']>['scalableResourceSelector']
const selecting = (selector: Selector, name = 'a'): ClusterAPINodeClass =>
  clusterApiNodeClass(name, { spec: selector === undefined ? {} : { scalableResourceSelector: selector } })

const view = (deployments: readonly MachineDeployment[], more: Partial<MembershipView> = {}): MembershipView => ({
  ...{ deployments, ownCluster, clusters: [cluster()], nodeClasses: [] },
  ...more,
})
const nodeClassNames = (nodeClass: ClusterAPINodeClass, of: MembershipView): readonly string[] =>
  nodeClassMembers(nodeClass, of).members.map(({ deployment: { name } }) => name)
const nodeClassTexts = (nodeClass: ClusterAPINodeClass, of: MembershipView): readonly string[] =>
  nodeClassMembers(nodeClass, of).problems.map(describeMemberProblem)

const all = [
  deployment('zone-b'),
  deployment('zone-a'),
  deployment('no-member', { labels: { tier: 'web' } }),
  deployment('with-value', { labels: { [MEMBER]: 'true' } }),
]

test.each([
  ['no spec', clusterApiNodeClass('a')],
  ['no selector', selecting(undefined)],
  ['an empty selector', selecting({})],
  ['a selector with empty lists', selecting({ matchLabels: {}, matchExpressions: [] })],
])('%s selects those with the member label and an empty value, by name', (_, nodeClass) => {
  expect(nodeClassNames(nodeClass, view(all))).toEqual(['zone-a', 'zone-b'])
})

test('a member label with a value is reported if the label decides', () => {
  expect(nodeClassTexts(selecting({}), view(all))).toMatchInlineSnapshot(`
    [
      "MachineDeployment default/with-value: its label node.cluster.x-k8s.io/karpenter-member has the value "true", but must be empty; set it to an empty value, or select the MachineDeployment with spec.scalableResourceSelector. Until then it is not used.",
    ]
  `)
  expect(nodeClassTexts(selecting({ matchLabels: { tier: 'web' } }), view(all))).toEqual([])
})

test('its own selector selects what it matches, with or without the member label', () => {
  expect(nodeClassNames(selecting({ matchLabels: { tier: 'web' } }), view(all))).toEqual(['no-member'])
  const exists = { matchExpressions: [{ key: MEMBER, operator: 'Exists' }] }
  expect(nodeClassNames(selecting(exists), view(all))).toEqual(['with-value', 'zone-a', 'zone-b'])
  const notIn = { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['web'] }] }
  expect(nodeClassNames(selecting(notIn), view(all))).toEqual(['with-value', 'zone-a', 'zone-b'])
})

test('an unreadable selector selects nothing and says why', () => {
  const selectors: readonly Selector[] = [
    { matchExpressions: [{ key: 'tier', operator: 'Like', values: ['w'] }] },
    { matchExpressions: [{ key: 'tier', operator: 'Gt', values: ['1'] }] },
    { matchExpressions: [{ key: 'tier', operator: 'In' }] },
    { matchExpressions: [{ key: 'tier', operator: 'Exists', values: ['w'] }] },
    { matchExpressions: [{ key: 'not a key', operator: 'Exists' }] },
    { matchLabels: { tier: 'not a value' }, matchExpressions: [{ key: '', operator: 'exists' }] },
  ]
  for (const selector of selectors) expect(nodeClassMembers(selecting(selector), view(all)).members).toEqual([])
  const details = selectors.map((selector) =>
    nodeClassMembers(selecting(selector), view(all)).problems.map(({ detail }) => detail),
  )
  expect(details).toMatchInlineSnapshot(`
    [
      [
        "spec.scalableResourceSelector cannot be read: operator "Like" on "tier" is not one of In, NotIn, Exists, DoesNotExist",
      ],
      [
        "spec.scalableResourceSelector cannot be read: operator "Gt" on "tier" is not one of In, NotIn, Exists, DoesNotExist",
      ],
      [
        "spec.scalableResourceSelector cannot be read: In on tier needs at least one value",
      ],
      [
        "spec.scalableResourceSelector cannot be read: Exists on tier takes no values",
      ],
      [
        "spec.scalableResourceSelector cannot be read: key "not a key": the name must consist of letters, digits, "-", "_" and ".", and start and end with a letter or digit",
      ],
      [
        "spec.scalableResourceSelector cannot be read: value "not a value" of tier: a label value must consist of letters, digits, "-", "_" and ".", and start and end with a letter or digit",
        "spec.scalableResourceSelector cannot be read: operator "exists" on "" is not one of In, NotIn, Exists, DoesNotExist",
      ],
    ]
  `)
  expect(nodeClassTexts(selecting(selectors[0]), view(all))).toMatchInlineSnapshot(`
    [
      "ClusterAPINodeClass a: spec.scalableResourceSelector cannot be read: operator "Like" on "tier" is not one of In, NotIn, Exists, DoesNotExist; correct it. Until then it is not used.",
    ]
  `)
})

test('deployments of other Clusters are never members, and are reported if a selector matches them', () => {
  const foreign = [
    deployment('there', { clusterName: 'other', labels: { [MEMBER]: '', tier: 'web' } }),
    deployment('same-name', { namespace: 'kube-system', labels: { [MEMBER]: '', tier: 'web' } }),
  ]
  expect(nodeClassNames(selecting({}), view([...all, ...foreign]))).toEqual(['zone-a', 'zone-b'])
  expect(nodeClassTexts(selecting({}), view([deployment('zone-a'), ...foreign]))).toEqual([])
  const web = selecting({ matchLabels: { tier: 'web' } })
  expect(nodeClassNames(web, view([...all, ...foreign]))).toEqual(['no-member'])
  expect(nodeClassTexts(web, view([...all, ...foreign]))).toMatchInlineSnapshot(`
    [
      "ClusterAPINodeClass a: spec.scalableResourceSelector also matches MachineDeployments of other Clusters, which are not used: default/there of other, kube-system/same-name of bed; add the label cluster.x-k8s.io/cluster-name to the selector.",
    ]
  `)
  const many = Array.from({ length: 8 }, (_, index) => ({ ...deployment(`d${index}`), clusterName: 'other' }))
  expect(
    nodeClassTexts(selecting({ matchExpressions: [{ key: MEMBER, operator: 'Exists' }] }), view(many)),
  ).toMatchInlineSnapshot(`
    [
      "ClusterAPINodeClass a: no MachineDeployment of Cluster default/bed matches spec.scalableResourceSelector; correct the selector, or the labels of the MachineDeployments.",
      "ClusterAPINodeClass a: spec.scalableResourceSelector also matches MachineDeployments of other Clusters, which are not used: default/d0 of other, default/d1 of other, default/d2 of other, default/d3 of other, default/d4 of other and 3 more; add the label cluster.x-k8s.io/cluster-name to the selector.",
    ]
  `)
})

test('a class that selects nothing is reported', () => {
  expect(nodeClassTexts(selecting({}), view([]))).toMatchInlineSnapshot(`
    [
      "ClusterAPINodeClass a: no MachineDeployment of Cluster default/bed has the label node.cluster.x-k8s.io/karpenter-member with an empty value; label one: kubectl label machinedeployment NAME node.cluster.x-k8s.io/karpenter-member=.",
    ]
  `)
  expect(nodeClassTexts(selecting({ matchLabels: { a: 'b' } }), view(all))).toMatchInlineSnapshot(`
    [
      "ClusterAPINodeClass a: no MachineDeployment of Cluster default/bed matches spec.scalableResourceSelector; correct the selector, or the labels of the MachineDeployments.",
    ]
  `)
})

const deployments: readonly (readonly [string, Partial<MachineDeployment>, boolean, boolean])[] = [
  ['paused', { isPaused: true }, false, true],
  ['being deleted', { isDeleting: true }, false, true],
  ['rolling by itself', { strategy: 'RollingUpdate' }, true, false],
  ['with a strategy of a newer Cluster API', { strategy: 'Recreate' }, true, false],
  ['with the member label in its template', { templateLabels: { [MEMBER]: '' } }, true, true],
  ['scaled by somebody else', { replicas: 5, annotations: { 'kerf.sh/replicas-of-others': '2' } }, true, true],
  ['with nonsense where Kerf writes', { annotations: { 'kerf.sh/replicas-of-others': 'many' } }, true, true],
]

test.each(deployments)(
  'a deployment %s: whether it launches, and whether its nodes drift',
  (_, changes, mayLaunch, mayDrift) => {
    const { members } = nodeClassMembers(selecting({}), view([deployment('one', changes), deployment('two')]))
    expect(members.map((member) => [member.mayLaunch, member.mayDrift])).toEqual([
      [mayLaunch, mayDrift],
      [true, true],
    ])
  },
)

test('the problems of a deployment', () => {
  const texts = deployments.map(([title, changes]) => [
    title,
    ...nodeClassTexts(selecting({}), view([deployment('one', changes)])),
  ])
  expect(texts).toMatchInlineSnapshot(`
    [
      [
        "paused",
        "MachineDeployment default/one: it is paused, so Cluster API neither creates nor deletes Machines; remove the annotation cluster.x-k8s.io/paused, and set spec.paused to false. Until then no machine is launched from it.",
      ],
      [
        "being deleted",
        "MachineDeployment default/one: it is being deleted; move its pods by deleting the NodeClaims, or select another MachineDeployment. Until then no machine is launched from it.",
      ],
      [
        "rolling by itself",
        "MachineDeployment default/one: its rollout strategy is RollingUpdate: after a change of the template, Cluster API replaces the nodes itself, ignores budgets, and the new nodes have no NodeClaim; set spec.rollout.strategy.type to OnDelete (in v1beta1 spec.strategy.type). Until then its nodes do not drift.",
      ],
      [
        "with a strategy of a newer Cluster API",
        "MachineDeployment default/one: its rollout strategy is Recreate: after a change of the template, Cluster API replaces the nodes itself, ignores budgets, and the new nodes have no NodeClaim; set spec.rollout.strategy.type to OnDelete (in v1beta1 spec.strategy.type). Until then its nodes do not drift.",
      ],
      [
        "with the member label in its template",
        "MachineDeployment default/one: spec.template.metadata.labels has node.cluster.x-k8s.io/karpenter-member, so the label does not show which Machines belong to a NodeClaim; the upstream provider would scale it without limit; remove the label from the template, and keep it on the MachineDeployment.",
      ],
      [
        "scaled by somebody else",
        "MachineDeployment default/one: 2 of its 5 replicas were not requested by Kerf, and Kerf keeps them; no action if that is intended; otherwise lower spec.replicas by 2.",
      ],
      [
        "with nonsense where Kerf writes",
      ],
    ]
  `)
})

test.each([
  [
    'paused',
    { isPaused: true },
    'Cluster default/bed: it is paused, so Cluster API neither creates nor deletes Machines',
  ],
  ['being deleted', { isDeleting: true }, 'Cluster default/bed: it is being deleted'],
])('nothing is launched while the Cluster is %s', (_, changes, text) => {
  const of = view([deployment('one'), deployment('two')], { clusters: [cluster({ name: 'other' }), cluster(changes)] })
  expect(nodeClassMembers(selecting({}), of).members.map(({ mayLaunch }) => mayLaunch)).toEqual([false, false])
  expect(nodeClassTexts(selecting({}), of)).toEqual([expect.stringContaining(text)])
})

test('if Clusters may not be read, members may launch', () => {
  expect(nodeClassMembers(selecting({}), view([deployment('one')], { clusters: [] })).members).toMatchObject([
    { mayLaunch: true },
  ])
})

test('two classes that select the same deployment both have it, and both report it', () => {
  const [a, b] = [selecting({}), selecting({ matchLabels: { tier: 'web' } }, 'b')]
  const going: ClusterAPINodeClass = {
    ...selecting({}, 'c'),
    metadata: { name: 'c', deletionTimestamp: '2026-01-01T00:00:00Z' },
  }
  const unreadable = selecting({ matchExpressions: [{ key: 'tier', operator: 'Like' }] }, 'd')
  const both = deployment('both', { labels: { [MEMBER]: '', tier: 'web' } })
  const of = view([both, deployment('one')], { nodeClasses: [a, b, going, unreadable] })
  expect(nodeClassNames(a, of)).toEqual(['both', 'one'])
  expect(nodeClassNames(b, of)).toEqual(['both'])
  expect(nodeClassTexts(a, of)).toMatchInlineSnapshot(`
    [
      "MachineDeployment default/both: ClusterAPINodeClass b also selects it, so both launch from it and share its maximum size; make their selectors mutually exclusive.",
    ]
  `)
  expect(nodeClassTexts(b, of)).toMatchInlineSnapshot(`
    [
      "MachineDeployment default/both: ClusterAPINodeClass a also selects it, so both launch from it and share its maximum size; make their selectors mutually exclusive.",
    ]
  `)
})

test('a Node without a Machine is reported on the class of its NodeClaim', () => {
  const machine = readMachine(sample<MachineOnWire>('v1beta2', 'machine'))
  const ref = { group: 'karpenter.cluster.x-k8s.io', kind: 'ClusterAPINodeClass' }
  const claim = (name: string, nodeClass: string, status: object, metadata: object = {}) =>
    nodeClaim(name, { spec: { nodeClassRef: { ...ref, name: nodeClass } }, status, metadata })
  const launched = { providerID: 'in-memory://gone', nodeName: 'gone' }
  const claims = [
    claim('whole', 'a', { providerID: machine.providerId, nodeName: machine.name }),
    claim('lost', 'a', launched),
    claim('of-another', 'b', launched),
    claim('launching', 'a', { providerID: 'in-memory://new' }),
    claim('going', 'a', launched, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
  ]
  const machinesWith = (id: string): readonly Machine[] => (id === machine.providerId ? [machine] : [])
  const problems = nodesWithoutMachine(clusterApiNodeClass('a'), claims, machinesWith)
  expect(problems.map(describeMemberProblem)).toMatchInlineSnapshot(`
    [
      "Node gone: no Machine has its provider ID in-memory://gone; delete NodeClaim lost if the machine is gone; if it still runs, delete it in the infrastructure, because Cluster API has no record of it.",
    ]
  `)
})

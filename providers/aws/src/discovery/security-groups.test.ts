import { VirtualClock } from '@kerf/runtime'
import { expect, test, vi } from 'vitest'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { nodeClassSpec } from '../testing/aws-harness.ts'
import { ec2NodeClass } from '../testing/ec2-node-class.ts'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { SecurityGroups } from './security-groups.ts'

// See `providers/aws/docs/spec/aws.md#security-groups`.

const never = new AbortController().signal

const harness = () => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 0 })
  ec2.groups = [
    { GroupId: 'sg-3', GroupName: 'c', Tags: [{ Key: 'team', Value: 'a' }] },
    { GroupId: 'sg-1', GroupName: 'a', Tags: [{ Key: 'team', Value: 'b' }] },
    { GroupId: 'sg-2', GroupName: 'b' },
    { GroupName: 'nameless', Tags: [{ Key: 'team', Value: 'a' }] },
    { GroupId: 'sg-4', Tags: [{ Key: 'team', Value: 'c' }] },
  ]
  const groups = new SecurityGroups(ec2, clock)
  const find = (terms: EC2NodeClass['spec']['securityGroupSelectorTerms'], generation = 1) =>
    groups.find(
      ec2NodeClass('default', {
        spec: { ...nodeClassSpec, securityGroupSelectorTerms: terms },
        metadata: { uid: 'u', generation },
      }),
      never,
    )
  return { clock, ec2, find, asked: () => ec2.faults.count('describeSecurityGroups') }
}

test('all IDs share one request, all names another, and each set of tags has its own; each group is returned once, sorted by ID', async () => {
  const { ec2, find } = harness()
  const query = vi.spyOn(ec2, 'describeSecurityGroups')
  const found = await find([
    { tags: { team: 'a' } },
    { id: 'sg-3' },
    { name: 'b' },
    { id: 'sg-1' },
    { name: 'c' },
    { tags: { team: '*' } },
  ])
  expect(found).toEqual([
    { id: 'sg-1', name: 'a' },
    { id: 'sg-2', name: 'b' },
    { id: 'sg-3', name: 'c' },
    { id: 'sg-4' },
  ])
  expect(query.mock.calls.map(([filters]) => filters)).toEqual([
    [{ Name: 'group-id', Values: ['sg-3', 'sg-1'] }],
    [{ Name: 'group-name', Values: ['b', 'c'] }],
    [{ Name: 'tag:team', Values: ['a'] }],
    [{ Name: 'tag-key', Values: ['team'] }],
  ])
})

test('in a term with several fields, the ID takes precedence over the name; an empty term selects nothing', async () => {
  const { find, asked } = harness()
  const ids = async (term: EC2NodeClass['spec']['securityGroupSelectorTerms'][number], generation: number) =>
    (await find([term], generation)).map(({ id }) => id)
  expect(await ids({ id: 'sg-1', name: 'b', tags: { team: 'a' } }, 1)).toEqual(['sg-1'])
  expect(await ids({ name: 'b', tags: { team: 'a' } }, 2)).toEqual(['sg-2'])
  expect(await ids({ tags: { team: 'a' } }, 3)).toEqual(['sg-3'])
  expect(await ids({}, 4)).toEqual([])
  expect(asked()).toBe(3)
})

test('results are cached for a minute, and read again when the class changes', async () => {
  const { clock, find, asked } = harness()
  const terms = [{ id: 'sg-1' }]
  await find(terms)
  await clock.advance(59_999)
  await find(terms)
  expect(asked()).toBe(1)
  await find(terms, 2)
  expect(asked()).toBe(2)
  await clock.advance(1)
  await find(terms)
  expect(asked()).toBe(3)
})

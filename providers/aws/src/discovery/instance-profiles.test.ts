import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { nodeClassSpec } from '../testing/aws-harness.ts'
import { ec2NodeClass } from '../testing/ec2-node-class.ts'
import { FakeIam } from '../testing/fake-aws/fake-services.ts'
import { Requests } from '../testing/fake-aws/requests.ts'
import { InstanceProfiles, RoleMissingError } from './instance-profiles.ts'

// See `providers/aws/docs/spec/aws.md#instance-profiles`.

const never = new AbortController().signal
const MINUTE = 60_000
const ROLE = 'KarpenterNodeRole-demo'

const harness = () => {
  const clock = new VirtualClock()
  const iam = new FakeIam(new Requests(clock))
  const newProfiles = (seed: number) =>
    new InstanceProfiles({ iam, clock, random: new SeededRandom(seed) }, { region: 'us-east-1', clusterName: 'demo' })
  const profiles = newProfiles(1)
  const nodeClass = (instanceProfile?: string, uid = 'uid-1'): EC2NodeClass =>
    ec2NodeClass('default', {
      spec: { ...nodeClassSpec, tags: { team: 'a' } },
      status: instanceProfile === undefined ? {} : { instanceProfile },
      metadata: { uid },
    })
  const ensureWith =
    (of: InstanceProfiles) =>
    (current?: string, role = ROLE) =>
      of.ensure(nodeClass(current), role, never)
  const ensure = ensureWith(profiles)
  let starts = 1
  const restarted = () => {
    const anew = newProfiles(++starts)
    return { profiles: anew, ensure: ensureWith(anew) }
  }
  const asked = (...calls: readonly string[]) => iam.faults.count(...calls)
  /** Advances the clock until every cache entry has expired. */
  const forget = () => clock.advance(60 * MINUTE)
  return { clock, iam, profiles, nodeClass, ensure, restarted, asked, forget }
}

test('a profile is created for the role of a class, under the path of the cluster and the class, with its tags', async () => {
  const { iam, profiles, nodeClass, ensure } = harness()
  const name = await ensure(undefined, '/teams/a/KarpenterNodeRole-demo')
  expect(name).toMatch(/^demo_\d+$/)
  expect(iam.profiles.get(name)).toEqual({
    name,
    path: '/karpenter/us-east-1/demo/uid-1/',
    roles: [ROLE],
    tags: {
      team: 'a',
      'kubernetes.io/cluster/demo': 'owned',
      'eks:eks-cluster-name': 'demo',
      'karpenter.k8s.aws/ec2nodeclass': 'default',
      'topology.kubernetes.io/region': 'us-east-1',
    },
  })
  expect(profiles.path()).toBe('/karpenter/us-east-1/demo/')
  expect(profiles.path(nodeClass())).toBe('/karpenter/us-east-1/demo/uid-1/')
  expect(profiles.legacyName(nodeClass())).toMatch(/^demo_\d+$/)
  expect(profiles.legacyName(nodeClass())).toBe(profiles.legacyName(nodeClass('x', 'uid-2')))
  expect(profiles.legacyName(nodeClass())).not.toBe(name)
})

test('a class that has never been resolved gets its profile', async () => {
  const { iam, profiles, nodeClass } = harness()
  const { status: _, ...fresh } = nodeClass()
  const name = await profiles.ensure(fresh, ROLE, never)
  expect([...iam.profiles.keys()]).toEqual([name])
})

test('for a minute after its creation, the profile is returned, whatever the status says', async () => {
  const { clock, ensure, asked } = harness()
  const name = await ensure()
  await clock.advance(MINUTE - 1)
  expect(await ensure()).toBe(name)
  expect(asked('createInstanceProfile')).toBe(1)
  await clock.advance(1)
  expect(await ensure()).toBe(name)
  expect(asked('createInstanceProfile')).toBe(1)
})

test('if the status was not saved, no second profile is created, even after a restart or if Kerf may not list profiles', async () => {
  const { clock, iam, ensure, asked, restarted, forget } = harness()
  iam.roles.add('other')
  const name = await ensure()
  const other = await ensure(undefined, 'other')
  for (let minute = 0; minute < 30; minute++) {
    await clock.advance(MINUTE)
    expect(await ensure()).toBe(name)
  }
  const anew = restarted()
  expect([await anew.ensure(), await anew.ensure(undefined, 'other')]).toEqual([name, other])
  expect(anew.profiles.isProtected(name)).toBe(true)
  expect(asked('createInstanceProfile')).toBe(2)
  iam.faults.standing('listInstanceProfiles', { code: 'AccessDenied', status: 403 })
  const third = await restarted().ensure()
  expect([name, other]).not.toContain(third)
  await forget()
  expect(await ensure()).toBe(name)
  expect(asked('createInstanceProfile')).toBe(3)
})

test('a profile of a user or of another class is not used for a role, but one that an older release created is', async () => {
  const { iam, profiles, nodeClass, ensure } = harness()
  for (const [name, path] of [
    ['mine', '/'],
    ['others', '/karpenter/us-east-1/demo/uid-2/'],
  ] as const) {
    iam.profiles.set(name, { name, path, roles: [ROLE], tags: {} })
    const own = await ensure(name)
    expect(own).not.toBe(name)
    expect(iam.profiles.get(own)?.path).toBe(profiles.path(nodeClass()))
    expect(iam.profiles.get(name)?.roles).toEqual([ROLE])
  }
  const old = harness()
  const legacy = old.profiles.legacyName(old.nodeClass())
  old.iam.profiles.set(legacy, { name: legacy, path: '/', roles: [ROLE], tags: {} })
  expect(await old.ensure(legacy)).toBe(legacy)
})

test('the profile of the status is used while it has the role, and checked every fifteen minutes', async () => {
  const { clock, ensure, asked, forget } = harness()
  const name = await ensure()
  await forget()
  expect(await ensure(name)).toBe(name)
  await clock.advance(15 * MINUTE - 1)
  expect(await ensure(name, `/path/${ROLE}`)).toBe(name)
  expect(asked('getInstanceProfile')).toBe(1)
  await clock.advance(1)
  expect(await ensure(name)).toBe(name)
  expect([asked('getInstanceProfile'), asked('createInstanceProfile')]).toEqual([2, 1])
})

test('another role gets another profile, and for an hour both are protected from deletion', async () => {
  const { clock, iam, profiles, ensure, forget } = harness()
  iam.roles.add('other')
  const old = await ensure()
  await forget()
  expect(profiles.isProtected(old)).toBe(false)
  const name = await ensure(old, 'other')
  expect(iam.profiles.get(name)?.roles).toEqual(['other'])
  expect(iam.profiles.get(old)?.roles).toEqual([ROLE])
  await clock.advance(60 * MINUTE - 1)
  expect([old, name].map((each) => profiles.isProtected(each))).toEqual([true, true])
  await clock.advance(1)
  expect([old, name].map((each) => profiles.isProtected(each))).toEqual([false, false])
})

test('a profile of the status that is gone is created again; a refused read is an error', async () => {
  const { iam, ensure, forget } = harness()
  const name = await ensure()
  await forget()
  iam.profiles.clear()
  iam.faults.next('getInstanceProfile', { code: 'AccessDenied', status: 403 })
  await expect(ensure(name)).rejects.toThrow('AccessDenied')
  const anew = await ensure(name)
  expect([...iam.profiles.keys()]).toEqual([anew])
})

test('a missing role is reported, requested once a minute, and leaves no profile behind', async () => {
  const { clock, iam, ensure, asked } = harness()
  await expect(ensure(undefined, 'none')).rejects.toThrow(RoleMissingError)
  expect(iam.profiles.size).toBe(0)
  await clock.advance(MINUTE - 1)
  await expect(ensure(undefined, 'none')).rejects.toThrow(RoleMissingError)
  expect(asked('addRole')).toBe(1)
  expect(await ensure()).toMatch(/^demo_/)
  await clock.advance(1)
  iam.roles.add('none')
  expect(await ensure(undefined, 'none')).toMatch(/^demo_/)
})

test('if attaching the role fails in any other way, no profile is left behind either, and the failure is not cached', async () => {
  const { iam, ensure } = harness()
  iam.faults.next('addRole', { code: 'AccessDenied', status: 403 })
  await expect(ensure()).rejects.toThrow('AccessDenied')
  expect(iam.profiles.size).toBe(0)
  iam.faults.next('createInstanceProfile', { code: 'LimitExceeded', status: 409 })
  iam.faults.next('getInstanceProfile', { code: 'AccessDenied', status: 403 })
  // A failed clean-up does not hide the original error.
  await expect(ensure()).rejects.toThrow('LimitExceeded')
  expect(await ensure()).toMatch(/^demo_/)
})

test('a profile that already exists is taken over, with the correct role', async () => {
  const { iam, ensure, asked } = harness()
  const create = iam.createInstanceProfile
  iam.createInstanceProfile = async (profile, signal) => {
    const made = await create.call(iam, profile, signal)
    iam.profiles.set(profile.name, { ...profile, roles: ['stranger'] })
    expect(made.roles).toEqual([])
    return create.call(iam, profile, signal)
  }
  const name = await ensure()
  expect(iam.profiles.get(name)?.roles).toEqual([ROLE])
  expect([asked('removeRole'), asked('addRole')]).toEqual([1, 1])
  iam.createInstanceProfile = async (profile, signal) => {
    iam.profiles.set(profile.name, { ...profile, roles: [ROLE] })
    return create.call(iam, profile, signal)
  }
  iam.roles.add('second')
  const other = await ensure(undefined, 'second').catch(() => undefined)
  expect(iam.profiles.get(other ?? '')?.roles).toEqual(['second'])
})

test('a profile is deleted with its roles; a missing profile is not an error, but a refusal is', async () => {
  const { iam, profiles, ensure } = harness()
  const name = await ensure()
  iam.faults.next('deleteInstanceProfile', { code: 'DeleteConflict', status: 409 })
  await expect(profiles.delete(name, never)).rejects.toThrow('DeleteConflict')
  expect(profiles.isProtected(name)).toBe(true)
  await profiles.delete(name, never)
  expect([iam.profiles.size, profiles.isProtected(name)]).toEqual([0, false])
  await profiles.delete(name, never)
})

test('a deleted profile is removed from the cache', async () => {
  const { clock, profiles, ensure, asked } = harness()
  const name = await ensure()
  await profiles.delete(name, never)
  await clock.advance(MINUTE)
  const before = asked('getInstanceProfile')
  expect(await ensure(name)).not.toBe(name)
  expect(asked('getInstanceProfile') - before).toBe(1)
})

test('only profiles below the path are listed, whatever IAM returns', async () => {
  const { iam, profiles, nodeClass, ensure } = harness()
  const name = await ensure()
  const list = async (prefix: string) => (await profiles.list(prefix, never)).map((each) => each.name)
  expect(await list(profiles.path(nodeClass()))).toEqual([name])
  expect(await list(profiles.path(nodeClass(undefined, 'uid-2')))).toEqual([])
  iam.listInstanceProfiles = async () => [
    ...iam.profiles.values(),
    { name: 'foreign', path: '/x/', roles: [], tags: {} },
  ]
  expect(await list('/karpenter/')).toEqual([name])
})

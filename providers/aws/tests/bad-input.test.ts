import { findCondition, isConditionTrue, kinds } from '@kerf/apis'
import { type EC2NodeClassSpec, ec2NodeClassKind } from '@kerf/provider-aws/node-class'
import type { FakeAws } from '@kerf/provider-aws/testing'
import { isInvalid, type KubeClient } from '@kerf/runtime'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createClass, createPod, createPool, goodSpec, isRunning, listEventReasons } from './class-objects.ts'
import { type FakeAwsStory, startFakeAwsStory } from './kerf-on-fake-aws.ts'

interface Case {
  readonly name: string
  readonly wrong: string
  readonly spec: Partial<EC2NodeClassSpec>
  readonly condition: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  /** Matches the cause and the remedy. */
  readonly message: RegExp
}

/** Classes with one mistake each. */
const cases: readonly Case[] = [
  {
    name: 'no-subnets',
    wrong: 'subnet terms match nothing',
    spec: { subnetSelectorTerms: [{ tags: { no: 'such' } }] },
    condition: 'SubnetsReady',
    status: 'False',
    reason: 'SubnetsNotFound',
    message: /subnetSelectorTerms match no subnet; check IDs, tags and the region/,
  },
  {
    name: 'no-groups',
    wrong: 'security group terms match nothing',
    spec: { securityGroupSelectorTerms: [{ name: 'none' }] },
    condition: 'SecurityGroupsReady',
    status: 'False',
    reason: 'SecurityGroupsNotFound',
    message: /securityGroupSelectorTerms match no security group; check IDs, names, tags and the region/,
  },
  {
    name: 'no-images',
    wrong: 'image terms match nothing',
    spec: { amiFamily: 'AL2023', amiSelectorTerms: [{ name: 'none-*' }] },
    condition: 'AMIsReady',
    status: 'False',
    reason: 'AMINotFound',
    message: /amiSelectorTerms match no image .*; check IDs, names, owners and tags/,
  },
  {
    name: 'no-architecture',
    wrong: 'the images are for no architecture that nodes have',
    spec: { amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-old' }] },
    condition: 'AMIsReady',
    status: 'False',
    reason: 'AMINotFound',
    message: /no image for x86_64 or arm64; check/,
  },
  {
    name: 'unknown-family',
    wrong: 'the family is unknown',
    spec: { amiFamily: 'Ubuntu' as never, amiSelectorTerms: [{ id: 'ami-x86' }] },
    condition: 'AMIsReady',
    status: 'False',
    reason: 'UnknownAMIFamily',
    message: /Ubuntu is not a supported image family; set spec\.amiFamily to one of AL2, AL2023, Bottlerocket/,
  },
  {
    name: 'no-role',
    wrong: 'the role does not exist',
    spec: { role: 'nobody' },
    condition: 'InstanceProfileReady',
    status: 'Unknown',
    reason: 'RoleNotFound',
    message: /the IAM role nobody does not exist; create it, or correct spec\.role/,
  },
  {
    name: 'full-subnet',
    wrong: 'no subnet has a free address',
    spec: { subnetSelectorTerms: [{ id: 'subnet-full' }] },
    condition: 'SubnetsReady',
    status: 'True',
    reason: 'SubnetsReady',
    message:
      /none of the 1 subnets has a free address.*; select more subnets with subnetSelectorTerms, or free addresses/,
  },
  {
    name: 'not-mime',
    wrong: 'the user data is not MIME',
    spec: { userData: 'MIME-Version: 1.0\nContent-Type: multipart/mixed\n\nno boundary' },
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'UserDataInvalid',
    message: /spec\.userData is not valid MIME: .*boundary.*; write a multipart\/mixed document/,
  },
  {
    name: 'not-toml',
    wrong: 'the user data is not TOML',
    spec: { amiSelectorTerms: [{ alias: 'bottlerocket@latest' }], userData: '[settings\nenabled = ' },
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'UserDataInvalid',
    message: /spec\.userData is not valid TOML: .*; /,
  },
  {
    name: 'reserved-tags',
    wrong: 'tags are reserved',
    spec: { tags: { 'karpenter.sh/nodepool': 'mine', 'kubernetes.io/cluster/other': 'owned' } },
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'TagValidationFailed',
    message:
      /karpenter\.sh\/nodepool, kubernetes\.io\/cluster\/other are reserved for the controller; remove them from spec\.tags/,
  },
]

/**
 * Removes the validation rules from the definition, so that tests can store invalid objects, as if they were older than the rules. Returns
 * a function that restores the rules.
 */
const withoutRules = async (client: KubeClient): Promise<() => Promise<void>> => {
  const ref = { name: 'ec2nodeclasses.karpenter.k8s.aws' }
  const whole = await client.get(kinds.CustomResourceDefinition, ref)
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip)
    if (typeof value !== 'object' || value === null) return value
    const { 'x-kubernetes-validations': _rules, ...rest } = value as Record<string, unknown>
    const { amiFamily, ...others } = rest
    const family =
      typeof amiFamily === 'object' && amiFamily !== null && 'enum' in amiFamily
        ? { amiFamily: { type: 'string' } }
        : {}
    const kept = amiFamily === undefined || 'amiFamily' in family ? others : rest
    return { ...Object.fromEntries(Object.entries(kept).map(([key, inner]) => [key, strip(inner)])), ...family }
  }
  const put = (spec: unknown): Promise<unknown> =>
    client.patch(kinds.CustomResourceDefinition, ref, { type: 'merge', body: { spec } })
  const versions = (spec: unknown): unknown => ({ versions: (spec as { versions: unknown }).versions })
  await put(versions(strip(whole.spec)))
  return async () => {
    await put(versions(whole.spec))
  }
}

const prepareCloud = ({ ec2, ssm }: FakeAws): void => {
  ec2.images.push({ ImageId: 'ami-old', Architecture: 'i386', State: 'available' })
  ec2.subnets.push({
    SubnetId: 'subnet-full',
    AvailabilityZone: 'us-east-1a',
    AvailabilityZoneId: 'use1-az1',
    AvailableIpAddressCount: 0,
  })
  ssm.parameters.set('/aws/service/bottlerocket/aws-k8s-1.36/x86_64/latest/image_id', 'ami-x86')
}

describe('one cluster with a separate class for every mistake', () => {
  let story: FakeAwsStory
  beforeAll(async () => {
    story = await startFakeAwsStory(11, {
      prepare: async (client, aws) => {
        prepareCloud(aws)
        const restore = await withoutRules(client)
        for (const { name, spec } of cases) await createClass(client, name, { ...goodSpec, ...spec })
        await restore()
        await createClass(client, 'good', goodSpec)
        for (const name of [...cases.map((each) => each.name), 'good']) await createPool(client, name)
        return new Set()
      },
    })
    for (const { name } of cases) await createPod(story.client, name)
    await story.pass(60)
  })
  afterAll(() => story.close())

  test.each(cases)(
    '$wrong: a condition and an event of the class report cause and remedy',
    async ({ name, condition, status, reason, message }) => {
      const nodeClass = await story.client.get(ec2NodeClassKind, { name })
      const found = findCondition(nodeClass, condition)
      expect(found).toMatchObject({ status, reason })
      expect(found?.message).toMatch(message)
      expect(isConditionTrue(nodeClass, 'Ready')).toBe(status === 'True')
      expect(await listEventReasons(story.client, name)).toContain(found?.message)
      expect(await isRunning(story.client, `for-${name}`)).toBe(false)
    },
  )

  test('a valid class in the same cluster works', async () => {
    await createPod(story.client, 'good')
    await story.until('the pod running', () => isRunning(story.client, 'for-good'), 90)
    expect(isConditionTrue(await story.client.get(ec2NodeClassKind, { name: 'good' }), 'Ready')).toBe(true)
  })

  test('each class works after its mistake is corrected, without a restart', async () => {
    for (const { name, spec } of cases) {
      // Removes the fields that the schema would refuse, and corrects the others.
      const gone = Object.fromEntries(Object.keys(spec).map((field) => [field, null]))
      const body = { spec: { ...gone, ...goodSpec } }
      await story.client.patch(ec2NodeClassKind, { name }, { type: 'merge', body })
    }
    for (const { name } of cases)
      await story.until(`the pod of ${name} running`, () => isRunning(story.client, `for-${name}`), 600)
  })
})

describe('mistakes that the schema refuses immediately', () => {
  let story: FakeAwsStory | undefined
  afterEach(async () => {
    await story?.close()
    story = undefined
  })
  test('an unknown AMI family and reserved tags are refused, with the field and the rule', async () => {
    story = await startFakeAwsStory(12)
    const { client } = story
    const refusal = async (spec: Partial<EC2NodeClassSpec>): Promise<string> => {
      const error = await createClass(client, 'refused', { ...goodSpec, ...spec }).catch((thrown: unknown) => thrown)
      expect(isInvalid(error)).toBe(true)
      return String(error)
    }
    expect(await refusal({ amiFamily: 'Ubuntu' as never })).toMatch(/spec\.amiFamily.*Ubuntu.*AL2023/)
    expect(await refusal({ tags: { 'karpenter.sh/nodepool': 'mine' } })).toMatch(/spec\.tags.*karpenter\.sh\/nodepool/)
    expect(await refusal({ tags: { 'kubernetes.io/cluster/x': 'owned' } })).toMatch(
      /spec\.tags.*kubernetes\.io\/cluster/,
    )
  })
})

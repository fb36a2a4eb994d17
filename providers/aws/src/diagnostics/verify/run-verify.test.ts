import { SeededRandom, silentLogger, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { FakeAws, instantWindows } from '../../testing/fake-aws/fake-aws.ts'
import { FakeLeftovers } from '../../testing/fake-aws/fake-leftovers.ts'
import { verifyFake } from './against-fake.ts'
import { runVerify, type VerifyDeps, type VerifyOptions } from './run-verify.ts'

const RUN = '0123abcd'
const options: VerifyOptions = {
  region: 'us-east-1',
  nodeRoleName: 'KarpenterNodeRole-demo',
  subnetId: ['subnet-a', 'subnet-c'],
  securityGroupId: ['sg-1'],
  kubernetesVersion: '1.34',
}

/** Returns `kerf aws verify`, connected to the fake AWS, in virtual time. */
const commandOver = (own: Partial<VerifyDeps> = {}) => {
  const clock = new VirtualClock({ turns: 3 })
  const aws = new FakeAws(clock, { terminationDelay: 4_000, kubernetes: '1.34' })
  aws.ec2.notOffered.push({ type: 'm5.large', zone: 'us-east-1c' })
  const files = new Map<string, string>()
  let out = ''
  const harness: VerifyDeps = {
    ...{ clock, batchClock: instantWindows(clock), random: new SeededRandom(1), log: silentLogger },
    ...{ api: () => aws, leftovers: () => new FakeLeftovers(aws.ec2), newRun: () => RUN, version: '0.1.0' },
    readFile: async (file) => files.get(file) ?? '',
    openFile: (file) => (text) => void files.set(file, (files.get(file) ?? '') + text),
    confirm: undefined,
    signal: new AbortController().signal,
    ...own,
  }
  return {
    aws,
    files,
    out: () => out,
    run: async (given: Partial<VerifyOptions>): Promise<number> => {
      let isOver = false
      const streams = { stdout: { write: (text: string) => (out += text) }, env: {} }
      const running = runVerify({ ...options, ...given }, streams, harness).finally(() => {
        isOver = true
      })
      running.catch(() => undefined)
      for (let step = 0; !isOver && step < 20_000; step++) await clock.advance(1_000)
      return running
    },
  }
}

test('the command prints what it will do and what that costs, and does nothing without confirmation', async () => {
  const asked: string[] = []
  const command = commandOver({ confirm: async (question) => asked.push(question) > 1 })
  expect(await command.run({})).toBe(1)
  expect(asked).toEqual(['Continue? Type yes: '])
  expect(command.out()).toMatchInlineSnapshot(`
    "In account 123456789012, region us-east-1, Kerf will, in about ten minutes and for at most $0.06:

      1. create the instance profile of an EC2NodeClass with the role KarpenterNodeRole-demo (IAM)
      2. create launch templates, in 2 subnets (subnet-a, subnet-c) with the security groups sg-1
      3. launch one instance on demand, and request it again: there must be only one (t3.medium or as cheap)
      4. launch one spot instance and terminate it without Kerf: Kerf must notice
      5. request m5.large in us-east-1c, where EC2 does not offer it: EC2 must reject it, and Kerf must recognize the error
      6. terminate what it launched, delete templates and profile
      7. look for anything that has the tag kubernetes.io/cluster/kerf-verify-0123abcd: there must be nothing

    The instances boot Amazon Linux with user data for a cluster that does not exist; they join none. Whatever happens, also on Ctrl-C,
    it ends with the clean-up. If the process is killed, this removes what is left:

      kerf aws verify --clean-up 0123abcd --region us-east-1

    nothing was done
    "
  `)
  expect([command.aws.ec2.templates.size, command.aws.ec2.launches, command.files.size]).toEqual([0, [], 0])
})

test('without a terminal, --yes is required; with it, the command runs and writes the transcript to the given file', async () => {
  const command = commandOver()
  await expect(command.run({})).rejects.toThrow(/^cannot ask for confirmation without a terminal: .* set --yes$/)
  expect(await command.run({ yes: true })).toBe(0)
  expect(command.out()).toMatch(/^ok {6}nothing is left: no resource has the tag of run 0123abcd$/m)
  expect([...command.files.keys()]).toEqual([`kerf-aws-verify-${RUN}.jsonl`])
  expect(await command.run({ againstFake: `kerf-aws-verify-${RUN}.jsonl` })).toBe(0)
})

test('wrong usage is refused before any call to AWS', async () => {
  const command = commandOver()
  for (const [given, why] of [
    [{ yes: true, nodeRoleName: undefined }, /--node-role-name is missing/],
    [{ yes: true, kubernetesVersion: 'latest' }, /--kubernetes-version latest is not a version/],
    [{ yes: true, subnetId: ['subnet-z'] }, /us-east-1 has no subnet subnet-z/],
    [{ cleanUp: 'all' }, /--clean-up all is not a run/],
    [{ againstFake: 'nothing' }, /--against-fake nothing: the first line is not the header of a transcript/],
  ] as const)
    await expect(command.run(given as Partial<VerifyOptions>)).rejects.toThrow(why)
  expect(command.aws.ec2.templates.size).toBe(0)
})

test('--clean-up removes what a killed run has left, and nothing else', async () => {
  const command = commandOver()
  const { ec2, iam } = command.aws
  ec2.plant({ [`kubernetes.io/cluster/kerf-verify-${RUN}`]: 'owned' })
  const other = ec2.plant({ 'kubernetes.io/cluster/demo': 'owned' })
  iam.profiles.set('left', {
    ...{
      name: 'left',
      path: `/karpenter/us-east-1/kerf-verify-${RUN}/uid/`,
      roles: ['KarpenterNodeRole-demo'],
      tags: {},
    },
  })
  iam.profiles.set('other', { name: 'other', path: '/karpenter/us-east-1/demo/uid/', roles: [], tags: {} })
  expect(await command.run({ cleanUp: RUN })).toBe(0)
  expect(command.out()).toBe(`no resources of run ${RUN} are left in us-east-1\n`)
  expect(ec2.living().map(({ data }) => data.InstanceId)).toEqual([other])
  expect([...iam.profiles.keys()]).toEqual(['other'])
  ec2.protectedInstances.add(ec2.plant({ [`kubernetes.io/cluster/kerf-verify-${RUN}`]: 'owned' }))
  expect(await command.run({ cleanUp: RUN })).toBe(1)
  expect(command.out()).toContain(`or run: kerf aws verify --clean-up ${RUN} --region us-east-1\n`)
})

test('if the fake is wrong, the exit code is 3', async () => {
  const command = commandOver()
  const { transcript } = await verifyFake()
  command.files.set('sent.jsonl', transcript.replaceAll('"ErrorCode":"Unsupported"', '"ErrorCode":"Other"'))
  expect(await command.run({ againstFake: 'sent.jsonl' })).toBe(3)
  expect(command.out()).toContain('errors only in AWS\n    Other\n')
})

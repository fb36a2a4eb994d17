import { expect, test } from 'vitest'
import { fakeCalls, verifyFake } from './against-fake.ts'
import { remainsText } from './clean-up.ts'
import { compareTranscripts, comparisonText, isFakeWrong } from './compare.ts'
import { readTranscript } from './transcript.ts'

const outcomes = (report: { readonly results: readonly { readonly check: string; readonly outcome: string }[] }) =>
  report.results.map(({ check, outcome }) => `${outcome}: ${check}`)

const ALL = [
  'passed: the selectors of the EC2NodeClass match resources',
  'passed: an on-demand instance is launched',
  'passed: a second request after a restart returns the same instance',
  'passed: a spot instance is launched',
  'passed: a spot instance that is terminated externally is noticed, and its deletion succeeds',
  'passed: EC2 rejects a type in a zone that does not offer it, and Kerf reports it',
  'passed: an instance that Kerf deletes is terminated',
  'passed: launch templates and the instance profile are deleted with the EC2NodeClass',
  'passed: nothing is left',
]

test('all checks pass if everything works, and nothing is left', async () => {
  const report = await verifyFake()
  expect(outcomes(report)).toEqual(ALL)
  const { ec2, iam } = report.aws
  expect(ec2.launches).toHaveLength(2)
  expect(ec2.launches.map(({ spot }) => spot)).toEqual([false, true])
  expect([ec2.living(), [...ec2.templates], [...iam.profiles]]).toEqual([[], [], []])
  // The launched instances belong to a cluster that does not exist.
  for (const { tags } of ec2.launches)
    expect(tags).toHaveProperty('kubernetes.io/cluster/kerf-verify-00000000', 'owned')
  const refused = report.results.find(({ check }) => check.startsWith('EC2 rejects'))
  expect(refused?.seen).toMatch(/^r5\.large in us-east-1c: EC2 returned Unsupported; Kerf: insufficient capacity/)
})

test('an interrupted run is cleaned up, whenever it is interrupted', async () => {
  for (const after of ['createLaunchTemplate', 'launched', 'terminating'] as const) {
    const stop = new AbortController()
    const report = await verifyFake((aws) => {
      const abort = (): void => stop.abort(new Error('Ctrl-C'))
      if (after === 'createLaunchTemplate') {
        const make = aws.ec2.createLaunchTemplate.bind(aws.ec2)
        aws.ec2.createLaunchTemplate = (...args) => {
          abort()
          return make(...args)
        }
      } else aws.ec2.watchers.push({ [after]: abort })
    }, stop.signal)
    expect([after, report.results.find(({ check }) => check === 'the run')]).toEqual([
      after,
      { check: 'the run', outcome: 'failed', seen: 'interrupted' },
    ])
    const { ec2, iam } = report.aws
    expect([after, ec2.living(), [...ec2.templates], [...iam.profiles], report.problems]).toEqual([
      after,
      [],
      [],
      [],
      [],
    ])
  }
})

test('resources that cannot be removed are named, with the commands that remove them', async () => {
  const report = await verifyFake((aws, leftovers) => {
    aws.ec2.watchers.push({
      launched: ({ data }) => void (aws.ec2.launches.length === 1 && aws.ec2.protectedInstances.add(data.InstanceId)),
    })
    leftovers.kept.set('vol-0123456789abcdef0', { 'kubernetes.io/cluster/kerf-verify-00000000': 'owned' })
    leftovers.kept.set('vol-0123456789abcdef1', { 'kubernetes.io/cluster/demo': 'owned' })
  })
  expect(outcomes(report)).toContain('failed: an instance that Kerf deletes is terminated')
  expect(outcomes(report)).toContain('failed: nothing is left')
  const [protectedId = ''] = report.aws.ec2.protectedInstances
  const text = remainsText(report.remains, 'us-east-1')
  expect(text).toContain(`aws ec2 terminate-instances --instance-ids ${protectedId} --region us-east-1\n`)
  expect(text).toContain('aws ec2 delete-volume --volume-id vol-0123456789abcdef0 --region us-east-1\n')
  expect(text).not.toContain('vol-0123456789abcdef1')
  expect(report.problems.join()).toContain('OperationNotPermitted')
})

test('the launch of a type in a zone that should not have the type counts as a failure', async () => {
  const report = await verifyFake((aws) => {
    aws.ec2.lacks = (type, zone) => aws.ec2.fleets.length < 2 && type === 'r5.large' && zone === 'us-east-1c'
  })
  const refused = report.results.find(({ check }) => check.startsWith('EC2 rejects'))
  expect(refused).toMatchObject({ outcome: 'failed', seen: expect.stringMatching(/^EC2 launched it: r5\.large/) })
  expect(report.aws.ec2.living()).toEqual([])
})

test('the transcript contains every call, and no account data', async () => {
  const { transcript, aws } = await verifyFake()
  const { head, calls } = readTranscript(transcript)
  expect(head).toMatchObject({ region: 'us-east-1' })
  expect(calls.length).toBeGreaterThan(30)
  const operations = new Set(calls.map(({ operation }) => operation))
  for (const operation of [
    'createFleet',
    'terminateInstances',
    'describeInstances',
    'createInstanceProfile',
    'getProducts',
  ])
    expect(operations).toContain(operation)
  const private_ = ['KarpenterNodeRole', 'subnet-a', 'sg-1', 'ami-x86', '123456789012', '.invalid', 'Q0E=']
  for (const text of [...private_, ...aws.ec2.launches.map(({ id }) => id)]) expect(transcript).not.toContain(text)
  // Equal strings have equal replacements, so readers can recognize calls about the same instance.
  const launched = calls.find(
    ({ operation, step }) => operation === 'createFleet' && step.startsWith('an on-demand instance'),
  )
  const [id] = /"i-\d+"/.exec(JSON.stringify(launched?.output)) ?? []
  const ended = calls
    .filter(({ operation }) => operation === 'terminateInstances')
    .map(({ input }) => JSON.stringify(input))
  expect(ended.join()).toContain(id)
})

test('a transcript of the fake does not differ from the fake', async () => {
  const calls = await fakeCalls()
  const same = compareTranscripts(calls, await fakeCalls())
  expect(same.differences).toEqual([])
  expect(isFakeWrong(same)).toBe(false)
})

test('finds how AWS differs: more paths, fewer paths, values of another kind, another code', async () => {
  const fake = await fakeCalls()
  const real = readTranscript(
    (await verifyFake()).transcript
      .replaceAll('"[].AvailabilityZoneId":["string"]', '"[].AvailabilityZoneId":["string"],"[].VpcId":["string"]')
      .replaceAll('"[].LaunchTime":["date"]', '"[].LaunchTime":["string"]')
      .replaceAll(/"FleetId":\["string"\],?/g, '')
      .replaceAll(',}', '}')
      .replaceAll('"ErrorCode":"Unsupported"', '"ErrorCode":"InvalidFleetConfiguration"'),
  ).calls
  const found = compareTranscripts(real, fake)
  expect(isFakeWrong(found)).toBe(true)
  const of = (operation: string) => found.differences.find((each) => each.operation === operation)
  expect(of('ec2.describeSubnets')).toMatchObject({ onlyAws: ['[].VpcId'], onlyFake: [] })
  expect(of('ec2.createFleet')).toMatchObject({
    onlyFake: ['FleetId'],
    codesOnlyFake: ['Unsupported'],
    codesOnlyAws: ['InvalidFleetConfiguration'],
  })
  expect(of('ec2.describeInstances')?.otherKinds).toEqual(['[].LaunchTime: string of AWS, date of the fake'])
  expect(comparisonText(found)).toContain('  errors only in AWS\n    InvalidFleetConfiguration\n')
})
